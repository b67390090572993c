/** A release with the antigens of 2026: installed, and used at each level on every face. */
import { type ChildProcess, spawn } from 'node:child_process'
import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { openOperations } from '../../src/open.ts'
import { hasPreview, writeReleases } from '../support/release-2026.ts'
import { callHla } from '../support/call-hla.ts'
import { hasShared } from '../support/shared.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const PROGRAM = join(import.meta.dirname, '../../bin/hla.cjs')

describe.skipIf(!hasShared || !hasPreview)('antigens of 2026, installed', () => {
  const dataDir = temp('data')
  let service: ChildProcess | undefined
  let url = ''

  const hla = (args: readonly string[], stdin = '') =>
    callHla(args, { cwd: temp('.'), env: { HLA_DATA_DIR: dataDir }, stdin })
  const answer = async (args: readonly string[], stdin = '') => (await hla(args, stdin)).stdout

  beforeAll(async () => {
    const from = writeReleases(temp('IMGTHLA'))
    mkdirSync(dataDir)
    for (const release of ['3.58.0', '3.64.0']) {
      const { status, stderr } = await hla(['data', 'install', release, '--from', from, '--no-mac'])
      if (status !== 0) throw new Error(stderr)
    }
    await hla(['data', 'use', '3.64.0'])
    writeFileSync(temp('donors.csv'), 'id,A_1,A_2,B_1\n1,02:01,23:01:01,15:01\n2,24:02,02:10,07:02\n')
    writeFileSync(temp('old.csv'), 'id,A_1,A_2\n1,203,3\n2,0203,2402\n')
    service = spawn(process.execPath, [PROGRAM, 'serve', '--port', '0', '--access-log', 'off'], {
      cwd: temp('.'),
      env: { HOME: temp('.'), HLA_DATA_DIR: dataDir, HLA_SYSTEM_DATA_DIR: temp('no') },
    })
    url = await new Promise<string>((resolve, reject) => {
      let said = ''
      service?.stderr?.on('data', (bytes: Buffer) => {
        said += bytes.toString()
        const found = /on (http:\S+)\n/.exec(said)?.[1]
        if (found !== undefined) resolve(found)
      })
      service?.on('exit', () => reject(new Error(said)))
    })
  })

  afterAll(() => service?.kill())

  test('confidential names are no reason against a release', async () => {
    expect(await answer(['version', '-f', 'json'])).not.toContain('"warnings"')
    expect((await hla(['redux', '-m', 'G', 'DRB4*01:03:01:925'])).stderr).toContain('assigned, not public')
    const refused = await hla(['redux', 'DPA1*02:974N'])
    expect(refused).toMatchObject({ status: 1 })
    expect(refused.stderr).toContain('DPA1*02:974N is assigned, but not public in IPD-IMGT/HLA 3.64.0')
    const unlisted = await hla(['validate', 'DRB4*01:03:01:925'])
    expect(unlisted).toMatchObject({
      status: 0,
      stdout: expect.stringMatching(/^not-public\t.*assigned, not public/),
    })
    expect(await answer(['validate', 'DPA1*02:974N'])).toContain('not-public\tDPA1*02:974N is assigned')
  })

  test('what is unusual is repeated by version, provenance and data info', async () => {
    const folder = join(temp('IMGTHLA'), '3640/wmda')
    const published = readFileSync(join(folder, 'hla_nom_p.txt'), 'utf8')
    writeFileSync(join(folder, 'hla_nom_p.txt'), published.replace(/^(A\*;01:01:01:01)/m, '$1/01:01:01:02N'))
    const args = ['data', 'install', '3.64.0', '--from', temp('IMGTHLA'), '--no-mac', '--as', '3.64.0-odd']
    expect(await hla(args)).toMatchObject({
      status: 3,
      stderr: expect.stringContaining('differ from the published checksums'),
    })
    const warning = 'hla_nom_p.txt: it has the null allele A*01:01:01:02N'
    const installed = await hla([...args, '--accept-changed'])
    expect(installed).toMatchObject({ status: 0, stderr: expect.stringContaining(`warning: ${warning}`) })
    writeFileSync(join(folder, 'hla_nom_p.txt'), published)
    const version = JSON.parse(await answer(['version', '-r', '3.64.0-odd', '-f', 'json']))
    expect(version).toMatchObject({ warnings: [warning], changed: ['hla_nom_p.txt'] })
    expect(await answer(['version', '-r', '3.64.0-odd'])).toContain(`warning: ${warning}`)
    expect(await answer(['data', 'info', '3.64.0-odd'])).toContain(warning)
    const table = [
      'redux',
      '-m',
      'G',
      '-r',
      '3.64.0-odd',
      '-i',
      'donors.csv',
      '-o',
      'odd.csv',
      '--provenance',
    ]
    expect(await hla(table)).toMatchObject({ status: 0 })
    const record = JSON.parse(readFileSync(temp('odd.csv.hla.json'), 'utf8'))
    expect(record.data).toMatchObject({ warnings: [warning] })
  })

  test('the definitions before 2026 are installed beside, and named', async () => {
    const args = [
      'data',
      'install',
      '3.64.0',
      '--from',
      temp('IMGTHLA'),
      '--no-mac',
      '--antigens-before-2026',
    ]
    expect(await hla(args)).toMatchObject({ status: 0, stderr: expect.stringContaining('5 of 5 match') })
    const old = ['-r', '3.64.0-pre2026']
    expect(await answer(['redux', ...old, '-m', 'S', 'A*02:03+A*23:01'])).toBe('A2/A203+A9/A23\n')
    expect(await answer(['redux', ...old, '-m', 'lgx', 'A*02:1208'])).toBe(
      await answer(['redux', '-m', 'lgx', 'A*02:1208']),
    )
    expect((await hla(['redux', ...old, '-m', 'hats', 'A*02:03'])).stderr).toContain(
      '3.64.0 is installed with the antigens before 2026',
    )
    expect((await hla(['redux', ...old, '-m', 'all', 'A*02:03'])).status).toBe(0)
    expect(await answer(['version', ...old])).toContain('3.64.0 (2026-04-16), antigens before 2026')
    expect(JSON.parse(await answer(['version', ...old, '-f', 'json'])).antigens).toBe('before-2026')
    expect(await answer(['data', 'list'])).toMatch(/3\.64\.0-pre2026 .*antigens before 2026/)
    expect(JSON.parse(await answer(['data', 'list', '--json']))).toContainEqual(
      expect.objectContaining({ release: '3.64.0-pre2026', antigens: 'before-2026' }),
    )
    await hla(['redux', '-m', 'S', ...old, '-i', 'donors.csv', '-o', 'pre.csv', '--provenance'])
    const record = JSON.parse(readFileSync(temp('pre.csv.hla.json'), 'utf8'))
    expect(record.data).toMatchObject({
      antigens: 'before-2026',
      data_id: expect.stringMatching(/^3\.64\.0-pre2026 /),
    })
    expect((await hla(['data', 'verify', '3.64.0-pre2026', '--from', temp('IMGTHLA')])).status).toBe(0)
    const older = await hla([
      'data',
      'install',
      '3.58.0',
      '--from',
      temp('IMGTHLA'),
      '--no-mac',
      '--antigens-before-2026',
    ])
    expect(older).toMatchObject({
      status: 4,
      stderr: expect.stringContaining('leave out --antigens-before-2026'),
    })
  })

  const LEVELS = [
    [[], 'A2+A9/A23'],
    [['--antigens', 'associated'], 'A0201+A2301'],
    [['--antigens', 'split'], 'A2+A23'],
    [['--antigens', 'broad'], 'A2+A9'],
  ] as const
  const TYPING = 'A*02:01+A*23:01:01'

  test.for(LEVELS)('the command line, here and of a service: %j', async ([level, expected]) => {
    for (const there of [[], ['--remote', url]]) {
      expect(await answer(['redux', '-m', 'S', ...level, ...there, TYPING])).toBe(`${expected}\n`)
      expect(await answer(['redux', '-m', 'S', ...level, ...there], `${TYPING}\n`)).toBe(`${expected}\n`)
      const explained = await answer(['explain', '-m', 'S', ...level, ...there, '-f', 'json', TYPING])
      expect(JSON.parse(explained)).toMatchObject({ ard: expected })
    }
  })

  test.for(LEVELS)('library, pipe and service: %j', async ([level, expected]) => {
    const [, antigens] = level
    const options = antigens === undefined ? {} : { options: { antigens } }
    const question = { gl_string: TYPING, reduction_method: 'S', ...options } as const
    expect(openOperations('3.64.0', { dataDir }).redux(question).ard).toBe(expected)
    const line = JSON.stringify({ op: 'redux', ...question })
    expect(JSON.parse(await answer(['pipe'], `${line}\n`))).toMatchObject({ ard: expected })
    for (const [path, body] of [['/redux', JSON.stringify(question)], ['/batch', line]] as const) {
      const replied = await fetch(url + path, { method: 'POST', body })
      expect(JSON.parse(await replied.text())).toMatchObject({ ard: expected })
    }
  }) // prettier-ignore

  test.for([
    ['usual', ['A2', 'A9/A23', 'B15/B62/B70']],
    ['associated', ['A0201', 'A2301', 'B1501']],
    ['split', ['A2', 'A23', 'B62']],
    ['broad', ['A2', 'A9', 'B15']],
  ] as const)('tables: %s', async ([level, expected]) => {
    const asked = ['redux', '-q', '-i', 'donors.csv', '-m', 'S', '--antigens', level, '--into', 'replace']
    const first = `1,${expected.join(',')}`
    for (const more of [[], ['--remote', url]])
      expect((await answer([...asked, ...more])).split('\n')[1]).toBe(first)
    const table = 'id,A_1,A_2,B_1\n1,02:01,23:01:01,15:01\n'
    const query = `?name=a.csv&method=S&into=replace&antigens=${level}`
    const replied = await fetch(`${url}/table${query}`, { method: 'POST', body: table })
    expect(await replied.text()).toContain(first)
  })

  test('refuses a level that there is none of, on every face', async () => {
    expect(await hla(['redux', '-m', 'S', '--antigens', 'narrow', TYPING])).toMatchObject({ status: 2 })
    const replied = await fetch(`${url}/table?name=a.csv&antigens=narrow`, {
      method: 'POST',
      body: 'id,A_1\n',
    })
    expect(replied.status).toBe(400)
    const body = JSON.stringify({ gl_string: TYPING, reduction_method: 'S', options: { antigens: 'narrow' } })
    expect((await fetch(`${url}/redux`, { method: 'POST', body })).status).toBe(400)
    const starter = await hla(['redux', '-r', 'starter', '-m', 'S', '--antigens', 'broad', 'A*24:02'])
    expect(starter.stderr).toContain('asks the installed release')
  })

  test('digits of a table are antigens, here and of a service', async () => {
    for (const there of [[], ['--remote', url]]) {
      const args = ['redux', '-q', '-i', 'old.csv', '-m', 'S', '--antigens', 'associated', '--into', 'replace']
      expect(await answer([...args, ...there])).toBe('id,A_1,A_2\n1,A0203,A3/A0301/A0305/A0323\n2,A0203,A2402\n')
    }
  }) // prettier-ignore

  test('diff says why: the table of docs/how-to/antigens-2026.md', async () => {
    const page = readFileSync(join(import.meta.dirname, '../../docs/how-to/antigens-2026.md'), 'utf8')
    const rows = page.split('\n').filter((line) => line.startsWith('| `') && line.split('|').length === 9)
    const typings = rows.map((row) => /`([^`]+)`/.exec(row)?.[1] ?? '')
    const changes = async (level: string) => {
      const asked = ['diff', '3.58.0', '3.64.0', '-m', 'S', '--antigens', level, '-f', 'jsonl']
      const lines = (await answer(asked, `${typings.join('\n')}\n`)).trimEnd().split('\n')
      return lines.map((line) => {
        const { from_ard, to_ard, reasons } = JSON.parse(line) as Record<string, string> & {
          reasons: string[]
        }
        return `\`${from_ard}\` | \`${to_ard}\` | ${reasons.join(', ') || 'same'}`
      })
    }
    const [usual, associated] = [await changes('usual'), await changes('associated')]
    expect(typings.map((typing, at) => `| \`${typing}\` | ${usual[at]} | ${associated[at]} |`)).toEqual(rows)
    expect(rows.length).toBeGreaterThan(10)
  })

  test('diff says where HATS assigns something else', async () => {
    const ran = await hla(['diff', '3.58.0', '3.64.0', '-m', 'S', '-v', 'A*02:217:01'])
    expect(ran.stdout).toBe('same\tA2\n')
    expect(ran.stderr).toContain('HATS assigns A69 in 3.64.0, where S is A2')
  })
})
