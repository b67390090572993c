/** Contents that arrive: counted, digested and written as they come, in place only when they are on disk.  [disk] */
import { randomBytes } from 'node:crypto'
import { type FileHandle, open } from 'node:fs/promises'
import { join } from 'node:path'
import { type BlobFiles, removeIfThere } from './blob-files.ts'
import type { Staged } from './blob-rows.ts'
import { type Incoming, writeContent } from './content-file.ts'
import { type Digesting, digesting, digestsOf } from './digest.ts'

/** Throws when so many bytes are too many: the limit of one file, or what is left of a quota. */
export type Admit = (size: number) => void

/** Up to here a content lies in the database: 5,000 a second of 4 KiB against 1,000 files. */
export const INLINE_LIMIT = 16 << 10

/** The whole content, or nothing of it. */
export async function stage(
  folder: string,
  files: BlobFiles,
  content: Incoming,
  admit: Admit,
): Promise<Staged> {
  const iterator = content[Symbol.asyncIterator]()
  const head = await readHead(iterator, admit)
  if (head.isWhole) return stagedBytes(Buffer.concat(head.chunks))
  const path = join(folder, `part-${randomBytes(16).toString('hex')}`)
  try {
    const staged = await writeStaged(path, following(head.chunks, iterator), admit)
    await files.move(path, staged.sha256)
    return staged
  } catch (error) {
    await removeIfThere(path)
    throw error
  }
}

/** With a memory of its own: a buffer of the pool would travel to the writer with all its neighbours. */
export function stagedBytes(buffer: Uint8Array): Staged {
  const bytes = new Uint8Array(buffer)
  return { ...digestsOf(bytes), size: bytes.length, bytes }
}

interface Head {
  readonly chunks: Uint8Array[]
  readonly isWhole: boolean
}

/** What fits into the database, and a little more when it does not. */
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

/** Whoever stops reading before the end says so. */
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

async function writeStaged(path: string, content: Incoming, admit: Admit): Promise<Staged> {
  const file = await open(path, 'wx', 0o600)
  try {
    const digest = digesting()
    const size = await writeContent(file, 0, content, counted(digest, 0, admit))
    await file.datasync()
    return { ...digest.digests(), size }
  } finally {
    await file.close()
  }
}

export function counted(
  digest: Digesting | undefined,
  from: number,
  admit: Admit,
): (chunk: Uint8Array) => void {
  let size = from
  return (chunk) => {
    size += chunk.length
    admit(size)
    digest?.update(chunk)
  }
}

/** Digests of a file's first `length` bytes. */
export async function digestFile(file: FileHandle, length: number): Promise<Digesting> {
  const digest = digesting()
  const buffer = Buffer.allocUnsafe(1 << 20)
  for (let at = 0; at < length;) {
    const { bytesRead } = await file.read(buffer, 0, Math.min(buffer.length, length - at), at)
    if (bytesRead === 0) throw new Error(`a file ended at ${at} of ${length} bytes`)
    digest.update(buffer.subarray(0, bytesRead))
    at += bytesRead
  }
  return digest
}
