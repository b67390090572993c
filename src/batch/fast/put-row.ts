/** Writes a row that was scanned, and counts its typings. */
import { countAnswer, type Tally } from '../tally.ts'
import { CELL, type ColumnKinds, GL, type Piece } from './column-kinds.ts'
import { type Composer, isComposable, putGl, putResult } from './compose-gl.ts'
import type { DistinctCells } from './distinct.ts'
import { type OutputBytes, putByte, putRange } from './output-bytes.ts'
import type { RowScan } from './scan-row.ts'
import { NOTED, TOKEN, type TypingTable } from './typing-table.ts'

export interface RowPen {
  readonly scan: RowScan
  readonly table: TypingTable
  readonly composer: Composer
  readonly columns: ColumnKinds
  readonly pieces: readonly Piece[]
  readonly distinct: DistinctCells
  readonly tally: Tally
  readonly delimiter: number
  /** Names of an answer; undefined: GL Strings of several typings are not for us. */
  readonly limit: number | undefined
  readonly eol: 'keep' | 'lf' | 'crlf'
  /** Two columns behind the others say that nothing failed. */
  readonly isReported: boolean
}

/** The status of a row without failures, and no errors. */
const OK = Buffer.from('ok')

/** false: the row is for the ordinary conversion, and nothing was written or counted. */
export function putRow(out: OutputBytes, pen: RowPen, bytes: Uint8Array): boolean {
  const { kinds } = pen.columns
  for (let column = 0; column < kinds.length; column += 1) {
    if (kinds[column] === GL && !isOurs(pen, column)) return false
  }
  pen.tally.rows += 1
  for (let column = 0; column < kinds.length; column += 1) {
    if (kinds[column] === CELL) countCell(pen, column)
    else if (kinds[column] === GL) countGl(pen, column, bytes)
  }
  putPieces(out, pen, bytes)
  putEnd(out, pen)
  return true
}

function isOurs({ scan, table, limit }: RowPen, column: number): boolean {
  if (scan.counts[column] === 1) return true
  return limit !== undefined && isComposable(scan, column, table, limit)
}

function countCell(pen: RowPen, column: number): void {
  const { scan, table, columns, distinct } = pen
  const entry = scan.entries[column] ?? 0
  if (table.seen[entry] === 0) {
    table.seen[entry] = 1
    distinct.add(columns.contexts[column] ?? 0, table.entries[entry]?.text ?? '')
  }
  count(pen, entry)
}

function count({ table, tally }: RowPen, entry: number): void {
  const answer = table.entries[entry]?.answer
  if (answer === undefined) return
  if (table.kinds[entry] === NOTED) countAnswer(tally, answer)
  else {
    tally.typings += 1
    tally.statuses[answer.status] += 1
  }
}

function countGl(pen: RowPen, column: number, bytes: Uint8Array): void {
  const { scan, distinct, columns, tally } = pen
  const start = scan.starts[column] ?? 0
  if (distinct.isExact) distinct.addBytes(columns.contexts[column] ?? 0, bytes, start, endOf(pen, column))
  if (scan.counts[column] === 1) count(pen, scan.parts[scan.entries[column] ?? 0] ?? 0)
  else {
    tally.typings += 1
    tally.statuses.ok += 1
  }
}

function endOf({ scan }: RowPen, column: number): number {
  return (scan.starts[column + 1] ?? 0) - 1
}

function putPieces(out: OutputBytes, pen: RowPen, bytes: Uint8Array): void {
  const { pieces, delimiter, scan, columns, table } = pen
  for (let at = 0; at < pieces.length; at += 1) {
    const piece = pieces[at]
    if (piece === undefined) break
    if (at > 0) putByte(out, delimiter)
    if ('to' in piece) {
      putRange(out, bytes, scan.starts[piece.from] ?? 0, endOf(pen, piece.to))
      continue
    }
    const { column, method } = piece
    const first = scan.entries[column] ?? 0
    const isGl = columns.kinds[column] === GL
    if (isGl && scan.counts[column] !== 1) {
      putGl(out, pen, column, method)
      continue
    }
    const entry = isGl ? (scan.parts[first] ?? 0) : first
    if (table.kinds[entry] === TOKEN) putRange(out, bytes, scan.starts[column] ?? 0, endOf(pen, column))
    else putResult(out, table, entry, method)
  }
}

function putEnd(out: OutputBytes, pen: RowPen): void {
  if (pen.isReported) {
    if (pen.pieces.length > 0) putByte(out, pen.delimiter)
    putRange(out, OK, 0, OK.length)
    putByte(out, pen.delimiter)
  }
  const isCrLf = pen.eol === 'keep' ? pen.scan.eolLength === 2 : pen.eol === 'crlf'
  if (isCrLf) putByte(out, 13)
  putByte(out, 10)
}
