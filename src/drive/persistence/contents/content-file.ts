/** Writes what arrives into a file: in large pieces, the next ones filled while others are written and digested.  [disk] */
import type { Digesting } from './digest.ts'
import type { FileHandle } from 'node:fs/promises'

export type Incoming = AsyncIterable<Uint8Array>

export interface Passing {
  /** Called with the length that the file comes to. Throws when that is too much. */
  readonly admit: (length: number) => void
  /** Gets the bytes in pieces, all of them whole but the last. */
  readonly digest: Digesting | undefined
  /** It is on disk when it is written. */
  readonly isKept: boolean
}

/** Appends `content` from `position` on; whoever sends too fast waits. Returns the length of the file, which is on disk. */
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
    // nobody may write to a file that its owner has closed
    await pieces.settled()
  }
  if (isKept) await file.datasync()
  return length
}

/** Pieces of a content that are being written and digested. */
const MOST_UNDER_WAY = 8

function pieceWriter(file: FileHandle, position: number, digest: Digesting | undefined, isKept: boolean) {
  let filling: Buffer | undefined
  let [used, end] = [0, position]
  const underWay: Promise<void>[] = []
  const disk = inTurn(file, isKept)
  const send = async (piece: Buffer) => {
    const bytes = piece.subarray(0, used)
    const passed = Promise.all([disk.write(bytes, end), digest?.update(bytes)]).then(() => givePiece(piece))
    // told when it is awaited
    passed.catch(() => undefined)
    underWay.push(passed)
    filling = undefined
    end += used
    used = 0
    if (underWay.length >= MOST_UNDER_WAY) await underWay.shift()
  }
  return {
    /** How many bytes of `chunk` from `at` on were taken. */
    async add(chunk: Uint8Array, at: number): Promise<number> {
      filling ??= takePiece()
      const taken = Math.min(chunk.length - at, PIECE - used)
      // nobody else uses the piece now: unlike `set`, this does not move shared memory word by word
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

/** Bytes: often enough that little is left to bring to the disk at the end, seldom enough to cost nothing. */
const FLUSHED = 32 << 20

/** Writes one after another, and lets the disk begin before the last is written. What fails is told by the next. */
function inTurn(file: FileHandle, isKept: boolean) {
  let writing: Promise<void> = Promise.resolve()
  let flushing: Promise<void> = Promise.resolve()
  let unflushed = 0
  const writeNext = async (before: Promise<void>, bytes: Uint8Array, position: number) => {
    await before
    await writeWhole(file, bytes, position)
    unflushed += bytes.length
    if (!isKept || unflushed < FLUSHED) return
    // of a slow disk: no more than this is left to it
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

/** A full disk takes part of a piece without an error; the rest is refused with one. */
async function writeWhole(file: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}

/** Bytes. */
export const PIECE = 256 << 10

/** So many are kept when nobody needs them. */
const MOST_SPARE = 64

const spare: Buffer[] = []

export function takePiece(): Buffer {
  return spare.pop() ?? Buffer.from(new SharedArrayBuffer(PIECE))
}

/** When nobody reads or writes it any more. */
export function givePiece(piece: Buffer): void {
  if (spare.length < MOST_SPARE) spare.push(piece)
}
