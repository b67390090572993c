/** One measured number beside its goal, as every benchmark gives it. */

export interface BenchRow {
  readonly name: string
  readonly value: number
  readonly unit: string
  /** In words, e.g. `≤ 20`. */
  readonly goal: string
  readonly met: boolean
}

/** A row whose value must not be above `limit`. */
export function atMost(name: string, [value, unit]: readonly [number, string], limit: number): BenchRow {
  return { name, value, unit, goal: `≤ ${limit} ${unit}`, met: value <= limit }
}
