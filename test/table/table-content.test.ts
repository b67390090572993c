/** A table is recognized by its content: the same file under any name, from stdin and compressed. */
import { createHash } from 'node:crypto'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import zlib, { gzipSync } from 'node:zlib'
import { beforeAll, describe, expect, test } from 'vitest'
import { isTableContent } from '../../src/table/sources/recognize.ts'
import { callHla } from '../support/call-hla.ts'
import { tempFolder } from '../support/temp.ts'

const temp = tempFolder()
const cwd = temp('here')
const ROWS = Array.from({ length: 1000 }, (_, at) => `d${at},01:01,02:01,07:02,08:01\n`).join('')
const TABLE = `id,A_1,A_2,B_1,B_2\n${ROWS}`
beforeAll(() => {
  mkdirSync(cwd)
})

const redux = (args: readonly string[], stdin = '') =>
  callHla(['redux', '-r', 'starter', ...args], { cwd, stdin })

describe('a table', () => {
  test.for(['t.txt', 't.dat', 't.ped', 't.chped', 't.out', 't.hla', 't', 't.txt.gz'])(
    'called %s is converted as it is called .csv',
    async (name) => {
      const bytes = Buffer.from(TABLE)
      writeFileSync(join(cwd, name), name.endsWith('.gz') ? gzipSync(bytes) : bytes)
      writeFileSync(join(cwd, 'same.csv'), bytes)
      const { stdout, stderr } = await redux(['-i', name])
      expect(stdout).toBe((await redux(['-i', 'same.csv'])).stdout)
      expect(stdout.split('\n')[1]).toBe('d0,01:01,A*01:01,02:01,A*02:01,07:02,B*07:02,08:01,B*08:01')
      expect(stderr).toContain('the input looks like a table, and is read as one')
      const plan = await redux(['-i', name, '--plan'])
      expect(plan.stdout).toContain('A          A_1 A_2')
      expect(plan.stderr).not.toContain('one typing a line')
    },
  )

  // a block is decompressed only as a whole
  test.skipIf(!('zstdCompressSync' in zlib))(
    'packed by zstd is one, however large its first block',
    async () => {
      const noise = Array.from({ length: 4000 }, (_, at) =>
        createHash('sha256').update(`${at}`).digest('base64'),
      )
      const table = `id\tA_1\tA_2\n${noise.map((id) => `${id}\t01:01\t02:01\n`).join('')}`
      const { zstdCompressSync: pack } = zlib as { zstdCompressSync?: (text: string) => Buffer }
      writeFileSync(join(cwd, 'noise.txt.zst'), pack?.(table) ?? '')
      const { stdout, stderr } = await redux(['-i', 'noise.txt.zst'])
      expect(stderr).toContain('the input looks like a table, and is read as one')
      writeFileSync(join(cwd, 'same.csv'), table)
      expect(stdout).toBe((await redux(['-i', 'same.csv'])).stdout)
    },
  )

  test('from standard input is one, and --input-format lines reads it as lines all the same', async () => {
    expect((await redux(['-q'], TABLE)).stdout).toBe((await redux(['-q', '-d', ','], TABLE)).stdout)
    const { stdout, status } = await redux(['-q', '--input-format', 'lines'], 'id,A_1,A_2\n1,01:01,02:01\n')
    expect({ stdout, status }).toEqual({ stdout: '\n\n', status: 1 })
  })

  test.for([
    ['without a header', '1,A*01:01,A*02:01\n2,A*24:02,A*03:01\n'],
    ['of one row', '1,A*01:01,A*02:01\n'],
    ['that is a header', 'id\tA_1\tA_2\n'],
    ['between spaces', 'id A_1 A_2\n1 01:01 02:01\n'],
    ['of a pedigree', 'F1 I1 0 0 1 -9 0101 0201\nF2 I2 0 0 1 -9 2402 0301\n'],
    ['with a row that is cut short', `id,A_1,A_2\n${'1,01:01,02:01\n'.repeat(20)}1\n`],
    ['with quotes', '"id","A_1","A_2"\r\n"a,b","01:01","02:01"\r\n'],
  ])('%s is one', ([, text = '']) => {
    expect(isTableContent('stdin', Buffer.from(text))).toBe(true)
  })
})

describe('a list', () => {
  test.for([
    ['of names', 'A*01:01\nA*02:01\n'],
    ['of GL Strings', 'A*01:01+A*02:01^B*07:02+B*08:01\nA*01:01/A*01:02\n'],
    ['with spaces around operators', 'A*01:01 + A*02:01\nB*07:02+ B*08:01\n'],
    ['with spaces behind a prefix', 'HLA-A *01:01\nHLA-A *02:01\n'],
    ['with a line that has commas', 'A*01:01\nA*02:01,A*03:01\nA*24:02\n'],
    ['of one line that has a comma', 'A*02:01,A*03:01\n'],
    ['of antigens', 'A2\nB7\nDR4\n'],
    ['of nothing', '\n\n'],
    ['of free text', 'what is this?\nnothing at all, really\nno table\n'],
  ])('%s is none', ([, text = '']) => {
    expect(isTableContent('stdin', Buffer.from(text))).toBe(false)
  })

  test('keeps a line for each, from standard input too', async () => {
    const { stdout } = await redux(['-q'], 'A*01:01\nA*02:01,A*03:01\nB*07:02\n')
    expect(stdout).toBe('A*01:01\n\nB*07:02\n')
  })
})
