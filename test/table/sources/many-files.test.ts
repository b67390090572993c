/** Several files of one table, some unreadable: the person of each of those fails, and the others are converted. */
import { createHash } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { describe, expect, test } from 'vitest'
import { lines } from '../../support/program-files.ts'
import { joinedDigest } from '../../../src/table/sources/many-files.ts'
import { convertRecords } from '../../support/record-tables.ts'

const GOOD = lines('A\tHLA-A*24:02:01\tHLA-A*02:01:01', 'B\tHLA-B*07:02:01\t-')
const JSON_GOOD = '{"A": ["A*02:01:01", "A*24:02:01"]}'
const HML =
  '<hml version="1.0.1"><sample id="S1"><typing><allele-assignment><glstring>HLA-A*02:01+HLA-A*24:02</glstring></allele-assignment></typing></sample></hml>'
const OPTIONS = { into: 'replace', outDelimiter: ',', sampleFrom: 'name' } as const

describe('a file of one person that cannot be read', () => {
  test.each([
    ['an error message of a program', GOOD, 'Segmentation fault\n', /^S2\.txt:1: /],
    ['nothing at all', GOOD, '', /^S2\.txt:1: /],
    ['a packed file that is cut short', GOOD, gzipSync(GOOD).subarray(0, 40), /^S2\.txt:1: .*cut short/],
    ['JSON that is cut short', JSON_GOOD, JSON_GOOD.slice(0, -9), /^S2\.txt:1: .*is not valid JSON/],
    ['XML that is cut short behind its first sample', HML, HML.slice(0, -3), /^S2\.txt:1: .*is not XML that can be read/],
    ['a line without its locus', GOOD, lines('A\tHLA-A*24:02:01\tHLA-A*02:01:01', '\tHLA-B*07:02\t-'), /^S2\.txt:2: "B\*07:02" is a typing, but its row has no locus/],
  ])('%s: is one failure with its file, and the others are converted', async (_, good, bad, said) => {
    for (const order of [['S1.txt', 'S2.txt', 'S3.txt'], ['S1.txt', 'S3.txt', 'S2.txt']] as const) {
      const files = Object.fromEntries(order.map((name) => [name, name === 'S2.txt' ? bad : good]))
      const { output, failures } = await convertRecords(files, OPTIONS)
      expect(failures).toEqual([expect.stringMatching(said)])
      expect(failures[0]).toMatch(/\[bad-record\]$/)
      const rows = output.split('\n').slice(1, -1)
      expect(rows.map((row) => row.split(',')[0])).toEqual(order.map((name) => name.slice(0, 2)))
      expect(rows.map((row) => row.includes('*'))).toEqual(order.map((name) => name !== 'S2.txt'))
    }
  }) // prettier-ignore

  test('is told also where it is the first', async () => {
    const { output, failures } = await convertRecords({ 'S1.txt': 'Killed\n', 'S2.txt': GOOD }, OPTIONS)
    expect([output.split('\n').length, failures.length]).toEqual([4, 1])
  })

  test('ends the run where no file can be read, with what the first is refused for', async () => {
    const files = { 'S1.txt': 'Killed\n', 'S2.txt': '' }
    const alone = await convertRecords({ 'S1.txt': 'Killed\n', 'S2.txt': '' }, { ...OPTIONS, sampleFrom: 'column' }).catch((error: unknown) => error) // prettier-ignore
    expect(alone).toBeInstanceOf(Error)
    await expect(convertRecords(files, OPTIONS)).rejects.toMatchObject({ message: (alone as Error).message })
  })

  test('ends the run where the rows say whose they are, and where the first failure does', async () => {
    const files = { 'S1.txt': GOOD, 'S2.txt': 'Killed\n' }
    await expect(convertRecords(files, { ...OPTIONS, sampleFrom: 'column' })).rejects.toThrow('S2.txt')
    await expect(convertRecords(files, { ...OPTIONS, onError: 'fail' })).rejects.toMatchObject({ code: 'bad-record' }) // prettier-ignore
  })
})

describe('callers of a consensus', () => {
  const table = 'id,A_1,A_2\nS,A*01:01,A*02:01\n'
  const files = (count: number) =>
    Object.fromEntries(Array.from({ length: count }, (_, at) => [`t${at + 1}.csv`, table]))

  test.each([
    [50, []],
    [
      51,
      [
        't51.csv:1: more than 50 callers: each table that no program wrote is one; give one table per caller, with a row per sample [bad-record]',
      ],
    ],
  ])('%d tables', async (count, said) => {
    const { failures, output } = await convertRecords(files(count), { consensus: 'majority', outDelimiter: 'tab' }) // prettier-ignore
    expect(failures).toEqual(said)
    expect(output.split('\n')[1]?.split('\t').slice(2, 5)).toEqual(['A*01:01', 'A*02:01', '50/50'])
  })

  test('are compared by one method, and are several', async () => {
    const asked = (count: number, methods: readonly string[]) =>
      convertRecords(files(count), { consensus: 'majority', methods })
    await expect(asked(2, ['G', 'P'])).rejects.toMatchObject({
      code: 'usage',
      message: '--consensus compares by one method, and several are given',
    })
    await expect(asked(1, ['G'])).rejects.toMatchObject({
      code: 'usage',
      message: '--consensus needs files of several callers: a folder, or several files',
    })
  })
})

test('the digest of several files is that of the lines of sha256sum, and of a single one its own', () => {
  const [one, other] = [{ name: 'a.tsv', bytes: 1, sha256: '01ab' }, { name: 'b c.tsv', bytes: 2, sha256: '02cd' }] // prettier-ignore
  const digest = (text: string) => createHash('sha256').update(text).digest('hex')
  expect(joinedDigest([one])).toBe('01ab')
  expect(joinedDigest([one, other])).toBe(digest('01ab  a.tsv\n02cd  b c.tsv\n'))
  expect(joinedDigest([other, one])).toBe(digest('02cd  b c.tsv\n01ab  a.tsv\n'))
  expect(joinedDigest([])).toBe(digest(''))
})
