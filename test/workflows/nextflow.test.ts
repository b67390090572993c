/**
 * The Nextflow module: parsed as Groovy, its shell block run alone with Nextflow's substitutions, and the whole where
 * Nextflow is installed.
 */
import { createHash } from 'node:crypto'
import { copyFileSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, expect, test } from 'vitest'
import { packageVersion } from '../../src/package-root.ts'
import { hasProgram } from '../support/programs.ts'
import { runShell } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'
import { expectAsOneRun, SPLIT, WORKFLOWS, writeDonors } from '../support/workflow.ts'

const temp = tempFolder()
// Debian's groovy does not find Java in the folders of all Java packages
const GROOVY = 'JAVA_HOME=$(dirname $(dirname $(readlink -f $(command -v java)))) groovy'
const hasGroovy = hasProgram('groovy and java', 'bash', '-c', `${GROOVY} --version`)
const PARSER = join(import.meta.dirname, '../support/parse.groovy')
const hasNextflow = hasProgram('nextflow', 'nextflow', '-version')
const FOLDER = join(WORKFLOWS, 'nextflow')
const MODULE = join(FOLDER, 'modules/local/hla/redux')
const main = readFileSync(join(MODULE, 'main.nf'), 'utf8')

/** The text between the quotes of `script:`, with values for its variables. */
function shellBlock(values: Readonly<Record<string, string>>): string {
  const [, block = ''] = /script:[\s\S]*?"""\n([\s\S]*?)"""/.exec(main) ?? []
  const lines = block.split('\n').map((line) => line.replace(/^ {4}/, ''))
  // Groovy replaces ${…}, and unescapes \$ and \\
  return lines.join('\n').replace(/\\([\\$])|\$\{([^}]+)\}/g, (_, kept: string | undefined, name: string) => {
    if (kept !== undefined) return kept
    if (values[name] === undefined) throw new Error(`nothing for ${name}`)
    return values[name]
  })
}

describe('the Nextflow module', () => {
  test('has a shell block that converts a part', async () => {
    const cwd = temp('block')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 500)
    const script = shellBlock({
      args: '-m lgx',
      'task.cpus': '1',
      'task.process': 'CONVERT:HLA_REDUX',
      table: 'in/part-0002.csv',
      plan: "--plan-from 'in/sample.csv'",
      'table.name': 'part-0002.csv',
    })
    // Nextflow runs blocks with these options
    const ran = await runShell(`${SPLIT} donors.csv in 2 && set -euo pipefail\n${script}`, { cwd })
    expect(ran).toMatchObject({ status: 0, stdout: '' })
    const made = await runShell('ls result; wc -l < result/part-0002.csv', { cwd })
    expect(made.stdout).toBe('part-0002.csv\npart-0002.csv.errors.csv\npart-0002.csv.hla.json\n251\n')
  })

  test('says its version by the command on the topic', async () => {
    const [, command = ''] =
      /val\('hla'\), eval\("([^"]+)"\), topic: versions, emit: versions_hla/.exec(main) ?? []
    const ran = await runShell(command, { cwd: temp('.') })
    expect(ran.stdout).toMatch(/^\d+\.\d+\.\d+\S*\n$/)
  })

  test('makes what its nf-test expects', async () => {
    const tests = join(MODULE, 'tests')
    const expected = readFileSync(join(tests, 'main.nf.test'), 'utf8')
    const [, lines = ''] = /readLines\(\) == \[\n([^\]]*)\]/.exec(expected) ?? []
    const [, args = ''] =
      /ext\.args = '(.*)'/.exec(readFileSync(join(tests, 'nextflow.config'), 'utf8')) ?? []
    const cwd = temp('nf-test')
    mkdirSync(cwd)
    copyFileSync(join(tests, 'donors.csv'), join(cwd, 'donors.csv'))
    const script = shellBlock({
      args,
      'task.cpus': '1',
      table: 'donors.csv',
      plan: '',
      'table.name': 'donors.csv',
    })
    expect(await runShell(`set -euo pipefail\n${script}`, { cwd })).toMatchObject({ status: 0 })
    expect([...lines.matchAll(/'(.*)',/g)].map(([, line]) => line)).toEqual(
      readFileSync(join(cwd, 'result/donors.csv'), 'utf8').trimEnd().split('\n'),
    )
    const report = readFileSync(join(cwd, 'result/donors.csv.errors.csv'), 'utf8')
    expect(report.match(/\n/g)).toHaveLength(Number(/errors.*size\(\) == (\d)/.exec(expected)?.[1]))
    const snapshots: Record<string, { readonly content: readonly unknown[] }> = JSON.parse(
      readFileSync(join(tests, 'main.nf.test.snap'), 'utf8'),
    )
    expect(Object.keys(snapshots)).toEqual(
      [...expected.matchAll(/^ {4}test\("(.*)"\)/gm)].map(([, name]) => name),
    )
    const sum = createHash('md5')
      .update(readFileSync(join(cwd, 'result/donors.csv')))
      .digest('hex')
    const versions = [['HLA_REDUX', 'hla', packageVersion()]]
    expect(snapshots['a table, with a typing that has no answer']?.content).toEqual([
      [[{ id: 'donors' }, `donors.csv:md5,${sum}`]],
      3,
      { versions_hla: versions },
    ])
    expect(snapshots['a table - stub']?.content).toMatchObject([{ errors: [], versions_hla: versions }])
  })

  test.skipIf(!hasGroovy)('is Groovy, as the workflow around it is', async () => {
    const all = [
      'main.nf',
      'nextflow.config',
      ...['main.nf', 'tests/main.nf.test', 'tests/nextflow.config'].map((name) =>
        join('modules/local/hla/redux', name),
      ),
    ]
    const files = all.map((file) => `'${join(FOLDER, file)}'`).join(' ')
    const ran = await runShell(`${GROOVY} '${PARSER}' ${files}`, { cwd: temp('.') })
    expect(ran).toEqual({ status: 0, stdout: '', stderr: '' })
    const wrong = await runShell(
      `sed 's/emit: .*/emit:/' '${join(MODULE, 'main.nf')}' > wrong.nf; ${GROOVY} '${PARSER}' wrong.nf`,
      {
        cwd: temp('.'),
      },
    )
    expect(wrong.stderr).toMatch(/wrong\.nf: 1\d: /)
  })

  test('names in meta.yml what it takes and gives', () => {
    const meta = readFileSync(join(MODULE, 'meta.yml'), 'utf8')
    const emitted = [...main.matchAll(/emit: (\w+)/g)].map(([, name]) => name)
    expect(emitted).toEqual(['table', 'provenance', 'errors', 'versions_hla'])
    const [, output = '', topics = ''] = meta.split(/^(?:output|topics|authors):\n/m)
    expect([...output.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name)).toEqual(emitted)
    expect([...topics.matchAll(/^ {2}(\w+):$/gm)].map(([, name]) => name)).toEqual(['versions'])
    // the metadata names each channel element by its expression, and the version by its topic
    const elements = [...main.matchAll(/path\("([^"]+)"\)|eval\("([^"]+)"\)/g)].map(
      ([, path, command]) => path ?? command,
    )
    expect(elements.filter((element) => !output.includes(`      - ${element}:\n`))).toEqual([])
    expect(topics).toContain(`      - ${elements.at(-1)}:\n          type: eval\n`)
  })

  test.skipIf(!hasNextflow)('joins parts into the bytes of one run', async () => {
    const cwd = temp('run')
    mkdirSync(cwd)
    writeDonors(join(cwd, 'donors.csv'), 5000)
    const ran = await runShell(
      `nextflow run '${join(FOLDER, 'main.nf')}' --input "$PWD/donors.csv" --outdir . --parts 3 2>&1`,
      { cwd },
    )
    expect(ran).toMatchObject({ status: 0 })
    await expectAsOneRun(cwd, 'donors.csv', 'donors.lgx.csv')
  })
})
