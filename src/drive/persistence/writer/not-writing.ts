/** The failures of changes while the store cannot write; the cause goes to the log, not to the client. */
import { SQLITE, sqliteCode } from '../database/sqlite.ts'
import { StorageFailure } from '../../contract/failure.ts'

/** The change may or may not have been written, as after any lost answer: a retry tells. */
export function notWriting(cause?: unknown, text = 'The service cannot write.'): StorageFailure {
  const failure = new StorageFailure(503, 'backendError', text, { retryAfter: 60 })
  if (cause !== undefined) failure.cause = cause
  return failure
}

export function diskFull(cause: unknown): StorageFailure {
  return notWriting(cause, 'The disk of the service is full.')
}

/** Of what `diskFull` made of an error of SQLite. */
export function isDiskFull({ cause }: Error): boolean {
  return sqliteCode(cause) === SQLITE.full
}

/** While the reserve of a full disk is given up. */
export function roomNeeded(): StorageFailure {
  return notWriting(
    undefined,
    'The disk of the service is full: only deletions and revocations are accepted.',
  )
}

/** They lie apart from the metadata, which go on. */
export function contentsOutOfReach(cause: unknown): StorageFailure {
  const text = 'The contents of the service are out of reach.'
  const failure = new StorageFailure(503, 'backendError', text, { retryAfter: 5 })
  failure.cause = cause
  return failure
}

/** By a clean-up. */
export function removedMeanwhile(cause?: unknown): StorageFailure {
  const text = 'The content was removed before it was stored; send it again.'
  const failure = new StorageFailure(503, 'backendError', text, { retryAfter: 1 })
  if (cause !== undefined) failure.cause = cause
  return failure
}

/** A command needs the first bytes of a content, which lies in a bucket: whoever sent it brings them, and sends it again. */
export function headNeeded(head: { readonly sha256: string; readonly size: number }): StorageFailure {
  const text = 'The content of this file is not at hand; ask again.'
  return new StorageFailure(503, 'backendError', text, { retryAfter: 1, head })
}
