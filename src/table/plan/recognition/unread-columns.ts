/** Unread columns that look like typings, by name or content: each is reported, with the option that reads it. Pure. */
import type { OptionAdvice } from '../../../advice.ts'
import { type Header, isIdName } from '../header.ts'
import { groupBy } from '../../words/group-by.ts'
import type { Contents } from '../infer-columns.ts'
import type { ColumnGroup } from '../../cells/joined/decide-joined.ts'
import {
  AMBIGUOUS_LOCI,
  DRB345,
  DRB345_TITLE,
  type GuessedName,
  type LocusHeader,
  guessName,
} from '../../words/locus-header.ts'
import { withoutResultName } from '../result-columns.ts'
import { type CellsFound, type Certainty, TOLD, certaintyOf, scoreUnread } from '../score.ts'
import { type ColumnContent, areClockTimes, looksNamed, setAside } from '../../words/typing-shape.ts'
import { type ColumnNames, type ColumnReading, pairKey } from './column-names.ts'
import type { DoubtfulColumns } from './doubtful-columns.ts'
import { type UnreadCode, type UnreadColumns, columnSelector, labelsIn } from './unread-text.ts'

export interface UnreadRequest {
  readonly header: Header
  readonly names: ColumnNames
  readonly groups: readonly ColumnGroup[]
  /** Columns neither read nor excluded. */
  readonly columns: readonly number[]
  readonly contents: Contents
  readonly sampled: (column: number) => readonly string[]
  readonly unknownLoci?: readonly LocusColumns[] | undefined
  readonly doubtful: readonly DoubtfulColumns[]
  /** Columns named like typings that hold counts. */
  readonly counts: readonly number[]
  /** Columns that would be read if others of their locus were not named. */
  readonly displaced: ReadonlySet<number>
}

export interface LocusColumns {
  readonly locus: string
  readonly columns: readonly number[]
}

/** A request with what is looked up for each column. */
interface IndexedRequest extends UnreadRequest {
  /** Readings that other names do not contradict, by column. */
  readonly believed: ReadonlyMap<number, readonly ColumnReading[]>
  readonly guesses: readonly GuessedName[]
  /** Beginnings with a locus that two names or more have. */
  readonly leads: ReadonlySet<string | undefined>
  /** The group of a locus and person. */
  readonly groupOf: ReadonlyMap<string, ColumnGroup>
  readonly subjects: ReadonlySet<string>
  /** Names that occur twice. */
  readonly twice: ReadonlySet<string | undefined>
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
  const { header, unknownLoci = [], doubtful, groupOf, guesses } = request
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
  for (const { columns, why, ...typing } of doubtful)
    unread.push({
      columns,
      code: 'ambiguous',
      why,
      option: readingOption({ code: 'ambiguous', ...typing }, columns, header),
    })
  const pairs = pairUp(found, request)
  const likely = groupBy(pairs.filter(([{ code }]) => code !== 'gl-string'), ([one]) => pairKey(one)) // prettier-ignore
  for (const [one, columns] of pairs) {
    const alike = likely.get(pairKey(one)) ?? []
    // two pairs of a locus belong to two people, if their names say whose
    const isKnown = alike.length === 1 || one.subject !== '' || one.code === 'no-source'
    const subject = isKnown && !groupOf.has(pairKey(one)) ? one.subject : (guesses[one.column]?.subject ?? '')
    // an option for one of the results of a typing by several methods suffices
    const [same] = one.code === 'no-source' ? (alike.find(([{ code }]) => code === 'no-source') ?? []) : [one]
    const option =
      same === one && !request.displaced.has(one.column)
        ? readingOption({ ...one, subject }, columns, header)
        : leaveOut(columns, header)
    unread.push({ columns, code: one.code, why: one.why, option })
  }
  return unread.toSorted((a, b) => (a.columns[0] ?? 0) - (b.columns[0] ?? 0))
}

function indexed(request: UnreadRequest): IndexedRequest {
  const { groups, names } = request
  const groupOf = new Map<string, ColumnGroup>()
  for (const group of groups) {
    const { locus = group.among === undefined ? undefined : DRB345_TITLE, subject } = group
    const key = pairKey({ locus, subject })
    if (locus !== undefined && !groupOf.has(key)) groupOf.set(key, group)
  }
  const guesses = names.plain.map((name) => guessName(withoutResultName(name)))
  const leads = groupBy(guesses, ({ lead }) => lead)
  const alike = groupBy(names.plain, (name) => name)
  const firsts = groups.flatMap(({ subject, columns }) =>
    subject === '' ? [] : columns.slice(0, columns.length - 1),
  )
  return {
    ...request,
    believed: groupBy(names.believed, ({ column }) => column),
    guesses,
    leads: new Set([...leads].flatMap(([lead, all]) => (all.length > 1 ? [lead] : []))),
    groupOf,
    subjects: new Set(groups.map(({ subject }) => subject.toLowerCase())),
    twice: new Set([...alike].flatMap(([name, all]) => (all.length === 2 ? [name] : []))),
    styles: new Set(firsts.flatMap((column) => names.readings[column] ?? []).map(slotStyle)),
  }
}

function leaveOut(columns: readonly number[], header: Header): OptionAdvice {
  return { option: 'exclude', value: columns.map((column) => columnSelector(column, header)).join(',') }
}

type FoundColumns = readonly [finding: Finding, columns: readonly number[]]

/** One column, or the two of a pair: neighbours of one name, or named alike but for a word such as 1 and 2. */
function pairUp(found: readonly Finding[], { names: { plain } }: IndexedRequest): FoundColumns[] {
  const pairs: [one: Finding, columns: number[]][] = []
  /** Findings without a second, by the names of one. */
  const waiting = new Map<string, (typeof pairs)[number][]>()
  for (const one of found) {
    const name = plain[one.column] ?? ''
    const kind = `${one.code}\n${one.locus}\n${one.why}\n`
    const beside = pairs.at(-1)
    const isBeside = (name === '' || name === plain[one.column - 1]) && beside?.[0].column === one.column - 1
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
  const { header, names, contents, sampled, counts } = request
  const readings = readingsOf(column, request)
  const make = (code: UnreadCode, why: string, { locus, subject }: Reading): Finding => ({ column, code, why, locus, subject }) // prettier-ignore
  const counted = counts.includes(column) ? readings.find((one) => !isGuess(one)) : undefined
  if (counted !== undefined) return make('numbers', `counts, not typings of ${counted.locus}`, counted)
  const content = withoutOtherMeanings(contents(column), names.plain[column] ?? '', sampled(column))
  const found = readings
    .map((reading) => ({ ...reading, ...scoreUnread(content, reading.certainty) }))
    .find(({ score }) => score >= TOLD)
  if (found === undefined) return undefined
  const { locus, cells, beside } = found
  if (beside !== undefined)
    return cells === 'few' || cells === 'none'
      ? { ...make('no-typings', `has no name, stands beside ${locus}, and holds no typings`, found), beside }
      : make('same-locus', `${locus} is read from ${labelsIn(beside, header)}`, found)
  const { code, why } = REPORTS[cells]
  if (cells !== 'names' && cells !== 'typings') return make(code, why(locus ?? ''), found)
  if (!isGuess(found) && names.orphans.has(column)) return make(...NO_SOURCE, found)
  return cells === 'typings' && locus === DRB345_TITLE
    ? make(code, `typings that do not name ${DRB345.join(', ')}`, { ...found, locus: undefined })
    : make(code, why(''), found)
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

/** A possible meaning of a column's name. */
interface Reading extends Pick<Finding, 'locus' | 'subject'> {
  readonly certainty: Certainty
  /** Columns of this locus and person that are read. */
  readonly beside?: readonly number[]
}

/** Readings of a name, surest first: the first whose score suffices is reported. */
function readingsOf(column: number, request: IndexedRequest): Reading[] {
  const { names, groupOf } = request
  const isUnnamed = names.plain[column] === ''
  // a header cell may span two columns
  const at = isUnnamed ? column - 1 : column
  const read = believedReading(at, request)
  const beside = read && groupOf.get(pairKey(read))?.columns
  if (read && beside)
    return [{ ...read, certainty: isUnnamed && beside.length === 1 ? 'unnamed' : 'taken', beside }]
  const isClear = (one: LocusHeader) => certaintyOf(one) !== 'rare'
  const isWeak = read && isClear(read) && (names.orphans.has(at) || AMBIGUOUS_LOCI.has(read.locus))
  const own: Reading[] = read ? [{ ...read, certainty: isWeak === true ? 'other' : certaintyOf(read) }] : []
  // possibly a father's
  const others = (names.readings[at] ?? []).filter((one) => one.slot !== undefined && isClear(one))
  return [...own, ...others.map((one): Reading => ({ ...one, certainty: 'other' })), guessed(at, request)]
}

function isGuess({ certainty }: Reading): boolean {
  return certainty === 'guessed' || certainty === 'none'
}

/** The name of an allele stands above its counts or copies; a letter has many meanings. */
function guessed(at: number, { names, guesses, leads, sampled }: IndexedRequest): Reading {
  const { locus, isLikely = false, lead } = guesses[at] ?? {}
  const name = names.plain[at] ?? ''
  const isLead = lead !== undefined && leads.has(lead)
  const areCopies = !/(?<!\d)[12]$/.test(name) && sampled(at).every((value) => /^[012]$/.test(value.trim()))
  const isOpen = locus === undefined || AMBIGUOUS_LOCI.has(locus) || ALLELE.test(name)
  const isSaid = !isOpen && (isLikely || (isLead && !areCopies))
  return { locus, subject: '', certainty: isSaid ? 'guessed' : 'none' }
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
function believedReading(
  at: number,
  { believed, names, subjects, twice, styles }: IndexedRequest,
): LocusHeader | undefined {
  const readings = believed.get(at) ?? []
  const isKnown = (subject: string) => subject === '' || subjects.has(subject.toLowerCase())
  // `R_A_1` beside `D_A_1 D_A_2` belongs to one more person; `vitamin_C` and a lone `R_A` to none
  const isLikeOthers = (read: LocusHeader) =>
    (read.slot !== undefined || twice.has(names.plain[at])) && styles.has(slotStyle(read))
  return readings.find(({ isSure, subject }) => isSure || isKnown(subject)) ?? readings.find(isLikeOthers)
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
  if (code === 'gl-string') return { option: 'gl', value: list }
  // its value is the user's to say: nothing that could be typed as it stands
  if (locus === undefined || (locus === DRB345_TITLE && code === 'numbers')) return { option: 'locus' }
  if (locus === DRB345_TITLE) return { option: 'gl', value: list }
  const who = subject === '' ? '' : `${subject}:`
  return { option: 'locus', value: `${who}${locus}=${list}` }
}
