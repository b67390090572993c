/** Uploads in several requests. Each has a file, which is synced up to the recorded length before the client gets its response.  [disk] */
import type { Digesting } from './digest.ts'
import { randomBytes } from 'node:crypto'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { type StorageFailure, tryAgain } from '../../contract/failure.ts'
import { removeIfThere, statIfThere, syncDirectory, withFile } from './blob-files.ts'
import {
  type Incoming,
  type Passing,
  writeContent,
  type Admit,
  digestFile,
  INLINE_LIMIT,
  stagedBytes,
  type Staging,
  type UseContent,
  usePublished,
} from './staging.ts'
import { digesting } from './digest-threads.ts'

export interface Appended {
  /** Bytes of the upload that are on disk. */
  readonly length: number
  /** Error that ended the request early. The bytes before it are kept. */
  readonly broken: unknown
}

/** `from` and `length` are lengths recorded in the database. The file may be longer: those bytes were never confirmed to a client. */
export interface Uploads {
  /** Name for `uploads.staged`. The file is created with the first bytes. */
  readonly newName: () => string
  readonly append: (name: string, from: number, content: Incoming, admit: Admit) => Promise<Appended>
  /** Number of bytes on disk, at most the recorded length. Less if the file has been removed. */
  readonly held: (name: string, length: number) => Promise<number>
  /** Keeps the file until `discard`, because the command that writes the row may still refuse. */
  readonly complete: <Result>(name: string, length: number, use: UseContent<Result>) => Promise<Result>
  readonly discard: (name: string) => Promise<void>
}

export function uploadFiles(staging: Staging): Uploads {
  const pathOf = (name: string) => join(staging.folder, name)
  const running = runningDigests(() => digesting(staging.threads))
  const busy = new Set<string>()
  return {
    newName: () => `upload-${randomBytes(16).toString('hex')}`,
    append: (name, from, content, admit) =>
      alone(busy, name, async () => {
        const digest = running.take(name, from)
        const passing = { admit, digest, isKept: staging.isKept }
        const appended = await append(pathOf(name), from, content, passing)
        if (digest !== undefined) running.keep(name, digest, appended.length)
        return appended
      }),
    held: async (name, length) => Math.min(length, (await statIfThere(pathOf(name)))?.size ?? 0),
    complete: (name, length, use) =>
      alone(busy, name, () =>
        complete(pathOf(name), length, { ...staging, digest: running.take(name, length) }, use),
      ),
    async discard(name) {
      running.take(name, -1)
      await removeIfThere(pathOf(name))
    },
  }
}

async function append(path: string, from: number, content: Incoming, passing: Passing): Promise<Appended> {
  const { digest, isKept } = passing
  const file = await open(path, from === 0 ? 'w' : 'r+', 0o600)
  try {
    const arriving = untilBroken(content)
    const length = await writeContent(file, from, arriving.content, passing)
    if (from === 0 && isKept) await syncDirectory(join(path, '..'))
    return { length, broken: arriving.broken() }
  } catch (error) {
    digest?.forget()
    throw error
  } finally {
    await file.close()
  }
}

/** Ends the stream where the sender fails, so that earlier bytes are kept. */
function untilBroken(content: Incoming): { readonly content: Incoming; readonly broken: () => unknown } {
  let broken: unknown
  async function* whole(): Incoming {
    const iterator = content[Symbol.asyncIterator]()
    try {
      for (let next = await iterator.next(); !next.done;) {
        yield next.value
        try {
          next = await iterator.next()
        } catch (error) {
          broken = error
          return
        }
      }
    } finally {
      await iterator.return?.()
    }
  }
  return { content: whole(), broken: () => broken }
}

interface Completing extends Staging {
  /** Of the whole upload, if known. */
  readonly digest: Digesting | undefined
}

async function complete<Result>(
  path: string,
  length: number,
  completing: Completing,
  use: UseContent<Result>,
): Promise<Result> {
  if (length === 0) return use(stagedBytes(new Uint8Array(0)))
  const { isKept, threads, digest } = completing
  const content = await withFile(path, 'r+', async (file) => {
    await file.truncate(length)
    if (length <= INLINE_LIMIT) {
      const { buffer, bytesRead } = await file.read(Buffer.alloc(length), 0, length, 0)
      if (bytesRead !== length) throw new Error(`an upload ended at ${bytesRead} of ${length} bytes`)
      return stagedBytes(buffer)
    }
    const digests = await (digest?.digests() ?? digestFile(path, length, 0, threads))
    await file.utimes(new Date(), new Date())
    if (isKept) await file.datasync()
    return { ...digests, size: length }
  })
  return content.bytes === undefined ? usePublished(completing, path, content, use) : use(content)
}

/** Running digests of uploads, which spare reading their files again. Lost on a restart. */
function runningDigests(newDigest: () => Digesting) {
  const running = new Map<string, { readonly digest: Digesting; readonly length: number }>()
  return {
    /** Returns undefined if no digest of the first `length` bytes is known. */
    take(name: string, length: number): Digesting | undefined {
      const found = running.get(name)
      running.delete(name)
      if (length > 0 && found?.length === length) return found.digest
      found?.digest.forget()
      return length === 0 ? newDigest() : undefined
    },
    keep(name: string, digest: Digesting, length: number): void {
      const [oldest] = running
      if (running.size >= MAX_RUNNING && oldest !== undefined) {
        running.delete(oldest[0])
        oldest[1].digest.forget()
      }
      running.set(name, { digest, length })
    },
  }
}

const MAX_RUNNING = 1000

/** Two requests must not write to one file. */
async function alone<Result>(busy: Set<string>, name: string, work: () => Promise<Result>): Promise<Result> {
  if (busy.has(name)) throw otherRequest()
  busy.add(name)
  try {
    return await work()
  } finally {
    busy.delete(name)
  }
}

export function otherRequest(): StorageFailure {
  return tryAgain(1, 'Another request is sending to this upload.')
}
