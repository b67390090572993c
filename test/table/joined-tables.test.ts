/** Tables joined at random from conventions, words for missing typings and columns of other things: none loses a column without a word. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeHeader } from '../../src/table/plan/header.ts'
import type { TablePlan } from '../../src/table/plan/plan.ts'
import { planText } from '../support/convention-tables.ts'
import { type Convention, CONVENTIONS } from './conventions.ts'

const TABLES = process.env['HLA_LONG'] === undefined ? 300 : 20_000

/** Columns with typings, and what they are. */
interface Truth {
  readonly title: string
  readonly columns: readonly number[]
}

interface Piece {
  /** A line each. */
  readonly header: readonly (readonly string[])[]
  readonly truths: readonly Truth[]
  readonly isDrb345: boolean
}

/** Without its column of ids. */
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
    return name === '' && slot.length > 1 ? slot : slot === '' ? name : `${last} ${slot}`
  })
}

const PIECES = CONVENTIONS.filter(
  ({ refused, values = {}, unread = [] }) =>
    refused === undefined && unread.length === 0 && Object.keys(values).length === 0,
).map(pieceFrom)
const DRB345 = CONVENTIONS.filter(({ groups }) => groups.some((one) => one.startsWith('DRB3/4/5'))).map(
  pieceFrom,
)
const NAMELESS: readonly Piece[] = [
  { header: [['x1', 'x2']], truths: [{ title: '? x', columns: [0, 1] }], isDrb345: false },
  { header: [['typing']], truths: [{ title: '? typing', columns: [0] }], isDrb345: false },
]

/** What is no typing, by name of the column. */
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

const MISSING = [
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

const table = fc.record({
  pieces: fc.uniqueArray(fc.constantFrom(...PIECES, ...PIECES, ...DRB345, ...NAMELESS), {
    minLength: 1,
    maxLength: 4,
    selector: (piece) => PIECES.indexOf(piece),
  }),
  others: fc.uniqueArray(fc.constantFrom(...OTHERS), { maxLength: 5, selector: ([name]) => name }),
  kinds: fc.array(fc.constantFrom(...(Object.keys(KINDS) as Kind[])), { minLength: 4, maxLength: 4 }),
  missing: fc.array(fc.constantFrom(...MISSING), { minLength: 1, maxLength: 4 }),
  words: fc.subarray(WORDS),
  /** Of ten cells. */
  empty: fc.integer({ min: 0, max: 8 }),
  rows: fc.integer({ min: 12, max: 60 }),
  isFirst: fc.boolean(),
  delimiter: fc.constantFrom('\t', ';', ','),
  seed: fc.integer({ min: 1, max: 2 ** 30 }),
})
type Made = ReturnType<typeof fc.sample<typeof table extends fc.Arbitrary<infer T> ? T : never>>[number]

interface MadeTable {
  readonly text: string
  readonly truths: readonly Truth[]
}

/** One locus stands in one piece: two of the same are another matter. */
function compose(made: Made): MadeTable {
  const used = new Set<string>()
  const pieces = made.pieces.filter(({ truths }) => {
    const loci = truths.map(({ title }) => title.split(' ').at(-1) ?? '')
    const isNew = loci.every((locus) => !used.has(locus))
    if (isNew) for (const locus of loci) used.add(locus)
    return isNew
  })
  const height = Math.max(...pieces.map(({ header }) => header.length))
  const random = generator(made.seed)
  const lines: string[][] = Array.from({ length: height }, (_, line) => (line === 0 ? ['id'] : ['']))
  const makers: (() => string)[] = []
  let row = 0
  makers.push(() => `D${row}`)
  const truths: Truth[] = []
  const addOther = ([name, values]: (typeof OTHERS)[number]) => {
    for (const [line, cells] of lines.entries()) cells.push(line === 0 ? name : '')
    makers.push(() => values[random(values.length)] ?? '')
  }
  const before = made.isFirst ? made.others : made.others.slice(0, 1)
  for (const other of before) addOther(other)
  for (const [at, piece] of pieces.entries()) {
    const from = makers.length
    const pad = height - piece.header.length
    for (const [line, cells] of lines.entries())
      cells.push(...(piece.header[pad === 1 ? line : line] ?? (piece.header[0] ?? []).map(() => '')))
    const kind = made.kinds[at] ?? 'fields'
    const values = valuesFor(piece, kind)
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
  return { text: [...lines, ...rows].map((cells) => cells.join(made.delimiter)).join('\n'), truths }
}

/** Without a locus in their names, columns need one in their cells, or two fields. */
function valuesFor({ isDrb345, truths, header }: Piece, kind: Kind): readonly string[] {
  if (isDrb345) return ['DRB3*01:01', 'DRB4*01:03', 'DRB5*01:01', 'DR52']
  const isNameless = truths.some(({ title }) => title.startsWith('?'))
  if (isNameless) return KINDS[kind === 'named' ? 'named' : 'fields']
  const isE = header.flat().some((name) => /^[EG]/i.test(name))
  // numbers under a letter that is everybody's are decided to be something else
  if (isE && (kind === 'old' || kind === 'numbers')) return KINDS.fields
  return kind === 'named' ? KINDS.fields : KINDS[kind]
}

/** Numbers below `most`, always the same ones. */
function generator(seed: number): (most: number) => number {
  let state = seed
  return (most) => {
    state = (Math.imul(state, 1_103_515_245) + 12_345) & 0x7fffffff
    return Math.floor((state / 0x80000000) * most)
  }
}

/** What is wrong with a plan; nothing, if every column with typings is read as it should be, or said not to be. */
function faults({ groups, unread, header, headerRow }: TablePlan, { truths }: MadeTable): string[] {
  if (headerRow === undefined) return ['no header']
  const said = new Set(unread.flatMap(({ columns }) => columns))
  const typed = new Set(truths.flatMap(({ columns }) => columns))
  const label = (columns: readonly number[]) => columns.map((at) => header.labels[at]).join(' ')
  const read = groups.map(({ subject, locus, among, columns }) => {
    const title = locus ?? (among === undefined ? 'GL' : 'DRB3/4/5')
    return { title: `${subject === '' ? '' : `${subject} `}${title}`, columns }
  })
  const strange = read.filter(({ columns }) => columns.some((column) => !typed.has(column)))
  const wrong = truths.flatMap(({ title, columns }) => {
    const own = read.filter((group) => group.columns.some((column) => columns.includes(column)))
    const [group] = own
    if (own.length === 1 && group?.title === title && label(group.columns) === label(columns)) return []
    if (own.length === 0 && columns.every((column) => said.has(column))) return []
    // columns without a locus in their name may be read by the names in their cells
    if (title.startsWith('?') && own.every((one) => one.title === 'GL')) return []
    return [
      `${label(columns)} is ${title}, read as ${own.map((one) => `${one.title}=${label(one.columns)}`).join(' and ')}`,
    ]
  })
  return [...strange.map(({ title, columns }) => `${label(columns)} read as ${title}`), ...wrong]
}

describe('tables joined from conventions', () => {
  test(
    'are read whole, refused, or say which columns they leave out',
    async () => {
      const outcomes = { whole: 0, warned: 0, refused: 0 }
      await fc.assert(
        fc.asyncProperty(table, async (made) => {
          const composed = compose(made)
          const plan = await planText(composed.text)
          if (plan instanceof Error) {
            expect(plan).toMatchObject({ code: 'usage' })
            outcomes.refused += 1
            return
          }
          expect(faults(plan, composed)).toEqual([])
          outcomes[plan.unread.length === 0 ? 'whole' : 'warned'] += 1
        }),
        { numRuns: TABLES },
      )
      if (process.env['HLA_LONG'] !== undefined) process.stderr.write(`${JSON.stringify(outcomes)}\n`)
      // to refuse everything would be no reading
      expect(outcomes.refused).toBeLessThan(TABLES / 5)
      expect(outcomes.whole).toBeGreaterThan(TABLES / 3)
    },
    TABLES * 60,
  )
})
