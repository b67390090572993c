/** Stores contents from a stream and reads them as a stream or as bytes.  [disk, network] */
import type { Readable } from 'node:stream'
import { isCode, isDiskFull } from './blob-files.ts'
import type { BlobRow, ByteRange, Staged } from './blob-rows.ts'
import type { Removals } from './removals.ts'
import { type Incoming, type Admit, stage, type Staging, type UseContent } from './staging.ts'
import type { Database } from '../database/database.ts'
import type { DiskReserve } from '../disk-reserve.ts'
import type { StoreFolder } from '../folder.ts'
import { type DigestEntry, type DigestThreads, digestThreads } from './digest-threads.ts'
import { type HeadFiles, headFiles } from './places/heads.ts'
import type { ContentPlace } from './places/place.ts'
import { lastWithdrawal } from './places/withdrawals.ts'
import { diskFull, notWriting, removedBefore, removedMeanwhile, roomNeeded } from '../writer/not-writing.ts'
import { type Uploads, uploadFiles } from './uploads.ts'

export interface Blobs {
  /** Stores the whole content on disk or in memory, or nothing. `use` passes it to a command that calls `keepBlob`. */
  readonly stage: <Result>(content: Incoming, admit: Admit, use: UseContent<Result>) => Promise<Result>
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
  readonly removals: Pick<Removals, 'arrive' | 'settle'>
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
    stage: (content, admit, use) => guarded(stage({ ...staging, needRoom }, content, admit, use)),
    uploads: {
      ...uploads,
      append: (name, from, content, admit) =>
        guarded(
          uploads.append(name, from, content, (length) => {
            needRoom()
            admit(length)
          }),
        ),
      complete: (name, length, use) => guarded(uploads.complete(name, length, use)),
    },
    async open(blob, range = { start: 0, end: blob.size - 1 }) {
      try {
        if (blob.kind === 'file') return await place.contents.open(blob, range)
        return inlineBytes(read, blob).subarray(range.start, range.end + 1)
      } catch (error) {
        // its last revision was removed after the caller found it
        if (blob.pk !== undefined && read.get(ROW, blob.pk) === undefined) throw removedBefore(error)
        throw error
      }
    },
    bring,
    async close() {
      await threads?.close()
    },
  }
}

const ROW = 'SELECT 1 FROM blobs WHERE pk = ?'

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
  const ways = { threads, ...publishing(options, read, heads) }
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
  { place, removals }: BlobsOptions,
  read: Database,
  heads: HeadFiles | undefined,
): Pick<Staging, 'share' | 'settle'> {
  const { pathOf, publish } = place.contents
  const put = async (path: string, content: Staged): Promise<Staged> => {
    if (pathOf !== undefined) {
      await publish(path, content)
      return { ...content, path: pathOf(content.sha256) }
    }
    // read before the put, so the command that writes the row detects any later withdrawal
    const withdrawal = lastWithdrawal(read, content.sha256)
    await publish(path, content)
    await heads?.keep(path, content.sha256)
    return { ...content, withdrawal }
  }
  return {
    async share(path, content) {
      removals.arrive(content.sha256)
      try {
        return await put(path, content)
      } catch (error) {
        await removals.settle(content)
        throw error
      }
    },
    settle: removals.settle,
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
