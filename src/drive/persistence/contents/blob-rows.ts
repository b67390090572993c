/** Rows of contents, written within a transaction of the writer.  [disk] */
import { existsSync } from 'node:fs'
import type { Digests } from './digest.ts'
import type { Transaction } from '../database/database.ts'
import { removedMeanwhile } from '../writer/not-writing.ts'
import { isWithdrawn } from './places/withdrawals.ts'

/** A content that is on disk or carries its bytes. Plain data. */
export interface Staged extends Digests {
  /** Key of its row. Omitted if the row is not written yet. */
  readonly blob?: number
  readonly size: number
  /** Bytes of a small content, stored in the database with the row. */
  readonly bytes?: Uint8Array
  /** File of a larger content. */
  readonly path?: string
  /** Number of the latest withdrawal before the content was put into a bucket. */
  readonly withdrawal?: number
}

/** Byte positions; both ends are included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface BlobRow {
  readonly pk: number
  readonly sha256: string
  readonly size: number
  readonly kind: 'inline' | 'file'
}

/**
 * Returns the key of the content in `blobs`. Equal contents in files share a row, as do empty ones.
 * @throws 503 — a clean-up removed the file before a row named it
 */
export function keepBlob(transaction: Transaction, staged: Staged): number {
  const { blob, sha256, sha1, md5, size, bytes, path, withdrawal } = staged
  if (blob !== undefined) return blob
  if (path !== undefined && !existsSync(path)) throw removedMeanwhile()
  if (withdrawal !== undefined && isWithdrawn(transaction, sha256, withdrawal)) throw removedMeanwhile()
  const known =
    bytes === undefined || size === 0 ? transaction.get<{ pk: number }>(SHARED, sha256) : undefined
  if (known !== undefined) {
    // the bytes are available again, so revisions marked as lost are not
    if (path !== undefined || withdrawal !== undefined)
      transaction.run('UPDATE revisions SET is_lost = 0 WHERE blob = ? AND is_lost = 1', known.pk)
    return known.pk
  }
  const kind = bytes === undefined ? 'file' : 'inline'
  const row = [sha256, sha1, md5, size, kind, transaction.now]
  const { lastKey } = transaction.run(INSERT, ...row)
  if (bytes === undefined) transaction.run('DELETE FROM removals WHERE sha256 = ?', sha256)
  if (bytes !== undefined) transaction.run('INSERT INTO blob_data(blob, data) VALUES (?, ?)', lastKey, bytes)
  return lastKey
}

const SHARED = "SELECT pk FROM blobs WHERE sha256 = ? AND (kind = 'file' OR size = 0)"
const INSERT = 'INSERT INTO blobs(sha256, sha1, md5, size, kind, created) VALUES (?, ?, ?, ?, ?, ?)'
