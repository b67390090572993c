/** One row of plain bytes: where its fields begin, and the typings in it, looked up as they are read. */
import { CELL, type ColumnKinds, GL, SKIP } from './column-kinds.ts'
import { KIND, ODD } from './memory/typing-record.ts'
import { findTyping, type TypingTable } from './memory/typing-table.ts'

export interface RowScan {
  /** Begin of each column; the last one is behind the end of the row. A field ends one byte before the next begins. */
  readonly starts: Int32Array
  /** By column: the record of a CELL, the first part of a GL. */
  readonly entries: Int32Array
  /** By column: parts of a GL. */
  readonly counts: Int32Array
  /** Records of all typings in GL Strings of the row. */
  readonly parts: Int32Array
  /** The operator before each of them; 0 for the first of a column. */
  readonly operators: Uint8Array
  partCount: number
  /** Bytes of the row's end: 1 or 2. */
  eolLength: number
  /** Line feeds inside quoted fields. */
  innerLines: number
  /** Of what was read last. */
  hash: number
}

export interface Scanner {
  readonly columns: ColumnKinds
  /** By two bytes: how many of them are, or stand behind, what ends a field or needs another look. */
  readonly pairs: Uint8Array
  /** The same inside GL Strings. */
  readonly glPairs: Uint8Array
  readonly delimiter: number
  readonly quote: number
  readonly table: TypingTable
  /** A new record for the typing whose hash was read last. */
  readonly add: (hash: number, column: number, start: number, end: number) => number
  /** What is read; `bytes` and `view` are the same, with SLACK behind `end`. */
  bytes: Uint8Array
  view: DataView
  end: number
}

const MOST_PARTS = 256
const LF = 10
const CR = 13
export const PLUS = 43
export const CARET = 94

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
    hash: 0,
  }
}

export function bytePairs(delimiter: number, quote: number): Pick<Scanner, 'pairs' | 'glPairs'> {
  const ends = new Set([delimiter, quote, LF, CR])
  // codes, spaces, other operators and what is no ASCII are rare in GL Strings and read by the ordinary way
  const operators = new Set(Buffer.from('+^|~?#'))
  return {
    pairs: makePairs((byte) => ends.has(byte)),
    glPairs: makePairs((byte) => byte <= 32 || byte >= 127 || ends.has(byte) || operators.has(byte)),
  }
}

/** A pair is read as one number, its first byte the lower one. */
function makePairs(isSpecial: (byte: number) => boolean): Uint8Array {
  const bytes = Array.from({ length: 256 }, (_, byte) => byte)
  const [beforePlain, beforeSpecial] = [0, 1].map((otherwise) =>
    Uint8Array.from(bytes, (byte) => (isSpecial(byte) ? 2 : otherwise)),
  )
  const pairs = new Uint8Array(65_536)
  for (const byte of bytes) pairs.set((isSpecial(byte) ? beforeSpecial : beforePlain) ?? [], byte << 8)
  return pairs
}

/** Where the next row begins; -1 for a row that is to be read the ordinary way. There is a line feed behind `start`. */
export function scanRow(scan: RowScan, scanner: Scanner, start: number): number {
  const { columns, delimiter, bytes } = scanner
  const { kinds } = columns
  const { starts } = scan
  const last = kinds.length - 1
  scan.partCount = 0
  scan.innerLines = 0
  let at = start
  for (let column = 0; column <= last; column += 1) {
    starts[column] = at
    at = scanField(scan, scanner, column, at)
    if (at < 0) return -1
    if (column === last) break
    if (bytes[at] !== delimiter) return -1
    at += 1
  }
  scan.eolLength = bytes[at] === LF ? 1 : bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0
  // an empty line is none
  if (scan.eolLength === 0 || at === start) return -1
  starts[last + 1] = at + 1
  return at + scan.eolLength
}

function scanField(scan: RowScan, scanner: Scanner, column: number, start: number): number {
  const kind = scanner.columns.kinds[column]
  if (kind === GL) return scanGl(scan, scanner, column, start)
  const isQuoted = scanner.bytes[start] === scanner.quote
  if (kind === SKIP)
    return isQuoted ? skipQuoted(scan, scanner, start) : readPlain(scan, scanner.view, scanner.pairs, start)
  return isQuoted || kind !== CELL ? -1 : scanCell(scan, scanner, column, start)
}

/** -1 when its closing quote is not the end of the field, or not there. */
function skipQuoted(scan: RowScan, { quote, bytes, end }: Scanner, start: number): number {
  for (let at = start + 1; at < end; at += 1) {
    const byte = bytes[at]
    if (byte === LF) scan.innerLines += 1
    if (byte !== quote) continue
    if (bytes[at + 1] !== quote) return at + 1
    at += 1
  }
  return -1
}

function scanCell(scan: RowScan, scanner: Scanner, column: number, start: number): number {
  const { table, columns, view, pairs } = scanner
  scan.hash = columns.seeds[column] ?? 0
  const end = readPlain(scan, view, pairs, start)
  const known = findTyping(table, scan.hash, start, end - start)
  const record = known > 0 ? known : scanner.add(scan.hash, column, start, end)
  scan.entries[column] = record
  return table.records[record + KIND] === ODD ? -1 : end
}

function scanGl(scan: RowScan, scanner: Scanner, column: number, start: number): number {
  const { table, columns, view, glPairs, bytes } = scanner
  const { parts, operators } = scan
  const seed = columns.seeds[column] ?? 0
  const first = scan.partCount
  let count = first
  let operator = 0
  for (let at = start; ; at += 1) {
    scan.hash = seed
    const end = readPlain(scan, view, glPairs, at)
    const byte = bytes[end] ?? 0
    const isMore = byte === PLUS || byte === CARET
    if (count >= MOST_PARTS || !(isMore || byte === scanner.delimiter || byte === LF || byte === CR))
      return -1
    const known = findTyping(table, scan.hash, at, end - at)
    const record = known > 0 ? known : scanner.add(scan.hash, column, at, end)
    if (table.records[record + KIND] === ODD) return -1
    parts[count] = record
    operators[count] = operator
    count += 1
    at = end
    operator = byte
    if (isMore) continue
    scan.entries[column] = first
    scan.counts[column] = count - first
    scan.partCount = count
    return end
  }
}

/** Where the plain bytes from `start` on end; `scan.hash` goes on over them, four at a time. */
function readPlain(scan: RowScan, view: DataView, pairs: Uint8Array, start: number): number {
  let { hash } = scan
  let at = start
  let word = view.getInt32(at, true)
  while (((pairs[word & 0xffff] ?? 0) | (pairs[word >>> 16] ?? 0)) === 0) {
    hash = mixed(hash, word)
    at += 4
    word = view.getInt32(at, true)
  }
  const left = pairs[word & 0xffff] ?? 0
  const more = left > 0 ? 2 - left : 4 - (pairs[word >>> 16] ?? 0)
  if (more > 0) hash = mixed(hash, word & ((1 << (more << 3)) - 1))
  scan.hash = hash
  return at + more
}

/** A product moves bits upwards only: they are brought back down. */
function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1)
  return product ^ (product >>> 15)
}
