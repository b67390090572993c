/** Which columns hold typings, of which locus and of whom: as told, else as the header and the values say. */
import { HlaError } from '../../errors.ts'
import { columnsLine, type Header, selectColumns } from './header.ts'
import {
  type ColumnGroup,
  holdsNames,
  inferColumns,
  inferGlColumns,
  type Results,
  type Sampled,
} from './infer-columns.ts'
import { readLocusHeader } from './locus-header.ts'
import { findResultColumns } from './result-columns.ts'

export interface ColumnChoice {
  /** `-c` */
  readonly columns?: string | undefined
  /** `-x` */
  readonly exclude?: string | undefined
  /** `-l`, as `A=A1,A2` or, of several people, `donor:A=A1,A2` */
  readonly loci?: readonly string[] | undefined
  /** `-g` */
  readonly gl?: string | undefined
  /** `--subject`, as `recipient=r_` */
  readonly subjects?: readonly string[] | undefined
  /** `--name`: how this run calls results. */
  readonly naming?: string | undefined
}

export interface ChosenColumns {
  /** In the order of the table. */
  readonly groups: readonly ColumnGroup[]
  /** Results of an earlier conversion that look like typings, and are not read. */
  readonly aside: readonly number[]
}

/** @throws {HlaError} usage — no such column, a column chosen twice, an unknown locus, no typings found, ambiguous names */
export function chooseColumns(
  choice: ColumnChoice,
  header: Header,
  sampled: Sampled,
  loci: readonly string[],
): ChosenColumns {
  const subjects = (choice.subjects ?? []).map(parseSubject)
  const excluded = new Set(choice.exclude === undefined ? [] : selectColumns(choice.exclude, header))
  const told = [
    ...(choice.loci ?? []).map((one) => locusGroup(one, header, loci)),
    ...(choice.gl === undefined ? [] : selectColumns(choice.gl, header)).map(glGroup),
  ]
  const asked = choice.columns === undefined ? [] : selectColumns(choice.columns, header)
  const isTold = told.length > 0 || choice.columns !== undefined
  refuseAbsent(subjects, header)
  const named = renamed(header, subjects)
  const results = findResultColumns(header, {
    naming: choice.naming,
    people: subjects.map(({ prefix }) => prefix),
    isTyped: (column) => holdsNames(sampled(column)),
  })
  const found = isTold
    ? inferAmong(
        asked.filter((column) => !excluded.has(column)),
        named,
        results,
      )
    : inferAll(excluded, named, sampled, results)
  const groups = [...told, ...found].map((group) => withSubject(group, header, subjects))
  refuseTwice(groups, header)
  const looksTyped = (column: number) =>
    readLocusHeader(header.names?.[column] ?? '').length > 0 ||
    (groups.every(({ locus }) => locus === undefined) && holdsNames(sampled(column)))
  const aside = isTold ? [] : [...results.keys()].filter((at) => !excluded.has(at) && looksTyped(at))
  if (groups.length === 0) throw noneFound(header, excluded, aside)
  return { groups: groups.sort((a, b) => (a.columns[0] ?? 0) - (b.columns[0] ?? 0)), aside }
}

/** Names alone are not enough, but worth saying. */
function noneFound(header: Header, excluded: ReadonlySet<number>, aside: readonly number[]): HlaError {
  const found = inferAll(excluded, header, () => [], new Map()).flatMap(({ columns }) => columns)
  const named = aside.length > 0 ? aside : found
  const labels = named.map((column) => header.labels[column] ?? '')
  const reason =
    named.length === 0
      ? ''
      : aside.length > 0
        ? `: ${labels.join(' ')} hold results of an earlier conversion`
        : `: what ${labels.join(' ')} hold does not look like typings`
  const how = named.length === 0 ? '-l A=column,column or -g column' : `-c ${labels.join(',')}`
  return new HlaError('usage', `no typing columns found in ${header.table}${reason}`, {
    hint: `say which: ${how}   (hla redux --help)\n${columnsLine(header)}`,
  })
}

function inferAll(
  excluded: ReadonlySet<number>,
  header: Header,
  sampled: Sampled,
  results: Results,
): ColumnGroup[] {
  const all = header.labels.map((_, at) => at).filter((at) => !excluded.has(at) && !results.has(at))
  const found = header.names === undefined ? [] : inferColumns(header, all, sampled, results)
  return found.length > 0 ? found : inferGlColumns(all, sampled)
}

/** Columns that were asked for are typings whatever they look like: those without a locus must name it in their cells. */
function inferAmong(columns: readonly number[], header: Header, results: Results): ColumnGroup[] {
  const isBesideSource = (column: number) => {
    const source = results.get(column)
    return source !== undefined && columns.includes(header.labels.indexOf(source))
  }
  const alone = columns.filter((column) => !isBesideSource(column))
  const found = header.names === undefined ? [] : inferColumns(header, alone, () => [], results)
  const used = new Set(found.flatMap((group) => group.columns))
  const rest = columns.filter((column) => !used.has(column))
  return [...found, ...rest.map((column) => singleGroup(column, header, results))]
}

function singleGroup(column: number, header: Header, results: Results): ColumnGroup {
  if (header.names === undefined) return glGroup(column)
  return inferColumns(header, [column], () => ['A*01:01'], results)[0] ?? glGroup(column)
}

function glGroup(column: number): ColumnGroup {
  return { subject: '', locus: undefined, columns: [column] }
}

function locusGroup(text: string, header: Header, loci: readonly string[]): ColumnGroup {
  const [, subject = '', name = '', list = ''] = /^(?:([^=:]+):)?([^=]+)=(.+)$/.exec(text) ?? []
  const locus = name.replace(/^HLA-/i, '').toUpperCase()
  if (list === '')
    throw new HlaError(
      'usage',
      `--locus is LOCUS=column,column or SUBJECT:LOCUS=…, not ${JSON.stringify(text)}`,
    )
  if (!loci.includes(locus)) {
    throw new HlaError('usage', `unknown locus ${JSON.stringify(name)} in --locus`, {
      hint: `loci are ${loci.join(' ')}`,
    })
  }
  const columns = selectColumns(list, header)
  if (columns.length <= 2) return { subject, locus, columns }
  throw new HlaError('usage', `a locus has one or two columns; --locus ${text} has ${columns.length}`)
}

interface Subject {
  readonly name: string
  readonly prefix: string
}

function parseSubject(text: string): Subject {
  const [, name, prefix] = /^([^=]+)=(.+)$/.exec(text) ?? []
  if (name !== undefined && prefix !== undefined) return { name, prefix }
  throw new HlaError('usage', `--subject is NAME=PREFIX, such as donor=d_, not ${JSON.stringify(text)}`)
}

function refuseAbsent(subjects: readonly Subject[], header: Header): void {
  const absent = subjects.find(({ prefix }) => !(header.names ?? []).some((name) => name.startsWith(prefix)))
  if (absent === undefined) return
  const { name, prefix } = absent
  throw new HlaError(
    'usage',
    `--subject ${name}=${prefix}: no column of ${header.table} begins with "${prefix}"`,
    {
      offending: prefix,
      hint: columnsLine(header),
    },
  )
}

/** A prefix that is a subject's is none of the locus. */
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

function refuseTwice(groups: readonly ColumnGroup[], { labels }: Header): void {
  const seen = new Set<number>()
  for (const column of groups.flatMap(({ columns }) => columns)) {
    if (seen.has(column)) throw new HlaError('usage', `column ${labels[column]} is chosen twice`)
    seen.add(column)
  }
}
