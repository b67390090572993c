/** `hla drive watch` and `drive:` files with `--output-format same`: a document dropped into a folder appears converted in its own format. */
import { mkdirSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { type Drive, startDrive } from '../support/drive.ts'
import { runHla, type RunOptions } from '../support/run-hla.ts'
import { tempFolder } from '../support/temp.ts'

const cwd = tempFolder()('here')
let store: Drive

beforeAll(async () => {
  mkdirSync(cwd)
  store = await startDrive()
})

function hla(words: readonly string[], options: Partial<RunOptions> = {}) {
  const env = { HLA_DRIVE_URL: store.url, HLA_DRIVE_TOKEN: store.token, HLA_RELEASE: 'starter' }
  return runHla(words, { cwd, ...options, env })
}

const donors = (typing: string) =>
  `\ufeff{"donors": [{"recordId": 1, "hla": {"A": {"dna": {"field1": "${typing}", }}}}]}\r\n`
const content = async (path: string) => (await hla(['drive', 'get', path, '-o', '-'])).stdout

test('with its report and its provenance', async () => {
  const put = (name: string, text: string) => hla(['drive', 'put', '-p', '-', `/in/${name}`], { stdin: text })
  await put('good.json', donors('*02:01:01:01'))
  await put('bad.json', donors('*99:99'))
  const words = ['--', 'redux', '-m', 'lgx', '--output-format', 'same']
  const { status } = await hla(['drive', 'watch', '/in', '--once', '--match', '*.json', ...words])
  expect(status).toBe(1)
  expect((await hla(['drive', 'ls', '/in'])).stdout.trim().split('\n').toSorted()).toEqual([
    'bad.json',
    'bad.lgx.json',
    'bad.lgx.json.errors.csv',
    'bad.lgx.json.hla.json',
    'good.json',
    'good.lgx.json',
    'good.lgx.json.hla.json',
  ])
  expect(await content('/in/good.lgx.json')).toBe(donors('*02:01'))
  expect(await content('/in/bad.lgx.json')).toBe(donors('*99:99'))
  expect(await content('/in/bad.lgx.json.errors.csv')).toContain('/donors[1]/hla/a/dna/field1')
})

test('from the store into the store', async () => {
  await hla(['drive', 'put', '-p', '-', '/one/d.json'], { stdin: donors('*02:01:01:01') })
  const words = ['redux', '-q', '-m', 'lgx', '--output-format', 'same']
  const { status } = await hla([...words, '-i', 'drive:/one/d.json', '-o', 'drive:/one/o.json'])
  expect([status, await content('/one/o.json')]).toEqual([0, donors('*02:01')])
})
