/** Growing buffers for the bytes read and written in a conversion. */

export interface InputBytes {
  bytes: Buffer
  /** View of the same bytes. */
  view: DataView
  size: number
  /** Byte that ends rows. */
  readonly feed: number
  /** Offset after the last line end. */
  end: number
  /** The bytes before `end`. */
  whole: Buffer
}

export function inputBytes(feed: number): InputBytes {
  const bytes = Buffer.alloc(0)
  return { bytes, view: dataView(bytes), size: 0, feed, end: 0, whole: bytes }
}

/** Replaces the content by the pieces, one of which may be part of it. */
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
  input.end = input.whole.lastIndexOf(input.feed) + 1
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
 * Copies bytes. `set` copies shared memory word by word, to prevent torn reads by other threads. No other thread uses
 * these bytes now, and `fill` with a value of equal length copies them at once, twice as fast; but source and target
 * must not overlap, as they do when the rest of a block moves to its beginning.
 */
export function copyBytes(to: Buffer, at: number, from: Uint8Array): void {
  if (from.buffer === to.buffer) to.set(from, at)
  else if (from.length > 0) to.fill(from, at, at + from.length)
}

export interface OutputBytes {
  bytes: Buffer
  /** View of the same bytes. */
  view: DataView
  size: number
}

/** Bytes accessible after the requested ones: texts are copied four bytes at a time. */
export const SLACK = 8

export function outputBytes(capacity: number): OutputBytes {
  const bytes = Buffer.allocUnsafeSlow(capacity + SLACK)
  return { bytes, view: dataView(bytes), size: 0 }
}

/** Writes into `room` from now on, while it has space. */
export function writeInto(out: OutputBytes, room: SharedArrayBuffer): void {
  out.bytes = Buffer.from(room)
  out.view = dataView(out.bytes)
  out.size = 0
}

export function dataView({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Copies `length` bytes of `from`, which must have SLACK after them. */
export function putRange(out: OutputBytes, from: DataView, start: number, length: number): void {
  const at = out.size
  makeRoom(out, length)
  out.size = at + length
  if (length > LONG) {
    out.bytes.set(new Uint8Array(from.buffer, from.byteOffset + start, length), at)
    return
  }
  const { view } = out
  for (let done = 0; done < length; done += 4)
    view.setInt32(at + done, from.getInt32(start + done, true), true)
}

export function putByte(out: OutputBytes, byte: number): void {
  makeRoom(out, 1)
  out.bytes[out.size] = byte
  out.size += 1
}

/** Writes byte text; returns its offset. */
export function putText(out: OutputBytes, text: string): number {
  const start = out.size
  makeRoom(out, text.length)
  out.bytes.write(text, start, 'latin1')
  out.size = start + text.length
  return start
}

/** Returns the bytes so far, valid until the next write, and empties the buffer. */
export function takeBytes(out: OutputBytes): Buffer {
  const taken = out.bytes.subarray(0, out.size)
  out.size = 0
  return taken
}

/** Length from which a native copy is worth its call. */
const LONG = 512

function makeRoom(out: OutputBytes, by: number): void {
  if (out.size + by + SLACK <= out.bytes.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(out.bytes.length * 2, out.size + by + SLACK))
  out.bytes.copy(larger, 0, 0, out.size)
  out.bytes = larger
  out.view = dataView(larger)
}
