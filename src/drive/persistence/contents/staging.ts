/** Staging of incoming contents: counted, digested and written as they arrive, published only when they are on disk.  [disk] */
import { type Digesting, type Digests, digestBytes, PIECE_BYTES } from './digest.ts'
import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { removeIfThere, withFile } from './blob-files.ts'
import type { Staged } from './blob-rows.ts'
import { type DigestThreads, digesting } from './digest-threads.ts'

/** Throws if the size exceeds the file limit or the remaining quota. */
export type Admit = (size: number) => void

/** Maximum bytes of a content stored in the database: 5,000 a second of 4 KiB, against 1,000 files. */
export const INLINE_LIMIT = 16 << 10

type Publish = (path: string, content: Staged) => Promise<Staged>

export interface Staging {
  readonly folder: string
  /** Puts a file into the place and keeps the original, which is deleted when the content is settled. */
  readonly share: Publish
  /** The content has a row by now, or gets none. */
  readonly settle: (content: Staged) => Promise<void>
  /** True if files of the folder themselves become the contents, so that they must be synced. Otherwise they are copied elsewhere. */
  readonly isKept: boolean
  /** If undefined, contents are digested in the receiving thread. */
  readonly threads: DigestThreads | undefined
}

/** Gives a content to a command that calls `keepBlob`, or refuses it. */
export type UseContent<Result> = (staged: Staged) => Promise<Result>

/** Stages the whole content, or nothing of it. Without a row after `use` nothing is kept. */
export async function stage<Result>(
  { folder, isKept, threads, needRoom, ...staging }: Staging & { readonly needRoom: () => void },
  content: Incoming,
  admit: Admit,
  use: UseContent<Result>,
): Promise<Result> {
  const iterator = content[Symbol.asyncIterator]()
  const head = await readHead(iterator, admit)
  if (head.isWhole) return use(stagedBytes(Buffer.concat(head.chunks)))
  await closing(iterator, needRoom)
  const path = join(folder, `part-${randomBytes(16).toString('hex')}`)
  try {
    const passing = { admit, digest: digesting(threads), isKept }
    const written = await writeStaged(path, following(head.chunks, iterator), passing)
    return await usePublished(staging, path, written, use)
  } finally {
    await removeIfThere(path)
  }
}

/** Publishes a file for `use`. */
export async function usePublished<Result>(
  { share, settle }: Pick<Staging, 'share' | 'settle'>,
  path: string,
  content: Staged,
  use: UseContent<Result>,
): Promise<Result> {
  const published = await share(path, content)
  try {
    return await use(published)
  } finally {
    await settle(published)
  }
}

/** Copies the bytes: a buffer of the pool would be posted to the writer with its whole slab. */
export function stagedBytes(buffer: Uint8Array): Staged {
  const bytes = new Uint8Array(buffer)
  const { sha256, sha1, md5 } = digestBytes(bytes)
  return { sha256, sha1, md5, size: bytes.length, bytes }
}

interface Head {
  readonly chunks: Uint8Array[]
  readonly isWhole: boolean
}

/** Reads the first chunks, until the content ends or exceeds `INLINE_LIMIT`. */
async function readHead(iterator: AsyncIterator<Uint8Array>, admit: Admit): Promise<Head> {
  const chunks: Uint8Array[] = []
  for (let size = 0; size <= INLINE_LIMIT;) {
    const { done, value } = await iterator.next()
    if (done) return { chunks, isWhole: true }
    chunks.push(value)
    size += value.length
    await closing(iterator, () => admit(size))
  }
  return { chunks, isWhole: false }
}

/** Closes the iterator if `check` throws. */
async function closing(iterator: AsyncIterator<Uint8Array>, check: () => void): Promise<void> {
  try {
    check()
  } catch (error) {
    await iterator.return?.()
    throw error
  }
}

async function* following(head: readonly Uint8Array[], iterator: AsyncIterator<Uint8Array>): Incoming {
  yield* head
  yield* { [Symbol.asyncIterator]: () => iterator }
}

async function writeStaged(
  path: string,
  content: Incoming,
  passing: Passing & { readonly digest: Digesting },
): Promise<Staged> {
  const file = await open(path, 'wx', 0o600)
  try {
    const size = await writeContent(file, 0, content, passing)
    return { ...(await passing.digest.digests()), size }
  } catch (error) {
    passing.digest.forget()
    throw error
  } finally {
    await file.close()
  }
}

/** Digests `length` bytes of a file, beginning at `start`. */
export function digestFile(
  path: string,
  length: number,
  start = 0,
  threads?: DigestThreads,
): Promise<Digests> {
  return withFile(path, 'r', (file) => digestBetween(file, start, start + length, digesting(threads)))
}

async function digestBetween(
  file: FileHandle,
  start: number,
  end: number,
  digest: Digesting,
): Promise<Digests> {
  // one piece is read while the other is digested
  let [piece, other] = [takePiece(), takePiece()]
  let digested: Promise<void> = Promise.resolve()
  try {
    for (let at = start; at < end;) {
      const size = await readPiece(file, piece, { at, length: end })
      await digested
      digested = digest.update(piece.subarray(0, size))
      digested.catch(() => undefined)
      at += size
      ;[piece, other] = [other, piece]
    }
    await digested
  } catch (error) {
    digest.forget()
    throw error
  }
  for (const one of [piece, other]) givePiece(one)
  return digest.digests()
}

/** Fills the piece, or reads the remaining bytes up to `length`. */
async function readPiece(
  file: FileHandle,
  piece: Uint8Array,
  { at, length }: { readonly at: number; readonly length: number },
): Promise<number> {
  const wanted = Math.min(piece.length, length - at)
  for (let had = 0; had < wanted;) {
    const { bytesRead } = await file.read(piece, had, wanted - had, at + had)
    if (bytesRead === 0) throw new Error(`a file ended at ${at + had} of ${length} bytes`)
    had += bytesRead
  }
  return wanted
}

export type Incoming = AsyncIterable<Uint8Array>

export interface Passing {
  /** Called with the length of the file so far. Throws if it is too large. */
  readonly admit: (length: number) => void
  /** Receives the bytes in pieces. Every piece but the last is full. */
  readonly digest: Digesting | undefined
  /** True if the file must be synced after writing. */
  readonly isKept: boolean
}

/**
 * Writes a stream into a file in large pieces: the next ones are filled while others are written and digested. Appends
 * `content` at `position`, with backpressure on the sender. Returns the length of the file. If `isKept`, the file is
 * synced.
 */
export async function writeContent(
  file: FileHandle,
  position: number,
  content: Incoming,
  { admit, digest, isKept }: Passing,
): Promise<number> {
  const pieces = pieceWriter(file, position, digest, isKept)
  let length = position
  try {
    for await (const chunk of content) {
      length += chunk.length
      admit(length)
      for (let at = 0; at < chunk.length;) at += await pieces.add(chunk, at)
    }
    await pieces.flush()
  } finally {
    // no write may be pending when the caller closes the file
    await pieces.settled()
  }
  if (isKept) await file.datasync()
  return length
}

/** Maximum pieces being written and digested. */
const MAX_RUNNING_PIECES = 8

function pieceWriter(file: FileHandle, position: number, digest: Digesting | undefined, isKept: boolean) {
  let filling: Buffer | undefined
  let [used, end] = [0, position]
  const underWay: Promise<void>[] = []
  const disk = inTurn(file, isKept)
  const send = async (piece: Buffer) => {
    const bytes = piece.subarray(0, used)
    const passed = Promise.all([disk.write(bytes, end), digest?.update(bytes)]).then(() => givePiece(piece))
    // rejections surface where `underWay` is awaited
    passed.catch(() => undefined)
    underWay.push(passed)
    filling = undefined
    end += used
    used = 0
    if (underWay.length >= MAX_RUNNING_PIECES) await underWay.shift()
  }
  return {
    /** @returns the number of bytes of `chunk` taken from `at` on */
    async add(chunk: Uint8Array, at: number): Promise<number> {
      filling ??= takePiece()
      const taken = Math.min(chunk.length - at, PIECE_BYTES - used)
      // no other thread uses the piece now; `fill` copies at once, where `set` would copy shared memory word by word
      filling.fill(chunk.subarray(at, at + taken), used, used + taken)
      used += taken
      if (used === PIECE_BYTES) await send(filling)
      return taken
    },
    async flush(): Promise<void> {
      if (filling !== undefined) await send(filling)
      await Promise.all(underWay)
      await disk.flushed()
    },
    async settled(): Promise<void> {
      await Promise.allSettled([...underWay, disk.flushed()])
    },
  }
}

/** Bytes between two syncs: few enough that little is left for the last sync, enough that the syncs cost nothing. */
const FLUSH_BYTES = 32 << 20

/** Writes one piece after another and starts syncing before the last is written. An error rejects the next write. */
function inTurn(file: FileHandle, isKept: boolean) {
  let writing: Promise<void> = Promise.resolve()
  let flushing: Promise<void> = Promise.resolve()
  let unflushed = 0
  const writeNext = async (before: Promise<void>, bytes: Uint8Array, position: number) => {
    await before
    await writeWhole(file, bytes, position)
    unflushed += bytes.length
    if (!isKept || unflushed < FLUSH_BYTES) return
    // limits the unsynced bytes on a slow disk
    await flushing
    unflushed = 0
    flushing = file.datasync()
    flushing.catch(() => undefined)
  }
  return {
    write: (bytes: Uint8Array, position: number) => (writing = writeNext(writing, bytes, position)),
    flushed: () => flushing,
  }
}

/** A full disk accepts part of a piece without an error and refuses the rest with one. */
async function writeWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

/** Maximum number of spare pieces kept for reuse. */
const MAX_SPARE_PIECES = 64

const spare: Buffer[] = []

function takePiece(): Buffer {
  return spare.pop() ?? Buffer.from(new SharedArrayBuffer(PIECE_BYTES))
}

/** Call it when no thread reads or writes the piece any more. */
function givePiece(piece: Buffer): void {
  if (spare.length < MAX_SPARE_PIECES) spare.push(piece)
}
