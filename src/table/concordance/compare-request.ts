/** What two files are compared by, and what comes of it. Types only. */
import type { Executor } from '../../operations/executor.ts'
import type { SettlingFacts } from '../cells/name-facts.ts'
import { type Failure, type RecordLines, recordLines } from '../output/failure-report.ts'
import type { ComparisonCounts, Verdict } from './verdicts.ts'
import type { ComparedFile } from './side-reader.ts'

export interface CompareRequest {
  readonly left: ComparedFile
  readonly right: ComparedFile
  readonly facts: SettlingFacts
  readonly executor: Executor
  /** Each with what is asked of the typings of either file. */
  readonly methods: readonly MethodRequest[]
  /** undefined: all. */
  readonly loci: ReadonlySet<string> | undefined
  readonly failed: (failure: Failure) => void
  /** Of whatever is not identical. */
  readonly differs: (row: DifferenceRow) => void
  /** Told after each block; waits where the rows have nowhere to go. */
  readonly passed: () => Promise<void> | undefined
  /** Two files about one person each, who are called otherwise, are compared. */
  readonly paired: (left: string, right: string) => void
}

export interface MethodRequest {
  readonly method: string
  readonly leftInput: Readonly<Record<string, unknown>>
  readonly rightInput: Readonly<Record<string, unknown>>
}

export interface SideCounts {
  readonly persons: number
  readonly only: number
  readonly broken: number
}

export interface FilesCompared {
  readonly left: SideCounts
  readonly right: SideCounts
  readonly persons: number
  readonly methods: readonly { readonly method: string; readonly counts: ComparisonCounts }[]
}

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

interface DifferenceFormat {
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
