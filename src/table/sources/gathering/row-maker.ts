/** Rows of the gathered table: the person, the person's values, and two columns per locus. */
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import type { Dialect } from '../../input/dialect.ts'
import { encodeByteText, readable } from '../../input/encoding.ts'
import type { TableRow } from '../../input/read-table.ts'
import { COLUMN_LOCI } from '../../words/locus-header.ts'
import { unquoteField } from '../../input/split-row.ts'
import {
  NO_LOCUS,
  type Person,
  type Typed,
  isSurplus,
  openCellError,
  surplusCellError,
  splitCaller,
  surplusError,
  typingsOf,
  wholeOrigin,
} from './person.ts'
import { type CellFault, lineOf, type RowPlace, type TypingCell } from '../../input/places.ts'

export interface TableColumns {
  readonly person: string
  /** Heading of the column with file and program; undefined for none. */
  readonly source: string | undefined
  /** `at`: index among a person's values. */
  readonly facts: readonly { readonly name: string; readonly at: number }[]
  readonly loci: readonly string[]
  readonly scores: readonly string[]
  readonly dialect: Dialect
  readonly hasFiles: boolean
  readonly hasPaths: boolean
  /** True when its files come from several programs. */
  readonly isMixed: boolean
}

/** Columns of a locus, from 0. */
export function locusColumns({
  source,
  facts,
  loci,
  scores,
}: TableColumns): readonly (readonly [string, number])[] {
  const width = 2 + 2 * scores.length
  const before = source === undefined ? 1 : 2
  return loci.map((locus, at) => [locus, before + facts.length + at * width])
}

/** Score columns, after the two of their locus, from 0. */
export function scoreColumns(columns: TableColumns): readonly number[] {
  const each = Array.from({ length: 2 * columns.scores.length }, (_, at) => 2 + at)
  return locusColumns(columns).flatMap(([, first]) => each.map((at) => first + at))
}

export function columnNames({ person, source, facts, loci, scores }: TableColumns): string[] {
  const ofLocus = (locus: string) => [
    `${locus}_1`,
    `${locus}_2`,
    ...[1, 2].flatMap((slot) => scores.map((name) => `${locus}_${slot}_${name}`)),
  ]
  return [
    person,
    ...(source === undefined ? [] : [source]),
    ...facts.map(({ name }) => name),
    ...loci.flatMap(ofLocus),
  ]
}

export interface RowMaker {
  readonly head: TableRow
  readonly row: (person: Person) => TableRow
}

export function rowMaker(columns: TableColumns, numbers: LocusNumbers): RowMaker {
  const { dialect, source, scores } = columns
  const own = locusColumns(columns).map(([name, column]) => ({ name, column, number: numbers.number(name) }))
  const known = new Set(own.map(({ number }) => number))
  const cells = typingCells(own)
  const rowOf = (values: readonly string[], line: number, place?: RowPlace) =>
    new GatheredRow(dialect, values, line, place)
  let rows = 0
  /** A row too short to be read; no other gathered row is. */
  const faultyRow = (person: Person) => {
    const { name, file, line, fault } = person
    const from = source === undefined ? '' : sourceText(person, dialect)
    const place = { file: file.name, line, cells, origins: [], faults: undefined, fault, broken: undefined }
    return rowOf([name, from], line, place)
  }
  return {
    head: rowOf(columnNames(columns), 1),
    row(person) {
      rows += 1
      if (person.fault !== undefined) return faultyRow(person)
      if (numbers.names.length > known.size) refuseLate(person, known, numbers, columns)
      const { texts, surplus } = person
      const values = firstCells(person, columns)
      let faults = person.faults && openFaults(person.faults, person, own, dialect)
      for (const { name, number, column } of own) {
        if (surplus !== undefined && isSurplus(person, number)) {
          const { text, ...fault } = surplusFault(person, name, number, dialect)
          faults ??= new Map()
          faults.set(column, fault)
          values.push(text, '')
        } else values.push(texts[2 * number] ?? '', texts[2 * number + 1] ?? '')
        if (scores.length > 0) values.push(...typingScores(person, number, scores))
      }
      const { file, line, origins, broken } = person
      const place = {
        file: file.name,
        line,
        cells,
        origins,
        faults,
        fault: undefined,
        broken: broken && { person: person.name, row: rows, rules: broken },
      }
      return rowOf(values, line, place)
    },
  }
}

/** Its fields are written only where a cell needs the ordinary path. */
class GatheredRow implements TableRow {
  readonly kind = 'row'
  readonly isMisquoted = false
  readonly line: number
  readonly values: readonly string[]
  readonly place: RowPlace | undefined
  readonly #dialect: Dialect

  constructor(dialect: Dialect, values: readonly string[], line: number, place: RowPlace | undefined) {
    this.#dialect = dialect
    this.values = values
    this.line = line
    this.place = place
  }

  get eol(): string {
    return this.#dialect.eol
  }

  get raws(): readonly string[] {
    return this.values.map((value) => unquoteField(value, this.#dialect) ?? '')
  }
}

interface LocusCells {
  readonly name: string
  readonly number: number
  readonly column: number
}

function typingCells(loci: readonly LocusCells[]): ReadonlyMap<number, TypingCell> {
  const slots = [1, 2] as const
  return new Map(
    loci.flatMap(({ name: locus, number, column }) =>
      slots.map((slot) => [column + slot - 1, { locus, slot, at: 2 * number + slot - 1 }] as const),
    ),
  )
}

/** Faults of typings that have their places, by column. */
function openFaults(
  faults: ReadonlyMap<number, HlaError>,
  { texts }: Person,
  loci: readonly LocusCells[],
  { encoding }: Dialect,
): Map<number, CellFault> {
  const found = new Map<number, CellFault>()
  for (const { number, column } of loci) {
    for (const slot of [0, 1]) {
      const placed = faults.get(2 * number + slot)
      if (placed === undefined) continue
      const value = readable(texts[2 * number + slot] ?? '', encoding)
      found.set(column + slot, { value, error: openCellError(value), placed })
    }
  }
  return found
}

/**
 * Columns of other loci may be copied unread: copies of a gene such as KIR2DL1 are then one GL String. GL Strings of
 * several loci with `?` are in no GL String together.
 */
function surplusFault(
  person: Person,
  locus: string,
  number: number,
  { encoding }: Dialect,
): CellFault & { readonly text: string } {
  const all = typingsOf(person, number)
  const texts = all.map(({ text }) => text)
  const placed = surplusError(person.name, locus, all)
  const [, own] = splitCaller(locus)
  if (!COLUMN_LOCI.includes(own) && own !== NO_LOCUS) {
    const text = texts.join('+')
    return { text, value: readable(text, encoding), error: undefined, placed }
  }
  const value = readable(texts.join(' '), encoding)
  return { text: '', value, error: surplusCellError(value), placed }
}

/** Cells before the typings. */
function firstCells(person: Person, { source, facts, dialect }: TableColumns): string[] {
  const of = source === undefined ? [] : [sourceText(person, dialect)]
  return [person.name, ...of, ...facts.map(({ at }) => person.facts[at]?.join(';') ?? '')]
}

/** `out/S1.tsv (T1K)` */
function sourceText({ file, more = [] }: Person, { encoding }: Dialect): string {
  const texts = [file, ...more].map(({ name = '', program }) => `${name} (${program ?? 'table'})`)
  return encodeByteText(texts.join('; '), encoding)
}

/** Scores of the first typing, then of the second; surplus typings have none. */
function typingScores(person: Person, locus: number, scores: readonly string[]): string[] {
  const { origins } = person
  if (isSurplus(person, locus)) return [...scores, ...scores].map(() => '')
  return ([0, 1] as const).flatMap((slot) => {
    const origin = origins[2 * locus + slot]
    return scoresIn(origin === undefined ? undefined : wholeOrigin(person, origin), slot, scores)
  })
}

function scoresIn(origin: Typed['origin'] | undefined, slot: 0 | 1, scores: readonly string[]): string[] {
  return scores.map((_, at) => {
    const from = origin?.file.scores[at]?.[slot]
    return from === undefined ? '' : (origin?.values[from] ?? '')
  })
}

/** @throws {HlaError} usage */
function refuseLate(
  person: Person,
  known: ReadonlySet<number>,
  { names }: LocusNumbers,
  { loci, hasFiles }: TableColumns,
): void {
  for (const [number, locus] of names.entries()) {
    const [typed] = known.has(number) ? [] : typingsOf(person, number)
    if (typed === undefined) continue
    const line = lineOf(typed.origin.place)
    const place = hasFiles ? `${person.file.name}:${line}` : `line ${line}`
    throw new HlaError(
      'usage',
      `${place}: locus ${locus} appears first in this row, but the columns are already written`,
      {
        offending: locus,
        hint: advice`name all loci: ${option('long', `loci=${[...loci, locus].join(',')}`)}`,
      },
    )
  }
}

export interface LocusNumbers {
  readonly number: (name: string) => number
  readonly names: readonly string[]
}

export function locusNumbers(): LocusNumbers {
  const numbers = new Map<string, number>()
  const names: string[] = []
  return {
    names,
    number(name) {
      let found = numbers.get(name)
      if (found === undefined) {
        numbers.set(name, (found = names.length))
        names.push(name)
      }
      return found
    },
  }
}
