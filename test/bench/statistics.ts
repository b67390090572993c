/** Medians, and two commands or measures in alternation, so that a ratio holds while the machine's speed drifts. */

export function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other)
  return sorted[sorted.length >> 1] ?? Number.NaN
}

/** Median of `measure` over `runs` runs, after one that is not counted. */
export function medianOf(runs: number, measure: () => number): number {
  measure()
  return median(Array.from({ length: runs }, measure))
}

/** Takes each measure once a round, in turn; the first round is not counted. One list of values for each measure. */
export function timesInTurn(rounds: number, measures: readonly (() => number)[]): number[][] {
  const taken = Array.from({ length: rounds + 1 }, () => measures.map((measure) => measure())).slice(1)
  return measures.map((_, at) => taken.map((round) => round[at] ?? Number.NaN))
}

/** Median of the ratios round by round. */
export function medianRatio(values: readonly number[], others: readonly number[]): number {
  return median(values.map((value, at) => value / (others[at] ?? Number.NaN)))
}
