/** `drive:` files with `--output-format same`: a document keeps its format. */
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

test('from the store into the store', async () => {
  await hla(['drive', 'put', '-p', '-', '/one/d.json'], { stdin: donors('*02:01:01:01') })
  const words = ['redux', '-q', '-m', 'lgx', '--output-format', 'same']
  const { status } = await hla([...words, '-i', 'drive:/one/d.json', '-o', 'drive:/one/o.json'])
  expect([status, await content('/one/o.json')]).toEqual([0, donors('*02:01')])
})
