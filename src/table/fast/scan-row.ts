/** Scans rows of bytes: offsets of their fields, and look-up of their typings. */
import { type ColumnKinds, GL, SKIP } from './column-kinds.ts'
import {
  KIND,
  ODD,
  type TypingTable,
  type WantedTypings,
  fetchTypings,
  findTyping,
} from './memory/typing-table.ts'

export interface RowScan {
  /** Offset of each column, then the offset after the row. A field ends one byte before the next begins. */
  readonly starts: Int32Array
  /** Per column: 1 when the typings of a CELL or GL are quoted, else 0. */
  readonly insets: Uint8Array
  /** Per column: record of a CELL, first part of a GL. */
  readonly entries: Int32Array
  /** Per column: number of parts of a GL. */
  readonly counts: Int32Array
  /** Records of the typings in GL Strings. */
  readonly parts: Int32Array
  /** Operator before each part; 0 for the first of a column. */
  readonly operators: Uint8Array
  /** Index of its first typing among those read ahead. */
  first: number
  start: number
  /** Offset of the next row; -1 for a row to read the ordinary way. */
  next: number
  /** Bytes of the row's end: 1 or 2. */
  eolLength: number
  /** Line feeds inside quoted fields. */
  innerLines: number
}

/** Rows scanned before their typings are looked up. */
export interface RowsAhead extends WantedTypings {
  readonly rows: readonly RowScan[]
  /** Number of rows scanned, and index of the next. */
  size: number
  at: number
  /** End of each typing of a GL. */
  readonly ends: Int32Array
}

export interface Scanner extends BytePairs, PlainReader {
  readonly columns: ColumnKinds
  readonly delimiter: number
  readonly quote: number
  readonly table: TypingTable
  /** Makes a record for the typing with the hash. */
  readonly add: (hash: number, column: number, start: number, end: number) => number
  readonly ahead: RowsAhead
  /** True when the table is outside the cache: typings of several rows are then looked up together. */
  isFar: boolean
  /** Bytes being read; `view` covers the same bytes, and SLACK follows `end`. */
  bytes: Uint8Array
  end: number
}

/** Maximum parts in the GL Strings of a row. */
const MAX_PARTS = 256
/** Rows read ahead; a processor handles about a dozen memory accesses at once, so more brings nothing. */
const MAX_ROWS = 16
const MANY_TYPINGS = 64
export const PLUS = 43
export const CARET = 94

export function rowsAhead(width: number): RowsAhead {
  const most = MANY_TYPINGS + MAX_PARTS + width
  const [parts, operators] = [new Int32Array(most), new Uint8Array(most)]
  const places = { first: 0, start: 0, next: -1, eolLength: 0, innerLines: 0 }
  const row = () => ({
    starts: new Int32Array(width + 1),
    insets: new Uint8Array(width),
    entries: new Int32Array(width),
    counts: new Int32Array(width),
    parts,
    operators,
    ...places,
  })
  return {
    rows: Array.from({ length: MAX_ROWS }, row),
    size: 0,
    at: 0,
    count: 0,
    hashes: new Int32Array(most),
    slots: new Int32Array(most),
    ends: new Int32Array(most),
    fetched: 0,
  }
}

/** Scans the row at `start`; undefined when it must be read the ordinary way. A line feed must follow `start`. */
export function scanRow(scanner: Scanner, start: number): RowScan | undefined {
  const { ahead, isFar } = scanner
  if (!isFar || ahead.at >= ahead.size || ahead.rows[ahead.at]?.start !== start)
    readAhead(scanner, start, isFar ? MAX_ROWS : 1)
  const row = ahead.rows[ahead.at]
  ahead.at += 1
  return row !== undefined && row.next >= 0 && (!isFar || findTypings(row, scanner)) ? row : undefined
}

/** Reads at least one row. */
function readAhead(scanner: Scanner, start: number, most: number): void {
  const { ahead, end } = scanner
  ahead.count = 0
  let size = 0
  for (let at = start; at >= 0 && at < end && size < most && ahead.count < MANY_TYPINGS; size += 1) {
    const row = ahead.rows[size]
    if (row === undefined) break
    row.start = at
    row.first = ahead.count
    at = row.next = scanFields(row, scanner, at)
  }
  ahead.size = size
  ahead.at = 0
  if (scanner.isFar) fetchTypings(scanner.table, ahead)
}

function scanFields(row: RowScan, scanner: Scanner, start: number): number {
  const { columns, delimiter, bytes } = scanner
  const { kinds } = columns
  const { starts } = row
  const last = kinds.length - 1
  row.innerLines = 0
  let at = start
  for (let column = 0; column <= last; column += 1) {
    starts[column] = at
    at = scanField(row, scanner, column, at)
    if (at < 0) return -1
    if (column === last) break
    if (bytes[at] !== delimiter) return -1
    at += 1
  }
  row.eolLength = bytes[at] === LF ? 1 : bytes[at] === CR && bytes[at + 1] === LF ? 2 : 0
  // an empty line is not a row
  if (row.eolLength === 0 || at === start) return -1
  starts[last + 1] = at + 1
  return at + row.eolLength
}

/** Returns the offset after the field; -1 when the ordinary conversion must read it. */
function scanField(row: RowScan, scanner: Scanner, column: number, start: number): number {
  const { columns, bytes, quote, pairs } = scanner
  const kind = columns.kinds[column]
  const isQuoted = bytes[start] === quote
  if (kind === SKIP) return isQuoted ? skipQuoted(row, scanner, start) : readPlain(scanner, pairs, start)
  row.insets[column] = isQuoted ? 1 : 0
  return kind === GL ? scanGl(row, scanner, column, start) : scanCell(row, scanner, column, start)
}

/** Returns the offset after the closing quote; -1 when the quote does not end the field, or is missing. */
function skipQuoted(row: RowScan, scanner: Scanner, start: number): number {
  const { quote, quotedPairs, bytes, end } = scanner
  for (let at = start + 1; ; at += 1) {
    // the final line feed of these bytes stops it
    at = readPlain(scanner, quotedPairs, at)
    if (bytes[at] === LF) row.innerLines += 1
    if (at + 1 >= end) return -1
    if (bytes[at] !== quote) continue
    if (bytes[at + 1] !== quote) return at + 1
    at += 1
  }
}

function scanCell(row: RowScan, scanner: Scanner, column: number, start: number): number {
  const { columns, pairs, quotedPairs, ahead, bytes, quote } = scanner
  const inset = row.insets[column] ?? 0
  const from = start + inset
  scanner.hash = columns.seeds[column] ?? 0
  let end = from
  if (inset > 0) {
    end = readPlain(scanner, quotedPairs, from)
    if (!isClosing(scanner, end)) return -1
  } else if (bytes[start] === EQUALS && bytes[start + 1] === quote) {
    // `="01:01"`: the quotes belong to the text
    scanner.hash ^= FORMULA
    end = readPlain(scanner, pairs, start + 2)
    if (!isClosing(scanner, end)) return -1
    end += 1
  } else end = readPlain(scanner, pairs, from)
  if (scanner.isFar) {
    addWanted(ahead, scanner.hash, end)
    return end + inset
  }
  const record = findRecord(scanner, column, from, end)
  row.entries[column] = record
  return isOdd(scanner, record) ? -1 : end + inset
}

const EQUALS = 61
/** Distinguishes the hash of a formula from that of its quoted text. */
const FORMULA = 0x3d22

/** True for a quote that ends the field. */
function isClosing(scanner: Scanner, at: number): boolean {
  const { bytes, quote } = scanner
  return bytes[at] === quote && isFieldEnd(scanner, bytes[at + 1] ?? LF)
}

function scanGl(row: RowScan, scanner: Scanner, column: number, start: number): number {
  const { columns, glPairs, bytes, ahead, isFar } = scanner
  const { parts, operators } = row
  const seed = columns.seeds[column] ?? 0
  const inset = row.insets[column] ?? 0
  const first = ahead.count
  let operator = 0
  for (let at = start + inset; ; at += 1) {
    scanner.hash = seed
    const end = readPlain(scanner, glPairs, at)
    const byte = bytes[end] ?? 0
    const isMore = byte === PLUS || byte === CARET
    const { count } = ahead
    if (count - row.first >= MAX_PARTS) return -1
    if (!(isMore || (inset > 0 ? isClosing(scanner, end) : isFieldEnd(scanner, byte)))) return -1
    if (!isFar) {
      const record = findRecord(scanner, column, at, end)
      if (isOdd(scanner, record)) return -1
      parts[count] = record
    }
    operators[count] = operator
    if (isFar) addWanted(ahead, scanner.hash, end)
    else ahead.count = count + 1
    at = end
    operator = byte
    if (isMore) continue
    row.entries[column] = first
    row.counts[column] = count + 1 - first
    return end + inset
  }
}

function isFieldEnd({ delimiter }: Scanner, byte: number): boolean {
  return byte === delimiter || byte === LF || byte === CR
}

function addWanted(ahead: RowsAhead, hash: number, end: number): void {
  const at = ahead.count
  ahead.hashes[at] = hash
  ahead.ends[at] = end
  ahead.count = at + 1
}

/** Looks up the row's typings; false when one needs the ordinary conversion. */
function findTypings(row: RowScan, scanner: Scanner): boolean {
  const { columns, ahead } = scanner
  const { starts, insets, entries, counts, parts } = row
  const { kinds } = columns
  let at = row.first
  for (let column = 0; column < kinds.length; column += 1) {
    const kind = kinds[column]
    if (kind === SKIP) continue
    const next = at + (kind === GL ? (counts[column] ?? 0) : 1)
    for (let start = (starts[column] ?? 0) + (insets[column] ?? 0); at < next; at += 1) {
      const end = ahead.ends[at] ?? 0
      scanner.hash = ahead.hashes[at] ?? 0
      const record = findRecord(scanner, column, start, end)
      if (isOdd(scanner, record)) return false
      if (kind === GL) parts[at] = record
      else entries[column] = record
      start = end + 1
    }
  }
  return true
}

/** Record of the typing with the hash read last. */
function findRecord({ table, hash, add }: Scanner, column: number, start: number, end: number): number {
  const known = findTyping(table, hash, start, end - start)
  return known > 0 ? known : add(hash, column, start, end)
}

function isOdd({ table }: Scanner, record: number): boolean {
  return table.records[record + KIND] === ODD
}

const LF = 10
const CR = 13

interface BytePairs {
  /** Per byte pair: number of leading plain bytes, before one that ends a field or needs another look. */
  readonly pairs: Uint8Array
  /** The same table inside GL Strings. */
  readonly glPairs: Uint8Array
  /** The same table within quotes, where a delimiter is text. */
  readonly quotedPairs: Uint8Array
}

export function bytePairs(delimiter: number, quote: number): BytePairs {
  const ends = new Set([delimiter, quote, LF, CR])
  // codes, spaces, other operators and non-ASCII bytes are rare in GL Strings and left to the ordinary path
  const operators = new Set(Buffer.from('+^|~?#'))
  return {
    pairs: makePairs((byte) => ends.has(byte)),
    glPairs: makePairs((byte) => byte <= 32 || byte >= 127 || ends.has(byte) || operators.has(byte)),
    quotedPairs: makePairs((byte) => byte === quote || byte === LF || byte === CR),
  }
}

/** A pair is read as one number, first byte low. */
function makePairs(isSpecial: (byte: number) => boolean): Uint8Array {
  const special = Array.from({ length: 256 }, (_, byte) => isSpecial(byte))
  const beforeSpecial = Uint8Array.from(special, (is) => (is ? 2 : 1))
  const pairs = new Uint8Array(65_536)
  pairs.set(Uint8Array.from(special, (is) => (is ? 2 : 0)))
  // entries before a plain byte: copied, twice as many each time
  for (let size = 256; size < pairs.length; size *= 2) pairs.copyWithin(size, 0, size)
  for (let byte = 0; byte < 256; byte += 1) if (special[byte] === true) pairs.set(beforeSpecial, byte << 8)
  return pairs
}

interface PlainReader {
  /** Bytes being read. */
  view: DataView
  /** Hash of the bytes read last. */
  hash: number
}

/** Returns the end of the plain bytes from `start`; updates `reader.hash` over them, four bytes at a time. */
function readPlain(reader: PlainReader, pairs: Uint8Array, start: number): number {
  const { view } = reader
  let { hash } = reader
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
  reader.hash = hash
  return at + more
}

/** Products move bits upwards only, so they are mixed down again. */
function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1)
  return product ^ (product >>> 15)
}
