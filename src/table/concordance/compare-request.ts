/** What two files are compared by, and what comes of it. Types only. */
import type { Executor } from '../../operations/executor.ts'
import type { SettlingFacts } from '../cells/name-facts.ts'
import type { Failure } from '../output/failure-report.ts'
import type { ComparisonCounts } from './counts.ts'
import type { DifferenceRow } from './difference-rows.ts'
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
