/** What whoever asks for a change is told while none can be kept: nothing of how, which is for the log. */
import { StorageFailure } from '../model/failure.ts'

/** It may have been written or not, as after any answer that got lost: whoever asks again finds out. */
export function notWriting(cause?: unknown, text = 'The service cannot write.'): StorageFailure {
  const failure = new StorageFailure(503, 'backendError', text, { retryAfter: 60 })
  if (cause !== undefined) failure.cause = cause
  return failure
}

export function diskFull(cause: unknown): StorageFailure {
  return notWriting(cause, 'The disk of the service is full.')
}
