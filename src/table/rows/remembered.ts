/** A split row, and what is made once for each content of some of its columns. */
import type { KnownCell } from './known-cells.ts'

/** A row that was split. */
export interface SplitRow {
  text: string
  /** Offset of each field, and of what follows the last. A field ends one before the next. */
  readonly starts: Int32Array
  /** By column; undefined for a column without typings. */
  readonly cells: (KnownCell | undefined)[]
}

/** Text of a field, with its quotes. */
export function fieldOf({ text, starts }: SplitRow, column: number): string {
  return text.slice(starts[column], (starts[column + 1] ?? 0) - 1)
}

/** A function of the fields of some columns, which is made once for each content. */
export function rememberedBy<T>(
  columns: readonly number[],
  make: (row: SplitRow) => T,
): (row: SplitRow) => T {
  const known = new Map<string, T>()
  const [first = 0, last = 0] = [columns[0], columns.at(-1)]
  const isOneText = columns.every((column, at) => column === first + at)
  return (row) => {
    const { text, starts } = row
    const key = isOneText
      ? text.slice(starts[first], (starts[last + 1] ?? 0) - 1)
      : columns.map((column) => fieldOf(row, column)).join('\n')
    const found = known.get(key)
    if (found !== undefined || known.has(key)) return found as T
    if (known.size >= MAX_KNOWN) known.clear()
    const made = make(row)
    known.set(Buffer.from(key, 'latin1').toString('latin1'), made)
    return made
  }
}

/** Contents remembered for each function. */
const MAX_KNOWN = 50_000
