/** What the main thread and the workers of a conversion tell each other. */
import type { Dialect } from '../../batch/dialect.ts'
import type { Failure } from '../../batch/failure-report.ts'
import type { TablePlan } from '../../batch/plan.ts'
import type { WriteRequest } from '../../batch/table-request.ts'
import type { Tally } from '../../batch/tally.ts'
import { HlaError, isHlaError } from '../../errors.ts'

/** What does not change from block to block. */
export interface WorkerTask {
  readonly release: string
  readonly dataDir: string | undefined
  /** Without what cannot be sent: the facts about names, which the worker has itself. */
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly writing: WriteRequest
  readonly ragged: 'error' | 'pad'
  /** What is asked about each typing, by name, and how. */
  readonly operation: string
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
}

export interface BlockMessage {
  readonly bytes: SharedArrayBuffer
  readonly length: number
  /** Whether distinct cells are still counted. */
  readonly isCounting: boolean
}

/** Rows and lines count from the begin of the block. */
export interface BlockDone {
  readonly output: ArrayBuffer
  readonly length: number
  readonly used: number
  readonly lines: number
  readonly tally: Tally
  readonly failures: readonly (Omit<Failure, 'error'> & { readonly error: PlainError })[]
  readonly keys: readonly number[]
  readonly isExact: boolean
}

export type BlockAnswer = { readonly done: BlockDone } | { readonly error: PlainError }

/** An error as it can be sent. */
export type PlainError = Pick<Error, 'message'> & Partial<Pick<HlaError, (typeof SENT)[number]>>

const SENT = ['code', 'offending', 'position', 'suggestions', 'hint', 'facts'] as const

export function plainError(error: unknown): PlainError {
  if (!isHlaError(error))
    return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  const { message, code, offending, position, suggestions, hint, facts } = error
  return { message, code, offending, position, suggestions, hint, facts }
}

export function errorOf({ message, code, ...details }: PlainError): Error {
  return code === undefined ? new Error(message) : new HlaError(code, message, details)
}

export function withoutFacts(plan: TablePlan): TablePlan {
  const facts = undefined as never // put back by the worker
  return { ...plan, groups: plan.groups.map((group) => ({ ...group, context: { ...group.context, facts } })) }
}
