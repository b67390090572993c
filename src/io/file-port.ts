/** The file port: the one way in and out for the files that somebody names, those here and those elsewhere; what tells one input from any other.  [disk] */
import { createHash } from 'node:crypto'
import { closeSync, createReadStream, openSync, readSync, rmSync, statSync } from 'node:fs'
import { basename } from 'node:path'
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
  /** What tells it from any other, `read` bytes of which were read. Of what can be read again. */
  readonly identity: (read: number) => InputIdentity
}

export interface FilePort {
  readonly source: (file: string) => Promise<ByteInput> | ByteInput
  readonly sink: (file: string, options?: SinkOptions) => Promise<Sink>
  /** It is not here: it cannot be looked at, and others see it as soon as it has its name. */
  readonly isRemote: (file: string) => boolean
  /** The name to which an ending is added for a file beside it. */
  readonly beside: (file: string) => Promise<string> | string
  /** The file here that what is kept of it for another run is named after. */
  readonly here: (file: string) => Promise<string> | string
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
  const identity = (read: number) => inputIdentity(file, read)
  return { name: file === '-' ? 'stdin' : file, title: file, size, bytes, identity }
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

/** What tells the input of a conversion from any other file, without reading all of it. */
export type InputIdentity = FileIdentity | StoredIdentity

/** Of a file of a store: the content that its id and its revision name. */
export interface StoredIdentity {
  readonly id: string
  readonly revision: string
  /** Of a document, whose bytes are made when they are asked for: what changes with it. */
  readonly md5: string
  readonly bytes: number
  /** How much of it was read. */
  readonly read: number
}

interface FileIdentity {
  /** Of the file, without its folder: where all of it was moved, it is still the same. */
  readonly name: string
  readonly bytes: number
  /** As ISO 8601. */
  readonly modified: string
  /** sha256 of the first 64 KiB of the file as it is stored. */
  readonly head: string
  /** How much of it was read, and the sha256 of the last 64 KiB of that. */
  readonly read: number
  readonly last: string
}

const LOOKED_AT = 64 * 1024

/** `read`: how much of the file, as it is stored, was read. */
function inputIdentity(file: string, read: number): FileIdentity {
  const { size, mtime } = statSync(file)
  // hashed when it is asked for, as it is now: a table that is converted without a checkpoint needs no digest
  const head = readBytes(file, 0, LOOKED_AT)
  const last = readBytes(file, Math.max(0, read - LOOKED_AT), read)
  return {
    name: basename(file),
    bytes: size,
    modified: mtime.toISOString(),
    get head() {
      return digest(head)
    },
    read,
    get last() {
      return digest(last)
    },
  }
}

function digest(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex')
}

function readBytes(file: string, start: number, end: number): Buffer {
  const bytes = Buffer.alloc(end - start)
  const handle = openSync(file, 'r')
  try {
    const size = readSync(handle, bytes, 0, bytes.length, start)
    return bytes.subarray(0, size)
  } finally {
    closeSync(handle)
  }
}
