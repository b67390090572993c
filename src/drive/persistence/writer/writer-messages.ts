/** Messages between the main thread and the writer thread, as plain data.  [threads] */
import type { MessagePort } from 'node:worker_threads'
import type { FailureDetails } from '../../contract/failure.ts'
import { isStorageFailure, StorageFailure } from '../../contract/failure.ts'
import type { ReserveData } from '../disk-reserve.ts'
import type { CommandAnswer, CommandRequest } from '../database/database.ts'

export interface WriterData {
  /** Undefined if the disk has no reserve. */
  readonly reserve?: ReserveData | undefined
  readonly path: string
  /** Two numbers: a count of messages, on which the thread sleeps, and 1 while it sleeps. */
  readonly wakeUp: SharedArrayBuffer
}

/** Commands to run in order, or the end. */
export type ToWriter = { readonly asked: readonly CommandRequest[] } | 'close'

export type FromWriter =
  /** Answers of a group that is on disk, or was rolled back, in order. `hasRemovals`: contents can be removed now. */
  | { readonly answers: readonly SentAnswer[]; readonly hasRemovals: boolean }
  /** The thread has failed and will write no more. */
  | { readonly broken: SentError }
  | { readonly warning: string }
  | 'ready'

export type SentAnswer = { readonly result: unknown } | { readonly error: SentError }

export interface SentError {
  readonly name: string
  readonly message: string
  readonly stack: string | undefined
  readonly failure?: { readonly status: number; readonly reason: string; readonly details: FailureDetails }
}

export function sendToCaller(port: MessagePort, message: FromWriter): void {
  port.postMessage(message)
}

export function sendAnswers(port: MessagePort, given: readonly CommandAnswer[], hasRemovals: boolean): void {
  const answers = given.map((answer): SentAnswer => {
    return 'error' in answer ? { error: encodeError(answer.error) } : answer
  })
  sendToCaller(port, { answers, hasRemovals })
}

export function encodeError(error: unknown): SentError {
  if (!(error instanceof Error)) return { name: 'Error', message: String(error), stack: undefined }
  const { name, message } = error
  const cause = error.cause instanceof Error ? `\ncaused by ${error.cause.stack}` : ''
  const sent = { name, message, stack: `${error.stack}${cause}` }
  if (!isStorageFailure(error)) return sent
  const { status, reason, details } = error
  return { ...sent, failure: { status, reason, details } }
}

/** Recreates the error in the receiving thread. */
export function decodeError({ name, message, stack, failure }: SentError): Error {
  if (failure !== undefined)
    return new StorageFailure(failure.status, failure.reason, message, failure.details)
  const error = new Error(message)
  error.name = name
  if (stack !== undefined) error.stack = stack
  return error
}
