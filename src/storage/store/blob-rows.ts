/** The rows of contents, within a transaction of the writer. */
import type { Digests } from './digest.ts'
import type { Transaction } from './database.ts'

/** A content that is on disk, or comes with its bytes; its row is not yet written. Plain data. */
export interface Staged extends Digests {
  readonly size: number
  /** Of a small content: they go into the database with the row. */
  readonly bytes?: Uint8Array
}

/** The columns of `blobs` that reading a content needs. */
export interface BlobRow {
  readonly pk: number
  readonly sha256: string
  readonly size: number
  readonly place: 'inline' | 'file'
}

/** The key of the content in `blobs`; equal contents share a row. */
export function keepBlob(transaction: Transaction, staged: Staged): number {
  const { sha256, sha1, md5, size, bytes } = staged
  const known = transaction.get<{ pk: number }>('SELECT pk FROM blobs WHERE sha256 = ?', sha256)
  if (known !== undefined) return known.pk
  const place = bytes === undefined ? 'file' : 'inline'
  const row = [sha256, sha1, md5, size, place, transaction.now]
  const { lastKey } = transaction.run(INSERT, ...row)
  if (bytes !== undefined) transaction.run('INSERT INTO blob_data(blob, data) VALUES (?, ?)', lastKey, bytes)
  return lastKey
}

const INSERT = 'INSERT INTO blobs(sha256, sha1, md5, size, place, created) VALUES (?, ?, ?, ?, ?, ?)'
