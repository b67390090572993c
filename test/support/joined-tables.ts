/**
 * Random tables, composed of column naming conventions, spellings of typings, words for missing values and unrelated
 * columns, with the expected reading of each.
 */
import fc from 'fast-check'
import { makeHeader } from '../../src/table/plan/header.ts'
import { type Convention, CONVENTIONS } from '../table/conventions.ts'
import { makeWorkbook, textRows } from './workbook.ts'

/** Expected group of typing columns. */
export interface Truth {
  /** `donor A`; begins with `?` if no column name gives the locus. */
  readonly title: string
  readonly columns: readonly number[]
}

interface Piece {
  /** One array per header line. */
  readonly header: readonly (readonly string[])[]
  readonly truths: readonly Truth[]
  readonly isDrb345: boolean
}

/** The convention's columns, without its id column. */
function pieceFrom({ header, groups, unread = [] }: Convention): Piece {
  const lines = header.map((line) => line.split('|'))
  const isId = lines.some(([first = '']) => /^id$/i.test(first))
  const names = lines.length === 1 ? (lines[0] ?? []) : joined(lines)
  const { labels } = makeHeader('', names, names.length)
  const columnsOf = (list: string, between: string) =>
    list.split(between).map((label) => labels.indexOf(label) - Number(isId))
  const read = groups.map((group) => {
    const [title = '', list = ''] = group.split(/=(.*)/s)
    return { title, columns: columnsOf(list, ',') }
  })
  const left = unread.map((list, at) => ({ title: `? ${at}`, columns: columnsOf(list, list.includes('|') ? '|' : ' ') })) // prettier-ignore
  return {
    header: lines.map((line) => line.slice(Number(isId))),
    truths: [...read, ...left],
    isDrb345: groups.some((group) => group.startsWith('DRB3/4/5')),
  }
}

function joined([above = [], below = []]: readonly string[][]): string[] {
  let last = ''
  return above.map((name, at) => {
    const slot = below[at] ?? ''
    if (name !== '') last = name
    return name === '' && slot.length > 1 && !/[12]$/.test(slot)
      ? slot
      : slot === ''
        ? name
        : `${last} ${slot}`
  })
}

const PIECES = CONVENTIONS.filter(
  ({ refused, values = {}, unread = [] }) =>
    refused === undefined && unread.length === 0 && Object.keys(values).length === 0,
).map(pieceFrom)
const DRB345 = CONVENTIONS.filter(({ groups }) => groups.some((one) => one.startsWith('DRB3/4/5'))).map(
  pieceFrom,
)
/** Conventions with one column per locus. */
const SINGLE = PIECES.filter(({ truths }) => truths.every(({ columns }) => columns.length === 1))

function nameless(...names: readonly string[]): Piece {
  const columns = names.map((_, at) => at)
  return { header: [names], truths: [{ title: `? ${names[0]}`, columns }], isDrb345: false }
}

const NAMELESS = [nameless('x1', 'x2'), nameless('typing')]
const PHENOTYPES = [nameless('phenotype'), nameless('HLA'), nameless('HLA typing'), nameless('result')]

/** Columns without typings: name, values. */
const OTHERS: readonly (readonly [name: string, values: readonly string[]])[] = [
  ['Region', ['north', 'south', 'east']],
  ['pop', ['P1', 'P2']],
  ['FID', ['F1', 'F2']],
  ['sex', ['F', 'M']],
  ['age', ['31', '64', '7']],
  ['date', ['2021-03-04', '2020-12-31']],
  ['time', ['10:30', '09:00', '23:59']],
  ['comment', ['', 'called back', 'see file 12', 'HLA typed twice']],
  ['well', ['A1', 'B12', 'H3', 'G7', 'D2']],
  ['score', ['0.5', '12.7', '99']],
  ['vitamin C', ['0.4', '3.1']],
  ['e1', ['0.31', '12.7', '2.25']],
  ['match', ['8/10', '10/10']],
  ['address', ['Road 5, Town', 'Hill 12; 2nd floor']],
  ['titres', ['1,5,100', '2,7,250']],
  ['coordinates', ['51.5, 0.12', '48.1, 11.5']],
]

const KINDS = {
  fields: ['01:01', '02:01', '24:02', '03:01', '26:01', '11:01', '68:02'],
  three: ['01:01:01', '02:01:01:01', '24:02:01G', '03:01P', '26:01:01'],
  codes: ['01:AB', '02:XX', '24:02', '03:01/03:02', '11:01'],
  old: ['0101', '0201', '2402', '0301', '2601'],
  numbers: ['1', '2', '24', '3', '26', '11'],
  starred: ['*01:01', '*02:01', '*24:02'],
  named: ['A*01:01', 'A*02:01', 'A*24:02', 'A*03:01'],
} as const
type Kind = keyof typeof KINDS

/** Cells with both typings of a locus. */
const JOINED = {
  comma: ['01:01,24:02', '02:01,03:01', '11:01,11:01', '68:02,01:01'],
  space: ['01:01 24:02', '02:01 03:01', '11:01 11:01', '68:02 01:01'],
  semicolon: ['*01:01;*24:02', '*02:01; *03:01', '*11:01;*11:01'],
  slash: ['01:01/24:02', '02:01/03:01', '68:02/01:01'],
  plus: ['01:01+24:02', '02:01+03:01', '68:02+01:01'],
  related: ['01:01,01:02', '02:01,02:05', '03:01,03:02'],
  old: ['0101,2402', '0201,0301', '2601,1101'],
  numbers: ['1,24', '2 3', '11,26', '3;24'],
  mixed: ['01:01,24:02', '02:01', '03:01', '11:01,68:02'],
  lists: ['01:01/01:02,24:02', '02:01,03:01/03:02', '11:01,26:01'],
} as const

const WHOLE = {
  antigens: ['A1, 24; B 8 44', 'A2 A3 B7 B8 DR4', 'A1,24 B8,44 Cw7 DR4,15 DQ2', 'A2 B7,8 DR15'],
  names: ['A*01:01,24:02;DRB1*15:01', 'A*02:01,03:01;B*07:02,08:01', 'A*01:01,A*02:01,B*07:02'],
  gl: ['A*01:01+A*02:01^B*07:02+B*08:01', 'A*03:01+A*24:02^B*44:02+B*57:01'],
} as const

export const MISSING = [
  'ND',
  'NT',
  'X',
  '*',
  '-',
  'not typed',
  'Not typed',
  'NA',
  '?',
  '0000',
  '',
  'nan',
  'blank',
  'unknown',
  '00:00',
]
const WORDS = ['pending', 'failed', 'low dna'] // prettier-ignore

/** Column names of a long table; with two allele columns a row has both typings. */
const LONG_NAMES = [
  ['sample', 'locus', 'allele'],
  ['Sample_ID', 'Gene', 'Allele 1', 'Allele 2'],
  ['ID', 'hla_locus', 'typing'],
  ['donor_id', 'variable', 'value'],
  ['patient', 'Locus', 'Allele1', 'Allele2'],
] as const

function keysOf<K extends string>(record: Readonly<Record<K, unknown>>): K[] {
  return Object.keys(record) as K[]
}

export const joinedTable = fc.record({
  form: fc.constantFrom('text', 'text', 'text', 'workbook', 'long'),
  pieces: fc.uniqueArray(
    fc.constantFrom(...PIECES, ...PIECES, ...DRB345, ...NAMELESS, ...repeated(SINGLE, 8), ...repeated(PHENOTYPES, 5)), // prettier-ignore
    { minLength: 1, maxLength: 4, selector: (piece) => [...PIECES, ...PHENOTYPES].indexOf(piece) },
  ),
  others: fc.uniqueArray(fc.constantFrom(...OTHERS), { maxLength: 5, selector: ([name]) => name }),
  kinds: fc.array(fc.constantFrom(...keysOf(KINDS)), { minLength: 4, maxLength: 4 }),
  joined: fc.array(fc.constantFrom(undefined, ...keysOf(JOINED)), { minLength: 4, maxLength: 4 }),
  whole: fc.constantFrom(...keysOf(WHOLE)),
  missing: fc.array(fc.constantFrom(...MISSING), { minLength: 1, maxLength: 4 }),
  words: fc.subarray(WORDS),
  /** Empty cells out of ten. */
  empty: fc.integer({ min: 0, max: 8 }),
  rows: fc.integer({ min: 12, max: 60 }),
  isFirst: fc.boolean(),
  delimiter: fc.constantFrom('\t', ';', ','),
  longNames: fc.constantFrom(...LONG_NAMES),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
})
export type JoinedTable = typeof joinedTable extends fc.Arbitrary<infer T> ? T : never

function repeated<T>(list: readonly T[], times: number): T[] {
  return Array.from({ length: times }, () => list).flat()
}

export interface MadeTable {
  readonly name: string
  readonly bytes: Buffer
  /** Header lines, and the rows below them. */
  readonly head: readonly (readonly string[])[]
  readonly rows: readonly (readonly string[])[]
  readonly truths: readonly Truth[]
}

/** Composes the table. A locus occurs in only one piece. */
export function composeTable(made: JoinedTable): MadeTable {
  const used = new Set<string>()
  const pieces = made.pieces.filter(({ truths }) => {
    const loci = truths.map(({ title }) => title.split(' ').at(-1) ?? '')
    const isNew = loci.every((locus) => !used.has(locus))
    if (isNew) for (const locus of loci) used.add(locus)
    return isNew
  })
  const height = Math.max(...pieces.map(({ header }) => header.length))
  const random = generator(made.seed)
  const head: string[][] = Array.from({ length: height }, (_, line) => (line === 0 ? ['id'] : ['']))
  const makers: (() => string)[] = []
  let row = 0
  makers.push(() => `D${row}`)
  const truths: Truth[] = []
  const addOther = ([name, values]: (typeof OTHERS)[number]) => {
    for (const [line, cells] of head.entries()) cells.push(line === 0 ? name : '')
    makers.push(() => values[random(values.length)] ?? '')
  }
  const before = made.isFirst ? made.others : made.others.slice(0, 1)
  for (const other of before) addOther(other)
  for (const [at, piece] of pieces.entries()) {
    const from = makers.length
    for (const [line, cells] of head.entries())
      cells.push(...(piece.header[line] ?? (piece.header[0] ?? []).map(() => '')))
    const values = valuesFor(piece, made, at)
    for (const _ of piece.header[0] ?? []) {
      makers.push(() => {
        if (random(10) >= made.empty) return values[random(values.length)] ?? ''
        const words = [...made.missing, ...made.words]
        return words[random(words.length)] ?? ''
      })
    }
    truths.push(
      ...piece.truths.map(({ title, columns }) => ({
        title,
        columns: columns.map((column) => column + from),
      })),
    )
  }
  for (const other of made.others.slice(before.length)) addOther(other)
  const rows: string[][] = []
  for (row = 0; row < made.rows; row += 1) rows.push(makers.map((make) => make()))
  if (made.form === 'workbook')
    return { name: 't.xlsx', bytes: workbookOf([...head, ...rows]), head, rows, truths }
  return { name: 't.csv', bytes: textOf([...head, ...rows], made.delimiter), head, rows, truths }
}

function textOf(rows: readonly (readonly string[])[], delimiter: string): Buffer {
  const quoted = (cell: string) => (cell.includes(delimiter) ? `"${cell}"` : cell)
  return Buffer.from(rows.map((cells) => cells.map(quoted).join(delimiter)).join('\n'))
}

function workbookOf(rows: readonly (readonly string[])[]): Buffer {
  const cells = rows.map((row) => row.map((text) => (text === '' ? undefined : text)))
  return makeWorkbook({ sheets: [{ name: 'S', rows: textRows(cells) }] })
}

/** The same table as rows of sample, locus and allele; undefined if no column name gives a locus. */
export function composeLong(made: JoinedTable, { truths, rows }: MadeTable): MadeTable | undefined {
  const named = truths.filter(({ title }) => /^[A-Z0-9]+$/.test(title) && title !== 'GL')
  if (named.length === 0) return undefined
  const [sample, locus, ...alleles] = made.longNames
  const others = made.others.slice(0, 2)
  const random = generator(made.seed)
  const head = [[sample, locus, ...alleles, ...others.map(([name]) => name)]]
  const more = () => others.map(([, values]) => values[random(values.length)] ?? '')
  const body = rows.flatMap((row) => {
    const [id = ''] = row
    return named.flatMap(({ title, columns }) => {
      const typings = columns.map((column) => row[column] ?? '')
      if (alleles.length === 1) return typings.map((typing) => [id, title, typing, ...more()])
      return [[id, title, typings[0] ?? '', typings[1] ?? '', ...more()]]
    })
  })
  return { name: 't.csv', bytes: textOf([...head, ...body], made.delimiter), head, rows: body, truths: named }
}

/** Cell values of a piece. Columns without a locus in their name need one in the cells, or two fields. */
function valuesFor({ isDrb345, truths, header }: Piece, made: JoinedTable, at: number): readonly string[] {
  if (isDrb345) return ['DRB3*01:01', 'DRB4*01:03', 'DRB5*01:01', 'DR52']
  const name = header[0]?.[0] ?? ''
  if (PHENOTYPES.some((one) => one.header[0]?.[0] === name)) return WHOLE[made.whole]
  const kind: Kind = made.kinds[at] ?? 'fields'
  const isNameless = truths.some(({ title }) => title.startsWith('?'))
  if (isNameless) return KINDS[kind === 'named' ? 'named' : 'fields']
  const both = truths.every(({ columns }) => columns.length === 1) ? made.joined[at] : undefined
  const isE = header.flat().some((one) => /^[EG]/i.test(one))
  if (both !== undefined && !isE) return JOINED[both]
  // a column E or G with plain numbers is read as something else
  if (isE && (kind === 'old' || kind === 'numbers')) return KINDS.fields
  return kind === 'named' ? KINDS.fields : KINDS[kind]
}

/** Pseudo-random whole numbers below `most`. */
function generator(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * most)
  }
}
