/** The list of what two files say otherwise, as CSV, TSV or JSON Lines: by the suffix of its name. Pure. */
import { recordLines, type RecordLines } from '../output/failure-report.ts'
import type { Verdict } from './verdicts.ts'

export interface DifferenceRow {
  readonly person: string
  readonly locus?: string
  readonly method?: string
  /** `copies`: the same, written once and twice. */
  readonly verdict: Exclude<Verdict, 'identical'> | 'copies' | 'only-left' | 'only-right'
  /** As the files have it. */
  readonly left?: string
  readonly right?: string
  readonly leftReduced?: string
  readonly rightReduced?: string
  readonly leftLine?: number
  readonly rightLine?: number
  readonly reason?: string
}

const COLUMNS = [
  'person',
  'locus',
  'method',
  'verdict',
  'left',
  'right',
  'left_reduced',
  'right_reduced',
  'left_line',
  'right_line',
  'reason',
] as const

export interface DifferenceFormat {
  readonly head: string
  readonly record: (row: DifferenceRow) => string
}

export function differenceFormat(file: string): DifferenceFormat {
  const lines: RecordLines = recordLines(file, COLUMNS)
  return {
    head: lines.head,
    record: (row) =>
      lines.record({
        person: row.person,
        locus: row.locus ?? '',
        method: row.method ?? '',
        verdict: row.verdict,
        left: row.left ?? '',
        right: row.right ?? '',
        left_reduced: row.leftReduced ?? '',
        right_reduced: row.rightReduced ?? '',
        left_line: row.leftLine ?? '',
        right_line: row.rightLine ?? '',
        reason: row.reason ?? '',
      }),
  }
}
