/** Rows of plain bytes: where their fields begin, and the typings in them, looked up. */
import { assured } from '../../errors.ts'
import { CELL, GL, SKIP } from './column-kinds.ts'
import { KIND, ODD } from './memory/typing-record.ts'
import { fetchTypings, findTyping } from './memory/typing-table.ts'
import { CR, LF, readPlain } from './plain-bytes.ts'
import {
  CARET,
  MANY_TYPINGS,
  MOST_PARTS,
  MOST_ROWS,
  PLUS,
  type RowsAhead,
  type RowScan,
  type Scanner,
} from './row-scan.ts'

/** The row at `start`; undefined for one that is to be read the ordinary way. There is a line feed behind `start`. */
export function scanRow(scanner: Scanner, start: number): RowScan | undefined {
  return scanner.isFar ? scanFarRow(scanner, start) : scanNearRow(scanner, start)
}

function scanNearRow(scanner: Scanner, start: number): RowScan | undefined {
  const { ahead } = scanner
  const row = assured(ahead.rows[0], 'there are places for one row')
  ahead.count = 0
  row.next = scanFields(row, scanner, start)
  return row.next < 0 ? undefined : row
}

function scanFarRow(scanner: Scanner, start: number): RowScan | undefined {
  const { ahead } = scanner
  if (ahead.at >= ahead.size || ahead.rows[ahead.at]?.start !== start) readAhead(scanner, start)
  const row = ahead.rows[ahead.at]
  ahead.at += 1
  return row !== undefined && row.next >= 0 && findTypings(row, scanner) ? row : undefined
}

/** At least one row. */
function readAhead(scanner: Scanner, start: number): void {
  const { ahead, end } = scanner
  ahead.count = 0
  let size = 0
  for (let at = start; at >= 0 && at < end && size < MOST_ROWS && ahead.count < MANY_TYPINGS; size += 1) {
    const row = ahead.rows[size]
    if (row === undefined) break
    row.start = at
    row.first = ahead.count
    at = row.next = scanFields(row, scanner, at)
  }
  ahead.size = size
  ahead.at = 0
  fetchTypings(scanner.table, ahead)
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
  // an empty line is none
  if (row.eolLength === 0 || at === start) return -1
  starts[last + 1] = at + 1
  return at + row.eolLength
}

function scanField(row: RowScan, scanner: Scanner, column: number, start: number): number {
  const kind = scanner.columns.kinds[column]
  if (kind === GL) return scanGl(row, scanner, column, start)
  const isQuoted = scanner.bytes[start] === scanner.quote
  if (kind === SKIP)
    return isQuoted ? skipQuoted(row, scanner, start) : readPlain(scanner, scanner.pairs, start)
  return isQuoted || kind !== CELL ? -1 : scanCell(row, scanner, column, start)
}

/** -1 when its closing quote is not the end of the field, or not there. */
function skipQuoted(row: RowScan, { quote, bytes, end }: Scanner, start: number): number {
  for (let at = start + 1; at < end; at += 1) {
    const byte = bytes[at]
    if (byte === LF) row.innerLines += 1
    if (byte !== quote) continue
    if (bytes[at + 1] !== quote) return at + 1
    at += 1
  }
  return -1
}

function scanCell(row: RowScan, scanner: Scanner, column: number, start: number): number {
  const { columns, pairs, ahead } = scanner
  scanner.hash = columns.seeds[column] ?? 0
  const end = readPlain(scanner, pairs, start)
  if (scanner.isFar) {
    addWanted(ahead, scanner.hash, end)
    return end
  }
  const record = findRecord(scanner, column, start, end)
  row.entries[column] = record
  return isOdd(scanner, record) ? -1 : end
}

function scanGl(row: RowScan, scanner: Scanner, column: number, start: number): number {
  return scanner.isFar ? scanFarGl(row, scanner, column, start) : scanNearGl(row, scanner, column, start)
}

function scanNearGl(row: RowScan, scanner: Scanner, column: number, start: number): number {
  const { table, columns, glPairs, bytes, ahead, delimiter } = scanner
  const { parts, operators } = row
  const seed = columns.seeds[column] ?? 0
  const first = ahead.count
  let count = first
  let operator = 0
  for (let at = start; ; at += 1) {
    scanner.hash = seed
    const end = readPlain(scanner, glPairs, at)
    const byte = bytes[end] ?? 0
    const isMore = byte === PLUS || byte === CARET
    if (count >= MOST_PARTS || !(isMore || byte === delimiter || byte === LF || byte === CR)) return -1
    const { hash } = scanner
    const known = findTyping(table, hash, at, end - at)
    const record = known > 0 ? known : scanner.add(hash, column, at, end)
    if (table.records[record + KIND] === ODD) return -1
    parts[count] = record
    operators[count] = operator
    count += 1
    at = end
    operator = byte
    if (isMore) continue
    row.entries[column] = first
    row.counts[column] = count - first
    ahead.count = count
    return end
  }
}

/** What is looked up when more rows were read. */
function scanFarGl(row: RowScan, scanner: Scanner, column: number, start: number): number {
  const { columns, glPairs, bytes, ahead, delimiter } = scanner
  const seed = columns.seeds[column] ?? 0
  const first = ahead.count
  let operator = 0
  for (let at = start; ; at += 1) {
    scanner.hash = seed
    const end = readPlain(scanner, glPairs, at)
    const byte = bytes[end] ?? 0
    const isMore = byte === PLUS || byte === CARET
    const { count } = ahead
    if (count - row.first >= MOST_PARTS) return -1
    if (!(isMore || byte === delimiter || byte === LF || byte === CR)) return -1
    row.operators[count] = operator
    addWanted(ahead, scanner.hash, end)
    at = end
    operator = byte
    if (isMore) continue
    row.entries[column] = first
    row.counts[column] = count + 1 - first
    return end
  }
}

function addWanted(ahead: RowsAhead, hash: number, end: number): void {
  const at = ahead.count
  ahead.hashes[at] = hash
  ahead.ends[at] = end
  ahead.count = at + 1
}

/** The records of the row's typings; false: one of them is for the ordinary conversion. */
function findTypings(row: RowScan, scanner: Scanner): boolean {
  const { columns, ahead } = scanner
  const { starts, entries, counts, parts } = row
  const { kinds } = columns
  let at = row.first
  for (let column = 0; column < kinds.length; column += 1) {
    const kind = kinds[column]
    if (kind === SKIP) continue
    const next = at + (kind === GL ? (counts[column] ?? 0) : 1)
    for (let start = starts[column] ?? 0; at < next; at += 1) {
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

/** Of the typing with the hash that was read last. */
function findRecord({ table, hash, add }: Scanner, column: number, start: number, end: number): number {
  const known = findTyping(table, hash, start, end - start)
  return known > 0 ? known : add(hash, column, start, end)
}

function isOdd({ table }: Scanner, record: number): boolean {
  return table.records[record + KIND] === ODD
}
