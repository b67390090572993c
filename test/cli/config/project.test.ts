/** Settings of a project: found upwards, said each time, and nothing among them that runs, sends or names files. */
import { chownSync, mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterEach, beforeAll, describe, expect, test } from 'vitest'
import { isOfProject } from '../../../src/cli/run/config/project-settings.ts'
import { settables, settingKey } from '../../../src/cli/run/config/settables.ts'
import { runHla } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('project/below/deeper')
const file = temp('project/.hla.json')
beforeAll(() => {
  mkdirSync(cwd, { recursive: true })
})
afterEach(() => {
  rmSync(file, { force: true })
})

const write = (settings: object) => writeFileSync(file, JSON.stringify(settings))
const hla = (words: readonly string[], env: Record<string, string> = {}) => runHla(words, { cwd, env })
const redux = (words: readonly string[] = [], env: Record<string, string> = {}) =>
  hla(['redux', ...words, 'A*01:01:01:01'], env)

describe('the settings of a project', () => {
  test('hold in its folders, behind command line and environment, and are said', async () => {
    write({ release: 'starter', redux: { method: 'G' } })
    const note = `hla: note: method release (${file}) [settings]\n`
    expect(await redux()).toEqual({ stdout: 'A*01:01:01G\n', stderr: note, status: 0 })
    expect((await redux(['-q'])).stderr).toBe('')
    expect((await redux(['-q', '-m', 'lgx'])).stdout).toBe('A*01:01\n')
    expect((await redux(['-q'], { HLA_METHOD: 'P' })).stdout).toBe('A*01:01P\n')
    expect((await redux(['-q', '--no-config', '-r', 'starter'])).stdout).toBe('A*01:01\n')
    const { stdout } = await hla(['config', 'list', '--json'])
    const listed = JSON.parse(stdout) as { source: string }[]
    expect(listed.filter(({ source }) => source === file)).toEqual([
      { key: 'release', value: 'starter', source: file },
      { key: 'redux.method', value: 'G', source: file },
    ])
  })

  test('hold before the settings of the user, and behind a profile that is asked for', async () => {
    const config = temp('user/hla/config.json')
    mkdirSync(temp('user/hla'), { recursive: true })
    writeFileSync(
      config,
      JSON.stringify({ release: 'starter', method: 'W', profiles: { g: { method: 'G' } } }),
    )
    write({ method: 'P' })
    const env = { XDG_CONFIG_HOME: temp('user') }
    expect((await redux(['-q'], env)).stdout).toBe('A*01:01P\n')
    expect((await redux(['-q', '--profile', 'g'], env)).stdout).toBe('A*01:01:01G\n')
  })

  test('are those of the nearest folder, and of commands that answer typings', async () => {
    write({ release: '3.99.0' })
    expect((await hla(['data', 'path'])).status).toBe(0)
    const nearer = join(cwd, '.hla.json')
    writeFileSync(nearer, JSON.stringify({ release: 'starter' }))
    expect(await redux(['-q'])).toMatchObject({ stdout: 'A*01:01\n', status: 0 })
    rmSync(nearer)
    expect((await redux(['-q'])).status).toBe(3)
  })

  test.for([
    ['remote', 'http://127.0.0.1:9'],
    ['redux.remote', 'http://127.0.0.1:9'],
    ['drive-url', 'http://127.0.0.1:9'],
    ['data-dir', '.'],
    ['provenance', 'elsewhere.json'],
    ['serve.port', 80],
    ['quiet', true],
    ['exit-zero', true],
    ['profiles', { g: { method: 'G' } }],
  ] as const)('may not be %s', async ([key, value]) => {
    const [command, name] = key.split('.')
    write(name === undefined ? { [key]: value } : { [command ?? '']: { [name]: value } })
    const ran = await redux(['-r', 'starter'])
    expect(ran).toMatchObject({ status: 2, stdout: '' })
    expect(ran.stderr).toContain(`${file}: a project may not set "${key}"`)
    expect((await hla(['config', 'check'])).status).toBe(2)
    expect((await redux(['-q', '-r', 'starter', '--no-config'])).status).toBe(0)
  })

  test('name no file, folder or server, whichever option is added', () => {
    const allowed = settables().filter(isOfProject)
    const naming = allowed.filter(({ option }) => /[<[](?:file|dir|folder|url|host|port|address|token|path|command)\b/.test(option.flags)) // prettier-ignore
    expect(naming.map(({ option }) => settingKey(option))).toEqual([])
    expect(allowed.map(({ option }) => settingKey(option))).toContain('bare-digits')
  })

  test.skipIf(process.getuid?.() !== 0)('of another user are refused', async () => {
    write({ release: 'starter' })
    chownSync(file, 65_534, 65_534)
    const ran = await redux()
    expect(ran).toMatchObject({ status: 2, stdout: '' })
    expect(ran.stderr).toContain('belongs to another user')
    expect((await redux(['-q', '--config', file])).stdout).toBe('A*01:01\n')
  })

  test('stand in the provenance as if they had been typed', async () => {
    write({ release: 'starter', method: 'G' })
    writeFileSync(join(cwd, 'a.csv'), 'id,A_1,A_2\n1,01:01,02:01\n')
    await hla(['redux', '-q', '-i', 'a.csv', '-o', 'b.csv', '--provenance'])
    rmSync(file)
    const verified = await hla(['provenance', 'verify', 'b.csv.hla.json', '--json'])
    const { differs, checks } = JSON.parse(verified.stdout) as { differs: boolean; checks: { what: string; details: string }[] } // prettier-ignore
    expect(differs).toBe(false)
    expect(checks.map(({ what }) => what)).toEqual(['input', 'output', 'record', 'data', 'hla', 'options'])
    expect(checks.at(-1)?.details).toContain('--method=G --release=starter --no-config')
  })
})
