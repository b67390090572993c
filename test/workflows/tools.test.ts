/** The Galaxy tool with its own tests, and content for MultiQC. */
import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { METHOD_NAMES } from '../../src/engine/reduce/methods.ts'
import { parseReleaseNumber } from '../../src/reference/release-number.ts'
import { hasProgram } from '../support/programs.ts'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { WORKFLOWS } from '../support/workflow.ts'

const temp = tempFolder()
const SUPPORT = join(import.meta.dirname, '../support')
// Debian's Python packages belong to its own Python
const PYTHON = '/usr/bin/python3'
const hasCheetah = hasProgram('python3-cheetah', PYTHON, '-c', 'import Cheetah')
const hasMultiqc = hasProgram('multiqc', 'multiqc', '--version')
const hasXmllint = hasProgram('xmllint', 'xmllint', '--version')
const DONORS = readFileSync(join(WORKFLOWS, 'galaxy/test-data/donors.csv'), 'utf8')

function folderWith(name: string, files: Readonly<Record<string, string>>): string {
  const folder = temp(name)
  mkdirSync(folder)
  for (const [file, content] of Object.entries(files)) writeFileSync(join(folder, file), content)
  return folder
}

describe('the Galaxy tool', () => {
  const TOOL = join(WORKFLOWS, 'galaxy/hla_redux.xml')

  test.skipIf(!hasXmllint)('is XML', async () => {
    expect(await runShell(`xmllint --noout '${TOOL}'`, { cwd: temp('.') })).toMatchObject({
      status: 0,
      stderr: '',
    })
  })

  test('is of this version', () => {
    const { version } = JSON.parse(readFileSync(join(WORKFLOWS, '../../package.json'), 'utf8'))
    expect(readFileSync(TOOL, 'utf8')).toContain(`<token name="@TOOL_VERSION@">${version}</token>`)
  })

  test('takes the releases that -r takes', () => {
    const [, pattern = ''] =
      /<validator type="regex"[^>]*>(.*)<\/validator>/.exec(readFileSync(TOOL, 'utf8')) ?? []
    const takes = new RegExp(pattern)
    const isRelease = (text: string) => {
      try {
        return parseReleaseNumber(text) !== undefined
      } catch {
        return false
      }
    }
    const releases = [
      '3.58.0',
      '3.58',
      '3580',
      '3.64.1',
      '390',
      'v3.65.0-alpha',
      '3.65.0-pre2026',
      '3.58.0-r2',
    ]
    const others = ['2.58.0', '3.580.0', '3.58.0.1', 'latest', '3.58.0; rm', "3.58.0'", '']
    for (const text of [...releases, ...others])
      expect([text, takes.test(text)]).toEqual([text, isRelease(text)])
    expect(['active', 'starter'].filter((text) => !takes.test(text))).toEqual([])
  })

  test('offers every method', () => {
    const offered = [...readFileSync(TOOL, 'utf8').matchAll(/<option value="(\w+)"[^>]*>\w/g)].map(
      ([, value]) => value,
    )
    expect(METHOD_NAMES.filter((method) => !offered.includes(method))).toEqual([])
  })

  test.skipIf(!hasCheetah)('passes its tests', async () => {
    const cwd = folderWith('galaxy', {})
    const run = `${PYTHON} '${join(SUPPORT, 'galaxy_tool.py')}'`
    expect(await runShell(`${run} '${TOOL}' .`, { cwd })).toEqual({
      status: 0,
      stdout: '1 ok\n2 ok\n3 ok\n',
      stderr: '',
    })
    // a tool with another result fails the tests
    const folder = folderWith('galaxy-other', {
      'tool.xml': readFileSync(TOOL, 'utf8').replace("--method '$method'", '--method P'),
    })
    const other = await runShell(`cp -r '${join(WORKFLOWS, 'galaxy/test-data')}' . && ${run} tool.xml .`, {
      cwd: folder,
    })
    expect(other.stdout).toMatch(/^1 reduced is not donors\.G\.csv: .*\n2 has_line .*\n3 ok\n$/)
  })
})

describe('content for MultiQC', () => {
  const SUMMARIES = `node '${join(WORKFLOWS, 'multiqc/summaries.mjs')}'`
  const CONVERT = 'hla redux -q --exit-zero -i'

  test('is of summaries and of provenance, and other files are refused', async () => {
    const cwd = folderWith('content', {
      'a.csv': DONORS,
      'b.csv': 'id,A_1,A_2\n1,01:01,02:01\n',
      'other.json': '{"rows":3}',
    })
    const ran = await runShell(
      `${CONVERT} a.csv -o a.out.csv --summary json=a.summary.json 2> /dev/null
       ${CONVERT} b.csv -o b --provenance && ${SUMMARIES} . a.summary.json b.hla.json`,
      { cwd },
    )
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    const general = JSON.parse(readFileSync(join(cwd, 'hla_general_mqc.json'), 'utf8'))
    expect(general.data).toEqual({
      a: { hla_rows: 3, hla_typings: 6, hla_failed: 100 / 6 },
      b: { hla_rows: 1, hla_typings: 2, hla_failed: 0, hla_release: '3.58.0' },
    })
    const failures = JSON.parse(readFileSync(join(cwd, 'hla_failures_mqc.json'), 'utf8'))
    expect(failures.data).toEqual({ a: { starter: 1 }, b: {} })
    // without failures, none of the previous run's remain
    await runShell(`${SUMMARIES} . b.hla.json`, { cwd })
    expect(readdirSync(cwd).filter((name) => name.endsWith('_mqc.json'))).toEqual([
      'hla_general_mqc.json',
      'hla_status_mqc.json',
    ])
    const other = await runShell(`${SUMMARIES} . other.json; ${SUMMARIES} . b.hla.json b.hla.json`, { cwd })
    expect(other.stderr).toBe(
      'summaries: other.json is neither a summary nor a provenance file of hla\nsummaries: two files are of b: b.hla.json\n',
    )
  })

  test.skipIf(!hasMultiqc)('is shown by MultiQC', async () => {
    const cwd = folderWith('multiqc', { 'a.csv': DONORS })
    const ran = await runShell(
      `${CONVERT} a.csv -o a.out.csv --summary json=a.summary.json 2> /dev/null; ${SUMMARIES} . a.summary.json && multiqc --quiet --outdir report . 2>&1`,
      { cwd },
    )
    expect(ran).toMatchObject({ status: 0 })
    const data = (name: string) => readFileSync(join(cwd, 'report/multiqc_data', name), 'utf8')
    expect(data('multiqc_hla_status_plot.txt')).toBe(
      'Sample\tok\tabsent\tunknown\tuntyped\tnew\terror\na\t3\t0\t0\t2\t0\t1\n',
    )
    expect(data('multiqc_hla_failures_plot.txt')).toBe('Sample\tstarter\na\t1\n')
    expect(data('multiqc_general_stats.txt')).toMatch(
      /^Sample\t.*hla_rows\t.*hla_typings\t.*hla_failed\na\t3\t6\t16\.66\d+\n$/,
    )
  })
})
