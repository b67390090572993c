/** What the main thread and the writer thread say to each other: plain data.  [threads] */
import type { MessagePort } from 'node:worker_threads'
import type { FailureDetails } from '../../contract/failure.ts'
import { isStorageFailure, StorageFailure } from '../../contract/failure.ts'
import type { CopyTask } from '../shared/copy-task.ts'
import type { ReserveData } from '../disk-reserve.ts'
import type { CommandAnswer, CommandRequest } from '../database/database.ts'

/** Of a store that several servers share. */
export interface SharedData {
  /** Of the database with the log. */
  readonly url: string
  /** Names this server. */
  readonly server: string
  /** Number of the last entry of the log that is in this server's copy, and how often it has followed others. */
  readonly position: SharedArrayBuffer
}

export interface WriterData {
  /** Instead of writing. */
  readonly task?: CopyTask
  /** undefined: this thread alone writes. */
  readonly shared?: SharedData | undefined
  /** undefined: the disk has no reserve. */
  readonly reserve?: ReserveData | undefined
  /** Of the database. */
  readonly path: string
  /** Two numbers: one is raised with every message, so that the thread can sleep on it; the other is 1 while it sleeps. */
  readonly wakeUp: SharedArrayBuffer
  /** One number: raised with every commit, before anybody is told of it. */
  readonly commits: SharedArrayBuffer
}

/** Commands to run, in order; to have the log followed to the entry of that number; or the end. */
export type ToWriter = { readonly asked: readonly CommandRequest[] } | { readonly follow: number } | 'close'

export type FromWriter =
  /** Of a group that is about to be written to disk, in the order asked. */
  | { readonly answers: readonly SentAnswer[] }
  /** That group is on disk. */
  | 'committed'
  /** Nothing of that group was kept, and it is run again: other answers will come. */
  | 'again'
  /** Nothing of that group was kept: why. */
  | { readonly lost: SentError }
  /** Nothing more will be written. */
  | { readonly broken: SentError }
  | { readonly warning: string }
  /** The copy has come further, to the end of the log as that was found; or was there. */
  | 'followed'
  | 'unchanged'
  /** The log is out of reach. */
  | 'away'
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

/** A result that cannot travel becomes the error of its command alone. */
export function sendAnswers(port: MessagePort, given: readonly CommandAnswer[]): void {
  const answers = given.map(sentAnswer)
  const tell = (message: FromWriter) => port.postMessage(message)
  try {
    tell({ answers })
  } catch {
    // a result that cannot travel; which one must be found, so that the others arrive
    tell({ answers: answers.map((answer) => travelling(answer)) })
  }
}

function travelling(answer: SentAnswer): SentAnswer {
  try {
    structuredClone(answer)
    return answer
  } catch (error) {
    return { error: sentError(error) }
  }
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
