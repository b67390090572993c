/** Puts the results of a GL String's typings together in bytes, in the order the engine has (`engine/redux.ts`). */
import { orderParts, parsePart } from '../../nomenclature/order.ts'
import { type OutputBytes, outputBytes, putByte, putRange } from './memory/byte-buffers.ts'
import { CARET, PLUS, type RowScan } from './scan-row.ts'
import { BY_TEXT, KIND, NAMES, PLAIN, resultOffset, TEXT, TEXT_SIZE } from './memory/typing-record.ts'
import { readRank, type TypingTable } from './memory/typing-table.ts'

/** Whether what is here can be put together here: one or two plain typings a locus, and not too many names. */
export function isComposable(scan: RowScan, column: number, table: TypingTable, limit: number): boolean {
  const { parts, operators } = scan
  const { records } = table
  const first = scan.entries[column] ?? 0
  const end = first + (scan.counts[column] ?? 0)
  let names = 0
  let singles = 0
  for (let at = first; at < end; at += 1) {
    const record = parts[at] ?? 0
    if (records[record + KIND] !== PLAIN) return false
    names += records[record + NAMES] ?? 0
    const isSecond = operators[at] === PLUS
    const isFirst = at + 1 < end && operators[at + 1] === PLUS
    if (isSecond && isFirst) return false
    // single names among genotypes have an order of their own
    if (!isSecond && !isFirst && isName(table, record)) singles += 1
  }
  return names <= limit && (singles === 0 || end - first === 1)
}

function isName(table: TypingTable, record: number): boolean {
  for (let method = 0; method < table.methods; method += 1)
    if (readRank(table, resultOffset(record, method)) !== BY_TEXT) return true
  return false
}

/** Genotypes of one cell as they are put in order: the results of one typing or of two, the second being 0. */
export interface Composer {
  readonly firsts: Int32Array
  readonly seconds: Int32Array
  /** For genotypes that begin alike. */
  readonly texts: OutputBytes
}

const MOST_GENOTYPES = 256

export function newComposer(): Composer {
  return {
    firsts: new Int32Array(MOST_GENOTYPES),
    seconds: new Int32Array(MOST_GENOTYPES),
    texts: outputBytes(4 * 1024),
  }
}

export interface GlEncoder {
  readonly scan: RowScan
  readonly table: TypingTable
  readonly composer: Composer
}

/** The cell of `column` for the method, of a row whose cell is composable. */
export function putGl(out: OutputBytes, encoder: GlEncoder, column: number, method: number): void {
  const { firsts, seconds } = encoder.composer
  const count = orderGenotypes(encoder, column, method)
  for (let at = 0; at < count; at += 1) {
    if (at > 0) putByte(out, CARET)
    putResult(out, encoder.table, firsts[at] ?? 0)
    const second = seconds[at] ?? 0
    if (second === 0) continue
    putByte(out, PLUS)
    putResult(out, encoder.table, second)
  }
}

export function putResult(out: OutputBytes, { records, view }: TypingTable, result: number): void {
  putRange(out, view, records[result + TEXT] ?? 0, records[result + TEXT_SIZE] ?? 0)
}

/** How many different genotypes there are. */
function orderGenotypes({ scan, table, composer }: GlEncoder, column: number, method: number): number {
  const { parts, operators } = scan
  const first = scan.entries[column] ?? 0
  const end = first + (scan.counts[column] ?? 0)
  let count = 0
  for (let at = first; at < end; at += 1) {
    const one = resultOffset(parts[at] ?? 0, method)
    if (at + 1 < end && operators[at + 1] === PLUS) {
      at += 1
      const other = resultOffset(parts[at] ?? 0, method)
      const isInOrder = one === other || isBefore(table, one, other)
      composer.firsts[count] = isInOrder ? one : other
      composer.seconds[count] = isInOrder ? other : one
    } else {
      composer.firsts[count] = one
      composer.seconds[count] = 0
    }
    count += insertLast(composer, table, count)
  }
  return count
}

/** Not behind the other, in the order of `sortParts`. */
function isBefore(table: TypingTable, one: number, other: number): boolean {
  const [a, b] = [readRank(table, one), readRank(table, other)]
  if (a >= 0 && b >= 0 && a !== b) return a < b
  // neither is a list: names without a rank
  if (a !== BY_TEXT && b !== BY_TEXT && a !== b) return isNameBefore(table, one, other)
  return compareResults(table, one, other) <= 0
}

function isNameBefore(table: TypingTable, one: number, other: number): boolean {
  const parts = [one, other].map((result) => parsePart(readResult(table, result)))
  const [first] = parts
  return orderParts(parts)[0] === first
}

function readResult({ records, bytes }: TypingTable, result: number): string {
  const start = records[result + TEXT] ?? 0
  return bytes.toString('latin1', start, start + (records[result + TEXT_SIZE] ?? 0))
}

function compareResults({ records, view }: TypingTable, one: number, other: number): number {
  const [x, y] = [records[one + TEXT] ?? 0, records[other + TEXT] ?? 0]
  const [xSize, ySize] = [records[one + TEXT_SIZE] ?? 0, records[other + TEXT_SIZE] ?? 0]
  return compareRanges(view, x, y, Math.min(xSize, ySize)) || xSize - ySize
}

/** Puts the last genotype, number `count`, in its place among the others. 0 when it is there already, else 1. */
function insertLast(composer: Composer, table: TypingTable, count: number): number {
  const { firsts, seconds } = composer
  const first = firsts[count] ?? 0
  const second = seconds[count] ?? 0
  let to = count
  while (to > 0) {
    const order = compareGenotypes(composer, table, to - 1, count)
    if (order === 0) return 0
    if (order < 0) break
    to -= 1
  }
  for (let at = count; at > to; at -= 1) {
    firsts[at] = firsts[at - 1] ?? 0
    seconds[at] = seconds[at - 1] ?? 0
  }
  firsts[to] = first
  seconds[to] = second
  return 1
}

/** Genotypes are ordered by their text; mostly its begin, the locus, decides. */
function compareGenotypes(composer: Composer, table: TypingTable, one: number, other: number): number {
  const { firsts, texts } = composer
  const difference = readHead(table, firsts[one] ?? 0) - readHead(table, firsts[other] ?? 0)
  if (difference !== 0 && !Number.isNaN(difference)) return difference
  texts.size = 0
  putGenotype(composer, table, one)
  const end = texts.size
  putGenotype(composer, table, other)
  const size = texts.size - end
  return compareRanges(texts.view, 0, end, Math.min(end, size)) || end - size
}

/** The first four bytes, ordered as texts are; NaN for a shorter text. */
function readHead({ records, view }: TypingTable, result: number): number {
  return (records[result + TEXT_SIZE] ?? 0) < 4 ? Number.NaN : view.getInt32(records[result + TEXT] ?? 0)
}

function putGenotype({ firsts, seconds, texts }: Composer, table: TypingTable, at: number): void {
  putResult(texts, table, firsts[at] ?? 0)
  if (seconds[at] === 0) return
  putByte(texts, PLUS)
  putResult(texts, table, seconds[at] ?? 0)
}

/** Of two texts in ASCII: where they differ first, below 0 when the one at `x` comes first. */
function compareRanges(view: DataView, x: number, y: number, length: number): number {
  let at = 0
  for (; at + 4 <= length; at += 4) {
    const difference = view.getInt32(x + at) - view.getInt32(y + at)
    if (difference !== 0) return difference
  }
  for (; at < length; at += 1) {
    const difference = view.getUint8(x + at) - view.getUint8(y + at)
    if (difference !== 0) return difference
  }
  return 0
}
