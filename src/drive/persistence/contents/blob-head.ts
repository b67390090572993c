/** Reads the first bytes of a content synchronously, for commands inside a transaction.  [disk] */
import { closeSync, existsSync, openSync, readSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { blobFiles, isCode, isOfSystem } from './blob-files.ts'
import type { BlobRow } from './blob-rows.ts'
import { readPosition } from '../database/log-position.ts'
import type { Database } from '../database/database.ts'
import { type StoreFolder, storeFolder } from '../folder.ts'
import { isBucket } from './bucket/bucket-address.ts'
import { HEAD, headPath } from './places/heads.ts'
import { contentsOutOfReach, headNeeded } from '../writer/not-writing.ts'

export function blobHead(db: Database, blob: BlobRow, most: number): Uint8Array {
  if (blob.place === 'file') return placedHead(db, blob, Math.min(blob.size, most))
  const row = db.get<{ data: Uint8Array }>('SELECT data FROM blob_data WHERE blob = ?', blob.pk)
  if (row === undefined) throw new Error(`content ${blob.pk} has no bytes`)
  return row.data.subarray(0, most)
}

/**
 * The contents are beside the database, in a shared folder or in a bucket.
 * @throws {StorageFailure} 503 — the head must be fetched first
 */
function placedHead(db: Database, { sha256, size }: BlobRow, most: number): Uint8Array {
  const main = db.get<{ file: string }>('PRAGMA database_list')
  if (main === undefined) throw new Error('the database has no file')
  const { contents } = readPosition(db) ?? {}
  const folder = dirname(main.file)
  if (contents == null || !isBucket(contents))
    return headInFolder(storeFolder(folder, contents ?? folder), sha256, most)
  const path = headPath({ path: folder }, sha256)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw headNeeded({ sha256, size })
  if (found.size < Math.min(most, HEAD)) throw new Error(`the content ${sha256} is lost`)
  return fileHead(path, Math.min(most, HEAD))
}

/** A content counts as lost only if the folder itself is reachable. @throws {StorageFailure} 503 */
function headInFolder({ blobs }: StoreFolder, sha256: string, most: number): Uint8Array {
  try {
    return fileHead(blobFiles(blobs).pathOf(sha256), most)
  } catch (error) {
    const isLost = isCode(error, 'ENOENT') && existsSync(blobs)
    throw isOfSystem(error) && !isLost ? contentsOutOfReach(error) : error
  }
}

function fileHead(path: string, size: number): Uint8Array {
  const bytes = Buffer.alloc(size)
  const file = openSync(path, 'r')
  try {
    for (let at = 0; at < size;) {
      const read = readSync(file, bytes, at, size - at, at)
      if (read === 0) throw new Error(`the content ${path} ended at ${at} of ${size} bytes`)
      at += read
    }
    return bytes
  } finally {
    closeSync(file)
  }
}
