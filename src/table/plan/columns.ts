/** Columns that hold typings, with their locus and person: as requested, else by header and values. */
import { type Advice, advice, clause, command, joinAdvice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { NameFacts } from '../cells/name-facts.ts'
import { type Header, columnsLine, selectColumns, selectPresent } from './header.ts'
import {
  type Contents,
  type InferRequest,
  holdsNames,
  inferColumns,
  inferGlColumns,
} from './infer-columns.ts'
import type { ColumnGroup } from '../cells/joined/decide-joined.ts'
import { readLocusHeader } from '../words/locus-header.ts'
import { type ColumnContent, readContent } from '../words/typing-shape.ts'
import { type NameForms, findCountColumns } from './recognition/count-columns.ts'
import { type ColumnNames, type ColumnReading, pairKey, readNames } from './recognition/column-names.ts'
import { sortDoubtful } from './recognition/doubtful-columns.ts'
import { type LocusColumns, findUnread } from './recognition/unread-columns.ts'
import { type UnreadColumns, columnSelector, isOpenRemedy, labelsIn } from './recognition/unread-text.ts'

export interface ColumnChoice {
  /** `-c` */
  readonly columns?: string | undefined
  /** `-x` */
  readonly exclude?: string | undefined
  /** Items of `-x` that none of several tables has had so far; a single table must have all. */
  readonly unmatched?: Set<string> | undefined
  /** `-l`, as `A=A1,A2` or, of several people, `donor:A=A1,A2` */
  readonly loci?: readonly string[] | undefined
  /** `-g` */
  readonly gl?: string | undefined
  /** Only the columns of `-l` and `-g`. */
  readonly isExact?: boolean | undefined
  /** `--subject`, as `recipient=r_` */
  readonly subjects?: readonly string[] | undefined
  /** `--name`: pattern of this run's result columns. */
  readonly naming?: string | undefined
}

/** Columns whose content a source knows. */
export interface SourceColumns {
  /** Those that are read. */
  readonly groups: readonly ColumnGroup[]
  /** Columns of loci unknown to the release. */
  readonly unknownLoci: readonly LocusColumns[]
  /** Scores or counts of a typing. */
  readonly scores: readonly number[]
  /** True when no other column holds typings. */
  readonly isExact: boolean
  /** True when each cell is one typing. */
  readonly isDocument: boolean
}

export interface ChosenColumns {
  /** In the order of the table. */
  readonly groups: readonly ColumnGroup[]
  /** Results of an earlier conversion that look like typings, and are not read. */
  readonly aside: readonly number[]
  /** Columns that look like typings and are neither read nor excluded. */
  readonly unread: readonly UnreadColumns[]
}

/** Facts from the release and the source of a table. */
export interface TableFacts extends Pick<NameFacts, 'loci'> {
  /** Without them no decimal number is recognised as a count. */
  readonly names?: NameForms
  readonly source?: SourceColumns | undefined
}

/** Values of a column in the sample, without those that are not typings. */
export type Sampled = (column: number) => readonly string[]

/**
 * Columns that the user names replace those of the source.
 * @throws {HlaError} usage — no such column, a column chosen twice, an unknown locus, no typings found, ambiguous names
 */
export function chooseColumns(
  choice: ColumnChoice,
  header: Header,
  sampled: Sampled,
  { loci, names: facts, source }: TableFacts,
): ChosenColumns {
  const subjects = (choice.subjects ?? []).map(parseSubject)
  const excluded = new Set([...leftOut(choice, header), ...(source?.scores ?? [])])
  const isNamed = [choice.columns, choice.loci, choice.gl].some((one) => one !== undefined)
  const told = [
    ...(choice.loci ?? []).map((one) => locusGroup(one, header, loci)),
    ...(choice.gl === undefined ? [] : selectColumns(choice.gl, header)).map(glGroup),
    ...(isNamed ? [] : withoutColumns(source?.groups ?? [], excluded)),
  ].map((group) => withSubject(group, header, subjects))
  refuseAbsent(subjects, header)
  const contents = rememberContents(sampled)
  const known = subjects.map(({ name }) => name)
  const names = readNames(header, renamed(header, subjects), {
    naming: choice.naming,
    people: subjects.map(({ prefix }) => prefix),
    isTyped: (column) => holdsNames(contents(column)),
  })
  const joinTold = (inferred: readonly ColumnGroup[]) => {
    const groups = [...told, ...inferred.map((group) => withSubject(group, header, subjects))]
    refuseTwice(groups, header)
    return groups.toSorted((a, b) => (a.columns[0] ?? 0) - (b.columns[0] ?? 0))
  }
  const given = { header, names, contents, told, excluded, sampled, known, joinTold, facts, source }
  const isExact = (choice.isExact ?? source?.isExact) === true
  if (choice.columns === undefined && (told.length === 0 || !isExact)) return chooseBeside(given)
  const asked = choice.columns === undefined ? [] : selectColumns(choice.columns, header)
  const groups = joinTold(inferAmong(asked.filter((column) => !excluded.has(column)), given)) // prettier-ignore
  if (groups.length === 0) throw noneFound(given, { aside: [], unread: [] })
  return { groups, aside: [], unread: [] }
}

interface Choosing extends InferRequest {
  readonly told: readonly ColumnGroup[]
  readonly excluded: ReadonlySet<number>
  readonly sampled: Sampled
  /** Persons that the user has named. */
  readonly known: readonly string[]
  readonly joinTold: (inferred: readonly ColumnGroup[]) => ColumnGroup[]
  readonly facts: NameForms | undefined
  readonly source: SourceColumns | undefined
}

/** Columns beside those that options name. */
function chooseBeside(choosing: Choosing): ChosenColumns {
  const { header, names, told, excluded, contents, sampled, source } = choosing
  const { results, orphans } = names
  const { rest, displaced } = restOf(choosing)
  const left = rest.filter((column) => !displaced.has(column) && !orphans.has(column))
  const counts = findCountColumns({ names, columns: left, sampled, facts: choosing.facts })
  const likely = left.filter((column) => !counts.includes(column))
  const isLocusTold = told.every(({ locus }) => locus !== undefined)
  const { sure, doubtful } = sortDoubtful(inferAll(likely, choosing, isLocusTold), choosing)
  const groups = choosing.joinTold(sure)
  const aside = [...results.keys()].filter(
    (at) => told.length === 0 && !excluded.has(at) && looksTyped(at, groups, choosing),
  )
  const read = new Set(groups.flatMap((group) => group.columns))
  const columns = rest.filter(
    (column) => !read.has(column) && !(displaced.has(column) && orphans.has(column)),
  )
  const beside = { counts, displaced, doubtful, unknownLoci: source?.unknownLoci }
  const unread = findUnread({ header, names, groups, columns, contents, sampled, ...beside })
  if (groups.length === 0) throw noneFound(choosing, { aside, unread })
  refuseHalves(choosing)
  return { groups, aside, unread }
}

function leftOut({ exclude, unmatched }: ColumnChoice, header: Header): number[] {
  if (exclude === undefined) return []
  return unmatched === undefined ? selectColumns(exclude, header) : selectPresent(exclude, header, unmatched)
}

function looksTyped(
  column: number,
  groups: readonly ColumnGroup[],
  { header, contents }: InferRequest,
): boolean {
  return (
    readLocusHeader(header.names?.[column] ?? '').length > 0 ||
    (groups.every(({ locus }) => locus === undefined) && holdsNames(contents(column)))
  )
}

function withoutColumns(groups: readonly ColumnGroup[], excluded: ReadonlySet<number>): ColumnGroup[] {
  const rest = groups.map((group) => ({ ...group, columns: group.columns.filter((at) => !excluded.has(at)) }))
  return rest.filter(({ columns }) => columns.length > 0)
}

function rememberContents(sampled: Sampled): Contents {
  const known = new Map<number, ColumnContent>()
  return (column) => {
    const content = known.get(column) ?? readContent(sampled(column))
    known.set(column, content)
    return content
  }
}

/** Columns neither named nor excluded; and those among them of a locus whose columns are named. */
function restOf({ header, names, told, excluded }: Choosing) {
  const used = new Set([...told.flatMap(({ columns }) => columns), ...excluded, ...names.results.keys()])
  const keys = new Set(told.map(pairKey))
  const rest = header.labels.map((_, at) => at).filter((at) => !used.has(at))
  const isDisplaced = (at: number) => {
    const [surest] = names.readings[at] ?? []
    return surest !== undefined && keys.has(pairKey(surest))
  }
  return { rest, displaced: new Set(rest.filter(isDisplaced)) }
}

/** Error without typing columns; it mentions columns whose names alone suggest typings. */
function noneFound(
  { header, names, excluded }: Choosing,
  { aside, unread }: Pick<ChosenColumns, 'aside' | 'unread'>,
): HlaError {
  const isOwn = (at: number) => !excluded.has(at) && !names.results.has(at) && !names.orphans.has(at)
  const all = header.labels.map((_, at) => at).filter(isOwn)
  // a prefix of a person may have cut a locus off
  const written = readNames(header, header, { naming: undefined, people: [], isTyped: () => false })
  const empty = { header, names: written, contents: () => readContent([]) }
  const found = inferAll(all, empty).flatMap(({ columns }) => columns)
  const named = aside.length > 0 ? aside : found
  const isNumbers = found.length === 0 && unread.some(({ code }) => code === 'numbers')
  const typed = unread.filter(({ code }) => !['no-typings', ...(isNumbers ? [] : ['numbers'])].includes(code))
  const labels = named.map((column) => header.labels[column] ?? '')
  const [reason, how]: readonly [string, Advice | undefined] =
    aside.length > 0
      ? [`: ${labels.join(' ')} hold results of an earlier conversion`, option('columns', labels.join(','))]
      : typed.length > 0
        ? [`: ${typed.map(({ columns, why }) => `${labelsIn(columns, header)} (${why})`).join(', ')}`, remedies(typed)] // prettier-ignore
        : named.length > 0
          ? [
              `: the content of ${labels.join(' ')} does not look like typings`,
              option('columns', labels.join(',')),
            ]
          : ['', undefined]
  const help = clause`   (all options: ${command('redux', { options: [{ option: 'help' }] })})`
  const isOpen = aside.length === 0 && typed.length > 0 && typed.every(isOpenRemedy)
  const which = how === undefined ? '' : advice`${isOpen ? '' : 'say which: '}${how}${help}\n`
  return new HlaError('usage', `no typing columns found in ${header.table}${reason}`, {
    hint: advice`${which}${columnsLine(header)}`,
  })
}

/** Options to type together; one text for all columns whose locus only the user knows. */
function remedies(unread: readonly UnreadColumns[]): Advice {
  const valued = unread.filter((one) => !isOpenRemedy(one)).map((one): Advice => [one.option])
  const typed = joinAdvice(valued, ' ')
  if (valued.length === unread.length) return typed
  return advice`${typed}${valued.length === 0 ? '' : '; '}${option('locus')} names the locus of ${valued.length === 0 ? '' : 'other '}columns`
}

function inferAll(columns: readonly number[], request: InferRequest, mayBeGl = true): ColumnGroup[] {
  const found = inferColumns(columns, request)
  return found.length > 0 || !mayBeGl ? found : inferGlColumns(columns, request.contents)
}

/** Requested columns are typings whatever they look like; without a locus in the name, their cells must name it. */
function inferAmong(columns: readonly number[], { header, names }: InferRequest): ColumnGroup[] {
  const isBesideSource = (column: number) =>
    columns.includes(header.labels.indexOf(names.results.get(column) ?? names.orphans.get(column) ?? ''))
  const infer = (some: readonly number[]) => inferColumns(some, { header, names, contents: asTyped })
  const found = infer(columns.filter((column) => !isBesideSource(column)))
  const used = new Set(found.flatMap((group) => group.columns))
  const rest = columns.filter((column) => !used.has(column))
  return [...found, ...rest.map((column) => infer([column])[0] ?? glGroup(column))]
}

/** Whatever the name is, such cells do not contradict it. */
function asTyped(): ColumnContent {
  return readContent(['01:01', 'A1'])
}

function glGroup(column: number): ColumnGroup {
  return { subject: '', locus: undefined, columns: [column] }
}

/** @throws {HlaError} usage — an unknown locus, or no such column */
function locusGroup(text: string, header: Header, loci: readonly string[]): ColumnGroup {
  const [, subject = '', name = '', list = ''] = /^(?:([^=:]+):)?([^=]+)=(.+)$/.exec(text) ?? []
  const locus = name.replace(/^HLA-/i, '').toUpperCase()
  if (list === '')
    throw new HlaError(
      'usage',
      advice`${option('locus')} takes LOCUS=columns, such as A=A1,A2 or patient:A=A1,A2; it is ${JSON.stringify(text)}`,
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

interface Subject {
  readonly name: string
  readonly prefix: string
}

/** @throws {HlaError} usage */
function parseSubject(text: string): Subject {
  const [, name, prefix] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (name !== undefined && prefix !== undefined) return { name, prefix }
  throw new HlaError(
    'usage',
    advice`${option('subject')} is NAME=PREFIX, such as donor=d_, not ${JSON.stringify(text)}`,
  )
}

/** @throws {HlaError} usage — no column begins with a subject's prefix */
function refuseAbsent(subjects: readonly Subject[], header: Header): void {
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

/** Removes subject prefixes from names: they do not belong to the locus. */
function renamed(header: Header, subjects: readonly Subject[]): Header {
  if (subjects.length === 0 || header.names === undefined) return header
  const names = header.names.map((name) => {
    const subject = subjects.find(({ prefix }) => name.startsWith(prefix))
    return subject === undefined ? name : `${subject.name}_${name.slice(subject.prefix.length)}`
  })
  return { ...header, names }
}

function withSubject(group: ColumnGroup, { names }: Header, subjects: readonly Subject[]): ColumnGroup {
  if (group.subject !== '') return group
  const name = names?.[group.columns[0] ?? 0] ?? ''
  const subject = subjects.find(({ prefix }) => name.startsWith(prefix))
  return subject === undefined ? group : { ...group, subject: subject.name }
}

/** @throws {HlaError} usage */
function refuseTwice(groups: readonly ColumnGroup[], { labels }: Header): void {
  const seen = new Set<number>()
  for (const column of groups.flatMap(({ columns }) => columns)) {
    if (seen.has(column)) throw new HlaError('usage', `column ${labels[column]} is chosen twice`)
    seen.add(column)
  }
}

/**
 * @throws {HlaError} usage — one of two columns named as a pair was requested, and the other neither requested nor
 * excluded
 */
function refuseHalves({ told, header, names, excluded }: Choosing): void {
  const named = new Set(told.flatMap(({ columns }) => columns))
  for (const { columns, locus } of told) {
    const [one] = columns
    if (one === undefined || columns.length > 1 || locus === undefined) continue
    const other = findHalf(one, locus, names)
    if (other === undefined || named.has(other) || excluded.has(other)) continue
    const [first, second] = [one, other].map((column) => header.labels[column] ?? '')
    const both = [one, other].toSorted((a, b) => a - b).map((column) => columnSelector(column, header))
    throw new HlaError(
      'usage',
      `${first} and ${second} are a pair of one locus, but only ${first} is named`,
      {
        hint: advice`${option('locus', `${locus}=${both.join(',')}`)} reads both columns; ${option('exclude', columnSelector(other, header))} leaves the other one out`,
        suggestions: both,
      },
    )
  }
}

function findHalf(column: number, locus: string, { readings }: ColumnNames): number | undefined {
  const isNumbered = (read: ColumnReading) => read.locus === locus && read.slot !== undefined
  const own = readings[column]?.find(isNumbered)
  if (own === undefined) return undefined
  const keyOf = (read: ColumnReading) => pairKey(read) + read.style
  return readings
    .map((all) => all.find(isNumbered))
    .find((read) => read !== undefined && keyOf(read) === keyOf(own) && read.slot !== own.slot)?.column
}
