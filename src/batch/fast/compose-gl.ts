/** Puts the results of a GL String's typings together in bytes, in the order the engine has (`engine/redux.ts`). */
import { orderParts } from '../../nomenclature/order.ts'
import { type OutputBytes, outputBytes, putByte, putRange } from './output-bytes.ts'
import { CARET, PLUS, type RowScan } from './scan-row.ts'
import { PLAIN, type TypingTable } from './typing-table.ts'

/** Whether what is here can be put together here: one or two plain typings a locus, and not too many names. */
export function isComposable(scan: RowScan, column: number, table: TypingTable, limit: number): boolean {
  const first = scan.entries[column] ?? 0
  const end = first + (scan.counts[column] ?? 0)
  if (end - first === 1) return true
  let names = 0
  let carets = 0
  for (let at = first; at < end; at += 1) {
    if (table.kinds[scan.parts[at] ?? 0] !== PLAIN) return false
    names += table.entries[scan.parts[at] ?? 0]?.names ?? 0
    const isSecond = scan.operators[at] === PLUS
    if (isSecond && at > first && scan.operators[at - 1] === PLUS) return false
    if (scan.operators[at] === CARET) carets += 1
  }
  return names <= limit && (carets === 0 || hasNoSingleName(scan, first, end, table))
}

/** Single names among genotypes have an order of their own. */
function hasNoSingleName(scan: RowScan, first: number, end: number, table: TypingTable): boolean {
  for (let at = first; at < end; at += 1) {
    if (scan.operators[at] === PLUS || (at + 1 < end && scan.operators[at + 1] === PLUS)) continue
    const parts = table.entries[scan.parts[at] ?? 0]?.parts ?? []
    if (parts.some(({ key }) => key !== undefined)) return false
  }
  return true
}

export interface Composer {
  readonly genotypes: OutputBytes
  readonly starts: Int32Array
  readonly ends: Int32Array
}

const MOST_GENOTYPES = 256

export function newComposer(): Composer {
  const lists = { starts: new Int32Array(MOST_GENOTYPES), ends: new Int32Array(MOST_GENOTYPES) }
  return { genotypes: outputBytes(4 * 1024), ...lists }
}

/** The cell of `column` for the method, of a row whose cell is composable. */
export function putGl(
  out: OutputBytes,
  { scan, table, composer }: { scan: RowScan; table: TypingTable; composer: Composer },
  column: number,
  method: number,
): void {
  const first = scan.entries[column] ?? 0
  const end = first + (scan.counts[column] ?? 0)
  const { genotypes, starts, ends } = composer
  genotypes.size = 0
  let count = 0
  for (let at = first; at < end; at += 1) {
    const from = genotypes.size
    if (at + 1 < end && scan.operators[at + 1] === PLUS) {
      putPair(genotypes, table, [scan.parts[at] ?? 0, scan.parts[at + 1] ?? 0], method)
      at += 1
    } else putResult(genotypes, table, scan.parts[at] ?? 0, method)
    count = insert(composer, count, from)
  }
  for (let at = 0; at < count; at += 1) {
    if (at > 0) putByte(out, CARET)
    putRange(out, genotypes.bytes, starts[at] ?? 0, ends[at] ?? 0)
  }
}

export function putResult(out: OutputBytes, table: TypingTable, entry: number, method: number): void {
  const at = entry * table.methods + method
  putRange(out, table.texts.bytes, table.resultStarts[at] ?? 0, table.resultEnds[at] ?? 0)
}

function putPair(
  out: OutputBytes,
  table: TypingTable,
  [one, two]: readonly [number, number],
  method: number,
): void {
  const isInOrder = one === two || isBefore(table, one, two, method)
  putResult(out, table, isInOrder ? one : two, method)
  putByte(out, PLUS)
  putResult(out, table, isInOrder ? two : one, method)
}

function isBefore({ entries }: TypingTable, one: number, two: number, method: number): boolean {
  const a = entries[one]?.parts[method]
  const b = entries[two]?.parts[method]
  return a === undefined || b === undefined || orderParts([a, b])[0] === a
}

/** Puts the last genotype in its place among the first `count`, unless it is there already. */
function insert({ genotypes, starts, ends }: Composer, count: number, from: number): number {
  const { bytes, size } = genotypes
  let to = count
  while (to > 0) {
    const order = compareRanges(bytes, [starts[to - 1] ?? 0, ends[to - 1] ?? 0], [from, size])
    if (order === 0) return count
    if (order < 0) break
    to -= 1
  }
  for (let at = count; at > to; at -= 1) {
    starts[at] = starts[at - 1] ?? 0
    ends[at] = ends[at - 1] ?? 0
  }
  starts[to] = from
  ends[to] = size
  return count + 1
}

type Range = readonly [start: number, end: number]

function compareRanges(bytes: Uint8Array, [x, xEnd]: Range, [y, yEnd]: Range): number {
  const length = Math.min(xEnd - x, yEnd - y)
  for (let at = 0; at < length; at += 1) {
    const difference = (bytes[x + at] ?? 0) - (bytes[y + at] ?? 0)
    if (difference !== 0) return difference
  }
  return xEnd - x - (yEnd - y)
}
