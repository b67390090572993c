/** File port: the only access to files that a user names, local or remote.  [disk] */
import { closeSync, createReadStream, openSync, readSync, rmSync, statSync } from 'node:fs'
import { inputStream } from './run.ts'
import type { Sink, SinkOptions } from './sink.ts'

export interface ByteInput {
  /** Name in messages; `stdin` for `-`. */
  readonly name: string
  /** Name whose ending tells the content's type. */
  readonly title: string
  /** Size as stored, in bytes; undefined when unknown. */
  readonly size: number | undefined
  /** Content, readable once. */
  readonly bytes: () => AsyncIterable<Buffer>
}

export interface FilePort {
  readonly source: (file: string) => Promise<ByteInput> | ByteInput
  readonly sink: (file: string, options?: SinkOptions) => Promise<Sink>
  /** True for a file elsewhere: it cannot be inspected, and others see it as soon as it has its name. */
  readonly isRemote: (file: string) => boolean
  /** Path to which an ending is added to name a file beside it. */
  readonly beside: (file: string) => Promise<string> | string
  /** Removes an outdated file of ours, recognised by its first bytes. */
  readonly removeOwn: (file: string, begin: string) => Promise<void> | void
  readonly close: () => Promise<void>
}

/** First characters of the name of a file in a store. */
export const STORED = 'drive:'

/** `drive:/registry/donors.csv`; a file on this machine of such a name is `./drive:…`. */
export function isStored(file: string): boolean {
  return file.startsWith(STORED)
}

const ENDING = ' …)'

/** Name in messages for several files read as one table. */
export function joinedName(count: number, first: string): string {
  return `${count} files (${first}${ENDING}`
}

export function isJoinedName(name: string): boolean {
  // a pattern with non-ASCII characters does not survive bundling
  return /^\d+ files \(/.test(name) && name.endsWith(ENDING)
}

const READ = 256 * 1024

export function openLocalInput(file: string): ByteInput {
  const size = fileSize(file)
  const bytes = () => {
    if (file === '-') return inputStream()
    const isSmall = size !== undefined && size <= READ
    return isSmall ? readHere(file) : createReadStream(file, { highWaterMark: READ })
  }
  return { name: file === '-' ? 'stdin' : file, title: file, size, bytes }
}

/** Streams load more of Node, which a small file need not wait for. Yields to the event loop between pieces. */
async function* readHere(file: string): AsyncGenerator<Buffer> {
  const handle = openSync(file, 'r')
  try {
    for (;;) {
      // the reader may keep the piece
      const bytes = Buffer.allocUnsafeSlow(READ)
      const read = readSync(handle, bytes)
      if (read === 0) return
      yield bytes.subarray(0, read)
      await new Promise((next) => setImmediate(next))
    }
  } finally {
    closeSync(handle)
  }
}

export function fileSize(file: string): number | undefined {
  // opening the file reports an unreadable one
  const stats = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false })
  return stats?.isFile() === true ? stats.size : undefined
}

export function removeLocalFile(file: string, begin: string): void {
  if (firstBytes(file, Buffer.byteLength(begin)) === begin) rmSync(file)
}

function firstBytes(file: string, count: number): string | undefined {
  const bytes = Buffer.alloc(count)
  try {
    const handle = openSync(file, 'r')
    readSync(handle, bytes, 0, count, 0)
    closeSync(handle)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
  return bytes.toString('utf8')
}
