/** Stores contents from a stream and reads them as a stream or as bytes.  [disk, network] */
import type { Readable } from 'node:stream'
import { isCode, isDiskFull, removeIfThere } from './blob-files.ts'
import type { BlobRow, ByteRange, Staged } from './blob-rows.ts'
import { type Incoming, type Admit, stage, type Staging } from './staging.ts'
import type { Database } from '../database/database.ts'
import type { DiskReserve } from '../disk-reserve.ts'
import type { StoreFolder } from '../folder.ts'
import { type DigestEntry, type DigestThreads, digestThreads } from './digest-threads.ts'
import { type HeadFiles, headFiles } from './places/heads.ts'
import type { ContentPlace, PlacedContents } from './places/place.ts'
import { lastWithdrawal } from './places/withdrawals.ts'
import { diskFull, notWriting, removedMeanwhile, roomNeeded } from '../writer/not-writing.ts'
import { type Uploads, uploadFiles } from './uploads.ts'

export interface Blobs {
  /** Stores the whole content on disk or in the result, or nothing. Pass the result to a command that calls `keepBlob`. */
  readonly stage: (content: Incoming, admit: Admit) => Promise<Staged>
  readonly uploads: Uploads
  /** Returns a small content as bytes, a larger one as a stream of an open file whose length has been checked. */
  readonly open: (blob: BlobRow, range?: ByteRange) => Promise<Uint8Array | Readable>
  /** Caches the first bytes of a content for a command that needs them (`blobHead`). */
  readonly bring: (content: { readonly sha256: string; readonly size: number }) => Promise<void>
  readonly close: () => Promise<void>
}

export interface BlobsOptions {
  readonly onBroken: (error: Error) => void
  /** If omitted, long contents are digested in this thread. */
  readonly digester?: DigestEntry | undefined
  readonly place: ContentPlace
  /** Reserve on the disk of the database. */
  readonly reserve?: DiskReserve | undefined
}

export function openBlobs(folder: StoreFolder, read: Database, options: BlobsOptions): Blobs {
  const { onBroken, digester, place, reserve } = options
  const threads = digester && digestThreads(digester)
  const { staging, uploads, bring } = arrivals(folder, read, options, threads)
  const refuse = refuseBroken(onBroken)
  // the reserve is released for other commands than those that add contents
  const needRoom = () => {
    if (reserve?.isFull() === true) throw roomNeeded()
  }
  const guarded = <Result>(work: Promise<Result>) => work.catch(refuse)
  return {
    stage: (content, admit) => guarded(stage({ ...staging, needRoom }, content, admit)),
    uploads: {
      ...uploads,
      append: (name, from, content, admit) =>
        guarded(
          uploads.append(name, from, content, (length) => {
            needRoom()
            admit(length)
          }),
        ),
      complete: (name, length) => guarded(uploads.complete(name, length)),
    },
    async open(blob, range = { start: 0, end: blob.size - 1 }) {
      if (blob.place === 'file') return place.contents.open(blob, range)
      return inlineBytes(read, blob).subarray(range.start, range.end + 1)
    },
    bring,
    async close() {
      await threads?.close()
    },
  }
}

/** Staging, uploads and head cache, wired to the place of the contents. */
function arrivals(
  folder: StoreFolder,
  read: Database,
  options: BlobsOptions,
  threads: DigestThreads | undefined,
) {
  const { contents } = options.place
  const { arriving } = contents
  const heads = contents.pathOf === undefined ? headFiles(folder) : undefined
  const ways = { threads, ...publishing(contents, read, heads) }
  const staging: Staging =
    arriving === undefined
      ? { ...ways, folder: folder.spool, isKept: false }
      : { ...ways, folder: arriving.folder, isKept: true }
  // acknowledged bytes of an upload stay in its file until it is complete
  const uploads = uploadFiles({ ...ways, folder: folder.staging, isKept: true })
  const bring: Blobs['bring'] = async (content) => heads?.bring(contents, content)
  return { staging, uploads, bring }
}

/**
 * `heads` is the head cache of a place whose contents commands cannot read.
 * @throws {StorageFailure} 503 — the place is out of reach, or a clean-up is removing the same content
 */
function publishing(
  { pathOf, publish, arriving }: PlacedContents,
  read: Database,
  heads: HeadFiles | undefined,
): Pick<Staging, 'move' | 'share'> {
  const placed = async (put: PlacedContents['publish'], path: string, content: Staged): Promise<Staged> => {
    if (pathOf !== undefined) {
      await put(path, content)
      return { ...content, path: pathOf(content.sha256) }
    }
    // read before the put, so the command that writes the row detects any later withdrawal
    const withdrawal = lastWithdrawal(read, content.sha256)
    await put(path, content)
    await heads?.keep(path, content.sha256)
    return { ...content, withdrawal }
  }
  return {
    share: (path, content) => placed(publish, path, content),
    async move(path, content) {
      const moved = await placed(arriving?.adopt ?? publish, path, content)
      if (arriving === undefined) await removeIfThere(path)
      return moved
    },
  }
}

function inlineBytes(read: Database, { pk, size }: BlobRow): Uint8Array {
  const row = read.get<{ data: Uint8Array }>('SELECT data FROM blob_data WHERE blob = ?', pk)
  if (row?.data.length === size) return row.data
  throw new Error(`content ${pk} has ${row?.data.length ?? 'no'} bytes instead of ${size}`)
}

/** Maps disk errors to refusals for the sender. */
function refuseBroken(onBroken: (error: Error) => void) {
  return (error: unknown): never => {
    if (isCode(error, 'ENOENT')) throw removedMeanwhile(error)
    if (isDiskFull(error)) throw diskFull(error)
    if (!(error instanceof Error && isCode(error, 'EIO'))) throw error
    // a failed fsync must not be retried
    onBroken(error)
    throw notWriting(error)
  }
}
