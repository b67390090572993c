/** Columns as somebody names them: `-l A=A1,A2`, `-g gl`, `--subject donor=d_`. */
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { columnsLine, type Header, selectColumns, plainName } from '../header.ts'
import type { ColumnGroup } from '../infer-columns.ts'
import { type LocusHeader, readLocusHeader } from '../locus-header.ts'
import { pairKey } from './locus-pairs.ts'
import { columnSelector } from './unread-text.ts'

export function glGroup(column: number): ColumnGroup {
  return { subject: '', locus: undefined, columns: [column] }
}

/** @throws {HlaError} usage — an unknown locus, or no such column */
export function locusGroup(text: string, header: Header, loci: readonly string[]): ColumnGroup {
  const [, subject = '', name = '', list = ''] = /^(?:([^=:]+):)?([^=]+)=(.+)$/.exec(text) ?? []
  const locus = name.replace(/^HLA-/i, '').toUpperCase()
  if (list === '')
    throw new HlaError(
      'usage',
      advice`${option('locus')} is LOCUS=column,column or SUBJECT:LOCUS=…, not ${JSON.stringify(text)}`,
    )
  if (!loci.includes(locus)) {
    throw new HlaError('usage', advice`unknown locus ${JSON.stringify(name)} in ${option('locus')}`, {
      hint: `loci are ${loci.join(' ')}`,
    })
  }
  const columns = selectColumns(list, header)
  if (columns.length <= 2) return { subject, locus, columns }
  throw new HlaError(
    'usage',
    advice`a locus has one or two columns; ${option('locus', text)} has ${String(columns.length)}`,
  )
}

export interface Subject {
  readonly name: string
  readonly prefix: string
}

/** @throws {HlaError} usage */
export function parseSubject(text: string): Subject {
  const [, name, prefix] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (name !== undefined && prefix !== undefined) return { name, prefix }
  throw new HlaError(
    'usage',
    advice`${option('subject')} is NAME=PREFIX, such as donor=d_, not ${JSON.stringify(text)}`,
  )
}

/** @throws {HlaError} usage — nobody's columns begin so */
export function refuseAbsent(subjects: readonly Subject[], header: Header): void {
  const absent = subjects.find(({ prefix }) => !(header.names ?? []).some((name) => name.startsWith(prefix)))
  if (absent === undefined) return
  const { name, prefix } = absent
  throw new HlaError(
    'usage',
    advice`${option('subject', `${name}=${prefix}`)}: no column of ${header.table} begins with "${prefix}"`,
    {
      offending: prefix,
      hint: columnsLine(header),
    },
  )
}

/** A prefix that is a subject's is none of the locus. */
export function renamed(header: Header, subjects: readonly Subject[]): Header {
  if (subjects.length === 0 || header.names === undefined) return header
  const names = header.names.map((name) => {
    const subject = subjects.find(({ prefix }) => name.startsWith(prefix))
    return subject === undefined ? name : `${subject.name}_${name.slice(subject.prefix.length)}`
  })
  return { ...header, names }
}

export function withSubject(
  group: ColumnGroup,
  { names }: Header,
  subjects: readonly Subject[],
): ColumnGroup {
  if (group.subject !== '') return group
  const name = names?.[group.columns[0] ?? 0] ?? ''
  const subject = subjects.find(({ prefix }) => name.startsWith(prefix))
  return subject === undefined ? group : { ...group, subject: subject.name }
}

/** @throws {HlaError} usage */
export function refuseTwice(groups: readonly ColumnGroup[], { labels }: Header): void {
  const seen = new Set<number>()
  for (const column of groups.flatMap(({ columns }) => columns)) {
    if (seen.has(column)) throw new HlaError('usage', `column ${labels[column]} is chosen twice`)
    seen.add(column)
  }
}

/** @throws {HlaError} usage — of two columns that are named as a pair, one was told and nothing said of the other */
export function refuseHalves(
  told: readonly ColumnGroup[],
  header: Header,
  excluded: ReadonlySet<number>,
): void {
  const named = new Set(told.flatMap(({ columns }) => columns))
  for (const { columns, locus } of told) {
    const [one] = columns
    if (one === undefined || columns.length > 1 || locus === undefined) continue
    const other = findHalf(one, locus, header)
    if (other === undefined || named.has(other) || excluded.has(other)) continue
    const [first, second] = [one, other].map((column) => header.labels[column] ?? '')
    const both = [one, other].toSorted((a, b) => a - b).map((column) => columnSelector(column, header))
    throw new HlaError('usage', `${first} is half of a pair: ${second} would not be read`, {
      hint: advice`${option('locus', `${locus}=${both.join(',')}`)} reads both; ${option('exclude', columnSelector(other, header))} leaves it out`,
      suggestions: both,
    })
  }
}

function findHalf(column: number, locus: string, { names }: Header): number | undefined {
  if (names === undefined) return undefined
  const readAt = (at: number) =>
    readLocusHeader(plainName(names[at] ?? '')).find(
      (read) => read.locus === locus && read.slot !== undefined,
    )
  const own = readAt(column)
  if (own === undefined) return undefined
  const keyOf = (read: LocusHeader) => pairKey(read) + read.style
  const at = names.findIndex((_, other) => {
    const read = other === column ? undefined : readAt(other)
    return read !== undefined && keyOf(read) === keyOf(own) && read.slot !== own.slot
  })
  return at < 0 ? undefined : at
}
