/** Messages between the main thread and the workers of a conversion. */
import { type Advice, messageText } from '../../../advice.ts'
import type { Tally } from '../../output/summary.ts'
import type { Dialect } from '../../input/dialect.ts'
import type { Failure } from '../../output/failure-report.ts'
import type { TablePlan } from '../../plan/plan.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import { HlaError, isHlaError } from '../../../errors.ts'

/** Data that a worker opens at its start. */
export interface WorkerData {
  readonly release: string
  readonly dataDir: string | undefined
  /** One number: 1 when the worker is ready. A message would only be received when the main thread is idle. */
  readonly ready: SharedArrayBuffer
}

/** First message: the settings common to all blocks. */
export interface WorkerTask {
  /** Plan without the facts about names, which cannot be sent and which the worker has itself. */
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly writing: WriteRequest
  readonly ragged: 'error' | 'pad'
  /** Number of threads, the main one included. */
  readonly threads: number
  /** Question about each typing: operation and input. */
  readonly operation: string
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
}

export interface BlockMessage {
  readonly bytes: SharedArrayBuffer
  readonly length: number
  /** Memory for the output. */
  readonly room: SharedArrayBuffer
  /** True when distinct cells are still counted. */
  readonly isCounting: boolean
  /** One number: 1 as soon as a thread has begun the block. */
  readonly begun: SharedArrayBuffer
}

/** Claims a block; true for exactly one caller. */
export function claimBlock(begun: SharedArrayBuffer): boolean {
  return Atomics.exchange(new Int32Array(begun), 0, 1) === 0
}

/** Sendable result of a block; rows and lines count from its beginning. */
export interface BlockDone extends Omit<BlockResult, 'output' | 'failures'> {
  /** Bytes of the output in the room of the block. */
  readonly length: number
  /** Output that did not fit the room. */
  readonly apart: ArrayBuffer | undefined
  readonly failures: readonly (Omit<Failure, 'error'> & { readonly error: PlainError })[]
}

export type WorkerAnswer = { readonly done: BlockDone | undefined } | { readonly error: PlainError }

/** Sendable form of an error. */
export type PlainError = { readonly message: Advice } & Partial<Pick<HlaError, (typeof SENT)[number]>>

const SENT = ['code', 'offending', 'position', 'suggestions', 'hint', 'facts'] as const

export function plainError(error: unknown): PlainError {
  if (!isHlaError(error))
    return { message: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  const { said, code, offending, position, suggestions, hint, facts } = error
  return { message: said, code, offending, position, suggestions, hint, facts }
}

export function reviveError({ message, code, ...details }: PlainError): Error {
  return code === undefined
    ? new Error(messageText(message, 'command-line'))
    : new HlaError(code, message, details)
}

/** Functions cannot be sent. */
export function withoutFacts(plan: TablePlan): TablePlan {
  const facts = undefined as never // restored by the worker
  const groups = plan.groups.map((group) => ({ ...group, context: { ...group.context, facts } }))
  // notes that need it are made with the plan
  return { ...plan, groups, ...(plan.made === undefined ? {} : { made: { ...plan.made, past: undefined } }) }
}

export interface BlockResult {
  /** Output, in the room of the block if it fits. */
  readonly output: Buffer
  /** Bytes of the block that were read; the rest is an incomplete row, or more if `isFull`. */
  readonly used: number
  readonly isFull: boolean
  readonly lines: number
  readonly tally: Tally
  readonly failures: readonly Failure[]
  /** Keys of distinct cells. */
  readonly keys: Float64Array
  readonly isExact: boolean
}
