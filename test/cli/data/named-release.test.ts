/** Which release answers, who named it, and the note where it is not the active one. */
import { mkdirSync } from 'node:fs'
import { beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { installedData } from '../../support/installed-data.ts'
import { runHla, runShell } from '../../support/run-hla.ts'
import { hasShared } from '../../support/shared.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('work')
const config = `${temp('config')}/hla/config.json`
const env = { HLA_DATA_DIR: temp('data'), XDG_CONFIG_HOME: temp('config') }
const hla = (line: string, more: Record<string, string> = {}) =>
  runShell(line.startsWith('hla') ? line : `hla ${line}`, { cwd, env: { ...env, ...more } })
/** Release of an answer. */
const answering = async (more: Record<string, string> = {}) =>
  (await hla("redux -q -f jsonl -m lgx 'A*01:01'", more)).stdout

describe.skipIf(!hasShared)('a release that a variable or a setting names', () => {
  beforeAll(async () => {
    mkdirSync(cwd, { recursive: true })
    // links: the program replaces files and never modifies them in place
    await runShell(`cp -al '${await installedData()}' '${env.HLA_DATA_DIR}'`, { cwd })
  })
  beforeEach(async () => {
    await hla('config unset release; hla data use 3.58.0')
  })

  test.for([
    ['HLA_RELEASE', { HLA_RELEASE: '3290' }, 'true', 'HLA_RELEASE', 'unset HLA_RELEASE'],
    [
      'a setting',
      {},
      'config set release 3.29.0',
      `the setting release in ${config}`,
      `hla config unset release --config ${config}`,
    ],
  ] as const)('%s: the program says so wherever releases are chosen', async ([, more, set, source, mend]) => {
    await hla(set === 'true' ? 'version' : set)
    const what = `answers come from 3.29.0: ${source} names it`
    expect(await answering(more)).toContain('"ipd_version":3290')
    const use = await hla('data use 3.58.0', more)
    expect(use).toEqual({
      status: 0,
      stdout: '',
      stderr: `hla: IPD-IMGT/HLA 3.58.0 (2024-10-09) is now active\nhla: warning: ${what}\n  ${mend}\n`,
    })
    const list = await hla('data list', more)
    expect(list.stdout).toMatch(/^\* +3\.29\.0/m)
    expect(list.stdout).toMatch(/^ +3\.58\.0/m)
    expect(list.stderr).toContain(`hla: warning: ${what}\n  ${mend}\n`)
    expect(JSON.parse((await hla('data list --json', more)).stdout)).toMatchObject([
      { release: '3.58.0', active: true, answers: false },
      { release: '3.29.0', active: false, answers: true },
    ])
    expect((await hla('version', more)).stderr).toBe(`hla: note: ${what} (${mend}) [release]\n`)
    expect((await hla('version -r 3.58.0', more)).stderr).toBe('')
    // typed, the line makes the active release answer
    const line = `${mend}; hla data list; hla redux -q -f jsonl -m lgx 'A*01:01'`
    const typed = await runShell(line, { cwd, env: { ...env, ...more } })
    expect(typed.stdout).toMatch(/^\* +3\.58\.0/m)
    expect(typed.stdout).toContain('"ipd_version":3580')
    expect(typed.stderr).toBe('')
  })

  test('the active release itself is no other, and neither is "active"', async () => {
    for (const release of ['3.58', 'active']) {
      expect((await hla('data use 3.58.0', { HLA_RELEASE: release })).stderr).not.toContain('warning')
      expect((await hla('version', { HLA_RELEASE: release })).stderr).toBe('')
    }
  })

  test('one that is not installed is said to be none', async () => {
    const { stderr } = await hla('data use 3.58.0', { HLA_RELEASE: '3.1.0' })
    expect(stderr).toContain(
      'warning: answers come from 3.1.0, which is not installed: HLA_RELEASE names it\n',
    )
  })

  test('a setting of one command is told where releases are chosen, and its line ends it', async () => {
    await hla('config set redux.release 3.29.0')
    expect(await answering()).toContain('"ipd_version":3290')
    const mend = `hla config unset redux.release --config ${config}`
    const told = `hla: warning: hla redux answers from 3.29.0: the setting redux.release in ${config} names it\n  ${mend}\n`
    expect((await hla('data use 3.58.0')).stderr).toContain(told)
    expect((await hla('data list')).stderr).toContain(told)
    await hla(mend)
    expect(await answering()).toContain('"ipd_version":3580')
    expect((await hla('data use 3.58.0')).stderr).not.toContain('warning')
  })

  test('where a variable hides a setting, the line ends both', async () => {
    await hla('config set release 3.29.0')
    const more = { HLA_RELEASE: '3.29.0' }
    const { stderr } = await hla('data use 3.58.0', more)
    const [, mend = ''] = /\n {2}(.*)\n/.exec(stderr) ?? []
    const typed = `${mend}; hla redux -q -f jsonl -m lgx 'A*01:01'`
    expect((await runShell(typed, { cwd, env: { ...env, ...more } })).stdout).toContain('"ipd_version":3580')
  })

  test('the starter set has the line that asks the installed release', async () => {
    await hla('config set release starter')
    const line = "redux -m W 'A*01:01'"
    const { stderr, status } = await hla(line)
    expect(status).toBe(1)
    expect(stderr).toContain(
      `hla: note: answers come from the built-in starter set: the setting release in ${config} names it (hla config unset release --config ${config}) [release]\n`,
    )
    expect(stderr).toContain('\n  -r 3.58.0 asks the installed release\n')
    expect((await hla(`${line} -r 3.58.0`)).status).toBe(0)
  })
})

test('without an installed release the starter set names the installation', async () => {
  const { stderr } = await runHla(['redux', '-r', 'starter', '-m', 'W', 'A*01:01'], { cwd })
  expect(stderr).toContain('\n  hla data install 3.58.0 installs the full release\n')
})
