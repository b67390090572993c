/** What the main thread and the workers of a conversion tell each other. */
import { type Advice, messageText } from '../../../advice.ts'
import type { Tally } from '../../output/summary.ts'
import type { Dialect } from '../../input/dialect.ts'
import type { Failure } from '../../output/failure-report.ts'
import type { TablePlan } from '../../plan/plan.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import { HlaError, isHlaError } from '../../../errors.ts'

/** What a worker opens as soon as it is there. */
export interface WorkerData {
  readonly release: string
  readonly dataDir: string | undefined
  /** One number: 1 when it knows what is asked. A message would be heard only when this thread has nothing to do. */
  readonly ready: SharedArrayBuffer
}

/** What does not change from block to block: the first message. */
export interface WorkerTask {
  /** Without what cannot be sent: the facts about names, which the worker has itself. */
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly writing: WriteRequest
  readonly ragged: 'error' | 'pad'
  /** What typings became in any of the threads. */
  readonly shared: SharedArrayBuffer
  /** How many there are, the main one included. */
  readonly threads: number
  /** What is asked about each typing, by name, and how. */
  readonly operation: string
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
}

export interface BlockMessage {
  readonly bytes: SharedArrayBuffer
  readonly length: number
  /** For the output. */
  readonly room: SharedArrayBuffer
  /** Whether distinct cells are still counted. */
  readonly isCounting: boolean
  /** One number: 1 as soon as somebody converts the block, who put it there. */
  readonly begun: SharedArrayBuffer
}

/** Whether it is now the caller's to convert: of all who ask, one hears `true`. */
export function begin(begun: SharedArrayBuffer): boolean {
  return Atomics.exchange(new Int32Array(begun), 0, 1) === 0
}

/** What can be sent of what came of a block; rows and lines count from its begin. */
export interface BlockDone extends Omit<BlockResult, 'output' | 'failures'> {
  /** Of the output, which stands in the room of the block. */
  readonly length: number
  /** The output where the block has too little room. */
  readonly apart: ArrayBuffer | undefined
  readonly failures: readonly (Omit<Failure, 'error'> & { readonly error: PlainError })[]
}

export type WorkerAnswer = { readonly done: BlockDone | undefined } | { readonly error: PlainError }

/** An error as it can be sent. */
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
  const facts = undefined as never // put back by the worker
  const groups = plan.groups.map((group) => ({ ...group, context: { ...group.context, facts } }))
  // the notes that need it are made where the plan is
  return { ...plan, groups, ...(plan.made === undefined ? {} : { made: { ...plan.made, past: undefined } }) }
}

export interface BlockResult {
  /** In the room of the block, where it has enough. */
  readonly output: Buffer
  /** Bytes of the block that were read; the rest is a row that does not end in it, or more if `isFull`. */
  readonly used: number
  readonly isFull: boolean
  readonly lines: number
  readonly tally: Tally
  readonly failures: readonly Failure[]
  /** Distinct cells. */
  readonly keys: Float64Array
  readonly isExact: boolean
}
