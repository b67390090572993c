/** Writes a stream into a file in large pieces: the next ones are filled while others are written and digested.  [disk] */
import type { Digesting } from './digest.ts'
import type { FileHandle } from 'node:fs/promises'

export type Incoming = AsyncIterable<Uint8Array>

export interface Passing {
  /** Called with the length of the file so far. Throws if it is too large. */
  readonly admit: (length: number) => void
  /** Receives the bytes in pieces. Every piece but the last is full. */
  readonly digest: Digesting | undefined
  /** True if the file must be synced after writing. */
  readonly isKept: boolean
}

/** Appends `content` at `position`, with backpressure on the sender. Returns the length of the file. If `isKept`, the file is synced. */
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
const MOST_UNDER_WAY = 8

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
    if (underWay.length >= MOST_UNDER_WAY) await underWay.shift()
  }
  return {
    /** @returns the number of bytes of `chunk` taken from `at` on */
    async add(chunk: Uint8Array, at: number): Promise<number> {
      filling ??= takePiece()
      const taken = Math.min(chunk.length - at, PIECE - used)
      // no other thread uses the piece now; `fill` copies at once, where `set` would copy shared memory word by word
      filling.fill(chunk.subarray(at, at + taken), used, used + taken)
      used += taken
      if (used === PIECE) await send(filling)
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
const FLUSHED = 32 << 20

/** Writes one piece after another and starts syncing before the last is written. An error rejects the next write. */
function inTurn(file: FileHandle, isKept: boolean) {
  let writing: Promise<void> = Promise.resolve()
  let flushing: Promise<void> = Promise.resolve()
  let unflushed = 0
  const writeNext = async (before: Promise<void>, bytes: Uint8Array, position: number) => {
    await before
    await writeWhole(file, bytes, position)
    unflushed += bytes.length
    if (!isKept || unflushed < FLUSHED) return
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

/** Bytes of a piece. */
export const PIECE = 256 << 10

/** Maximum number of spare pieces kept for reuse. */
const MOST_SPARE = 64

const spare: Buffer[] = []

export function takePiece(): Buffer {
  return spare.pop() ?? Buffer.from(new SharedArrayBuffer(PIECE))
}

/** Call it when no thread reads or writes the piece any more. */
export function givePiece(piece: Buffer): void {
  if (spare.length < MOST_SPARE) spare.push(piece)
}
