/** The file port: the one way in and out for the files that somebody names, those here and those elsewhere.  [disk] */
import { closeSync, createReadStream, openSync, readSync, rmSync, statSync } from 'node:fs'
import type { Sink, SinkOptions } from './sink.ts'

export interface ByteInput {
  /** As it is called in messages; `stdin` for `-`. */
  readonly name: string
  /** What says by its end what is in it. */
  readonly title: string
  /** Bytes, as they are stored; undefined: nobody knows. */
  readonly size: number | undefined
  /** To be read once. `isBusy`: this program's threads have a use for every processor. */
  readonly bytes: (isBusy?: boolean) => AsyncIterable<Buffer>
}

export interface FilePort {
  readonly source: (file: string) => Promise<ByteInput> | ByteInput
  readonly sink: (file: string, options?: SinkOptions) => Promise<Sink>
  /** It is not here: it cannot be looked at, and others see it as soon as it has its name. */
  readonly isRemote: (file: string) => boolean
  /** The name to which an ending is added for a file beside it. */
  readonly beside: (file: string) => Promise<string> | string
  /** A file that begins so is of us, and out of date. */
  readonly removeOwn: (file: string, begin: string) => Promise<void> | void
  readonly close: () => Promise<void>
}

const ENDING = ' …)'

/** Several files of one table, as they are called in messages. */
export function joinedName(count: number, first: string): string {
  return `${count} files (${first}${ENDING}`
}

export function isJoinedName(name: string): boolean {
  // a pattern of other signs than ASCII does not outlive a bundle
  return /^\d+ files \(/.test(name) && name.endsWith(ENDING)
}

const READ = 256 * 1024

export function sourceHere(file: string): ByteInput {
  const size = fileSize(file)
  const bytes = (isBusy = false) => {
    if (file === '-') return process.stdin
    const isHere = size !== undefined && (isBusy || size <= READ)
    return isHere ? readHere(file) : createReadStream(file, { highWaterMark: READ })
  }
  return { name: file === '-' ? 'stdin' : file, title: file, size, bytes }
}

/** Memory of pieces that was given back: collecting garbage for a new one each time takes as long as a tenth of a table. */
const spare: Buffer[] = []
const lent = new WeakSet<ArrayBufferLike>()

/** Whoever has copied a piece of a file, and knows that nobody else has it, gives it back: it is read into again. What is no whole piece is left alone. */
export function giveBack(piece: Buffer): void {
  if (piece.length === READ && lent.delete(piece.buffer)) spare.push(piece)
}

function lend(): Buffer {
  const bytes = spare.pop() ?? Buffer.allocUnsafeSlow(READ)
  lent.add(bytes.buffer)
  return bytes
}

/**
 * By this thread itself: one that is woken for it takes the processor of one that converts, and for a file that is read at once
 * streams would be loaded. What else there is to do comes in between.
 */
async function* readHere(file: string): AsyncGenerator<Buffer> {
  const handle = openSync(file, 'r')
  try {
    for (;;) {
      // whoever reads may keep it
      const bytes = lend()
      const read = readSync(handle, bytes)
      if (read === 0) return
      yield bytes.subarray(0, read)
      await new Promise((next) => setImmediate(next))
    }
  } finally {
    closeSync(handle)
  }
}

function fileSize(file: string): number | undefined {
  // what cannot be read is said when it is opened
  const found = file === '-' ? undefined : statSync(file, { throwIfNoEntry: false })
  return found?.isFile() === true ? found.size : undefined
}

export function removeHere(file: string, begin: string): void {
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
