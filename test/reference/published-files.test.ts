/** Files of a release before they are compiled: lines of groups, published checksums, sums of pages, and runs of names. */
import { createHash } from 'node:crypto'
import { expect, test } from 'vitest'
import { G_FORM, P_FORM, readGroupFile } from '../../src/reference/group-file.ts'
import {
  accessionNumber,
  compileRuns,
  formatAccession,
  parseAccession,
} from '../../src/reference/history/runs.ts'
import { checkedPages, PAGE_BYTES, pageSum, pageSums, sumBytes } from '../../src/reference/pages.ts'
import { type FetchedFile, isLfsPointer, refusePointer } from '../../src/reference/published/fetched-file.ts'
import { compareMd5 } from '../../src/reference/published/md5.ts'
import { errorOf } from '../support/errors.ts'

test.for([
  ['A*01:32', 'A*01:32:01', 'A*01:32'],
  ['A*01:04N', 'A*01:04:01', 'A*01:04'],
  ['A*01:01:01:02N', 'A*01:01:01', 'A*01:01'],
  ['A*01:01:38L', 'A*01:01:38', 'A*01:01'],
] as const)('%s decides the G group %s and the P group %s', ([allele, g, p]) => {
  expect([G_FORM.of(allele), P_FORM.of(allele)]).toEqual([g, p])
})

test('a file of groups is read with its odd lines', () => {
  const text = [
    '# version: IPD-IMGT/HLA 3.58.0',
    'A*;01:01:01:01/01:01:02;01:01:01G',
    'A*;01:02;',
    'B*;07:02:01/07:02:02;',
    'B*;08:01:01/08:01:02;08:01G',
    'C;01:02:01/01:02:02;01:02:01G',
    'C*;03:03:01;03:03:01G;more',
    'C*;04:01:01',
    'A*;01:02/01:03;01:02:01GX',
  ].join('\n')
  const { lines, lineOf, repeated, odd, loci } = readGroupFile(text, G_FORM)
  expect(lines.slice(0, 3)).toEqual([
    { members: ['A*01:01:01:01', 'A*01:01:02'], name: 'A*01:01:01G', number: 2 },
    { members: ['A*01:02'], name: undefined, number: 3 },
    { members: ['B*07:02:01', 'B*07:02:02'], name: undefined, number: 4 },
  ])
  expect(odd).toEqual([4, 5, 6, 7, 8, 9])
  expect(repeated).toEqual(['A*01:02'])
  expect(lineOf.get('A*01:02')?.number).toBe(9)
  expect(lineOf.get('A*01:01:02')).toBe(lines[0])
  expect([...loci].slice(0, 2)).toEqual(['A', 'B'])
  const names = ['01:01P', '01:01:01P', 'x01:01P', '1:01P', '01:01G']
  expect(readGroupFile(names.map((name) => `A*;01:01/01:02;${name}`).join('\n'), P_FORM).odd).toEqual([
    2, 3, 4, 5,
  ])
})

const md5 = (text: string) => createHash('md5').update(text).digest('hex')
const fileOf = (name: string, text: string, origin = `/release/${name}`): FetchedFile => ({
  name,
  bytes: Buffer.from(text),
  origin,
})

test('published checksums are those of the same folder, whatever the line ends', () => {
  const list = [`MD5 (a.txt) = ${md5('one\ntwo\n').toUpperCase()}`, `MD5 (b.txt) = ${md5('before')}`].join(
    '\n',
  )
  const sums = fileOf('wmda/md5checksum.txt', `${list}\n`)
  const files = [
    sums,
    fileOf('wmda/a.txt', 'one\ntwo\n'),
    fileOf('wmda/b.txt', 'after'),
    fileOf('wmda/c.txt', 'not listed'),
    fileOf('allelelist/b.txt', 'another folder'),
  ]
  expect(compareMd5(files)).toEqual({ matching: ['wmda/a.txt'], differing: ['wmda/b.txt'] })
  expect(compareMd5([sums, fileOf('wmda/a.txt', 'one\r\ntwo\r\n')]).matching).toEqual(['wmda/a.txt'])
  // the list of another place counts for wmda, but not for the definitions before 2026
  const b = (origin: string) => compareMd5([fileOf('wmda/b.txt', 'before', origin), sums])
  expect(b('C:\\latest\\wmda\\b.txt').matching).toEqual(['wmda/b.txt'])
  expect(b('/latest/wmda/pre2026/b.txt')).toEqual({ matching: [], differing: [] })
  expect(b('C:\\wmda\\pre2026\\b.txt')).toEqual({ matching: [], differing: [] })
})

test('the placeholder of git-lfs is refused', () => {
  const pointer = Buffer.from('version https://git-lfs.github.com/spec/v1\n')
  expect([isLfsPointer(pointer), isLfsPointer(Buffer.from('version 3.58.0\n'))]).toEqual([true, false])
  expect(errorOf(() => refusePointer('/x/hla.dat', pointer))).toMatchObject({
    code: 'lfs-pointer',
    message: '/x/hla.dat is a git-lfs pointer, not the file',
    offending: '/x/hla.dat',
    hint: 'run "git lfs pull" there, or download the file',
  })
  expect(errorOf(() => refusePointer('/x/hla.dat', Buffer.from('A*01:01')))).toBeUndefined()
})

test('a sum is of the bytes, their number and the page, and of no place in memory', () => {
  const bytes = Uint8Array.from({ length: 3 * PAGE_BYTES + 7 }, (_, at) => (at * 7) % 251)
  const shifted = new Uint8Array(bytes.length + 1)
  shifted.set(bytes, 1)
  for (const [from, to] of [[0, 10], [1, 10], [4, 11], [0, bytes.length]] as const)
    expect(sumBytes(shifted, from + 1, to + 1)).toBe(sumBytes(bytes, from, to))
  expect(sumBytes(bytes)).toBe(sumBytes(bytes, 0, bytes.length, 0))
  const whole = sumBytes(bytes)
  for (const at of [0, 3, PAGE_BYTES, bytes.length - 8, bytes.length - 1]) {
    const changed = bytes.slice()
    changed[at] = (changed[at] ?? 0) ^ 1
    expect(sumBytes(changed)).not.toBe(whole)
  }
  expect(sumBytes(new Uint8Array(4))).not.toBe(sumBytes(new Uint8Array(8)))
  expect(sumBytes(bytes, 0, 8, 1)).not.toBe(sumBytes(bytes, 0, 8, 2))
  const sums = pageSums(bytes, PAGE_BYTES)
  expect(sums).toHaveLength(4)
  expect([...sums]).toEqual([0, 1, 2, 3].map((page) => pageSum(bytes, page, PAGE_BYTES)))
  expect(pageSum(bytes, 3, PAGE_BYTES)).toBe(sumBytes(bytes, 3 * PAGE_BYTES, bytes.length, 3))
}) // prettier-ignore

test('the pages of what is read are loaded and checked once, and a wrong one is repaired', () => {
  const bytes = Uint8Array.from({ length: 4 * PAGE_BYTES + 100 }, (_, at) => at % 256)
  const sums = pageSums(bytes, PAGE_BYTES)
  const loaded: [number, number][] = []
  const repaired: string[] = []
  const pages = checkedPages(bytes, sums, {
    load: (from, to) => loaded.push([from, to]),
    isSound: () => true,
    repair: () => repaired.push('again'),
  })
  pages.need(bytes, 10, PAGE_BYTES)
  expect(loaded).toEqual([[0, PAGE_BYTES]])
  pages.need(bytes, PAGE_BYTES - 1, PAGE_BYTES + 1)
  expect(loaded.slice(1)).toEqual([[PAGE_BYTES, 2 * PAGE_BYTES]])
  // elements of four bytes, from a place inside
  const numbers = new Uint32Array(bytes.buffer, PAGE_BYTES, PAGE_BYTES / 2)
  pages.need(numbers, PAGE_BYTES / 4, PAGE_BYTES / 4 + 1)
  expect(loaded.slice(2)).toEqual([[2 * PAGE_BYTES, 3 * PAGE_BYTES]])
  pages.need(bytes, 4 * PAGE_BYTES, bytes.length)
  expect(loaded.slice(3)).toEqual([[4 * PAGE_BYTES, bytes.length]])
  expect([repaired, pages.isWhole]).toEqual([[], false])
  bytes[3 * PAGE_BYTES] = 255
  pages.need(bytes, 3 * PAGE_BYTES + 5, 3 * PAGE_BYTES + 6)
  expect(repaired).toEqual(['again'])
})

test('a run is a name of an allele in releases that follow each other', () => {
  const { releases, runs } = compileRuns([
    { release: '3.10.0', rows: [['HLA00002', 'A*02:01'], ['HLA00001', 'A*01:01:01']] },
    { release: '3.9.0', rows: [['HLA00001', 'A*01:01'], ['HLA00002', 'A*02:01']] },
    { release: '3.12.0', rows: [['HLA00001', 'A*01:01:01'], ['HLA00003', 'A*02:01']] },
    { release: '3.11.0', rows: [['HLA00002', 'A*02:01']] },
  ])
  expect(releases).toEqual(['3.9.0', '3.10.0', '3.11.0', '3.12.0'])
  expect(runs).toEqual([
    { accession: 1, name: 'A*01:01', first: 0, last: 0 },
    { accession: 1, name: 'A*01:01:01', first: 1, last: 1 },
    { accession: 1, name: 'A*01:01:01', first: 3, last: 3 },
    { accession: 2, name: 'A*02:01', first: 0, last: 2 },
    { accession: 3, name: 'A*02:01', first: 3, last: 3 },
  ])
}) // prettier-ignore

test.for([
  ['HLA00001', 1],
  ['HLA12345', 12_345],
  ['HLA123456', 123_456],
  ['HLA0001', undefined],
  ['HLA000001', undefined],
  ['HLA1234567890', undefined],
  ['xHLA00001', undefined],
  ['HLA00001x', undefined],
  ['hla00001', undefined],
] as const)('%s has the number %s', ([text, number]) => {
  expect(accessionNumber(text)).toBe(number)
  if (number === undefined) {
    const error = {
      code: 'bad-release-file',
      message: `"${text}" is not an accession number`,
      offending: text,
    }
    expect(errorOf(() => parseAccession(text))).toMatchObject(error)
  } else expect([parseAccession(text), formatAccession(number)]).toEqual([number, text])
})
