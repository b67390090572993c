/** Messages about unread columns, and the names of columns in advice. Pure. */
import { type Advice, type OptionAdvice, advice, clause, joinAdvice, option } from '../../../advice.ts'
import { type Face, adviceText } from '../../../operations/faces.ts'
import type { Header } from '../header.ts'

export const UNREAD_CODES = [
  'no-locus',
  'no-source',
  'gl-string',
  'same-locus',
  'no-typings',
  'numbers',
  'unknown-locus',
  'ambiguous',
] as const
export type UnreadCode = (typeof UNREAD_CODES)[number]

export interface UnreadColumns {
  /** One column, or the two of a pair. */
  readonly columns: readonly number[]
  readonly code: UnreadCode
  /** Display text. */
  readonly why: string
  /** Option that reads it, `-l A=x1,x2`; or excludes it, when none can read it. Without a value only the user knows it. */
  readonly option: OptionAdvice
}

/** Selector of a column in a list: its number when its name cannot be used there. */
export function columnSelector(column: number, { labels, names }: Header): string {
  const label = labels[column] ?? ''
  const isName = names !== undefined && label !== '' && !/,|^\s|\s$|^\d+$/.test(label)
  return isName ? label : String(column + 1)
}

/** Labels; of many columns the first and the last. */
export function labelsIn(columns: readonly number[], { labels }: Header): string {
  const names = columns.map((column) => labels[column] ?? '')
  if (names.length <= MAX_LABELS) return names.join(' ')
  return `${names.slice(0, MAX_LABELS - 1).join(' ')} … ${names.at(-1)} (${names.length} columns)`
}

const MAX_LABELS = 24

/** One line: the first columns, and the number of others. */
export function unreadText(unread: readonly UnreadColumns[], header: Header): Advice {
  const shown = unread.slice(0, MAX_SHOWN)
  const texts = shown.map(
    (one) => advice`${labelsIn(one.columns, header)} (${one.why}${clause`; ${remedyFor(one)}`})`,
  )
  const left = unread.length - shown.length
  const more = left > 0 ? advice`; ${String(left)} more${clause`: ${option('plan')}`}` : ''
  return advice`not read: ${joinAdvice(texts, '; ')}${more}`
}

const MAX_SHOWN = 4

/** `-l A=x1,x2`, or without a value that could be typed: `-l names it`. */
export function remedyFor(one: Pick<UnreadColumns, 'option'>): Advice {
  return isOpenRemedy(one) ? [one.option, ' names it'] : [one.option]
}

/** True for an option whose value only the user knows. */
export function isOpenRemedy({ option: remedy }: Pick<UnreadColumns, 'option'>): boolean {
  return remedy.value === undefined
}

/** JSON form. */
export interface UnreadRecord {
  readonly columns: readonly string[]
  readonly code: UnreadCode
  readonly why: string
  readonly option: string
}

export function unreadRecords(
  unread: readonly UnreadColumns[],
  { labels }: Header,
  face: Face,
): UnreadRecord[] {
  return unread.map(({ columns, code, why, option: remedy }) => ({
    columns: columns.map((column) => labels[column] ?? ''),
    code,
    why,
    option: adviceText(remedyFor({ option: remedy }), face) ?? '',
  }))
}
