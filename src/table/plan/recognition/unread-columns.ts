/** Unread columns that look like typings, by name or content: each is reported, with the option that reads it. Pure. */
import type { OptionAdvice } from '../../../advice.ts'
import { type Header, isIdName } from '../header.ts'
import { plainName } from '../../words/header-words.ts'
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
import { scoreColumn } from '../score.ts'
import {
  type ColumnContent,
  type ContentKind,
  areClockTimes,
  countKinds,
  isMostly,
  isPartly,
  looksNamed,
} from '../../words/typing-shape.ts'
import {
  guessLocus,
  guessLocusOfTypings,
  guessSubject,
  leadIn,
  locusAtEnd,
  startsWithLocus,
} from './locus-pairs.ts'
import type { DoubtfulColumns } from './doubtful-persons.ts'
import { type UnreadCode, type UnreadColumns, columnSelector, labelsIn } from './unread-text.ts'

export interface UnreadRequest {
  readonly header: Header
  readonly groups: readonly ColumnGroup[]
  /** Columns neither read nor excluded. */
  readonly columns: readonly number[]
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
  const { groups, header, counts } = request
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
  const { header, names, contents } = request
  const source = request.orphans.get(column)
  const own = source ?? names[column] ?? ''
  // a header cell may span two columns
  const name = own === '' ? (names[column - 1] ?? '') : own
  const content = contents(column)
  const read = namedLocus(
    readLocusHeader(name).filter(
      ({ subject }) => locusAtEnd(subject) === undefined && !startsWithLocus(subject),
    ),
    request,
  )
  const beside =
    read && request.groupOf.get(personKey({ locus: read.locus, subject: read.subject.toLowerCase() }))
  const make = (code: UnreadCode, why: string, locus = read?.locus): Finding => ({
    column, code, why, locus, subject: read?.subject ?? '',
  }) // prettier-ignore
  if (read !== undefined && request.countColumns.has(column))
    return make('numbers', `counts, not typings of ${read.locus}`)
  const isTyped = holdsTypings(column, request)
  // nothing else looks like names with their locus, whatever words occur among them
  const isNamed = countKinds(content, NAMES) > 1 || isMostly(content, NAMES)
  if (source !== undefined && read !== undefined && beside === undefined && (isTyped || isNamed))
    return make('no-source', 'typings, or results of a conversion whose source the table lacks')
  if (beside !== undefined) {
    const { locus = DRB345_TITLE, columns } = beside
    if (isTyped || isNamed || isMostly(content, NUMBERS))
      return make('same-locus', `${locus} is read from ${labelsIn(columns, header)}`)
    // the second of a pair by its position
    return own === '' && content.cells > 0 && columns.length === 1
      ? {
          ...make('no-typings', `has no name, stands beside ${locus}, and holds no typings`),
          beside: columns,
        }
      : undefined
  }
  if (isNamed) return make('gl-string', 'names with their locus')
  if (isTyped && read?.locus === DRB345_TITLE)
    return { ...make('no-locus', `typings that do not name ${DRB345.join(', ')}`), locus: undefined }
  if (isTyped) {
    const locus = read?.locus ?? guessLocusOfTypings(withoutResultName(name))
    const typed = request.sampled(column).filter((value) => FIELDS.test(value))
    return locus === undefined && typed.length > 0 && typed.every((value) => NAMED.test(value))
      ? make('gl-string', 'names with their locus')
      : make('no-locus', 'typings, but the name has no locus', locus)
  }
  return judgeOther(column, name, request, { read, source, make })
}

interface Judged {
  readonly read: LocusHeader | undefined
  readonly source: string | undefined
  readonly make: (code: UnreadCode, why: string, locus?: string) => Finding
}

/** Judges columns whose content does not look like typings. */
function judgeOther(
  column: number,
  name: string,
  request: IndexedRequest,
  { read, source, make }: Judged,
): Finding | undefined {
  const content = request.contents(column)
  const some = likelyLocus(name, read)
  const found = (code: UnreadCode, why: string, locus = some?.locus): Finding => ({
    ...make(code, why, locus),
    subject: some?.subject ?? '',
  })
  if (isMostly(content, ['digits', 'pair'])) {
    const locus = some?.locus ?? guessOfNumbers(column, name, request)
    // "E1" is ambiguous, and E has no antigens
    const isOpen = locus === undefined || (AMBIGUOUS_LOCI.has(locus) && some?.isSure !== true)
    return isOpen ? undefined : found('numbers', `numbers that are perhaps not typings of ${locus}`, locus)
  }
  if (some !== undefined && content.cells > 0 && scoreColumn(content, some) > 0)
    return found('no-typings', `named like typings of ${some.locus}, but has few`)
  if (read === undefined || source !== undefined || content.cells === 0 || AMBIGUOUS_LOCI.has(read.locus))
    return undefined
  return make('no-typings', `named like typings of ${read.locus}, but has none`)
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

/** Locus of a name such as `F_A1`, possibly a father's; a letter that is also a rare locus says little. */
function likelyLocus(name: string, read: LocusHeader | undefined): LocusHeader | undefined {
  if (read !== undefined && (read.isSure || !AMBIGUOUS_LOCI.has(read.locus))) return read
  return (
    readLocusHeader(name).find(({ slot, locus }) => slot !== undefined && !AMBIGUOUS_LOCI.has(locus)) ?? read
  )
}

/** Fields, and a name that has its locus before them: `A*01:01;A*02:01`. */
const FIELDS = /\d:\d/
const NAMED = /^\s*(?:HLA-)?[A-Z]+\d*\*\d/

const NAMES = ['named', 'phenotype'] as const
/** Several digits in a cell are typings only with other characters, which `holdsTypings` has tested. */
const NUMBERS = ['digits', 'pair', 'damaged'] as const

/** `HLA_A*01:01`, `HLA.B.07.02` */
const ALLELE = /\*\d\d|\d\d[:._]\d\d/

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

/** True for typings, whatever the name. */
function holdsTypings(column: number, { contents, sampled, header }: UnreadRequest): boolean {
  const content = contents(column)
  const name = header.names?.[column] ?? ''
  if (isPartly(content, ['named', 'fields'])) {
    const values = sampled(column).filter(looksNamed)
    return countKinds(content, ['named']) > 0 || !areClockTimes(name, values)
  }
  // below the name of a locus two whole names in a cell are typings, whatever words occur beside them
  const pairs: readonly ContentKind[] = ['named', 'fields', 'pair']
  const isLikely = isPartly(content, pairs) && readLocusHeader(plainName(name)).length > 0
  const sign = isMostly(content, pairs) ? PAIRED : isLikely ? PAIRED_FIELDS : undefined
  if (sign !== undefined && sampled(column).some((value) => sign.test(value))) return true
  return isMostly(content, ['antigen']) && !isIdName(name) && areAntigens(content, sampled(column))
}

/** One of several typings of a cell, as opposed to numbers: `07:02`, `B7`. */
const PAIRED = /\d:\d|(?:^|[,;\s])[A-Z]+w?\d/
const PAIRED_FIELDS = /\d:\d.*\d:\d/

/** True for antigens' numbers, some of them shared by persons: `A1` to `H12` are positions on a plate. */
function areAntigens({ cells, counts, kinds }: ColumnContent, values: readonly string[]): boolean {
  if (cells > 3 && kinds.antigen === counts.antigen) return false
  return values.every((value) => !/^[A-Z]+w?(?:0|[6-9]\d{2,}|\d{5})/.test(value.trim()))
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
