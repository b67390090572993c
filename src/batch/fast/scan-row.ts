/** One row of plain bytes: where its fields begin, and the typings in it, looked up as they are read. */
import { CELL, type ColumnKinds, GL, SKIP } from './column-kinds.ts'
import { ODD } from './typing-table.ts'

export interface RowScan {
  /** Begin of each column; the last one is behind the end of the row. A field ends one byte before the next begins. */
  readonly starts: Int32Array
  /** By column: the entry of a CELL, the first part of a GL. */
  readonly entries: Int32Array
  /** By column: parts of a GL. */
  readonly counts: Int32Array
  /** Entries of all typings in GL Strings of the row. */
  readonly parts: Int32Array
  /** The operator before each of them; 0 for the first of a column. */
  readonly operators: Uint8Array
  partCount: number
  /** Bytes of the row's end: 1 or 2. */
  eolLength: number
  /** Line feeds inside quoted fields. */
  innerLines: number
}

export interface Scanner {
  readonly columns: ColumnKinds
  /** By byte: not 0 for what ends a field or needs another look. */
  readonly classes: Uint8Array
  /** By byte: the same inside GL Strings. */
  readonly glClasses: Uint8Array
  readonly delimiter: number
  readonly quote: number
  /** Entry of a typing; never -1. */
  readonly entryOf: (hash: number, column: number, start: number, end: number) => number
  readonly kindOf: (entry: number) => number
}

const MOST_PARTS = 256
const LF = 10
const CR = 13
export const PLUS = 43
export const CARET = 94
const PRIME = 0x01000193

export function rowScan(width: number): RowScan {
  return {
    starts: new Int32Array(width + 1),
    entries: new Int32Array(width),
    counts: new Int32Array(width),
    parts: new Int32Array(MOST_PARTS),
    operators: new Uint8Array(MOST_PARTS),
    partCount: 0,
    eolLength: 0,
    innerLines: 0,
  }
}

function isEnd(byte: number, { delimiter }: Scanner): boolean {
  return byte === PLUS || byte === CARET || byte === delimiter
}

export function byteClasses(delimiter: number, quote: number): Pick<Scanner, 'classes' | 'glClasses'> {
  const classes = new Uint8Array(256)
  for (const byte of [delimiter, quote, LF, CR]) if (byte >= 0) classes[byte] = 1
  // codes, spaces, other operators and what is no ASCII are rare in GL Strings and read by the ordinary way
  const glClasses = classes.map((known, byte) => (byte <= 32 || byte >= 127 ? 1 : known))
  for (const sign of '+^|~#') glClasses[sign.charCodeAt(0)] = 1
  return { classes, glClasses }
}

/** Where the next row begins; -1 for a row that is to be read the ordinary way. `bytes` has a line feed behind `start`. */
export function scanRow(scan: RowScan, scanner: Scanner, bytes: Uint8Array, start: number): number {
  const { columns, delimiter, quote } = scanner
  const { kinds } = columns
  const width = kinds.length
  scan.partCount = 0
  scan.innerLines = 0
  let at = start
  for (let column = 0; column < width; column += 1) {
    scan.starts[column] = at
    const kind = kinds[column]
    if (kind === SKIP)
      at = bytes[at] === quote ? skipQuoted(scan, scanner, bytes, at) : skip(scanner, bytes, at)
    else if (kind === GL) at = scanGl(scan, scanner, bytes, column)
    else if (kind === CELL) at = scanCell(scan, scanner, bytes, column)
    if (at < 0) return -1
    const byte = bytes[at]
    if (byte === delimiter && column < width - 1) at += 1
    else if (column < width - 1) return -1
    else if (byte === LF) scan.eolLength = 1
    else if (byte === CR && bytes[at + 1] === LF) scan.eolLength = 2
    else return -1
  }
  // an empty line
  if (at === start) return -1
  scan.starts[width] = at + 1
  return at + scan.eolLength
}

function skip({ classes }: Scanner, bytes: Uint8Array, start: number): number {
  let at = start
  while (classes[bytes[at] ?? 0] === 0) at += 1
  return at
}

/** -1 when its closing quote is not the end of the field, or not there. */
function skipQuoted(scan: RowScan, { quote }: Scanner, bytes: Uint8Array, start: number): number {
  for (let at = start + 1; at < bytes.length; at += 1) {
    const byte = bytes[at]
    if (byte === LF) scan.innerLines += 1
    if (byte !== quote) continue
    if (bytes[at + 1] !== quote) return at + 1
    at += 1
  }
  return -1
}

function scanCell(scan: RowScan, scanner: Scanner, bytes: Uint8Array, column: number): number {
  const { classes } = scanner
  const start = scan.starts[column] ?? 0
  let at = start
  let hash = scanner.columns.seeds[column] ?? 0
  for (;;) {
    const byte = bytes[at] ?? 0
    if (classes[byte] !== 0) break
    hash = Math.imul(hash ^ byte, PRIME)
    at += 1
  }
  const entry = scanner.entryOf(hash, column, start, at)
  scan.entries[column] = entry
  return scanner.kindOf(entry) === ODD ? -1 : at
}

function scanGl(scan: RowScan, scanner: Scanner, bytes: Uint8Array, column: number): number {
  const { glClasses } = scanner
  const seed = scanner.columns.seeds[column] ?? 0
  const first = scan.partCount
  scan.entries[column] = first
  let start = scan.starts[column] ?? 0
  let operator = 0
  for (let at = start; ; at += 1) {
    let hash = seed
    let byte = bytes[at] ?? 0
    while (glClasses[byte] === 0) {
      hash = Math.imul(hash ^ byte, PRIME)
      at += 1
      byte = bytes[at] ?? 0
    }
    if (scan.partCount >= MOST_PARTS || (byte > CR && !isEnd(byte, scanner))) return -1
    const entry = scanner.entryOf(hash, column, start, at)
    if (scanner.kindOf(entry) === ODD) return -1
    scan.parts[scan.partCount] = entry
    scan.operators[scan.partCount] = operator
    scan.partCount += 1
    if (byte !== PLUS && byte !== CARET) {
      scan.counts[column] = scan.partCount - first
      return at
    }
    operator = byte
    start = at + 1
  }
}
