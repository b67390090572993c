/** What the scan of a row says of it, and what it works with. */
import type { ColumnKinds } from './column-kinds.ts'
import type { TypingTable, WantedTypings } from './memory/typing-table.ts'
import type { BytePairs, PlainReader } from './plain-bytes.ts'

export interface RowScan {
  /** Begin of each column; the last one is behind the end of the row. A field ends one byte before the next begins. */
  readonly starts: Int32Array
  /** By column: the record of a CELL, the first part of a GL. */
  readonly entries: Int32Array
  /** By column: parts of a GL. */
  readonly counts: Int32Array
  /** Records of the typings in GL Strings. */
  readonly parts: Int32Array
  /** The operator before each of them; 0 for the first of a column. */
  readonly operators: Uint8Array
  /** Its first typing among those that were read ahead. */
  first: number
  start: number
  /** Where the next row begins; -1 for a row that is to be read the ordinary way. */
  next: number
  /** Bytes of the row's end: 1 or 2. */
  eolLength: number
  /** Line feeds inside quoted fields. */
  innerLines: number
}

/** Rows that are read before their typings are looked up. */
export interface RowsAhead extends WantedTypings {
  readonly rows: readonly RowScan[]
  /** How many of them were read, and which of these comes next. */
  size: number
  at: number
  /** Where each typing of a GL ends. */
  readonly ends: Int32Array
}

export interface Scanner extends BytePairs, PlainReader {
  readonly columns: ColumnKinds
  readonly delimiter: number
  readonly quote: number
  readonly table: TypingTable
  /** A new record for the typing with the hash. */
  readonly add: (hash: number, column: number, start: number, end: number) => number
  readonly ahead: RowsAhead
  /** The table is in far memory: typings of several rows are looked up together, not each when it is read. */
  isFar: boolean
  /** What is read; `bytes` and `view` are the same, with SLACK behind `end`. */
  bytes: Uint8Array
  end: number
}

/** In the GL Strings of a row. */
export const MOST_PARTS = 256
/** A processor waits for a dozen places of far memory at once: more rows than these bring nothing. */
export const MOST_ROWS = 16
export const MANY_TYPINGS = 64
export const PLUS = 43
export const CARET = 94

export function rowsAhead(width: number): RowsAhead {
  const most = MANY_TYPINGS + MOST_PARTS + width
  const [parts, operators] = [new Int32Array(most), new Uint8Array(most)]
  const places = { first: 0, start: 0, next: -1, eolLength: 0, innerLines: 0 }
  const row = () => ({
    starts: new Int32Array(width + 1),
    entries: new Int32Array(width),
    counts: new Int32Array(width),
    parts,
    operators,
    ...places,
  })
  return {
    rows: Array.from({ length: MOST_ROWS }, row),
    size: 0,
    at: 0,
    count: 0,
    hashes: new Int32Array(most),
    slots: new Int32Array(most),
    ends: new Int32Array(most),
    fetched: 0,
  }
}
