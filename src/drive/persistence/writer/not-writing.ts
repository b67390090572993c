/** Failures of changes while the store cannot write. */
import { StorageFailure, tryAgain } from '../../contract/failure.ts'

/** The change may or may not have been written, as after any lost answer. A retry shows which. */
export function notWriting(
  cause?: unknown,
  text = 'The service cannot save changes at the moment; try again.',
): StorageFailure {
  return tryAgain(60, text, cause)
}

export function diskFull(cause: unknown): StorageFailure {
  return notWriting(cause, 'The disk of the service is full.')
}

/** Failure while the reserve of a full disk is released. */
export function roomNeeded(): StorageFailure {
  return notWriting(
    undefined,
    'The disk of the service is full: only deletions and revocations are accepted.',
  )
}

/** Failure when the contents are unreachable. Metadata stays available. */
export function contentsOutOfReach(cause: unknown): StorageFailure {
  return tryAgain(5, 'The service cannot reach its file contents; try again.', cause)
}

/** Failure after a clean-up removed the content. */
export function removedMeanwhile(cause?: unknown): StorageFailure {
  return tryAgain(1, 'The content was removed before it was stored; send it again.', cause)
}

/** The last revision with the content went before the caller asked for it. A retry finds what is there now. */
export function removedBefore(cause: unknown): StorageFailure {
  return tryAgain(1, 'The content was removed before it could be read; try again.', cause)
}

/** The command needs the content's head from a bucket. The caller fetches it and retries. */
export function headNeeded(head: { readonly sha256: string; readonly size: number }): StorageFailure {
  const text = 'The content of this file is not available at the moment; try again.'
  return new StorageFailure(503, 'backendError', text, { retryAfter: 1, head })
}
