/** Rows of the gathered table: the person, the person's values, and two columns per locus. */
import { advice, option } from '../../../../advice.ts'
import { HlaError } from '../../../../errors.ts'
import type { Dialect } from '../../dialect.ts'
import { encodeByteText } from '../../encoding.ts'
import { COLUMN_LOCI } from '../../../plan/locus-header.ts'
import { unquoteField } from '../../split-row.ts'
import {
  NO_LOCUS,
  type Person,
  SURPLUS_SIGN,
  type Typed,
  isSurplus,
  splitCaller,
  surplusError,
  typingsOf,
} from './person.ts'
import type { Places, RowPlace } from './places.ts'

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
  readonly head: () => string
  readonly row: (person: Person) => string
}

export function rowMaker(columns: TableColumns, numbers: LocusNumbers, places: Places): RowMaker {
  const { dialect, source, loci, scores } = columns
  const own = loci.map((name) => ({ name, number: numbers.number(name) }))
  const known = new Set(own.map(({ number }) => number))
  let [line, rows] = [1, 0]
  const field = (cell: string) => unquoteField(cell, dialect) ?? ''
  const write = (row: string) => {
    line += 1 + feedsIn(row)
    return row + dialect.eol
  }
  /** A row too short to be read; a made table has no other such rows. */
  const faultyRow = (person: Person) => {
    const { name, file, line: at, fault } = person
    places.put(line, { file: file.name, line: at, origins: [], errors: undefined, fault, broken: undefined })
    const from = source === undefined ? '' : field(sourceText(person, dialect))
    return write(field(name) + dialect.delimiter + from)
  }
  return {
    head: () => write(columnNames(columns).map(field).join(dialect.delimiter)),
    row(person) {
      rows += 1
      if (person.fault !== undefined) return faultyRow(person)
      if (numbers.names.length > known.size) refuseLate(person, known, numbers, columns)
      const { texts } = person
      let row = firstCells(person, columns).map(field).join(dialect.delimiter)
      let errors = person.faults
      for (const { name, number } of own) {
        const hasSurplus = isSurplus(person, number)
        if (hasSurplus) {
          errors ??= new Map()
          errors.set(2 * number, surplusError(person.name, name, typingsOf(person, number)))
        }
        const [first = '', second = ''] = hasSurplus
          ? [
              typingsOf(person, number)
                .map(({ text }) => text)
                .join(surplusSign(name)),
            ]
          : [texts[2 * number], texts[2 * number + 1]]
        row += dialect.delimiter + field(first) + dialect.delimiter + field(second)
        if (scores.length === 0) continue
        for (const score of typingScores(person, number, scores)) row += dialect.delimiter + field(score)
      }
      places.put(line, placeOf(person, rows, errors))
      return write(row)
    },
  }
}

/**
 * Columns of other loci may be copied unread: copies of a gene such as KIR2DL1 are then one GL String. GL Strings of
 * several loci with `?` are in no GL String together.
 */
function surplusSign(locus: string): string {
  const [, own] = splitCaller(locus)
  return COLUMN_LOCI.includes(own) || own === NO_LOCUS ? SURPLUS_SIGN : '+'
}

function feedsIn(row: string): number {
  let feeds = 0
  for (let at = row.indexOf('\n'); at >= 0; at = row.indexOf('\n', at + 1)) feeds += 1
  return feeds
}

/** `row`: that of the table, without its header. */
function placeOf(
  { name, file, line, origins, broken }: Person,
  row: number,
  errors: ReadonlyMap<number, HlaError> | undefined,
): RowPlace {
  const rules = broken && { person: name, row, rules: broken }
  return { file: file.name, line, origins, errors, fault: undefined, broken: rules }
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
  return ([0, 1] as const).flatMap((slot) => scoresIn(origins[2 * locus + slot], slot, scores))
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
    const { line } = typed.origin
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
