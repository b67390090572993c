/** What a fast conversion is asked for. Types only. */
import type { AnswerRequest } from '../cells/answers.ts'
import type { Dialect } from '../input/dialect.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import type { Conversion } from '../run/convert.ts'

export interface FastRequest {
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly writing: WriteRequest
  readonly output: OutputColumns
  readonly answers: AnswerRequest
  /** Of `sharedTypingsMemory`, where other threads convert the same table. */
  readonly shared?: SharedArrayBuffer | undefined
  /** That convert the same table, or tables at the same time; one when undefined. Together they remember as much as one alone. */
  readonly threads?: number | undefined
  /** Bytes of typings that a processor keeps near; as is usual when undefined. */
  readonly near?: number | undefined
  /** undefined: nobody waits. */
  readonly turn?: Turn | undefined
}

/** The time until others get theirs. */
export interface Turn {
  /** As it was when the clock was looked at. */
  isOver: boolean
  /** At the clock. @throws {HlaError} there is no more time */
  readonly look: () => void
}

/** What rows and failures are counted in. */
export type Counting = Omit<Conversion, 'answers' | 'write'>
