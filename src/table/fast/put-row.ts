/** Writes a scanned row and counts its typings. */
import type { AnswerRequest, CellAnswer } from '../cells/answers.ts'
import type { PersonChecks } from '../cells/person-checks.ts'
import { type Tally, countAnswer } from '../output/summary.ts'
import { CELL, type ColumnKinds, GL, type LongPiece, type LongPieces, type RowPiece } from './column-kinds.ts'
import { type Composer, isComposable, putGl, putResult } from './compose-gl.ts'
import type { DistinctCells } from './distinct.ts'
import { type SubjectPiece, havePairs, putSubjects } from './put-subjects.ts'
import { type OutputBytes, putByte, putRange, putText } from './memory/byte-buffers.ts'
import type { RowScan } from './scan-row.ts'
import {
  KIND,
  NOTED,
  SEEN,
  STATUS,
  STATUSES,
  TEXT_SIZE,
  TOKEN,
  type TypingTable,
  resultOffset,
} from './memory/typing-table.ts'
import type { Dialect } from '../input/dialect.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import type { Conversion } from '../run/convert.ts'

export interface RowEncoder {
  /** Scan of the row. */
  scan: RowScan
  readonly table: TypingTable
  readonly composer: Composer
  readonly columns: ColumnKinds
  /** Columns with typings. */
  readonly typed: readonly number[]
  /** false when every row is left to the ordinary conversion. */
  readonly isAble: boolean
  readonly pieces: readonly RowPiece[]
  /** Used instead of `pieces` where each typing has a row. */
  readonly long: LongPieces | undefined
  /** Columns per subject, after the pieces. */
  readonly subjects: readonly SubjectPiece[]
  readonly distinct: DistinctCells
  readonly tally: Tally
  /** Answers of NOTED records. */
  readonly noted: ReadonlyMap<number, CellAnswer>
  readonly delimiter: number
  /** True when the source has another delimiter: fields with this one must be quoted. */
  readonly isOtherDelimiter: boolean
  /** Offset of the next output delimiter in the input, -1 before it is searched. */
  otherDelimiter: number
  /** Maximum names in an answer; undefined when GL Strings of several typings are not composed here. */
  readonly limit: number | undefined
  readonly eol: 'keep' | 'lf' | 'crlf'
  /** True when two more columns report failures. */
  readonly isReported: boolean
  /** Set when typings of a row are checked for belonging to one person. */
  readonly persons: KnownPersons | undefined
  /** Bytes being read. */
  readonly input: { readonly bytes: Buffer; readonly view: DataView }
  /** Round of counting distinct cells; a new round starts a new count. */
  round: number
}

/** Status of a row without failures, and no errors. */
const OK = new DataView(Uint8Array.from([...Buffer.from('ok'), 0, 0, 0, 0, 0, 0, 0, 0]).buffer)

/** Returns false when the row is left to the ordinary conversion; nothing was then written or counted. */
export function putRow(out: OutputBytes, encoder: RowEncoder): boolean {
  const { typed, columns, tally } = encoder
  const { kinds } = columns
  for (let at = 0; at < typed.length; at += 1) {
    const column = typed[at] ?? 0
    if (kinds[column] === GL && !isOurs(encoder, column)) return false
  }
  if (encoder.isOtherDelimiter && hasDelimiter(encoder)) return false
  if (encoder.subjects.length > 0 && !havePairs(encoder)) return false
  if (encoder.persons !== undefined && !arePlausible(encoder, encoder.persons)) return false
  tally.rows += 1
  for (let at = 0; at < typed.length; at += 1) {
    const column = typed[at] ?? 0
    if (kinds[column] === CELL) countCell(encoder, column)
    else countGl(encoder, column)
  }
  if (encoder.long !== undefined) putLongRows(out, encoder, encoder.long)
  else {
    putPieces(out, encoder)
    if (encoder.subjects.length > 0) putSubjects(out, encoder)
    putEnd(out, encoder, encoder.pieces.length + encoder.subjects.length > 0)
  }
  return true
}

/** Whether the row contains the delimiter of the output. */
function hasDelimiter(encoder: RowEncoder): boolean {
  const { scan, input, delimiter } = encoder
  const start = scan.starts[0] ?? 0
  if (encoder.otherDelimiter < start) {
    const found = input.bytes.indexOf(delimiter, start)
    encoder.otherDelimiter = found < 0 ? Infinity : found
  }
  return encoder.otherDelimiter < scan.next
}

interface KnownPersons {
  readonly checks: PersonChecks
  /** Typings of a person -> whether they are plausible. */
  readonly known: Map<string, boolean>
}

/** Maximum number of combinations remembered. */
const MAX_KNOWN = 50_000

/** Warnings are rare: their rows are left to the ordinary conversion. */
function arePlausible(encoder: RowEncoder, { checks, known }: KnownPersons): boolean {
  const { persons, isPlausible } = checks
  for (let person = 0; person < persons.length; person += 1) {
    const columns = persons[person] ?? []
    let key = `${person}`
    for (let at = 0; at < columns.length; at += 1) key += `\n${fieldText(encoder, columns[at] ?? 0)}`
    let isFine = known.get(key)
    if (isFine === undefined) {
      isFine = isPlausible(person, (column) => fieldText(encoder, column))
      if (known.size >= MAX_KNOWN) known.clear()
      known.set(key, isFine)
    }
    if (!isFine) return false
  }
  return true
}

/** Text of a field; scanned rows have no invalid typings. */
function fieldText({ scan, input }: RowEncoder, column: number): string {
  const inset = scan.insets[column] ?? 0
  return input.bytes.toString(
    'latin1',
    (scan.starts[column] ?? 0) + inset,
    (scan.starts[column + 1] ?? 0) - 1 - inset,
  )
}

function isOurs({ scan, table, limit }: RowEncoder, column: number): boolean {
  if (scan.counts[column] === 1) return true
  return limit !== undefined && isComposable(scan, column, table, limit)
}

function countCell(encoder: RowEncoder, column: number): void {
  const { scan, table, distinct, round } = encoder
  const record = scan.entries[column] ?? 0
  if (distinct.isExact && table.records[record + SEEN] !== round) {
    table.records[record + SEEN] = round
    countDistinct(encoder, column)
  }
  count(encoder, record)
}

function count({ table, tally, noted }: RowEncoder, record: number): void {
  const answer = table.records[record + KIND] === NOTED ? noted.get(record) : undefined
  if (answer !== undefined) countAnswer(tally, answer)
  else countStatus(tally, table.records[record + STATUS] ?? 0)
}

function countStatus(tally: Tally, status: number): void {
  tally.typings += 1
  tally.statuses[STATUSES[status] ?? 'ok'] += 1
}

function countGl(encoder: RowEncoder, column: number): void {
  const { scan, distinct, tally } = encoder
  if (distinct.isExact) countDistinct(encoder, column)
  if (scan.counts[column] === 1) count(encoder, scan.parts[scan.entries[column] ?? 0] ?? 0)
  else countStatus(tally, 0)
}

function countDistinct({ scan, distinct, columns, input }: RowEncoder, column: number): void {
  const inset = scan.insets[column] ?? 0
  const start = (scan.starts[column] ?? 0) + inset
  const end = (scan.starts[column + 1] ?? 0) - 1 - inset
  distinct.addBytes(columns.contexts[column] ?? 0, input.view, start, end)
}

function putPieces(out: OutputBytes, encoder: RowEncoder): void {
  const { pieces, delimiter } = encoder
  for (let at = 0; at < pieces.length; at += 1) {
    if (at > 0) putByte(out, delimiter)
    putPiece(out, encoder, pieces[at])
  }
}

function putPiece(out: OutputBytes, encoder: RowEncoder, piece: RowPiece | undefined): void {
  if (piece === undefined) return
  if (piece.method < 0) putFields(out, encoder, piece.from, piece.to)
  else putCell(out, encoder, piece)
}

/** Copies fields unchanged. */
function putFields(out: OutputBytes, { scan, input }: RowEncoder, from: number, to: number): void {
  const start = scan.starts[from] ?? 0
  putRange(out, input.view, start, (scan.starts[to + 1] ?? 0) - 1 - start)
}

function putCell(out: OutputBytes, encoder: RowEncoder, piece: RowPiece): void {
  const { scan, table, columns } = encoder
  const { from: column, method } = piece
  const first = scan.entries[column] ?? 0
  const isGl = columns.kinds[column] === GL
  if (isGl && scan.counts[column] !== 1) {
    putGl(out, encoder, column, method)
    return
  }
  const record = isGl ? (scan.parts[first] ?? 0) : first
  if (table.records[record + KIND] === TOKEN) putToken(out, encoder, piece)
  else putResult(out, table, resultOffset(record, method))
}

/** A token keeps the quotes of its source only in its own column. */
function putToken(out: OutputBytes, encoder: RowEncoder, { from: column, isInPlace }: RowPiece): void {
  if (isInPlace === true) {
    putFields(out, encoder, column, column)
    return
  }
  const { scan, input } = encoder
  const inset = scan.insets[column] ?? 0
  const start = (scan.starts[column] ?? 0) + inset
  putRange(out, input.view, start, (scan.starts[column + 1] ?? 0) - 1 - inset - start)
}

/** `isBehind`: the line already has content. */
function putEnd(out: OutputBytes, encoder: RowEncoder, isBehind: boolean): void {
  if (encoder.isReported) {
    if (isBehind) putByte(out, encoder.delimiter)
    putRange(out, OK, 0, 2)
    putByte(out, encoder.delimiter)
  }
  const isCrLf = encoder.eol === 'keep' ? encoder.scan.eolLength === 2 : encoder.eol === 'crlf'
  if (isCrLf) putByte(out, 13)
  putByte(out, 10)
}

/** One row per typing; for a person without any, one row that says so. */
function putLongRows(out: OutputBytes, encoder: RowEncoder, { typings }: LongPieces): void {
  let isAny = false
  for (let at = 0; at < typings.length; at += 1) {
    const typing = typings[at]
    if (typing === undefined || !isFilled(encoder, typing)) continue
    isAny = true
    putLongRow(out, encoder, typing, typing.before)
  }
  const [first] = typings
  if (!isAny && first !== undefined) putLongRow(out, encoder, first, first.beforeNone)
}

function isFilled({ scan, table }: RowEncoder, { pieces }: LongPiece): boolean {
  for (let at = 0; at < pieces.length; at += 1) {
    const { from = 0, method = -1 } = pieces[at] ?? {}
    const record = scan.entries[from] ?? 0
    const isResult = method >= 0 && table.records[record + KIND] !== TOKEN
    const size = isResult
      ? (table.records[resultOffset(record, method) + TEXT_SIZE] ?? 0)
      : (scan.starts[from + 1] ?? 0) - (scan.starts[from] ?? 0) - 1 - 2 * (scan.insets[from] ?? 0)
    if (size > 0) return true
  }
  return false
}

function putLongRow(out: OutputBytes, encoder: RowEncoder, { pieces }: LongPiece, before: string): void {
  const { delimiter, long } = encoder
  const person = long?.person ?? []
  for (let at = 0; at < person.length; at += 1) {
    putPiece(out, encoder, person[at])
    putByte(out, delimiter)
  }
  putText(out, before)
  for (let at = 0; at < pieces.length; at += 1) {
    putByte(out, delimiter)
    putPiece(out, encoder, pieces[at])
  }
  putEnd(out, encoder, true)
}

export interface FastRequest {
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly writing: WriteRequest
  readonly output: OutputColumns
  readonly answers: AnswerRequest
  /** `sharedTypingsMemory`, when other threads convert the same table. */
  readonly shared?: SharedArrayBuffer | undefined
  /**
   * Number of threads that convert this table, or tables at the same time (default 1). Together they remember as much
   * as one.
   */
  readonly threads?: number | undefined
  /** Bytes of typings that fit a near cache; omit for the default. */
  readonly near?: number | undefined
  /** Omit when there is no deadline. */
  readonly turn?: TimeSlice | undefined
}

/** Deadline after which other work gets its turn. */
export interface TimeSlice {
  /** State at the last look at the clock. */
  isOver: boolean
  /** Looks at the clock. @throws {HlaError} the time is over */
  readonly look: () => void
}

/** Parts of a conversion that count rows and failures. */
export type Counting = Omit<Conversion, 'answers' | 'write'>
