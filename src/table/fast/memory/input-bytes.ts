/** The bytes being converted, in private memory: shared memory is slower to read, and has nothing behind its end. */
import { dataView, SLACK } from './output-bytes.ts'

export interface InputBytes {
  bytes: Buffer
  /** Of the same bytes. */
  view: DataView
  size: number
  /** Behind the last line feed. */
  end: number
  /** The bytes before it. */
  whole: Buffer
}

const LF = 10

export function inputBytes(): InputBytes {
  const bytes = Buffer.alloc(0)
  return { bytes, view: dataView(bytes), size: 0, end: 0, whole: bytes }
}

/** Puts the pieces in the place of what was there; one of them may be of what was there. */
export function fill(input: InputBytes, pieces: readonly Uint8Array[]): void {
  const size = pieces.reduce((sum, { length }) => sum + length, 0)
  if (size + SLACK > input.bytes.length) {
    const bytes = Buffer.allocUnsafeSlow(Math.max(size + SLACK, input.bytes.length * 2))
    copy(bytes, pieces)
    input.bytes = bytes
    input.view = dataView(bytes)
  } else copy(input.bytes, pieces)
  input.size = size
  input.whole = input.bytes.subarray(0, size)
  input.end = input.whole.lastIndexOf(LF) + 1
  input.whole = input.whole.subarray(0, input.end)
}

function copy(to: Buffer, pieces: readonly Uint8Array[]): void {
  let at = 0
  for (const piece of pieces) {
    copyBytes(to, at, piece)
    at += piece.length
  }
}

/**
 * `set` moves the bytes of shared memory word by word, lest another thread see half of one. Nobody else reads or writes
 * these meanwhile, and `fill`, with a value as long as its place, copies them in one piece: twice as fast. Its value may not
 * overlap its place, as what is left of a block does that moves to the begin of its own memory.
 */
export function copyBytes(to: Buffer, at: number, from: Uint8Array): void {
  if (from.buffer === to.buffer) to.set(from, at)
  else if (from.length > 0) to.fill(from, at, at + from.length)
}
