/** Converted tables and texts on the command line: put and cp --convert, get --as and --reduce, redux and watch. */
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { beforeAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../../support/drive.ts'
import { callHla } from '../../support/call-hla.ts'
import { tempFolder } from '../../support/temp.ts'

const cwd = tempFolder()('here')
const TABLE = 'ID,A1,A2\nR1,01:01,02:01\n'
const REDUCED = 'ID,A1,A1_lgx,A2,A2_lgx,hla_status,hla_errors\nR1,01:01,A*01:01,02:01,A*02:01,ok,\n'
let store: Drive

beforeAll(async () => {
  mkdirSync(cwd)
  store = await startDrive({ env: { HLA_RELEASE: 'starter' } })
  writeFileSync(join(cwd, 'donors.csv'), TABLE)
  writeFileSync(join(cwd, 'bad.csv'), 'ID,"A1\n')
})

function hla(...words: readonly string[]) {
  const env = { HLA_DRIVE_URL: store.url, HLA_DRIVE_TOKEN: store.token, HLA_RELEASE: 'starter' }
  return callHla(words, { cwd, env })
}

const drive = (...words: readonly string[]) => hla('drive', ...words)

test('put --convert keeps a table, get writes it in each format', async () => {
  expect(await drive('put', '--convert', 'donors.csv', '/kept.csv')).toEqual({
    status: 0,
    stdout: '',
    stderr: '',
  })
  expect((await drive('get', '/kept.csv', '-o', '-')).stdout).toBe(TABLE)
  expect((await drive('get', '/kept.csv', '--as', 'tsv', '-o', '-')).stdout).toBe(TABLE.replaceAll(',', '\t'))
  const reduced = await drive('get', '/kept.csv', '--reduce', 'lgx', '-o', '-')
  expect([reduced.status, reduced.stdout]).toEqual([0, REDUCED])
  expect(reduced.stderr).toMatch(/^hla: reduced with \S+\+starter\n$/)
  expect((await drive('get', '/kept.csv', '--as', 'xlsx', '--reduce', 'lgx,W', '-q')).status).toBe(0)
  expect(existsSync(join(cwd, 'kept.lgx-W.xlsx'))).toBe(true)
  const { stdout } = await hla('redux', '-m', 'G', '--columns', 'A1,A2', '-i', 'kept.lgx-W.xlsx')
  expect(stdout).toContain('R1,01:01,A*01:01')
})

test('put stores what is piped', async () => {
  const env = { HLA_DRIVE_URL: store.url, HLA_DRIVE_TOKEN: store.token }
  const put = await callHla(['drive', 'put', '-', '/piped.csv'], { cwd, env, stdin: TABLE })
  expect(put).toEqual({ status: 0, stdout: '', stderr: '' })
  expect((await drive('get', '/piped.csv', '-o', '-')).stdout).toBe(TABLE)
})

test('what is there gets new content, and stays a table', async () => {
  await drive('put', '--convert', 'donors.csv', '/again.csv')
  writeFileSync(join(cwd, 'again.csv'), `${TABLE}R2,,\n`)
  expect(await drive('put', 'again.csv', '/again.csv')).toMatchObject({ status: 0, stderr: '' })
  expect((await drive('get', '/again.csv', '-o', '-')).stdout).toBe(`${TABLE}R2,,\n`)
  const log = (await drive('log', '/again.csv', '--json')).stdout.trim().split('\n')
  expect(log.length).toBe(2)
  const first = (JSON.parse(log[1] ?? '{}') as { readonly revision: string }).revision
  expect((await drive('get', '/again.csv', '--revision', first, '-o', '-')).stdout).toBe(TABLE)
})

test('what is no table is refused with its place, and nothing is there', async () => {
  const refused = await drive('put', '--convert', 'bad.csv', '/bad.csv')
  expect(refused.status).not.toBe(0)
  expect(refused.stderr).toContain('line 1: a quoted field that starts there is never closed')
  expect((await drive('ls', '/bad.csv')).status).not.toBe(0)
})

test('what is kept as it is has no formats; a copy of it may', async () => {
  await drive('put', 'donors.csv', '/plain.csv')
  const refused = await drive('get', '/plain.csv', '--as', 'tsv', '-o', '-')
  expect(refused).toMatchObject({ status: 2, stdout: '' })
  expect(refused.stderr).toContain('hla drive cp --convert')
  expect(await drive('cp', '--convert', '/plain.csv', '/copied.csv')).toMatchObject({ status: 0, stderr: '' })
  expect((await drive('get', '/copied.csv', '--as', 'jsonl', '-o', '-')).stdout).toBe(
    '{"ID":"R1","A1":"01:01","A2":"02:01"}\n',
  )
})

test('a text comes as it was, behind a byte order mark', async () => {
  writeFileSync(join(cwd, 'notes.txt'), 'Zoë\n')
  await drive('put', '--convert', 'notes.txt', '/notes.txt')
  await drive('get', '/notes.txt', '-o', 'fetched.txt')
  expect(readFileSync(join(cwd, 'fetched.txt'), 'utf8')).toBe('\ufeffZoë\n')
})

test('a table is read by redux', async () => {
  await drive('put', '-p', '--convert', 'donors.csv', '/tables/donors.csv')
  const read = await hla('redux', '-m', 'lgx', '-i', 'drive:/tables/donors.csv')
  expect(read.stdout).toContain('R1,01:01,A*01:01,02:01,A*02:01')
})
