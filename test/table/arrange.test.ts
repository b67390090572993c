/**
 * Tables that need more than a delimiter: lines above the header, and lines that are rearranged before they are read.
 */
import { describe, expect, test } from 'vitest'
import { readBeginning } from '../../src/table/input/arrange.ts'
import type { DialectHints } from '../../src/table/input/dialect.ts'
import { countPreamble, findLaterHeader, linesBeforeLoci } from '../../src/table/input/preamble.ts'
import { keepFitting, layoutFor } from '../../src/table/plan/layouts.ts'

const lines = (...rows: readonly string[]) => rows

describe('lines before the header', () => {
  test.for([
    ['none', 0, lines('id,A_1,A_2', '1,01:01,02:01', '2,24:02,03:01')],
    ['a title', 1, lines('Typing results, 2024', 'id,A_1,A_2', '1,01:01,02:01', '2,24:02,03:01')],
    ['a title of three words and a comma', 1, lines('Results of us, 2024', 'id,A_1,A_2', '1,01:01,02:01')],
    ['a title in a sheet', 1, lines('Typing results,,', 'id,A_1,A_2', '1,01:01,02:01', '2,24:02,03:01')],
    ['a comment', 1, lines('#from https://example.org', 'id\tA_1\tA_2', '1\t01:01\t02:01')],
    ['rows about the data', 2, lines('LAB\tMETHOD\tX', 'L1\tSBT\tAFRICA', 'POP\tID\tA_1\tA_2\tB_1\tB_2', 'P\t1\t101\t2301\t1403\t5701', 'P\t2\t101\t2301\t1403\t5701')], // prettier-ignore
    ['a comment above a long table', 1, lines('##Valid pairs', 'Locus\tGenotype\tQuality', 'A\tA*02:01,A*02:01\tPASS', 'B\tB*08:01,B*13:02\tPASS')], // prettier-ignore
    [
      'a header with a comment sign',
      0,
      lines('#gene\tdiplotype', 'HLA-A\t*31:01/*31:01', 'HLA-B\t*07:02/*08:01'),
    ],
    ['a locus over its two columns', 0, lines(',HLA-A,', 'id,1,2', '1,01:01,02:01')],
    ['antigens below a header that names no locus', 0, lines('id,t1,t2', '1,A1,A2', '2,A24,A3')],
    ["antigens below a header of R's", 0, lines('t1,t2', 'S1,A1,A2', 'S2,A24,A3')],
    ['a short first person', 0, lines('1\t01:01', '2\t01:01\t02:01', '3\t01:01\t02:01')],
    ['two lines that may be the header', 0, lines('id,x', 'id,A_1,A_2', 'id,B_1,B_2', '1,01:01,02:01')],
    ['a list of GL Strings', 0, lines('A*01:01', 'A*01:01,B*07:02,C*07:02', 'A*02:01,B*07:02,C*07:02')],
    [
      'a title above lines of which half are as wide',
      1,
      lines('Results', 'id,A_1,A_2', '1,01:01,02:01', 'a,b'),
    ],
    ['… and fewer', 0, lines('Results', 'id,A_1,A_2', '1,01:01,02:01', 'a,b', 'a,b,c,d,e')],
    [
      'nineteen titles',
      19,
      lines(...Array<string>(19).fill('Results'), 'id,A_1,A_2', ...Array<string>(40).fill('1,01:01,02:01')),
    ],
    [
      'twenty titles',
      0,
      lines(...Array<string>(20).fill('Results'), 'id,A_1,A_2', ...Array<string>(40).fill('1,01:01,02:01')),
    ],
    [
      'a title in quotes that has the delimiter',
      1,
      lines('"Results, all of them, 2024"', 'id,A_1,A_2', '1,01:01,02:01'),
    ],
    ['XML', 0, lines('<a>', 'id,A_1,A_2', '1,01:01,02:01')],
    ['a member of JSON', 0, lines('  "a" : 1', 'id,A_1,A_2', '1,01:01,02:01')],
    ['empty lines', 2, lines('', '', 'id,A_1,A_2', '1,01:01,02:01')],
    [
      'a title above columns that name no loci',
      1,
      lines('Results of 2024', 'id,x,y', '1,01:01,02:01', '2,01:01,02:01'),
    ],
    ['one of two columns', 0, lines('Results of 2024', 'id,x', '1,01:01', '2,01:01')],
    ['what says the delimiter', 0, lines('sep=,', 'id,x,y', '1,01:01,02:01', '2,01:01,02:01')],
    ['a title above a header alone', 1, lines('Results', 'id,A_1,A_2')],
    [
      'a title, with other lines behind the first hundred',
      1,
      lines(
        'Results',
        'id,A_1,A_2',
        ...Array<string>(98).fill('1,01:01,02:01'),
        ...Array<string>(300).fill('1'),
      ),
    ],
    [
      'a title, with other lines among the first hundred',
      0,
      lines(
        'Results',
        'id,A_1,A_2',
        ...Array<string>(48).fill('1,01:01,02:01'),
        ...Array<string>(300).fill('1'),
      ),
    ],
    ['a title above two typings alone', 1, lines('Results', 'A_1,A_2', '01:01,02:01', '24:02,03:01')],
    [
      'titles in half of the columns of a sheet',
      1,
      lines('Lab,Results,,', 'id,sex,A_1,A_2', '1,F,01:01,02:01', '2,M,24:02,03:01'),
    ],
    [
      'a comment as wide as the table',
      1,
      lines('#lab,of,us', 'id,A_1,A_2', '1,01:01,02:01', '2,24:02,03:01'),
    ],
    ['a title that looks like a locus', 0, lines('A', 'id,x,y', '1,2,3', '2,3,4')],
    ['a title that is a typing', 0, lines('A*01:01', 'id,x,y', '1,2,3', '2,3,4')],
    ['two comments above other columns', 2, lines('##a', '##b,c,d', 'id,x,y', '1,2,3', '2,3,4')],
    ['a comment above a last line', 0, lines('##a', 'id,x,y')],
    [
      'a row about the data with one cell less, and with words',
      1,
      lines('lab of us,b', 'id,A_1,A_2', '1,01:01,02:01', '2,24:02,03:01'),
    ],
    [
      'a row with one cell less, as the header of R',
      0,
      lines('lab,b', 'A_1,A_2,B_1', 'x,01:01,02:01', '1,01:01,02:01'),
    ],
    ['a typing above the loci', 0, lines('A*01:01,,', 'id,A_1,A_2', '1,01:01,02:01', '2,24:02,03:01')],
    ['JSON', 0, lines('[', '["S1","A*01:01","A*02:01"],', '["S2","A*01:01","A*02:01"],')],
  ] as const)('%s: %i', ([, count, rows]) => {
    expect(countPreamble(rows, undefined)).toBe(count)
  })

  test.for([
    [lines('Results', 'id,A_1,A_2', '1,01:01,02:01'), 2],
    [lines('Results', 'id;A_1;A_2', '1;01:01;02:01'), 2],
    [lines('Results', '', 'id\tA_1\tA_2'), 3],
    [lines('id,A_1,A_2', '1,01:01,02:01'), undefined],
    [lines('id,A_1,A_2', '1,01:01,02:01', 'id,A_1,A_2', '1,01:01,02:01'), undefined],
    [lines('Results', 'id,A_1,A_2', 'id,B_1,B_2', '1,01:01,02:01'), undefined],
    [lines('Results', 'id|A_1|A_2', '1|01:01|02:01'), undefined],
    [lines('Results', 'id,A_1', '1,01:01'), undefined],
    [[...Array<string>(19).fill('Results'), 'id,A_1,A_2'], 20],
    [[...Array<string>(20).fill('Results'), 'id,A_1,A_2'], undefined],
    [lines(), undefined],
  ] as const)('the later header of %j is %s', ([rows, line]) => expect(findLaterHeader(rows)).toBe(line))

  test.for([
    [lines('id\tA_1\tA_2', '1\t01:01\t02:01'), 0],
    [lines('lab\tcode', 'id\tA_1\tA_2'), 1],
    [lines('lab\tcode', 'id,A_1,A_2'), 0],
    [[...Array<string>(19).fill('lab'), 'id\tA_1\tA_2'], 19],
    [[...Array<string>(20).fill('lab'), 'id\tA_1\tA_2'], 0],
  ] as const)('lines before the loci of %j: %i', ([rows, count]) =>
    expect(linesBeforeLoci(rows, '\t')).toBe(count),
  )
})

const regular = async (text: string, hints: DialectHints = {}, name = 't.txt') => {
  const bytes = Buffer.from(text)
  const { sample, arrange, notes } = readBeginning(name, bytes, hints)
  const pieces: Buffer[] = []
  // a byte at a time
  async function* chunks() {
    for (const at of bytes.keys()) yield await Promise.resolve(bytes.subarray(at, at + 1))
  }
  for await (const piece of arrange(chunks())) pieces.push(piece)
  expect(Buffer.concat(pieces).toString()).toBe(sample.toString())
  return { text: sample.toString(), notes: notes.map(({ message }) => message.split(':')[0]) }
}

const ALIGNED = 'columns are aligned with blanks'
const NAMES = 'the header has one name fewer than the rows have cells'

describe('lines that are made regular', () => {
  test.for([
    ['columns aligned with blanks', 'id    A_1    A_2\n1     01:01  02:01\n22    24:02  03:01\n', 'id\tA_1\tA_2\n1\t01:01\t02:01\n22\t24:02\t03:01\n', [ALIGNED]],
    ['… with blanks in a cell', 'the id    A_1    A_2\nN N       01:01  02:01\nO O       24:02  03:01\n', 'the id\tA_1\tA_2\nN N\t01:01\t02:01\nO O\t24:02\t03:01\n', [ALIGNED]],
    ['… without a line end behind the last', 'id     A_1    A_2\n1      01:01  02:01\nZoë    24:02  03:01', 'id\tA_1\tA_2\n1\t01:01\t02:01\nZoë\t24:02\t03:01', [ALIGNED]],
    ['… as R prints', '  id   A_1   A_2\n1  a 01:01 02:01\n2  b 24:02 03:01\n', '\tid\tA_1\tA_2\n1\ta\t01:01\t02:01\n2\tb\t24:02\t03:01\n', [ALIGNED, NAMES]],
    ["R's row names, quoted", '"id" "A_1" "A_2"\n"x" "a" "01:01" "02:01"\n"y" "b" "24:02" "03:01"\n', '"" "id" "A_1" "A_2"\n"x" "a" "01:01" "02:01"\n"y" "b" "24:02" "03:01"\n', [NAMES]],
    ["R's row names behind a byte order mark and a title", '\ufeffOur results\r\nid\tA_1\tA_2\r\n1\ta\t01:01\t02:01\r\n2\tb\t24:02\t03:01', '\ufeffOur results\r\n\tid\tA_1\tA_2\r\n1\ta\t01:01\t02:01\r\n2\tb\t24:02\t03:01', ['line 1 before the header (id …) is passed through', NAMES]],
    ['row numbers of a table of GL Strings', 'id\tgl\n1\ta\tA*01:01+A*02:01\n2\tb\tA*01:01+A*02:01\n', '\tid\tgl\n1\ta\tA*01:01+A*02:01\n2\tb\tA*01:01+A*02:01\n', [NAMES]],
    ['rows that end with a tab', 'id\tA_1\tA_2\n1\t01:01\t02:01\t\n2\t24:02\t03:01\t\n', 'id\tA_1\tA_2\t\n1\t01:01\t02:01\t\n2\t24:02\t03:01\t\n', ['rows end with a delimiter that the header lacks']],
    ['a header that ends with a tab', 'id\tA_1\tA_2\t\n1\t01:01\t02:01\n2\t24:02\t03:01\n', 'id\tA_1\tA_2\n1\t01:01\t02:01\n2\t24:02\t03:01\n', ['the header ends with a delimiter that the rows lack']],
  ] as const)('%s', async ([, text, expected, notes]) => {
    expect(await regular(text)).toEqual({ text: expected, notes })
  }) // prettier-ignore

  test.for([
    [
      'a column without a name at the end',
      'id\tA_1\tA_2\na\t01:01\t02:01\tsee file\nb\t24:02\t03:01\tsee file\n',
    ],
    ['cells that fit either way', 'A_1\tA_2\tB_1\n01:01\t02:01\t07:02\t08:01\n01:01\t02:01\t07:02\t08:01\n'],
    ['a number too many in one row', 'id\tA_1\n1\t01:01\t02:01\n'],
    ['numbered people with a typing too many', 'id\tA_1\tB_1\n1\t01:01\t07:02\tx\n2\t02:01\t08:01\ty\n'],
    [
      'numbered GL Strings behind which something stands',
      'id\tgl\n1\tA*01:01+A*02:01\tA*01:01\n2\tA*01:01\tA*02:01\n',
    ],
    ['a short first row', '1\t01:01\n2\t01:01\t02:01\n3\t24:02\t02:01\n'],
    ['columns with one blank between them', 'id A_1 A_2\n1 01:01 02:01\n2 24:02 03:01\n'],
    [
      'columns of which few lines have two blanks',
      'id A_1 A_2\n1 01:01 02:01\n2 24:02 03:01\n3  24:02 03:01\n',
    ],
    ['genotypes with blanks', 'A*01:01  +  A*02:01\nA*01:01  +  A*02:01\n'],
    ['some rows that end with a tab', 'id\tA_1\tA_2\n1\t01:01\t02:01\t\n2\t24:02\t03:01\n3\t24:02\t03:01\n'],
  ])('not: %s', async ([, text = '']) => {
    expect(await regular(text)).toEqual({ text, notes: [] })
  })

  test('of a long table only the whole lines of its beginning are changed there, and all as it is read', async () => {
    const size = 64 * 1024
    const row = (id: number) => `${String(id).padEnd(8)}01:01  02:01\n`
    const text = `id      A_1    A_2\n${Array.from({ length: 4000 }, (_, id) => row(id)).join('')}`
    const begin = Buffer.from(text).subarray(0, size)
    const { sample, arrange, notes } = readBeginning('t.txt', begin, {})
    expect(notes).toHaveLength(1)
    const whole = text.trimEnd().replaceAll(/ +/g, '\t') + '\n'
    const [cut = '', ...before] = begin.toString().split('\n').reverse()
    expect(cut).not.toBe('')
    expect(sample.toString()).toBe(`${before.reverse().join('\n').replaceAll(/ +/g, '\t')}\n${cut}`)
    async function* chunks() {
      for (let at = 0; at < text.length; at += 1000) yield await Promise.resolve(Buffer.from(text.slice(at, at + 1000)))
    }
    const pieces: Buffer[] = []
    for await (const piece of arrange(chunks())) pieces.push(piece)
    expect(Buffer.concat(pieces).toString()).toBe(whole)
  }) // prettier-ignore

  test('not where the first row is said to be data, nor where blanks are not the delimiter', async () => {
    const named = 'id\tA_1\tA_2\n1\ta\t01:01\t02:01\n2\tb\t24:02\t03:01\n'
    expect(await regular(named, { header: false })).toEqual({ text: named, notes: [] })
    const blanks = 'id    A_1    A_2\n1     01:01  02:01\n'
    expect(await regular(blanks, { delimiter: ',' })).toEqual({ text: blanks, notes: [] })
  })
})

describe('a pedigree', () => {
  const cells = (cell: string) => [{ kind: 'row', values: ['F1', 'S1', '0', '0', '1', '-9', ...Array.from({ length: 16 }, () => cell)] }] // prettier-ignore
  test.for([
    ['t.hped', '01', true],
    ['t.chped', '0101', true],
    ['t.chped.gz', 'A*01:01', true],
    ['t.ped', 'A*01:01', true],
    // markers that are not HLA genes
    ['t.ped', '1', false],
    ['t.ped', 'A', false],
  ] as const)('%s with %s in 16 columns is of HLA genes: %s', ([name, cell, isFit]) => {
    expect(keepFitting(layoutFor(undefined, name), cells(cell))?.loci?.[7]).toBe(
      isFit ? 'DRB1=21,22' : undefined,
    )
  })

  test('of another width is none', () => {
    const [{ values } = { values: [] }] = cells('A*01:01')
    expect(
      keepFitting(layoutFor(undefined, 't.ped'), [{ kind: 'row', values: [...values, 'A', 'C'] }]),
    ).toBeUndefined()
    // one row of another width is enough
    const both = [
      { kind: 'row', values },
      { kind: 'row', values: values.slice(1) },
    ]
    expect(keepFitting(layoutFor(undefined, 't.ped'), both)).toBeUndefined()
  })
})
