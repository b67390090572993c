/** Contents: in as a stream, out as a stream or as bytes.  [disk] */
import { open } from 'node:fs/promises'
import type { Readable } from 'node:stream'
import { blobFiles, isCode } from './blob-files.ts'
import type { BlobRow, Staged } from './blob-rows.ts'
import type { Incoming } from './content-file.ts'
import type { Database } from '../database/database.ts'
import type { StoreFolder } from '../folder.ts'
import { type DigestEntry, digestThreads } from './digest-threads.ts'
import { diskFull, notWriting, removedMeanwhile } from '../writer/not-writing.ts'
import { type Admit, stage } from './staging.ts'
import { type Uploads, uploadFiles } from './uploads.ts'

/** From the first to the last byte, both included. */
export interface ByteRange {
  readonly start: number
  readonly end: number
}

export interface Blobs {
  /** The whole content is on disk or in the answer, or nothing of it is kept. Give the answer to a command that calls `keepBlob`. */
  readonly stage: (content: Incoming, admit: Admit) => Promise<Staged>
  readonly uploads: Uploads
  /** A small content as bytes, any other as a stream of a file that is open and as long as it should be. */
  readonly open: (blob: BlobRow, range?: ByteRange) => Promise<Uint8Array | Readable>
  readonly close: () => Promise<void>
}

export interface BlobsOptions {
  readonly onBroken: (error: Error) => void
  /** Without, long contents are digested in this thread. */
  readonly digester?: DigestEntry | undefined
}

export function openBlobs(folder: StoreFolder, read: Database, options: BlobsOptions): Blobs {
  const { onBroken, digester } = options
  const files = blobFiles(folder.blobs)
  const threads = digester && digestThreads(digester)
  const staging = { folder: folder.staging, files, threads }
  const uploads = uploadFiles(staging)
  const guarded = <Result>(work: Promise<Result>) => work.catch((error: unknown) => refuse(error, onBroken))
  return {
    stage: (content, admit) => guarded(stage(staging, content, admit)),
    uploads: {
      ...uploads,
      append: (name, from, content, admit) => guarded(uploads.append(name, from, content, admit)),
      complete: (name, length) => guarded(uploads.complete(name, length)),
    },
    async open(blob, range = { start: 0, end: blob.size - 1 }) {
      if (blob.place === 'file') return openFile(files.pathOf(blob.sha256), blob.size, range)
      return inlineBytes(read, blob).subarray(range.start, range.end + 1)
    },
    async close() {
      await threads?.close()
    },
  }
}

/** Large enough that a fast line is not kept waiting: 0.5 of what cat reads from disk, 0.45 with half of it. A slow one has two in memory. */
const PIECE = 512 << 10

async function openFile(path: string, size: number, { start, end }: ByteRange): Promise<Readable> {
  const file = await open(path, 'r')
  const { size: found } = await file.stat()
  if (found === size) return file.createReadStream({ start, end, highWaterMark: PIECE })
  await file.close()
  throw new Error(`the content ${path} has ${found} bytes instead of ${size}`)
}

function inlineBytes(read: Database, { pk, size }: BlobRow): Uint8Array {
  const row = read.get<{ data: Uint8Array }>('SELECT data FROM blob_data WHERE blob = ?', pk)
  if (row?.data.length === size) return row.data
  throw new Error(`content ${pk} has ${row?.data.length ?? 'no'} bytes instead of ${size}`)
}

/** What the disk refuses, in words for whoever sent the content. */
function refuse(error: unknown, onBroken: (error: Error) => void): never {
  if (isCode(error, 'ENOENT')) throw removedMeanwhile(error)
  const isFull = isCode(error, 'ENOSPC') || isCode(error, 'EDQUOT')
  // an fsync that failed must not be tried again
  if (error instanceof Error && isCode(error, 'EIO')) onBroken(error)
  else if (!isFull) throw error
  throw isFull ? diskFull(error) : notWriting(error)
}
