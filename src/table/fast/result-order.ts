/** The order of results in memory: by their ranks, or by their texts, as the engine has it (`nomenclature/order.ts`). */
import { orderParts, parsePart } from '../../nomenclature/order.ts'
import { BY_TEXT, TEXT, TEXT_SIZE } from './memory/typing-record.ts'
import { readRank, type TypingTable } from './memory/typing-table.ts'

/** Not behind the other, in the order of `sortParts`. */
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

/** The first four bytes, ordered as texts are; NaN for a shorter text. */
export function readHead({ records, view }: TypingTable, result: number): number {
  return (records[result + TEXT_SIZE] ?? 0) < 4 ? Number.NaN : view.getInt32(records[result + TEXT] ?? 0)
}

/** Of two texts in ASCII: where they differ first, below 0 when the one at `x` comes first. */
export function compareRanges(view: DataView, x: number, y: number, length: number): number {
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
