/** Composes the results of a GL String's typings as bytes, in the engine's order (`engine/redux.ts`). */
import { type OutputBytes, outputBytes, putByte, putRange } from './memory/byte-buffers.ts'
import { CARET, PLUS, type RowScan } from './scan-row.ts'
import {
  BY_TEXT,
  KEY_SIZE,
  KIND,
  NAMES,
  PLAIN,
  TEXT,
  TEXT_SIZE,
  type TypingTable,
  keyOffset,
  readRank,
  resultOffset,
} from './memory/typing-table.ts'
import { orderParts, parsePart } from '../../nomenclature/order.ts'

/**
 * True when the cell can be composed here: genotypes of one or two plain typings of one locus, all with or all without
 * `HLA-`, and not too many names.
 */
export function isComposable(scan: RowScan, column: number, table: TypingTable, limit: number): boolean {
  const { parts, operators } = scan
  const { records } = table
  const first = scan.entries[column] ?? 0
  const end = first + (scan.counts[column] ?? 0)
  const isPrefixed = hasPrefix(table, parts[first] ?? 0)
  let names = 0
  for (let at = first; at < end; at += 1) {
    const record = parts[at] ?? 0
    if (records[record + KIND] !== PLAIN || hasPrefix(table, record) !== isPrefixed) return false
    names += records[record + NAMES] ?? 0
    if (operators[at] !== PLUS) continue
    if (at + 1 < end && operators[at + 1] === PLUS) return false
    if (at > first && !isOneLocus(table, parts[at - 1] ?? 0, record)) return false
  }
  return names <= limit
}

/** `HLA-` */
const PREFIX = 0x484c412d

function hasPrefix({ records, view, methods }: TypingTable, record: number): boolean {
  return (records[record + KEY_SIZE] ?? 0) > 4 && view.getUint32(keyOffset(record, methods)) === PREFIX
}

const STAR = 0x2a

/** True when two typings certainly belong to one locus; otherwise the engine decides whether the pair mixes loci. */
function isOneLocus({ records, view, methods }: TypingTable, one: number, other: number): boolean {
  const [from, to] = [keyOffset(one, methods), keyOffset(other, methods)]
  const size = Math.min(records[one + KEY_SIZE] ?? 0, records[other + KEY_SIZE] ?? 0)
  for (let at = 0; at < size; at += 1) {
    const [byte, beside] = [view.getUint8(from + at), view.getUint8(to + at)]
    if (byte === beside ? byte === STAR : !(isOfDrb345(view, from + at) && isOfDrb345(view, to + at)))
      return byte === beside || (isAfterLocus(byte) && isAfterLocus(beside) && isLocus(view, from, at))
  }
  return false
}

/** True for a star, or a digit of an antigen. */
function isAfterLocus(byte: number): boolean {
  return byte === STAR || (byte >= 0x30 && byte <= 0x39)
}

/** `A`, `B`, `Cw` and `DQ`, whose antigens belong to one locus. */
function isLocus(view: DataView, from: number, size: number): boolean {
  if (size === 1) return view.getUint8(from) === 0x41 || view.getUint8(from) === 0x42
  return size === 2 && (view.getUint16(from) === 0x4377 || view.getUint16(from) === 0x4451)
}

/** True for the digit of DRB3, DRB4 or DRB5, which replace each other; `DRB` precedes it. */
function isOfDrb345(view: DataView, at: number): boolean {
  const digit = view.getUint8(at)
  return digit >= 0x33 && digit <= 0x35 && at >= 4 && (view.getUint32(at - 4) & 0xffffff) === 0x445242
}

/** Genotypes while sorted: the results of one typing or of two, with 0 for no second. Single names start at SINGLES. */
export interface Composer {
  readonly firsts: Int32Array
  readonly seconds: Int32Array
  /** Number of genotypes ordered by text, and of single names. */
  compounds: number
  singles: number
  /** Texts of genotypes with equal beginnings, for comparison. */
  readonly texts: OutputBytes
}

export const MAX_GENOTYPES = 256
const SINGLES = MAX_GENOTYPES

export function newComposer(): Composer {
  return {
    firsts: new Int32Array(SINGLES + MAX_GENOTYPES),
    seconds: new Int32Array(SINGLES + MAX_GENOTYPES),
    compounds: 0,
    singles: 0,
    texts: outputBytes(4 * 1024),
  }
}

export interface GlEncoder {
  readonly scan: RowScan
  readonly table: TypingTable
  readonly composer: Composer
}

/** Writes the cell of `column` for the method; the cell must be composable. */
export function putGl(out: OutputBytes, encoder: GlEncoder, column: number, method: number): void {
  const { scan, table, composer } = encoder
  const { parts, operators } = scan
  const first = scan.entries[column] ?? 0
  const end = first + (scan.counts[column] ?? 0)
  clearGenotypes(composer)
  for (let at = first; at < end; at += 1) {
    const one = resultOffset(parts[at] ?? 0, method)
    if (at + 1 < end && operators[at + 1] === PLUS) {
      at += 1
      insertPair(composer, table, one, resultOffset(parts[at] ?? 0, method))
    } else addGenotype(composer, table, one, 0)
  }
  putGenotypes(out, encoder)
}

export function clearGenotypes(composer: Composer): void {
  composer.compounds = 0
  composer.singles = 0
}

/** Adds a genotype of one result (`other` is 0) or two, unless it is present. */
export function addGenotype(composer: Composer, table: TypingTable, one: number, other: number): void {
  if (other > 0) insertPair(composer, table, one, other)
  else if (readRank(table, one) === BY_TEXT) insertCompound(composer, table, one, 0)
  else insertSingle(composer, table, one)
}

function insertPair(composer: Composer, table: TypingTable, one: number, other: number): void {
  if (one === other || isBefore(table, one, other)) insertCompound(composer, table, one, other)
  else insertCompound(composer, table, other, one)
}

/** Single names are ordered by their numbers, others by text, and the two lists merged by text (`sortParts`). */
export function putGenotypes(out: OutputBytes, encoder: Pick<GlEncoder, 'composer' | 'table'>): void {
  const { composer, table } = encoder
  const { compounds, singles } = composer
  if (singles === 0) {
    putCompounds(out, encoder)
    return
  }
  let single = 0
  for (let at = 0; at < compounds; at += 1) {
    while (single < singles && compareGenotypes(composer, table, SINGLES + single, at) < 0) {
      if (at + single > 0) putByte(out, CARET)
      putGenotype(out, encoder, SINGLES + single)
      single += 1
    }
    if (at + single > 0) putByte(out, CARET)
    putGenotype(out, encoder, at)
  }
  for (; single < singles; single += 1) {
    if (compounds + single > 0) putByte(out, CARET)
    putGenotype(out, encoder, SINGLES + single)
  }
}

/** The usual case. */
function putCompounds(out: OutputBytes, { composer, table }: Pick<GlEncoder, 'composer' | 'table'>): void {
  const { firsts, seconds, compounds } = composer
  for (let at = 0; at < compounds; at += 1) {
    if (at > 0) putByte(out, CARET)
    putResult(out, table, firsts[at] ?? 0)
    const second = seconds[at] ?? 0
    if (second === 0) continue
    putByte(out, PLUS)
    putResult(out, table, second)
  }
}

export function putResult(out: OutputBytes, { records, view }: TypingTable, result: number): void {
  putRange(out, view, records[result + TEXT] ?? 0, records[result + TEXT_SIZE] ?? 0)
}

function insertSingle(composer: Composer, table: TypingTable, single: number): void {
  const { firsts, singles } = composer
  let to = SINGLES + singles
  while (to > SINGLES && !isBefore(table, firsts[to - 1] ?? 0, single)) to -= 1
  if (to > SINGLES && isBefore(table, single, firsts[to - 1] ?? 0)) return
  firsts.copyWithin(to + 1, to, SINGLES + singles)
  firsts[to] = single
  composer.seconds[SINGLES + singles] = 0
  composer.singles += 1
}

/** Inserts a genotype in order, unless it is present. */
function insertCompound(composer: Composer, table: TypingTable, first: number, second: number): void {
  const { firsts, seconds, compounds: count } = composer
  firsts[count] = first
  seconds[count] = second
  let to = count
  while (to > 0) {
    const order = compareGenotypes(composer, table, to - 1, count)
    if (order === 0) return
    if (order < 0) break
    to -= 1
  }
  composer.compounds = count + 1
  if (to === count) return
  for (let at = count; at > to; at -= 1) {
    firsts[at] = firsts[at - 1] ?? 0
    seconds[at] = seconds[at - 1] ?? 0
  }
  firsts[to] = first
  seconds[to] = second
}

/** Genotypes are ordered by text; usually the locus at its beginning decides. */
function compareGenotypes(composer: Composer, table: TypingTable, one: number, other: number): number {
  const { firsts, texts } = composer
  const difference = readHead(table, firsts[one] ?? 0) - readHead(table, firsts[other] ?? 0)
  if (difference !== 0 && !Number.isNaN(difference)) return difference
  texts.size = 0
  putGenotype(texts, { composer, table }, one)
  const end = texts.size
  putGenotype(texts, { composer, table }, other)
  const size = texts.size - end
  return compareRanges(texts.view, 0, end, Math.min(end, size)) || end - size
}

function putGenotype(
  out: OutputBytes,
  { composer: { firsts, seconds }, table }: Pick<GlEncoder, 'composer' | 'table'>,
  at: number,
): void {
  putResult(out, table, firsts[at] ?? 0)
  if (seconds[at] === 0) return
  putByte(out, PLUS)
  putResult(out, table, seconds[at] ?? 0)
}

/** True when `one` precedes or equals `other` in the order of `sortParts`. */
export function isBefore(table: TypingTable, one: number, other: number): boolean {
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

/** First four bytes as a number in text order; NaN for a shorter text. */
function readHead({ records, view }: TypingTable, result: number): number {
  return (records[result + TEXT_SIZE] ?? 0) < 4 ? Number.NaN : view.getInt32(records[result + TEXT] ?? 0)
}

/** Compares two ASCII texts; negative when the one at `x` sorts first. */
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
