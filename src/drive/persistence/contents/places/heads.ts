/**
 * First bytes of contents, for commands inside a transaction, which cannot wait for the network: read from the database
 * or a folder, and for a bucket from files beside the database.  [disk]
 */
import { randomBytes } from 'node:crypto'
import {
  createReadStream,
  createWriteStream,
  mkdirSync,
  rmSync,
  closeSync,
  existsSync,
  openSync,
  readSync,
  statSync,
} from 'node:fs'
import { rename } from 'node:fs/promises'
import { join, dirname } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { removeIfThere, blobFiles, isCode, isOfSystem } from '../blob-files.ts'
import { type StoreFolder, storeFolder } from '../../folder.ts'
import { LostObject, type PlacedContents } from './place.ts'
import type { BlobRow } from '../blob-rows.ts'
import type { Database } from '../../database/database.ts'
import { readBucket } from './store-place.ts'
import { contentsOutOfReach, headNeeded } from '../../writer/not-writing.ts'

export interface HeadFiles {
  /** Caches the head of a content from a local file. */
  readonly keep: (path: string, sha256: string) => Promise<void>
  /** Caches the head of a placed content. Writes an empty file if the content is lost. @throws {StorageFailure} 503 */
  readonly bring: (
    contents: Pick<PlacedContents, 'open'>,
    content: { readonly sha256: string; readonly size: number },
  ) => Promise<void>
}

/** Bytes of each head. Commands need no more. */
const HEAD_BYTES = 1 << 20
/** Maximum number of files. Beyond that the oldest half is removed. */
const MAX_HEADS = 128

export function headFiles(folder: Pick<StoreFolder, 'path'>): HeadFiles {
  const heads = join(folder.path, 'heads')
  rmSync(heads, { recursive: true, force: true })
  mkdirSync(heads, { recursive: true, mode: 0o700 })
  const kept = new Set<string>()
  const write = async (sha256: string, bytes: Readable) => {
    const beside = join(heads, `${sha256}.${randomBytes(8).toString('hex')}`)
    // unlike writeFile it expects an error of `bytes` from the beginning
    await pipeline(bytes, createWriteStream(beside, { mode: 0o600 }))
    await rename(beside, join(heads, sha256))
    kept.delete(sha256)
    kept.add(sha256)
    if (kept.size <= MAX_HEADS) return
    for (const old of [...kept].slice(0, MAX_HEADS / 2)) {
      kept.delete(old)
      await removeIfThere(join(heads, old))
    }
  }
  return {
    keep: (path, sha256) => write(sha256, createReadStream(path, { end: HEAD_BYTES - 1 })),
    async bring(contents, { sha256, size }) {
      const range = { start: 0, end: Math.min(size, HEAD_BYTES) - 1 }
      try {
        await write(sha256, await contents.open({ sha256, size }, range))
      } catch (error) {
        if (!(error instanceof LostObject)) throw error
        await write(sha256, Readable.from([]))
      }
    },
  }
}

function headPath({ path }: Pick<StoreFolder, 'path'>, sha256: string): string {
  return join(path, 'heads', sha256)
}

export function blobHead(db: Database, blob: BlobRow, most: number): Uint8Array {
  if (blob.kind === 'file') return placedHead(db, blob, Math.min(blob.size, most))
  const row = db.get<{ data: Uint8Array }>('SELECT data FROM blob_data WHERE blob = ?', blob.pk)
  if (row === undefined) throw new Error(`content ${blob.pk} has no bytes`)
  return row.data.subarray(0, most)
}

/** The contents are beside the database or in a bucket. @throws {StorageFailure} 503 — the head must be fetched first */
function placedHead(db: Database, { sha256, size }: BlobRow, most: number): Uint8Array {
  const main = db.get<{ file: string }>('PRAGMA database_list')
  if (main === undefined) throw new Error('the database has no file')
  const folder = dirname(main.file)
  if (readBucket(db) === undefined) return headInFolder(storeFolder(folder), sha256, most)
  const path = headPath({ path: folder }, sha256)
  const found = statSync(path, { throwIfNoEntry: false })
  if (found === undefined) throw headNeeded({ sha256, size })
  if (found.size < Math.min(most, HEAD_BYTES)) throw new Error(`the content ${sha256} is lost`)
  return fileHead(path, Math.min(most, HEAD_BYTES))
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
