/** `drive:/folder/file` works wherever a file is named: the same bytes as with local files, complete or absent. */
import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { cuttingProxy } from '../../support/cutting-proxy.ts'
import { type Drive, startDrive } from '../../support/drive.ts'
import { callHla } from '../../support/call-hla.ts'
import type { RunOptions } from '../../support/run-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const temp = tempFolder()
const cwd = temp('here')
const TABLE = 'ID,A1,A2\nR1,A*01:01,02:01\nR2,A*99:99,\n'
const GOOD = 'ID,A1,A2\nR1,A*01:01,02:01\n'
let store: Drive

beforeAll(async () => {
  mkdirSync(cwd)
  store = await startDrive()
  await put('/registry/donors.csv', GOOD)
})

function hla(words: readonly string[], options: Partial<RunOptions> = {}) {
  const env = { HLA_DRIVE_URL: store.url, HLA_DRIVE_TOKEN: store.token, ...options.env }
  return callHla(words, { cwd, ...options, env })
}

async function put(path: string, content: string | Uint8Array): Promise<Record<string, string>> {
  const ran = await hla(['drive', 'put', '-p', '--json', '-', path], { stdin: content })
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  return JSON.parse(ran.stdout) as Record<string, string>
}

async function bytesAt(path: string): Promise<Buffer> {
  const file = join(cwd, 'fetched')
  const ran = await hla(['drive', 'get', path, '-o', file])
  expect(ran).toMatchObject({ status: 0, stderr: '' })
  return readFileSync(file)
}

const names = async (folder: string) => (await hla(['drive', 'ls', folder])).stdout.trim().split('\n')
const revisions = async (path: string) =>
  (await hla(['drive', 'log', path, '--json'])).stdout.trim().split('\n').length

/** A table of `rows` rows. */
function large(rows: number): string {
  const lines = Array.from(
    { length: rows },
    (_, at) => `R${at},A*01:01,A*02:0${1 + (at % 9)},${'x'.repeat(at % 50)}\n`,
  )
  return `ID,A1,A2,NOTE\n${lines.join('')}`
}

describe('a table', () => {
  test.for([
    ['in.csv', 'out.csv'],
    ['in.csv', 'out.csv.gz'],
    ['in.csv.gz', 'out.csv'],
    ['in.csv.gz', 'out.csv.gz'],
  ] as const)('%s to %s: the same bytes as here', async ([from, to]) => {
    const text = large(40_000)
    const content = from.endsWith('.gz') ? gzipSync(text) : text
    writeFileSync(join(cwd, from), content)
    await put(`/same/${from}`, content)
    const here = await hla(['redux', '-i', from, '-o', to])
    const there = await hla(['redux', '-i', `drive:/same/${from}`, '-o', `drive:/same/${to}`])
    expect(there.stderr.replaceAll('drive:/same/', '').replace(`, ${to}.hla.json`, '')).toBe(here.stderr)
    expect(there).toMatchObject({ status: here.status, stdout: '' })
    expect((await bytesAt(`/same/${to}`)).equals(readFileSync(join(cwd, to)))).toBe(true)
    const both = await hla(['redux', '-i', `drive:/same/${from}`, '-o', 'mixed.csv', '-q'])
    expect(both.status).toBe(0)
    const plain = readFileSync(join(cwd, to))
    expect(readFileSync(join(cwd, 'mixed.csv')).equals(to.endsWith('.gz') ? gunzipSync(plain) : plain)).toBe(
      true,
    )
  })

  test('gets a revision the second time, and its provenance beside it', async () => {
    const words = ['redux', '-i', 'drive:/registry/donors.csv', '-o', 'drive:/registry/donors.lgx.csv']
    const first = await hla(words)
    expect(first).toMatchObject({ status: 0, stdout: '' })
    expect(first.stderr).toContain(
      'wrote drive:/registry/donors.lgx.csv, drive:/registry/donors.lgx.csv.hla.json',
    )
    await hla(words)
    expect(await revisions('/registry/donors.lgx.csv')).toBe(2)
    expect(await names('/registry')).toEqual(['donors.csv', 'donors.lgx.csv', 'donors.lgx.csv.hla.json'])
    const record = JSON.parse((await bytesAt('/registry/donors.lgx.csv.hla.json')).toString()) as {
      input: { name: string }
      output: { name: string; bytes: number; sha256: string }
    }
    const output = await bytesAt('/registry/donors.lgx.csv')
    expect(record.input.name).toBe('drive:/registry/donors.csv')
    expect(record.output).toEqual({
      name: 'drive:/registry/donors.lgx.csv',
      bytes: output.length,
      sha256: createHash('sha256').update(output).digest('hex'),
    })
  })

  test('is read and written by its id too', async () => {
    const source = await put('/ids/donors.csv', GOOD)
    const made = await put('/ids/made.csv', '')
    const ran = await hla(['redux', '-q', '-i', `drive:${source['id']}`, '-o', `drive:${made['id']}`])
    expect(ran).toEqual({ status: 0, stdout: '', stderr: '' })
    expect((await bytesAt('/ids/made.csv')).toString()).toContain('A1_lgx')
    expect(await names('/ids')).toEqual(['donors.csv', 'made.csv', 'made.csv.hla.json'])
  })

  test('has the report of its failures beside it, until there are none', async () => {
    await put('/report/a.csv', TABLE)
    const words = ['redux', '-q', '-i', 'drive:/report/a.csv', '-o', 'drive:/report/b.csv']
    const failing = await hla(words)
    expect(failing).toMatchObject({ status: 1, stdout: '' })
    expect(failing.stderr).toContain('drive:/report/a.csv:3:A1: ')
    expect((await bytesAt('/report/b.csv.errors.csv')).toString()).toContain('A*99:99')
    await put('/report/a.csv', GOOD)
    expect(await hla(words)).toMatchObject({ status: 0 })
    expect(await names('/report')).toEqual(['a.csv', 'b.csv', 'b.csv.hla.json'])
  })

  test('is planned from its head alone', async () => {
    await put('/plan/large.csv', large(150_000))
    const proxy = await cuttingProxy(store.url, [])
    const ran = await hla(['redux', '-i', 'drive:/plan/large.csv', '--plan'], {
      env: { HLA_DRIVE_URL: proxy.url },
    })
    expect(ran.status).toBe(0)
    expect(ran.stdout).toMatch(/^input +drive:\/plan\/large\.csv {2}comma-separated/)
    expect(proxy.passed()).toBeLessThan(1_200_000)
  })

  test('goes through where connections break, both ways', async () => {
    const text = large(150_000)
    await put('/broken/in.csv', text)
    writeFileSync(join(cwd, 'whole.csv'), text)
    await hla(['redux', '-q', '-i', 'whole.csv', '-o', 'whole.out.csv'])
    const proxy = await cuttingProxy(store.url, [900_000, 2_000_000, 700_000, 3_000_000, 1_500_000])
    const ran = await hla(['redux', '-q', '-i', 'drive:/broken/in.csv', '-o', 'drive:/broken/out.csv'], {
      env: { HLA_DRIVE_URL: proxy.url },
    })
    expect(ran).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(proxy.cuts()).toBe(5)
    expect((await bytesAt('/broken/out.csv')).equals(readFileSync(join(cwd, 'whole.out.csv')))).toBe(true)
    expect(await revisions('/broken/out.csv')).toBe(1)
  })

  test.for([
    ['--on-error', 'fail'],
    ['--max-errors', '0'],
  ])('that is not converted well leaves nothing: %j', async (words) => {
    const folder = `/none${words[1] ?? ''}`
    await put(`${folder}/a.csv`, TABLE)
    const ran = await hla([
      'redux',
      '-q',
      '-i',
      `drive:${folder}/a.csv`,
      '-o',
      `drive:${folder}/b.csv`,
      ...words,
    ])
    expect(ran).toMatchObject({ status: 1, stdout: '' })
    expect((await names(folder)).filter((name) => name === 'b.csv')).toEqual([])
  })

  test('that somebody interrupts leaves nothing', async () => {
    await put('/ended/a.csv', large(400_000))
    const ran = await hla(
      ['redux', '--progress', 'jsonl', '-i', 'drive:/ended/a.csv', '-o', 'drive:/ended/b.csv'],
      { signal: 'SIGTERM', after: 400 },
    )
    const left = await names('/ended')
    // a fast machine finishes before the signal, or has only its last messages left
    if (left.includes('b.csv')) expect(left).toEqual(['a.csv', 'b.csv', 'b.csv.hla.json'])
    else expect([ran.status, left]).toEqual([143, ['a.csv']])
  })

  test.for([
    [['-i', 'drive:/registry/none.csv'], 4, 'there is no /registry/none.csv in the store'],
    [['-i', 'drive:/registry'], 2, 'drive:/registry is a folder'],
    [['-i', 'drive:/registry/donors.csv', '-o', 'drive:/none/out.csv'], 4, 'there is no /none in the store'],
    [['-i', 'drive:/registry/donors.csv', '-o', 'drive:/registry'], 2, 'drive:/registry is a folder'],
    [
      ['-i', 'drive:donors.csv'],
      2,
      '"donors.csv" is neither a path in the store nor an id\n  paths begin with a slash: /donors.csv',
    ],
    [['-i', 'drive:/registry/donors.csv', '-o', 'drive:/'], 2, 'drive:/ is a folder'],
    [['-i', 'drive:/registry/donors.csv', '-o', 'drive:/new/'], 2, 'drive:/new/ is a folder'],
    [['-i', 'drive:/registry/donors.csv', '-o', 'drive:root'], 2, 'drive:root is a folder'],
  ] as const)('%j ends with status %i', async ([words, status, message]) => {
    const ran = await hla(['redux', '-q', ...words])
    expect(ran).toEqual({ status, stdout: '', stderr: `hla: error: ${message}\n` })
  })

  test('for which there is no token is not begun', async () => {
    const ran = await hla(['redux', '-i', 'drive:/registry/donors.csv', '-o', 'untold.csv'], {
      env: { HLA_DRIVE_TOKEN: '' },
    })
    expect(ran).toMatchObject({ status: 2, stdout: '' })
    expect(existsSync(join(cwd, 'untold.csv'))).toBe(false)
  })
})

describe('typings, one a line', () => {
  test('come from a store and go into it', async () => {
    await put('/lines/typings.txt', 'A*01:01:01:01\nA*02:01\n')
    const ran = await hla(['redux', '-q', '-i', 'drive:/lines/typings.txt', '-o', 'drive:/lines/out.txt.gz'])
    expect(ran).toEqual({ status: 0, stdout: '', stderr: '' })
    expect(gunzipSync(await bytesAt('/lines/out.txt.gz')).toString()).toBe('A*01:01\nA*02:01\n')
  })

  test('that cannot be written leave nothing', async () => {
    const ran = await hla(['redux', '-q', '-i', 'drive:/lines/none.txt', '-o', 'drive:/lines/none.out'])
    expect(ran).toMatchObject({ status: 4, stdout: '' })
    expect(await names('/lines')).not.toContain('none.out')
  })
})
