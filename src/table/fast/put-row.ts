/** Writes a row that was scanned, and counts its typings. */
import type { CellAnswer } from '../cells/answers.ts'
import { countAnswer, type Tally } from '../output/tally.ts'
import { CELL, type ColumnKinds, GL, type Piece } from './column-kinds.ts'
import { type Composer, isComposable, putGl, putResult } from './compose-gl.ts'
import type { DistinctCells } from './distinct.ts'
import { type OutputBytes, putByte, putRange } from './memory/output-bytes.ts'
import type { RowScan } from './scan-row.ts'
import { KIND, NOTED, resultOf, SEEN, STATUS, TOKEN } from './memory/typing-record.ts'
import { type TypingTable } from './memory/typing-table.ts'

export interface RowPen {
  readonly scan: RowScan
  readonly table: TypingTable
  readonly composer: Composer
  readonly columns: ColumnKinds
  /** Columns with typings. */
  readonly typed: readonly number[]
  /** false: all rows are for the ordinary conversion. */
  readonly isAble: boolean
  readonly pieces: readonly Piece[]
  readonly distinct: DistinctCells
  readonly tally: Tally
  /** Of NOTED records. */
  readonly noted: ReadonlyMap<number, CellAnswer>
  readonly delimiter: number
  /** Names of an answer; undefined: GL Strings of several typings are not for us. */
  readonly limit: number | undefined
  readonly eol: 'keep' | 'lf' | 'crlf'
  /** Two columns behind the others say that nothing failed. */
  readonly isReported: boolean
  /** That is read. */
  readonly input: { readonly bytes: Uint8Array; readonly view: DataView }
  /** Distinct cells are counted anew with another. */
  round: number
}

export const STATUSES = ['ok', 'error', 'untyped', 'absent', 'unknown', 'new'] as const

/** The status of a row without failures, and no errors. */
const OK = new DataView(Uint8Array.from([...Buffer.from('ok'), 0, 0, 0, 0, 0, 0, 0, 0]).buffer)

/** false: the row is for the ordinary conversion, and nothing was written or counted. */
export function putRow(out: OutputBytes, pen: RowPen): boolean {
  const { typed, columns, tally } = pen
  const { kinds } = columns
  for (let at = 0; at < typed.length; at += 1) {
    const column = typed[at] ?? 0
    if (kinds[column] === GL && !isOurs(pen, column)) return false
  }
  tally.rows += 1
  for (let at = 0; at < typed.length; at += 1) {
    const column = typed[at] ?? 0
    if (kinds[column] === CELL) countCell(pen, column)
    else countGl(pen, column)
  }
  putPieces(out, pen)
  putEnd(out, pen)
  return true
}

function isOurs({ scan, table, limit }: RowPen, column: number): boolean {
  if (scan.counts[column] === 1) return true
  return limit !== undefined && isComposable(scan, column, table, limit)
}

function countCell(pen: RowPen, column: number): void {
  const { scan, table, distinct, round } = pen
  const record = scan.entries[column] ?? 0
  if (distinct.isExact && table.records[record + SEEN] !== round) {
    table.records[record + SEEN] = round
    countDistinct(pen, column)
  }
  count(pen, record)
}

function count({ table, tally, noted }: RowPen, record: number): void {
  const answer = table.records[record + KIND] === NOTED ? noted.get(record) : undefined
  if (answer !== undefined) countAnswer(tally, answer)
  else countStatus(tally, table.records[record + STATUS] ?? 0)
}

function countStatus(tally: Tally, status: number): void {
  tally.typings += 1
  tally.statuses[STATUSES[status] ?? 'ok'] += 1
}

function countGl(pen: RowPen, column: number): void {
  const { scan, distinct, tally } = pen
  if (distinct.isExact) countDistinct(pen, column)
  if (scan.counts[column] === 1) count(pen, scan.parts[scan.entries[column] ?? 0] ?? 0)
  else countStatus(tally, 0)
}

function countDistinct({ scan, distinct, columns, input }: RowPen, column: number): void {
  const start = scan.starts[column] ?? 0
  distinct.addBytes(columns.contexts[column] ?? 0, input.bytes, start, (scan.starts[column + 1] ?? 0) - 1)
}

function putPieces(out: OutputBytes, pen: RowPen): void {
  const { pieces, delimiter } = pen
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]
    if (piece === undefined) break
    if (at > 0) putByte(out, delimiter)
    if (piece.method < 0) putFields(out, pen, piece.from, piece.to)
    else putCell(out, pen, piece.from, piece.method)
  }
}

/** As they stand. */
function putFields(out: OutputBytes, { scan, input }: RowPen, from: number, to: number): void {
  const start = scan.starts[from] ?? 0
  putRange(out, input.view, start, (scan.starts[to + 1] ?? 0) - 1 - start)
}

function putCell(out: OutputBytes, pen: RowPen, column: number, method: number): void {
  const { scan, table, columns } = pen
  const first = scan.entries[column] ?? 0
  const isGl = columns.kinds[column] === GL
  if (isGl && scan.counts[column] !== 1) {
    putGl(out, pen, column, method)
    return
  }
  const record = isGl ? (scan.parts[first] ?? 0) : first
  if (table.records[record + KIND] === TOKEN) putFields(out, pen, column, column)
  else putResult(out, table, resultOf(record, method))
}

function putEnd(out: OutputBytes, pen: RowPen): void {
  if (pen.isReported) {
    if (pen.pieces.length > 0) putByte(out, pen.delimiter)
    putRange(out, OK, 0, 2)
    putByte(out, pen.delimiter)
  }
  const isCrLf = pen.eol === 'keep' ? pen.scan.eolLength === 2 : pen.eol === 'crlf'
  if (isCrLf) putByte(out, 13)
  putByte(out, 10)
}
