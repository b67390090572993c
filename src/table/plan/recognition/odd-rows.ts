/**
 * Rows of the sample that are not persons: a repeated header, another table's header, a sum; and persons with two rows.
 * Pure.
 */
import type { Advice } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { BOM_BYTES, type Encoding, readable } from '../../input/encoding.ts'
import type { TableRow } from '../../input/read-table.ts'
import { listWords } from '../../words/header-words.ts'
import { type Header, isIdName } from '../header.ts'
import { readLocusHeader } from '../../words/locus-header.ts'
import { recognizeShape } from '../../words/typing-shape.ts'
import { formatCount } from '../../../format-count.ts'

/** Parts of the plan request needed for rows. */
export interface RowsRequest {
  readonly header: Header
  /** Rows below the header. */
  readonly rows: readonly TableRow[]
  readonly headerLines: readonly (readonly string[])[]
  readonly groups: readonly TypedColumns[]
  readonly idColumn: number | undefined
  readonly encoding: Encoding
}

interface TypedColumns {
  readonly subject: string
  readonly locus: string | undefined
  readonly columns: readonly number[]
  readonly values: readonly string[]
  readonly words: readonly (readonly [string, number])[]
  readonly context: { readonly joined?: { readonly kind: string } | undefined }
}

export interface RowNote {
  readonly level: 'warning' | 'note'
  readonly code: 'repeated-header' | 'sum-rows' | 'two-rows' | 'layout' | 'person-columns'
  readonly message: Advice
}

/** @throws {HlaError} usage — another table begins */
export function noteOddRows(request: RowsRequest): RowNote[] {
  const { rows, headerLines } = request
  const own = rows.filter(({ values }) => !repeatsHeader(values, headerLines))
  refuseAnotherTable(own, request)
  const persons = { ...request, rows: own }
  return [...noteHeaders(request), ...noteSums(persons), ...notePersons(persons)]
}

function noteHeaders({ rows, headerLines }: RowsRequest): RowNote[] {
  const lines = rows.filter(({ values }) => repeatsHeader(values, headerLines)).map(({ line }) => line)
  if (lines.length === 0) return []
  return [{ level: 'note', code: 'repeated-header', message: repeatedHeaderText(lines, lines.length) }]
}

/** `lines`: the first of `count`. */
export function repeatedHeaderText(lines: readonly number[], count: number): string {
  const shown = lines.slice(0, MAX_LINES)
  const more = count > shown.length ? ` and ${formatCount(count - shown.length)} more` : ''
  return count === 1
    ? `line ${shown.join('')} repeats the header: it is kept, and not counted as a person`
    : `lines ${shown.join(', ')}${more} repeat the header: they are kept, and not counted as persons`
}

const MAX_LINES = 5

/** Texts of header rows; empty where a person's row could have the same text, as `A1,A2` could. */
export function headerTexts(rows: readonly (readonly string[])[]): (readonly string[])[] {
  const texts = rows.map((values) => values.map(withoutSpace))
  const isName = (text: string) => text !== '' && recognizeShape(text) === 'other'
  return texts.some((names) => names.some(isName)) ? texts : []
}

/** True for a repeated header, as in concatenated files or pages. */
export function repeatsHeader(
  values: readonly string[],
  headerLines: readonly (readonly string[])[],
): boolean {
  for (const names of headerLines) if (areAlike(values, names)) return true
  return false
}

export function areAlike(values: readonly string[], names: readonly string[]): boolean {
  if (values.length !== names.length) return false
  for (const [at, name] of names.entries()) {
    const value = values[at] ?? ''
    if (value !== name && !(value.includes(name) && withoutSpace(value) === name)) return false
  }
  return true
}

/** Returns a test for header rows: the first, and any repeat; repeats are reported together in `ignored`. */
export function headerFinder(hasHeader: boolean, ignored: string[]): (row: TableRow) => boolean {
  let names: readonly string[] | undefined
  const tell = repeatedHeaderCounter(ignored)
  return ({ values, line }) => {
    if (!hasHeader) return false
    if (names !== undefined) {
      const isAgain = areAlike(values, names)
      if (isAgain) tell(line)
      return isAgain
    }
    names = values
    return true
  }
}

/** Counts the lines that are the header again; `ignored` has one text about them. */
export function repeatedHeaderCounter(ignored: string[]): (line: number) => void {
  const lines: number[] = []
  let count = 0
  return (line) => {
    count += 1
    if (count <= MAX_LINES) lines.push(line)
    const more = count > MAX_LINES ? ` and ${formatCount(count - MAX_LINES)} more` : ''
    // replaced, since the file may be read again
    ignored[0] = `repeated header in line${count === 1 ? '' : 's'} ${lines.join(', ')}${more}`
  }
}

/** In byte text. In a concatenated file a byte order mark may remain, which hides the quote after it. */
function withoutSpace(text: string): string {
  const own = text.startsWith(BOM_BYTES) ? text.slice(BOM_BYTES.length).replace(/^"([^"]*)"$/, '$1') : text
  return own.replace(/^[ \t]+|[ \t]+$/g, '')
}

function refuseAnotherTable(rows: readonly TableRow[], request: RowsRequest): void {
  for (const { values: bytes, line } of rows) {
    const values = bytes.map((value) => readable(value, request.encoding))
    if (beginsOtherTable(values, request)) throw otherTableError(request.header.table, line, values)
  }
}

type LocusColumns = Pick<RowsRequest, 'header' | 'idColumn'> & {
  readonly groups: readonly Pick<TypedColumns, 'locus' | 'columns'>[]
}

/**
 * True when the row names other loci than its columns have: rows below it would be read as theirs. `values` are texts,
 * not bytes.
 */
export function beginsOtherTable(
  values: readonly string[],
  { header: { labels }, idColumn, groups }: LocusColumns,
): boolean {
  const id = values[idColumn ?? -1] ?? ''
  const isNamed = /[A-Za-z]/.test(id) && (id === labels[idColumn ?? -1] || isIdName(id))
  const isOfHeader = isNamed ? namesLocus : isColumnName
  let [names, others] = [0, 0]
  for (const { locus, columns } of groups)
    for (const column of columns) {
      const cell = values[column]?.trim() ?? ''
      if (cell === '') continue
      if (!isOfHeader(cell)) return false
      names += 1
      if (!readLocusHeader(cell).some((read) => read.locus === locus)) others += 1
    }
  // a single one may be in a wrong column
  return others > 0 && (isNamed || names > 1 || labels.length === 1)
}

/** `B1` too, which may be an antigen. */
function namesLocus(text: string): boolean {
  return isColumnName(text) || (/^[A-Z]/i.test(text) && readLocusHeader(text).length > 0)
}

/**
 * `B_1`, `DRB1`; a single letter may be anything. Long texts, and those with a two-digit first field, are rejected
 * quickly.
 */
function isColumnName(text: string): boolean {
  return (
    text.length <= MAX_NAME_LENGTH &&
    /[A-Za-z]/.test(text) &&
    !/\*\d\d/.test(text) &&
    readLocusHeader(text).some(
      ({ slot, hasSeparator, isSure }) => isSure || (slot !== undefined && hasSeparator),
    )
  )
}

/** Error after `beginsOtherTable`. */
export function otherTableError(table: string, line: number, values: readonly string[]): HlaError {
  const shown = values
    .filter((value) => value !== '')
    .slice(0, MAX_SHOWN)
    .join(', ')
  return new HlaError('usage', `line ${line} of ${table} looks like the header of another table (${shown})`, {
    hint: 'put each table into its own file: the rows below that line have different columns',
  })
}

const MAX_SHOWN = 6
/** Maximum characters of a column's name. */
const MAX_NAME_LENGTH = 100

const SUMS: ReadonlySet<string> = new Set(listWords('row', 'sum').map((word) => word.replaceAll('_', ' ')))
const MAX_SUM_LENGTH = 20

function namesSum(cell: string): boolean {
  return cell.length <= MAX_SUM_LENGTH && SUMS.has(cell.trim().replace(/\s*:$/, '').toLowerCase())
}

/** Sums are numbers that look like antigens. */
function noteSums({ rows, groups, idColumn, encoding }: RowsRequest): RowNote[] {
  const textAt = ({ values }: TableRow, column = 0) => readable(values[column] ?? '', encoding)
  const found = rows.find((row) => {
    const { values } = row
    const isSum = namesSum(textAt(row)) || namesSum(textAt(row, idColumn))
    return isSum && groups.some(({ columns }) => columns.some((column) => /^\d+$/.test(values[column] ?? '')))
  })
  if (found === undefined) return []
  const message = `line ${found.line} (${textAt(found, idColumn).trim()}) looks like a totals row; its numbers are read as typings`
  return [{ level: 'warning', code: 'sum-rows', message }]
}

/** Persons with two rows, each with one typing per locus. */
function notePersons({ header, rows, groups, idColumn }: RowsRequest): RowNote[] {
  if (idColumn === undefined || rows.length < 4 || groups.length === 0 || !groups.every(isSingle)) return []
  const ids = rows.map(({ values }) => values[idColumn]?.trim() ?? '')
  const pairs = Array.from(
    { length: Math.floor(ids.length / 2) },
    (_, at) => [ids[2 * at] ?? '', ids[2 * at + 1] ?? ''] as const,
  )
  const isPair = ([one, other]: readonly [string, string]) => one !== '' && (other === one || other === '')
  if (ids.length % 2 === 1 || !pairs.every(isPair) || new Set(pairs.map(([one]) => one)).size < pairs.length)
    return []
  const message = `each ${header.labels[idColumn]} has two rows, which are read as two persons; put typings of one person in one row (A_1, A_2)`
  return [{ level: 'warning', code: 'two-rows', message }]
}

function isSingle({ locus, columns, values, context }: TypedColumns): boolean {
  return (
    locus !== undefined &&
    columns.length === 1 &&
    context.joined?.kind !== 'split' &&
    !values.some((value) => /[+^~|]/.test(value))
  )
}
