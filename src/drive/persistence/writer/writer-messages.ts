/** What the main thread and the writer thread say to each other: plain data. */
import type { FailureDetails } from '../../contract/failure.ts'
import { isStorageFailure, StorageFailure } from '../../contract/failure.ts'
import type { CommandAnswer, CommandRequest } from './command.ts'

export interface WriterData {
  /** Of the database. */
  readonly path: string
  /** Two numbers: one is raised with every message, so that the thread can sleep on it; the other is 1 while it sleeps. */
  readonly wakeUp: SharedArrayBuffer
  /** One number: raised with every commit, before anybody is told of it. */
  readonly commits: SharedArrayBuffer
}

/** Commands to run, in order; or the end. */
export type ToWriter = { readonly asked: readonly CommandRequest[] } | 'close'

export type FromWriter =
  /** Of a group that is about to be written to disk, in the order asked. */
  | { readonly answers: readonly SentAnswer[] }
  /** That group is on disk. */
  | 'committed'
  /** Nothing of that group was kept: why. */
  | { readonly lost: SentError }
  /** Nothing more will be written. */
  | { readonly broken: SentError }
  | { readonly warning: string }
  | 'ready'
  | 'closed'

export type SentAnswer = { readonly result: unknown } | { readonly error: SentError }

export interface SentError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly failure?: { readonly status: number; readonly reason: string; readonly details: FailureDetails }
}

export function sentAnswer(answer: CommandAnswer): SentAnswer {
  return 'error' in answer ? { error: sentError(answer.error) } : answer
}

export function sentError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined }
  const { name, message } = error
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : ''
  const sent = { name, message, stack: `${error.stack}${cause}` }
  if (!isStorageFailure(error)) return sent
  const { status, reason, details } = error
  return { ...sent, failure: { status, reason, details } }
}

/** The same error on this side. */
export function revivedError({ name, message, stack, failure }: SentError): Error {
  if (failure !== undefined)
    return new StorageFailure(failure.status, failure.reason, message, failure.details)
  const error = new Error(message)
  error.name = name
  if (stack !== undefined) error.stack = stack
  return error
}
