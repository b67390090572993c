/** A measured number and its goal, as each benchmark returns it. */

export interface BenchRow {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** Text, e.g. `≤ 20 µs`; empty without a goal. */
  readonly goal: string
  /** Undefined without a goal. */
  readonly met: boolean | undefined
}

type Value = readonly [value: number, unit: string]

/** A row whose value must not be above `limit`. */
export function atMost(name: string, [value, unit]: Value, limit: number): BenchRow {
  return { name, value, unit, goal: `≤ ${limit} ${unit}`, met: value <= limit }
}

/** A row whose value must not be below `limit`. */
export function atLeast(name: string, [value, unit]: Value, limit: number): BenchRow {
  return { name, value, unit, goal: `≥ ${limit} ${unit}`, met: value >= limit }
}

export function reported(name: string, [value, unit]: Value): BenchRow {
  return { name, value, unit, goal: '', met: undefined }
}

/** Rows as an aligned table. */
export function formatRows(rows: readonly BenchRow[]): string {
  const cells = rows.map(({ met, ...row }) => [
    row.name,
    formatValue(row),
    row.goal,
    met === undefined ? '' : met ? 'met' : 'MISSED',
  ])
  const all = [['measure', 'value', 'goal', 'met'], ...cells]
  const widths = [0, 1, 2, 3].map((at) => Math.max(...all.map((row) => row[at]?.length ?? 0)))
  return all
    .map(
      (row) =>
        `${row
          .map((cell, at) => cell.padEnd(widths[at] ?? 0))
          .join('  ')
          .trimEnd()}\n`,
    )
    .join('')
}

/** Three significant digits; integers above a thousand. */
export function formatValue({ value, unit }: Pick<BenchRow, 'value' | 'unit'>): string {
  const digits =
    value >= 1000 ? Math.round(value).toLocaleString('en-US') : String(Number(value.toPrecision(3)))
  return `${digits} ${unit}`
}
