/** Columns that look like typings, by their name or by what stands in them, and that nothing reads: each is said, with what would read it. Pure. */
import { type Header, isIdName, plainName } from '../header.ts'
import type { ColumnGroup, Contents } from '../infer-columns.ts'
import { DRB345, DRB345_TITLE, guessLocus, type LocusHeader, readLocusHeader } from '../locus-header.ts'
import { type ColumnContent, countKinds, isMostly, isPartly, recognizeShape } from '../typing-shape.ts'
import { areClockTimes } from './clock-times.ts'

export const UNREAD_CODES = [
  'no-locus',
  'gl-string',
  'same-locus',
  'no-typings',
  'numbers',
  'unknown-locus',
] as const
export type UnreadCode = (typeof UNREAD_CODES)[number]

export interface UnreadColumns {
  /** One, or the two of a pair. */
  readonly columns: readonly number[]
  readonly code: UnreadCode
  /** For people. */
  readonly why: string
  /** What reads it, as it is typed: `-l A=x1,x2`; or leaves it out, where nothing reads it. */
  readonly option: string
}

export interface UnreadRequest {
  readonly header: Header
  readonly groups: readonly ColumnGroup[]
  /** Columns that nothing reads and nobody has left out. */
  readonly columns: readonly number[]
  readonly contents: Contents
  readonly sampled: (column: number) => readonly string[]
  readonly unknownLoci?: readonly LocusColumns[] | undefined
}

export interface LocusColumns {
  readonly locus: string
  readonly columns: readonly number[]
}

interface Finding {
  readonly column: number
  readonly code: UnreadCode
  readonly why: string
  readonly locus: string | undefined
  readonly subject: string
}

export function findUnread(request: UnreadRequest): UnreadColumns[] {
  const { header, unknownLoci = [] } = request
  const left = new Set(request.columns)
  const unknown = unknownLoci.filter(({ columns }) => columns.every((column) => left.has(column)))
  for (const { columns } of unknown) for (const column of columns) left.delete(column)
  const found = [...left].flatMap((column) => judge(column, request) ?? [])
  const unread: UnreadColumns[] = unknown.map(({ locus, columns }) => ({
    columns,
    code: 'unknown-locus',
    why: `${locus} is no locus of this release`,
    option: `-x ${shellWord(columns.map((column) => columnSelector(column, header)).join(','))}`,
  }))
  for (let at = 0; at < found.length; at += 1) {
    const [one, next] = [found[at], found[at + 1]]
    if (one === undefined) continue
    const isPair = next !== undefined && areTogether(one, next, header)
    const both = isPair ? [one.column, next.column] : [one.column]
    unread.push({ columns: both, code: one.code, why: one.why, option: optionText(one, both, header) })
    if (isPair) at += 1
  }
  return unread.toSorted((a, b) => (a.columns[0] ?? 0) - (b.columns[0] ?? 0))
}

function judge(column: number, request: UnreadRequest): Finding | undefined {
  const { header, groups, contents } = request
  const own = plainName(header.names?.[column] ?? '')
  // a cell of the header may stand over two columns
  const name = own === '' ? plainName(header.names?.[column - 1] ?? '') : own
  const content = contents(column)
  const read = namedLocus(readLocusHeader(name), request)
  const beside = groups.find(
    ({ locus, among, subject }) =>
      read !== undefined &&
      (locus ?? (among === undefined ? undefined : DRB345_TITLE)) === read.locus &&
      subject.toLowerCase() === read.subject.toLowerCase(),
  )
  const make = (code: UnreadCode, why: string, locus = read?.locus): Finding => ({
    column, code, why, locus, subject: read?.subject ?? '',
  }) // prettier-ignore
  const isTyped = holdsTypings(column, request)
  // nothing else looks like names with their locus, whatever words stand beside them
  if (countKinds(content, NAMES) > 1 || isMostly(content, NAMES))
    return beside === undefined
      ? make('gl-string', 'names with their locus')
      : make('same-locus', `${beside.locus ?? DRB345_TITLE} is read from ${labelsIn(beside.columns, header)}`)
  if (read !== undefined && beside !== undefined)
    return isTyped || isMostly(content, NUMBERS)
      ? make('same-locus', `${read.locus} is read from ${labelsIn(beside.columns, header)}`)
      : undefined
  if (isTyped && read?.locus === DRB345_TITLE)
    return { ...make('no-locus', `typings that do not name ${DRB345.join(', ')}`), locus: undefined }
  if (isTyped) return make('no-locus', 'typings, and the name says no locus', read?.locus ?? guessLocus(name))
  const some =
    read ?? readLocusHeader(name).find(({ slot, locus }) => slot !== undefined && !EVERYBODYS.has(locus))
  if (isMostly(content, ['digits', 'pair'])) return judgeNumbers(name, some, make)
  if (some !== undefined && countKinds(content, ['named', 'fields', 'antigen', ...NUMBERS]) > 0)
    return {
      ...make('no-typings', `named like typings of ${some.locus}, and holds few`, some.locus),
      subject: some.subject,
    }
  if (read === undefined || content.cells === 0 || EVERYBODYS.has(read.locus)) return undefined
  return make('no-typings', `named like typings of ${read.locus}, and holds none`)
}

const NAMES = ['named', 'phenotype'] as const
/** Several in a cell are typings if more than digits stand there, which `holdsTypings` has seen. */
const NUMBERS = ['digits', 'pair', 'damaged'] as const
const EVERYBODYS = new Set(['E', 'F', 'G', 'H'])

function judgeNumbers(
  name: string,
  read: LocusHeader | undefined,
  make: (code: UnreadCode, why: string, locus?: string) => Finding,
): Finding | undefined {
  const locus = read?.locus ?? guessLocus(name)
  // "E1" is everybody's, and antigens of E there are none
  if (locus === undefined || (EVERYBODYS.has(locus) && read?.isSure !== true)) return undefined
  return make('numbers', `numbers, which may be something else than typings of ${locus}`, locus)
}

/** Of the readings of a name, one that is about typings: surely, of somebody who is read, or of one more person. */
function namedLocus(readings: readonly LocusHeader[], request: UnreadRequest): LocusHeader | undefined {
  const { groups } = request
  const isKnown = (subject: string) =>
    subject === '' || groups.some((group) => group.subject.toLowerCase() === subject.toLowerCase())
  return (
    readings.find(({ isSure, subject }) => isSure || isKnown(subject)) ??
    readings.find((read) => isNamedLikeOthers(read, request))
  )
}

/** Beside `D_A_1 D_A_2`, `R_A_1` is of one more person; `vitamin_C` is nobody. */
function isNamedLikeOthers(read: LocusHeader, { groups, header }: UnreadRequest): boolean {
  const names = (header.names ?? []).map(plainName)
  const isTwice = (name: string) => names.filter((one) => one === name).length === 2
  // without 1 and 2, only what stands there twice is a pair
  const own = names.filter((name) =>
    readLocusHeader(name).some(
      (one) => one.style === read.style && one.locus === read.locus && one.subject === read.subject,
    ),
  )
  if (read.slot === undefined && !own.some(isTwice)) return false
  const pairs = groups.filter(({ subject, columns }) => subject !== '' && columns.length === 2)
  return pairs.some(({ columns: [first = 0] }) =>
    readLocusHeader(names[first] ?? '').some((other) => slotStyle(other) === slotStyle(read)),
  )
}

/** Whatever the locus is. */
function slotStyle({ style, length }: LocusHeader): string {
  return style.slice(String(length).length)
}

/** Whatever the name says. */
function holdsTypings(column: number, { contents, sampled, header }: UnreadRequest): boolean {
  const content = contents(column)
  const name = header.names?.[column] ?? ''
  if (isPartly(content, ['named', 'fields'])) {
    const values = sampled(column).filter((value) => ['named', 'fields'].includes(recognizeShape(value)))
    return countKinds(content, ['named']) > 0 || !areClockTimes(name, values)
  }
  if (isMostly(content, ['named', 'fields', 'pair']) && sampled(column).some((value) => PAIRED.test(value)))
    return true
  return isMostly(content, ['antigen']) && !isIdName(name) && areAntigens(content, sampled(column))
}

/** One of several typings of a cell, told from numbers: `07:02`, `B7`. */
const PAIRED = /\d:\d|(?:^|[,;\s])[A-Z]+w?\d/

/** Numbers that antigens have, some of them several people's: `A1` to `H12` are places on a plate. */
function areAntigens({ cells, counts, kinds }: ColumnContent, values: readonly string[]): boolean {
  if (cells > 3 && kinds.antigen === counts.antigen) return false
  return values.every((value) => !/^[A-Z]+w?(?:0|[6-9]\d{2,}|\d{5})/.test(value.trim()))
}

/** `x1` and `x2` in a row: what is said of one is said of both. */
function areTogether(one: Finding, next: Finding, { names }: Header): boolean {
  if (one.code !== next.code || one.code === 'gl-string' || one.locus !== next.locus || one.why !== next.why)
    return false
  if (next.column !== one.column + 1) return false
  const [a, b] = [one, next].map(({ column }) => plainName(names?.[column] ?? '').replace(SLOT, ''))
  return a === b || plainName(names?.[next.column] ?? '') === ''
}

/** The letter of a locus is none: `A_maternal` and `B_maternal` are two loci. */
const SLOT = /(?:[12]|ii?|first|second)(?=[)\]]?$|[a-z]{1,4}$|[_. -]+\(?[a-z]+\)?$)|(?<=[_. -])[ab]$/i

function optionText({ code, locus, subject }: Finding, columns: readonly number[], header: Header): string {
  const list = columns.map((column) => columnSelector(column, header)).join(',')
  if (code === 'gl-string' || locus === DRB345_TITLE) return `-g ${shellWord(list)}`
  const who = subject === '' ? '' : `${subject}:`
  return `-l ${shellWord(`${who}${locus ?? 'LOCUS'}=${list}`)}`
}

/** How a column is named in a list: by its number where its name could not stand there. */
export function columnSelector(column: number, { labels, names }: Header): string {
  const label = labels[column] ?? ''
  const isName = names !== undefined && label !== '' && !/,|^\s|\s$|^\d+$/.test(label)
  return isName ? label : String(column + 1)
}

/** As a shell reads it. */
export function shellWord(text: string): string {
  return /^[\w@%+=:,./-]+$/.test(text) ? text : `'${text.replaceAll("'", String.raw`'\''`)}'`
}

export function labelsIn(columns: readonly number[], { labels }: Header): string {
  return columns.map((column) => labels[column] ?? '').join(' ')
}

/** On one line: the first of them, and how many more. */
export function unreadText(unread: readonly UnreadColumns[], header: Header): string {
  const shown = unread.slice(0, MOST_SHOWN)
  const texts = shown.map(({ columns, why, option }) => `${labelsIn(columns, header)} (${why}; ${option})`)
  const more = unread.length > shown.length ? `; ${unread.length - shown.length} more: --plan` : ''
  return `not read: ${texts.join('; ')}${more}`
}

const MOST_SHOWN = 4

/** For programs. */
export interface UnreadRecord {
  readonly columns: readonly string[]
  readonly code: UnreadCode
  readonly why: string
  readonly option: string
}

export function unreadRecords(unread: readonly UnreadColumns[], { labels }: Header): UnreadRecord[] {
  return unread.map(({ columns, code, why, option }) => ({
    columns: columns.map((column) => labels[column] ?? ''),
    code,
    why,
    option,
  }))
}
