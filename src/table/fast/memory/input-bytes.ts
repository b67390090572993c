/** The bytes being converted, in private memory: shared memory is slower to read, and has nothing behind its end. */
import { copyBytes } from './copy-bytes.ts'
import { SLACK, dataView } from './output-bytes.ts'

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
