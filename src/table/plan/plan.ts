/** Plan of a table: its typing columns and the reading of their cells, decided from its first rows. Pure. */
import type { HlaError } from '../../errors.ts'
import type { CellReading } from '../cells/cell-reading.ts'
import { type CellContext, readCell } from '../cells/cells.ts'
import {
  type TokenStatus,
  type Tokens,
  areNoted,
  findToken,
  makeTokens,
  withAbsent,
} from '../cells/tokens.ts'
import { joinedKey } from '../cells/joined/joined.ts'
import { type SampledGroup, samplePerson } from '../cells/joined/decide-joined.ts'
import { chooseColumns } from './columns.ts'
import type { Dialect } from '../input/dialect.ts'
import type { DigitFits, DigitReading } from '../cells/digits.ts'
import { readable } from '../input/encoding.ts'
import { type FoundHeader, findHeader } from './find-header.ts'
import { type Header, findIdColumn, makeHeader, selectColumns } from './header.ts'
import { groupBy } from '../words/group-by.ts'
import type { ColumnGroup } from '../cells/joined/decide-joined.ts'
import type { TableLayout } from './layouts.ts'
import { DRB345 } from '../words/locus-header.ts'
import { type RowNote, noteOddRows, repeatsHeader } from './recognition/odd-rows.ts'
import type { UnreadColumns } from './recognition/unread-text.ts'
import type { TableRow } from '../input/read-table.ts'
import type { SettlingFacts } from '../cells/name-facts.ts'
import type { ReadRequest } from './table-request.ts'
import type { SourceFacts, SourceTable } from './table-input.ts'
import type { CellFault } from '../input/places.ts'
import { distinctValues, countValues, findDamage, recognizeShape } from '../words/typing-shape.ts'

export interface PlannedGroup extends ColumnGroup {
  readonly context: CellContext
  /** Equal for groups whose cells are read alike. */
  readonly contextKey: string
  /** True when some cells of the sample consist of digits. */
  readonly hasDigits: boolean
  readonly digitFits?: DigitFits | undefined
  /** Distinct typings of the sample, in order of occurrence. */
  readonly values: readonly string[]
  /** Cells of the sample that cannot be read, whatever their text. */
  readonly faults: readonly CellFault[]
  /** Distinct tokens of the sample, without the empty one. */
  readonly tokensSeen: readonly (readonly [string, TokenStatus])[]
  /** Words of the sample that are neither typings nor tokens, and their counts. */
  readonly words: readonly (readonly [string, number])[]
}

export interface TablePlan {
  readonly header: Header
  /** Sheet of a workbook, and other sheets that are not empty. */
  readonly workbook?: { readonly sheet: string; readonly others: readonly string[] } | undefined
  readonly headerRow: TableRow | undefined
  /** Upper line of a header with loci in one line and 1 and 2 in the next. */
  readonly upperRow?: TableRow | undefined
  /** Header rows; a later row with the same content is a repeated header. */
  readonly headerLines: readonly (readonly string[])[]
  readonly groups: readonly PlannedGroup[]
  /** Results of an earlier conversion that look like typings, and are not read. */
  readonly aside: readonly number[]
  /** Columns that look like typings, and are not read. */
  readonly unread: readonly UnreadColumns[]
  /** Rows of the sample that are not a person, or half of one. */
  readonly rowNotes: readonly RowNote[]
  /** undefined when every column holds typings. */
  readonly idColumn: number | undefined
  /** Set for persons gathered from typing records. */
  readonly source?: SourceFacts | undefined
}

export interface PlanInput {
  readonly table: string
  readonly dialect: Dialect
  readonly rows: readonly TableRow[]
  readonly layout: TableLayout | undefined
  readonly request: ReadRequest
  readonly facts: SettlingFacts
  readonly source?: SourceTable | undefined
  /** As in `TableInput`. */
  readonly look?: (() => void) | undefined
}

/** Rows a plan is made from; fewer for a wide table, since memory grows with rows × columns. */
export const SAMPLE_ROWS = 1000
export const SAMPLE_CELLS = 500_000

/** @throws {HlaError} usage — no or ambiguous columns */
export function makePlan(input: PlanInput): TablePlan {
  const { table, dialect, layout, request, facts, source } = input
  const rows = input.rows.filter(({ kind }) => kind === 'row').slice(0, SAMPLE_ROWS + 1)
  const { encoding } = dialect
  const said = request.header ?? (layout?.header === 'find' ? true : layout?.header)
  const { lines, names, headerLines } =
    source === undefined ? findHeader(rows, { table, encoding, said }) : firstRow(rows, encoding)
  const body = rows.slice(lines).filter(({ values }) => !repeatsHeader(values, headerLines))
  const width = names?.length ?? commonWidth(body)
  const header = makeHeader(table, names, width)
  const tokens = makeTokens(request.tokens)
  const sampler = makeSampler(body, { width, dialect, tokens, look: input.look })
  const choice = { ...withoutUndefined(layout), ...withoutUndefined(request.choice) }
  const known = { loci: facts.loci, names: facts, source: source?.columns }
  const { groups, aside, unread } = chooseColumns(choice, header, sampler.typings, known)
  const typed = new Set(groups.flatMap(({ columns }) => columns))
  const untyped = header.labels.map((_, at) => at).filter((at) => !typed.has(at))
  const idColumn =
    request.idColumn === undefined
      ? findIdColumn(untyped, header, sampler.all)
      : selectColumns(request.idColumn, header)[0]
  const planned = planGroups(groups, sampler, tokens, input)
  return {
    header,
    headerRow: rows[lines - 1],
    ...(lines === 2 ? { upperRow: rows[0] } : {}),
    headerLines,
    idColumn,
    aside,
    unread,
    ...(source && { source: source.facts }),
    groups: planned,
    rowNotes:
      source === undefined
        ? noteOddRows({ header, rows: rows.slice(lines), headerLines, groups: planned, idColumn, encoding })
        : [],
  }
}

/** Header of gathered rows, which none of them repeats. */
function firstRow([first]: readonly TableRow[], encoding: Dialect['encoding']): FoundHeader {
  return { lines: 1, names: first?.values.map((value) => readable(value, encoding)), headerLines: [] }
}

/** True for a header row. */
export function isOfHeader(
  row: TableRow,
  { headerRow, upperRow, headerLines }: Pick<TablePlan, 'headerRow' | 'upperRow' | 'headerLines'>,
): boolean {
  return row === headerRow || row === upperRow || repeatsHeader(row.values, headerLines)
}

/** True for a row below the header, which is not a comment and does not repeat it. */
export function isBodyRow(
  row: TableRow,
  plan: Pick<TablePlan, 'headerRow' | 'upperRow' | 'headerLines'>,
): boolean {
  return row.kind === 'row' && !isOfHeader(row, plan)
}

/** Cell of a row that may hold a typing, decoded. */
export interface RowCell {
  readonly group: PlannedGroup
  readonly column: number
  readonly value: string
  /** Why it cannot be read, whatever its text. */
  readonly error: HlaError | undefined
}

export function readCells(
  { values, place }: TableRow,
  { plan, dialect }: { readonly plan: TablePlan; readonly dialect: Dialect },
): RowCell[] {
  return plan.groups.flatMap((group) =>
    group.columns.map((column) => {
      const { value, error } = place?.faults?.get(column) ?? {}
      return { group, column, value: value ?? readable(values[column] ?? '', dialect.encoding), error }
    }),
  )
}

function withoutUndefined(given: object | undefined): Record<string, unknown> {
  return Object.fromEntries(Object.entries(given ?? {}).filter(([, value]) => value !== undefined))
}

function commonWidth(rows: readonly TableRow[]): number {
  const counts = new Map<number, number>()
  for (const { values } of rows) counts.set(values.length, (counts.get(values.length) ?? 0) + 1)
  const [most] = [...counts].sort((a, b) => b[1] - a[1])
  return most?.[0] ?? 0
}

interface Sampler {
  /** Values of a column, tokens included. */
  readonly all: (column: number) => readonly string[]
  readonly typings: (column: number) => readonly string[]
  readonly faults: (column: number) => readonly CellFault[]
}

/** Uses sound rows only. */
function makeSampler(
  rows: readonly TableRow[],
  {
    width,
    dialect: { encoding },
    tokens,
    look = () => undefined,
  }: {
    readonly width: number
    readonly dialect: Dialect
    readonly tokens: Tokens
    readonly look: (() => void) | undefined
  },
): Sampler {
  const sound = rows.filter((row) => row.values.length === width && !row.isMisquoted)
  const text = ({ values, place }: TableRow, column: number) =>
    place?.faults?.get(column)?.error !== undefined ? '' : readable(values[column] ?? '', encoding)
  const all = remembered((column: number) => sound.map((row) => text(row, column)))
  // most cells repeat
  const isTyping = remembered((value: string) => findToken(value.trim(), undefined, tokens) === undefined)
  const typings = remembered((column: number) => all(column).filter(isTyping))
  const looking = (values: typeof all) => (column: number) => {
    look()
    return values(column)
  }
  const faults = (column: number) => sound.flatMap(({ place }) => place?.faults?.get(column) ?? [])
  return { all: looking(all), typings: looking(typings), faults }
}

function remembered<K, T>(make: (key: K) => T): (key: K) => T {
  const known = new Map<K, T>()
  return (key) => {
    const value = known.get(key) ?? make(key)
    known.set(key, value)
    return value
  }
}

function planGroups(
  groups: readonly ColumnGroup[],
  sampler: Sampler,
  tokens: Tokens,
  input: PlanInput,
): PlannedGroup[] {
  const people = groupBy(groups, ({ subject }) => subject).values()
  const asked = { separator: input.request.cellSeparator, facts: input.facts }
  const planned = [...people].flatMap((own) =>
    samplePerson(own, sampler.typings, asked).map((group) => planGroup(group, { sampler, tokens, input })),
  )
  return planned.sort((a, b) => (a.columns[0] ?? 0) - (b.columns[0] ?? 0))
}

interface Planning {
  readonly sampler: Sampler
  readonly tokens: Tokens
  readonly input: PlanInput
}

function planGroup(
  { values, hasDigits, digits: decided, joined, ...group }: SampledGroup,
  { sampler, tokens: all, input: { request, layout, facts } }: Planning,
): PlannedGroup {
  const { locus } = group
  const absent = locus !== undefined && DRB345.includes(locus) ? (layout?.absentDrb345 ?? []) : []
  const moved = absent.filter((token) => request.tokens.untyped?.includes(token) !== true)
  const tokens = moved.length > 0 ? withAbsent(all, moved) : all
  const isNotation = areNoted(values, facts)
  const reading: DigitReading = request.digits === 'auto' ? (decided ?? 'error') : request.digits
  return {
    ...group,
    context: {
      locus,
      digits: reading,
      tokens,
      accept: request.accept,
      facts,
      joined,
      isNotation,
    },
    contextKey: `${locus ?? ''} ${reading} ${absent.join(',')} ${joinedKey(joined)}${isNotation ? ' notation' : ''}`,
    hasDigits,
    values,
    faults: group.columns.flatMap(sampler.faults).filter(({ error }) => error !== undefined),
    words: findWords(group.columns.map(sampler.typings)),
    tokensSeen: tokensIn(distinctValues(group.columns.map(sampler.all)), locus, tokens),
  }
}

function tokensIn(
  values: readonly string[],
  locus: string | undefined,
  tokens: Tokens,
): [string, TokenStatus][] {
  return values.flatMap((value) => {
    const status = value.trim() === '' ? undefined : findToken(value, locus, tokens)
    return status === undefined ? [] : [[value, status]]
  })
}

/** Reading of a value, or its error. */
export function tryRead(value: string, context: CellContext): CellReading | Error {
  try {
    return readCell(value, context)
  } catch (error) {
    if (error instanceof Error) return error
    throw error
  }
}

/** Words of columns that are neither typings nor tokens, with their counts, most frequent first. */
export function findWords(columns: readonly (readonly string[])[]): [string, number][] {
  const words = new Map<string, number>()
  for (const values of columns)
    for (const [value, count] of countValues(values))
      if (words.has(value) || isWord(value)) words.set(value, (words.get(value) ?? 0) + count)
  return [...words].sort((a, b) => b[1] - a[1])
}

/** False for a typing with a mistake, which has an error of its own. */
function isWord(value: string): boolean {
  const text = value.trim()
  return (
    text.length <= MAX_LENGTH &&
    !/[*:,"]|\d{2}/.test(text) &&
    recognizeShape(text) === 'other' &&
    findDamage(text) === undefined
  )
}

const MAX_LENGTH = 40
