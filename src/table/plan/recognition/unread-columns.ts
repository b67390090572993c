/** Unread columns that look like typings, by name or content: each is reported, with the option that reads it. Pure. */
import type { OptionAdvice } from '../../../advice.ts'
import { type Header, isIdName } from '../header.ts'
import { plainName } from '../../words/header-words.ts'
import { groupBy } from '../../words/group-by.ts'
import type { Contents } from '../infer-columns.ts'
import type { ColumnGroup } from '../../cells/joined/decide-joined.ts'
import {
  DRB345,
  DRB345_TITLE,
  AMBIGUOUS_LOCI,
  type LocusHeader,
  readLocusHeader,
} from '../../words/locus-header.ts'
import { withoutResultName } from '../result-columns.ts'
import { type CellsFound, type Certainty, TOLD, certaintyOf, scoreUnread } from '../score.ts'
import { type ColumnContent, areClockTimes, looksNamed, setAside } from '../../words/typing-shape.ts'
import { type ColumnCandidate, guessLocus, guessLocusOfTypings, guessSubject, leadIn } from './locus-pairs.ts'
import type { DoubtfulColumns } from './doubtful-persons.ts'
import { type UnreadCode, type UnreadColumns, columnSelector, labelsIn } from './unread-text.ts'

export interface UnreadRequest {
  readonly header: Header
  readonly groups: readonly ColumnGroup[]
  /** Columns neither read nor excluded. */
  readonly columns: readonly number[]
  /** Readings of names that other names do not contradict. */
  readonly candidates: readonly ColumnCandidate[]
  readonly contents: Contents
  readonly sampled: (column: number) => readonly string[]
  readonly unknownLoci?: readonly LocusColumns[] | undefined
  readonly doubtful: readonly DoubtfulColumns[]
  /** Columns named like typings that hold counts. */
  readonly counts: readonly number[]
  /** Columns named as results -> the source that the table lacks. */
  readonly orphans: ReadonlyMap<number, string>
  /** Columns that would be read if others of their locus were not named. */
  readonly displaced: ReadonlySet<number>
}

export interface LocusColumns {
  readonly locus: string
  readonly columns: readonly number[]
}

/** A request with what is looked up for each column. */
interface IndexedRequest extends UnreadRequest {
  /** Names without numbers that programs add, by column. */
  readonly names: readonly string[]
  /** Candidates by column. */
  readonly readings: ReadonlyMap<string, readonly LocusHeader[]>
  /** The group of a locus and person. */
  readonly groupOf: ReadonlyMap<string, ColumnGroup>
  readonly subjects: ReadonlySet<string>
  readonly countColumns: ReadonlySet<number>
  /** Beginnings with a locus that two names or more have. */
  readonly leads: ReadonlySet<string>
  /** Made for the first name that is like others. */
  readonly named: () => NamedColumns
}

interface NamedColumns {
  /** Readings that a column without a slot has, whose name occurs twice. */
  readonly twice: ReadonlySet<string>
  /** Styles of pairs that belong to a person. */
  readonly styles: ReadonlySet<string>
}

interface Finding {
  readonly column: number
  readonly code: UnreadCode
  readonly why: string
  readonly locus: string | undefined
  readonly subject: string
  /** Columns already read, to be read together with it. */
  readonly beside?: readonly number[]
}

export function findUnread(asked: UnreadRequest): UnreadColumns[] {
  const request = indexed(asked)
  const { header, unknownLoci = [], doubtful } = request
  const left = new Set(request.columns)
  const unknown = unknownLoci.filter(({ columns }) => columns.every((column) => left.has(column)))
  for (const { columns } of [...unknown, ...doubtful]) for (const column of columns) left.delete(column)
  const found = [...left].flatMap((column) => judge(column, request) ?? [])
  const unread: UnreadColumns[] = unknown.map(({ locus, columns }) => ({
    columns,
    code: 'unknown-locus',
    why: `${locus} is not a locus of this release`,
    option: leaveOut(columns, header),
  }))
  for (const { columns, locus, subject } of doubtful)
    unread.push({
      columns,
      code: 'one-or-two-persons',
      why: 'two persons, or the two typings of one',
      option: readingOption({ code: 'one-or-two-persons', locus, subject }, columns, header),
    })
  const pairs = pairUp(found, request)
  const counts = new Map<string, number>()
  /** First finding of those of which one is read: results of one typing by several methods. */
  const read = new Map<string, Finding>()
  for (const [one] of pairs) {
    const key = personKey(one)
    counts.set(key, (counts.get(key) ?? 0) + 1)
    if (one.code === 'no-source' && !read.has(key)) read.set(key, one)
  }
  for (const [one, columns] of pairs) {
    // two pairs of a locus belong to two people, if their names say whose
    const isAlone = counts.get(personKey(one)) === 1
    const name = withoutResultName(plainName(header.names?.[one.column] ?? ''))
    const isKnown = isAlone || one.subject !== '' || one.code === 'no-source'
    const isRead = request.groupOf.has(personKey({ ...one, subject: one.subject.toLowerCase() }))
    const subject = isKnown && !isRead ? one.subject : guessSubject(name)
    const same = one.code === 'no-source' ? read.get(personKey(one)) : one
    const option =
      same === one && !request.displaced.has(one.column)
        ? readingOption({ ...one, subject }, columns, header)
        : leaveOut(columns, header)
    unread.push({ columns, code: one.code, why: one.why, option })
  }
  return unread.toSorted((a, b) => (a.columns[0] ?? 0) - (b.columns[0] ?? 0))
}

function personKey({ locus = '', subject }: Pick<Finding, 'locus' | 'subject'>): string {
  return `${locus}\n${subject}`
}

function indexed(request: UnreadRequest): IndexedRequest {
  const { groups, header, counts, candidates } = request
  const names = (header.names ?? []).map(plainName)
  const groupOf = new Map<string, ColumnGroup>()
  for (const group of groups) {
    const { locus = group.among === undefined ? undefined : DRB345_TITLE, subject } = group
    const key = personKey({ locus, subject: subject.toLowerCase() })
    if (locus !== undefined && !groupOf.has(key)) groupOf.set(key, group)
  }
  const [once, leads] = [new Set<string>(), new Set<string>()]
  for (const name of names) {
    const { lead } = leadIn(name) ?? {}
    if (lead !== undefined) (once.has(lead) ? leads : once).add(lead)
  }
  let named: NamedColumns | undefined
  return {
    ...request,
    names,
    readings: groupBy(candidates, ({ column }) => String(column)),
    groupOf,
    subjects: new Set(groups.map(({ subject }) => subject.toLowerCase())),
    countColumns: new Set(counts),
    leads,
    named: () => (named ??= nameColumns(names, groups)),
  }
}

function nameColumns(names: readonly string[], groups: readonly ColumnGroup[]): NamedColumns {
  const counts = new Map<string, number>()
  for (const name of names) counts.set(name, (counts.get(name) ?? 0) + 1)
  const twice = [...counts].filter(([, count]) => count === 2).flatMap(([name]) => readLocusHeader(name))
  const pairs = groups.filter(({ subject, columns }) => subject !== '' && columns.length === 2)
  const first = pairs.flatMap(({ columns: [column = 0] }) => readLocusHeader(names[column] ?? ''))
  return { twice: new Set(twice.map(readingKey)), styles: new Set(first.map(slotStyle)) }
}

function readingKey({ style, ...read }: LocusHeader): string {
  return `${personKey(read)}\n${style}`
}

function leaveOut(columns: readonly number[], header: Header): OptionAdvice {
  return { option: 'exclude', value: columns.map((column) => columnSelector(column, header)).join(',') }
}

type FoundColumns = readonly [finding: Finding, columns: readonly number[]]

/** One column, or the two of a pair: neighbours of one name, or named alike but for a word such as 1 and 2. */
function pairUp(found: readonly Finding[], { names }: IndexedRequest): FoundColumns[] {
  const pairs: [one: Finding, columns: number[]][] = []
  /** Findings without a second, by the names of one. */
  const waiting = new Map<string, (typeof pairs)[number][]>()
  for (const one of found) {
    const name = names[one.column] ?? ''
    const kind = `${one.code}\n${one.locus}\n${one.why}\n`
    const beside = pairs.at(-1)
    const isBeside = (name === '' || name === names[one.column - 1]) && beside?.[0].column === one.column - 1
    const candidates =
      one.code === 'gl-string' ? [] : [...(isBeside ? [beside] : []), ...(waiting.get(kind + name) ?? [])]
    const first = candidates.find(([other, columns]) => columns.length === 1 && areAlike(one, other))
    if (first !== undefined) {
      first[1].push(one.column)
      continue
    }
    const pair: (typeof pairs)[number] = [one, [one.column]]
    pairs.push(pair)
    for (const second of namesOfSecond(name))
      waiting.set(kind + second, [...(waiting.get(kind + second) ?? []), pair])
  }
  return pairs
}

function areAlike(one: Finding, other: Finding): boolean {
  return one.code === other.code && one.locus === other.locus && one.why === other.why
}

/** `A_2` for `A_1`, `A.allele2.2field` for `A.allele1.2field`, `A_M` for `A_P`. */
function namesOfSecond(name: string): string[] {
  return [...name.matchAll(TURN)].map(({ 0: turn, index }) => {
    const other = SECONDS[turn.toLowerCase()] ?? ''
    const spelled = turn === turn.toUpperCase() ? other.toUpperCase() : other
    return name.slice(0, index) + spelled + name.slice(index + turn.length)
  })
}

const SECONDS: Readonly<Record<string, string>> = {
  1: '2',
  first: 'second',
  i: 'ii',
  a: 'b',
  p: 'm',
  m: 'p',
  pat: 'mat',
  mat: 'pat',
}
const TURN = /1(?!\d)|(?<![a-z])first(?![a-z])|(?<=[_. -])(?:i|a|[pm](?:at)?)$/gi

function judge(column: number, request: IndexedRequest): Finding | undefined {
  const { header, names, contents, sampled, orphans } = request
  const own = orphans.get(column) ?? names[column] ?? ''
  // a header cell may span two columns
  const name = own === '' ? (names[column - 1] ?? '') : own
  const { locus, subject, certainty, isNamed, read, beside } = locate(name, column, request)
  const make = (code: UnreadCode, why: string, more: Partial<Finding> = {}): Finding => ({
    column, code, why, locus, subject, ...more,
  }) // prettier-ignore
  if (isNamed && request.countColumns.has(column)) return make('numbers', `counts, not typings of ${locus}`)
  const content = withoutOtherMeanings(contents(column), header.names?.[column] ?? '', sampled(column))
  const { score, cells } = scoreUnread(content, certainty)
  // the second of a pair by its position
  if (score < TOLD)
    return own === '' && content.cells > 0 && beside?.length === 1
      ? make('no-typings', `has no name, stands beside ${locus}, and holds no typings`, { beside })
      : undefined
  if (beside !== undefined) return make('same-locus', `${locus} is read from ${labelsIn(beside, header)}`)
  const { code, why } = REPORTS[cells]
  if (cells !== 'names' && cells !== 'typings') return make(code, why(locus ?? ''))
  if (isNamed && orphans.has(column)) return make(...NO_SOURCE)
  if (cells === 'typings' && certainty === 'three')
    return make(code, `typings that do not name ${DRB345.join(', ')}`, { locus: undefined })
  const guess = cells === 'typings' ? guessLocusOfTypings(withoutResultName(name)) : undefined
  return make(
    code,
    why(''),
    isNamed ? read && { locus: read.locus, subject: read.subject } : { locus: guess },
  )
}

const NO_SOURCE = ['no-source', 'typings, or results of a conversion whose source the table lacks'] as const

/** Code and reason of a report, by the cells of the column. */
const REPORTS: Readonly<
  Record<CellsFound, { readonly code: UnreadCode; readonly why: (locus: string) => string }>
> = {
  names: { code: 'gl-string', why: () => 'names with their locus' },
  typings: { code: 'no-locus', why: () => 'typings, but the name has no locus' },
  numbers: { code: 'numbers', why: (locus) => `numbers that are perhaps not typings of ${locus}` },
  few: { code: 'no-typings', why: (locus) => `named like typings of ${locus}, but has few` },
  none: { code: 'no-typings', why: (locus) => `named like typings of ${locus}, but has none` },
}

interface Located {
  readonly locus: string | undefined
  readonly subject: string
  readonly certainty: Certainty
  readonly isNamed: boolean
  /** Locus and person of typings, if numbers belong to another locus: E of `E_A1`. */
  readonly read?: Pick<LocusHeader, 'locus' | 'subject'> | undefined
  /** Columns of this locus and person that are read. */
  readonly beside?: readonly number[]
}

/** Locus and person of a name. */
function locate(name: string, column: number, request: IndexedRequest): Located {
  const all = readLocusHeader(name)
  const at = request.names[column] === '' ? column - 1 : column
  const read = namedLocus(request.readings.get(String(at)) ?? [], request)
  const beside = read && request.groupOf.get(personKey({ ...read, subject: read.subject.toLowerCase() }))
  if (read && beside) {
    const { locus, subject } = read
    return { locus, subject, certainty: 'taken', isNamed: true, beside: beside.columns }
  }
  const isClear = ({ isSure, locus }: LocusHeader) => isSure || !AMBIGUOUS_LOCI.has(locus)
  // possibly a father's
  const other = read && isClear(read) ? undefined : all.find((one) => one.slot !== undefined && isClear(one))
  const likely = other ?? read
  if (likely === undefined) {
    const guess = guessOfNumbers(column, name, request)
    const isOpen = guess === undefined || AMBIGUOUS_LOCI.has(guess)
    return { locus: guess, subject: '', certainty: isOpen ? 'none' : 'guessed', isNamed: false }
  }
  const { locus, subject } = likely
  const isOther = other !== undefined || request.orphans.has(column) || AMBIGUOUS_LOCI.has(locus)
  const certainty = isOther && isClear(likely) ? 'other' : certaintyOf(likely)
  return { locus, subject, certainty, isNamed: true, read }
}

/** Locus of numbers below a name without a certain one; the name of an allele stands above its counts. */
function guessOfNumbers(
  column: number,
  name: string,
  { leads, sampled }: IndexedRequest,
): string | undefined {
  if (ALLELE.test(name)) return undefined
  const { lead = '', locus } = leadIn(name) ?? {}
  // columns of alleles have copies
  const isOfAllele =
    !/(?<!\d)[12]$/.test(name) && sampled(column).every((value) => /^[012]$/.test(value.trim()))
  const isShared = leads.has(lead) && !isOfAllele
  return guessLocus(name) ?? (isShared ? locus : undefined)
}

/** `HLA_A*01:01`, `HLA.B.07.02` */
const ALLELE = /\*\d\d|\d\d[:._]\d\d/

/** Without times of the day, identifiers, and positions on a plate, which look like typings. */
function withoutOtherMeanings(
  content: ColumnContent,
  name: string,
  values: readonly string[],
): ColumnContent {
  const { cells, kinds, counts } = content
  const isTime = counts.named === 0 && counts.fields > 0 && areClockTimes(name, values.filter(looksNamed))
  // `A1` to `H12`
  const isPlate = cells > 3 && kinds.antigen === counts.antigen
  const isNone = (value: string) => /^[A-Z]+w?(?:0|[6-9]\d{2,}|\d{5})/.test(value.trim())
  const isOther = counts.antigen > 0 && (isPlate || isIdName(name) || values.some(isNone))
  return setAside(content, [
    ...(isTime ? (['fields'] as const) : []),
    ...(isOther ? (['antigen'] as const) : []),
  ])
}

/** The reading of a name that concerns typings: surely, of a person who is read, or of one more person. */
function namedLocus(readings: readonly LocusHeader[], request: IndexedRequest): LocusHeader | undefined {
  const isKnown = (subject: string) => subject === '' || request.subjects.has(subject.toLowerCase())
  return (
    readings.find(({ isSure, subject }) => isSure || isKnown(subject)) ??
    readings.find((read) => isNamedLikeOthers(read, request))
  )
}

/** `R_A_1` beside `D_A_1 D_A_2` belongs to one more person; `vitamin_C` to none. */
function isNamedLikeOthers(read: LocusHeader, { named }: IndexedRequest): boolean {
  const { twice, styles } = named()
  // without 1 and 2, only a repeated name is a pair
  return (read.slot !== undefined || twice.has(readingKey(read))) && styles.has(slotStyle(read))
}

/** Style independent of the locus. */
function slotStyle({ style, length }: LocusHeader): string {
  return style.slice(String(length).length)
}

function readingOption(
  { code, locus, subject, beside = [] }: Pick<Finding, 'code' | 'locus' | 'subject' | 'beside'>,
  columns: readonly number[],
  header: Header,
): OptionAdvice {
  const list = [...beside, ...columns].map((column) => columnSelector(column, header)).join(',')
  if (code === 'gl-string' || locus === DRB345_TITLE) return { option: 'gl', value: list }
  const who = subject === '' ? '' : `${subject}:`
  // its value is the user's to say: nothing that could be typed as it stands
  if (locus === undefined) return { option: 'locus' }
  return { option: 'locus', value: `${who}${locus}=${list}` }
}
