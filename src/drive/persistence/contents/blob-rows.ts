/** The rows of contents, within a transaction of the writer.  [disk] */
import { existsSync } from 'node:fs'
import type { Digests } from './digest.ts'
import type { Transaction } from '../database/database.ts'
import { removedMeanwhile } from '../writer/not-writing.ts'
import { isWithdrawn } from './places/withdrawals.ts'

/** A content that is on disk, or comes with its bytes. Plain data. */
export interface Staged extends Digests {
  /** Key of its row; undefined: it is not yet written. */
  readonly blob?: number
  readonly size: number
  /** Of a small content: they go into the database with the row. */
  readonly bytes?: Uint8Array
  /** Of any other: its file. */
  readonly path?: string
  /** Of one in a bucket: the last that a clean-up had said before it was put. */
  readonly withdrawal?: number
}

/** From the first to the last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

/** The columns of `blobs` that reading a content needs. */
export interface BlobRow {
  readonly pk: number
  readonly sha256: string
  readonly size: number
  readonly place: 'inline' | 'file'
}

/**
 * The key of the content in `blobs`. Equal contents in files share a row, and those without bytes.
 * @throws 503 — a clean-up took the file away before there was a row for it
 */
export function keepBlob(transaction: Transaction, staged: Staged): number {
  const { blob, sha256, sha1, md5, size, bytes, path, withdrawal } = staged
  if (blob !== undefined) return blob
  if (path !== undefined && !existsSync(path)) throw removedMeanwhile()
  if (withdrawal !== undefined && isWithdrawn(transaction, sha256, withdrawal)) throw removedMeanwhile()
  const known =
    bytes === undefined || size === 0 ? transaction.get<{ pk: number }>(SHARED, sha256) : undefined
  if (known !== undefined) {
    // with these bytes it is there again
    if (path !== undefined || withdrawal !== undefined)
      transaction.run('UPDATE revisions SET is_lost = 0 WHERE blob = ? AND is_lost = 1', known.pk)
    return known.pk
  }
  const place = bytes === undefined ? 'file' : 'inline'
  const row = [sha256, sha1, md5, size, place, transaction.now]
  const { lastKey } = transaction.run(INSERT, ...row)
  if (bytes !== undefined) transaction.run('INSERT INTO blob_data(blob, data) VALUES (?, ?)', lastKey, bytes)
  return lastKey
}

const SHARED = "SELECT pk FROM blobs WHERE sha256 = ? AND (place = 'file' OR size = 0)"
const INSERT = 'INSERT INTO blobs(sha256, sha1, md5, size, place, created) VALUES (?, ?, ?, ?, ?, ?)'
