/** Comparison of a table's distinct typings: counts, and their summary line. */
import type { DiffReason } from '../../engine/explain/diff.ts'

export interface Comparison {
  typings: number
  differ: number
  readonly reasons: Map<DiffReason, number>
  /** Cells and rows that could not be compared, by error code; each distinct one counts once. */
  readonly failures: Map<string, number>
}

export function newComparison(): Comparison {
  return { typings: 0, differ: 0, reasons: new Map(), failures: new Map() }
}

export function countReasons(comparison: Comparison, reasons: readonly DiffReason[]): void {
  comparison.typings += 1
  if (reasons.length > 0) comparison.differ += 1
  for (const reason of reasons) comparison.reasons.set(reason, (comparison.reasons.get(reason) ?? 0) + 1)
}

export function countFailure({ failures }: Comparison, code: string): void {
  failures.set(code, (failures.get(code) ?? 0) + 1)
}

/** Reasons shown even with a count of 0. */
const ALWAYS: readonly (readonly [DiffReason, string])[] = [
  ['gained', 'gained alleles'],
  ['lost', 'lost'],
  ['renamed', 'renamed'],
]

/** `81 distinct typings: 62 same members, 19 differ (19 gained alleles, 0 lost, 0 renamed)` */
export function comparisonText({ typings, differ, reasons, failures }: Comparison, isExact: boolean): string {
  const rare = [...reasons].filter(([reason]) => ALWAYS.every(([always]) => always !== reason))
  const why = [
    ...ALWAYS.map(([reason, words]) => `${number(reasons.get(reason) ?? 0)} ${words}`),
    ...rare.map(([reason, count]) => `${number(count)} ${reason}`),
  ]
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
  const codes = [...failures]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${number(count)} ${code}`)
  const tail = failed === 0 ? '' : `, ${number(failed)} failed (${codes.join(', ')})`
  const which = isExact ? 'distinct typing' : 'typing'
  const total = typings + failed
  return `${number(total)} ${which}${total === 1 ? '' : 's'}: ${number(typings - differ)} same members, ${number(differ)} differ (${why.join(', ')})${tail}`
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}
