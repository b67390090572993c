/** Writes what arrives into a file: in large pieces, the next one filled while the last is written.  [disk] */
import type { FileHandle } from 'node:fs/promises'

export type Incoming = AsyncIterable<Uint8Array>

const PIECE = 1 << 20

/** Appends `content` from `position` on; whoever sends too fast waits. Returns the length of the file; nothing is synced. */
export async function writeContent(
  file: FileHandle,
  position: number,
  content: Incoming,
  passed: (chunk: Uint8Array) => void,
): Promise<number> {
  const pieces = pieceWriter(file, position)
  for await (const chunk of content) {
    passed(chunk)
    for (let at = 0; at < chunk.length;) at += await pieces.add(chunk, at)
  }
  return pieces.flush()
}

function pieceWriter(file: FileHandle, position: number) {
  let filling = Buffer.allocUnsafe(PIECE)
  let spare: Buffer<ArrayBuffer> | undefined
  let used = 0
  let end = position
  let writing: Promise<void> = Promise.resolve()
  const send = async () => {
    await writing
    const [full, length, from] = [filling, used, end]
    writing = writeWhole(file, full.subarray(0, length), from)
    // told when it is awaited
    writing.catch(() => undefined)
    filling = spare ?? Buffer.allocUnsafe(PIECE)
    spare = full
    end += length
    used = 0
  }
  return {
    /** How many bytes of `chunk` from `at` on were taken. */
    async add(chunk: Uint8Array, at: number): Promise<number> {
      const taken = Math.min(chunk.length - at, PIECE - used)
      filling.set(chunk.subarray(at, at + taken), used)
      used += taken
      if (used === PIECE) await send()
      return taken
    },
    async flush(): Promise<number> {
      if (used > 0) await send()
      await writing
      return end
    },
  }
}

/** A full disk takes part of a piece without an error; the rest is refused with one. */
async function writeWhole(file: FileHandle, bytes: Buffer, position: number): Promise<void> {
  for (let at = 0; at < bytes.length;) {
    const { bytesWritten } = await file.write(bytes, at, bytes.length - at, position + at)
    at += bytesWritten
  }
}
