/** Bytes of a conversion in memory: those that were read, and those to be written, in buffers that grow. */

export interface InputBytes {
  bytes: Buffer
  /** Of the same bytes. */
  view: DataView
  size: number
  /** With which rows end. */
  readonly feed: number
  /** Behind the last end of a line. */
  end: number
  /** The bytes before it. */
  whole: Buffer
}

export function inputBytes(feed: number): InputBytes {
  const bytes = Buffer.alloc(0)
  return { bytes, view: dataView(bytes), size: 0, feed, end: 0, whole: bytes }
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
 * `set` moves the bytes of shared memory word by word, lest another thread see half of one. Nobody else reads or writes
 * these meanwhile, and `fill`, with a value as long as its place, copies them in one piece: twice as fast. Its value may not
 * overlap its place, as what is left of a block does that moves to the begin of its own memory.
 */
export function copyBytes(to: Buffer, at: number, from: Uint8Array): void {
  if (from.buffer === to.buffer) to.set(from, at)
  else if (from.length > 0) to.fill(from, at, at + from.length)
}

export interface OutputBytes {
  bytes: Buffer
  /** Of the same bytes. */
  view: DataView
  size: number
}

/** Bytes that may be read or written behind what is asked for: texts are copied four bytes at a time. */
export const SLACK = 8

export function outputBytes(capacity: number): OutputBytes {
  const bytes = Buffer.allocUnsafeSlow(capacity + SLACK)
  return { bytes, view: dataView(bytes), size: 0 }
}

/** From now on, while there is room in it. */
export function writeInto(out: OutputBytes, room: SharedArrayBuffer): void {
  out.bytes = Buffer.from(room)
  out.view = dataView(out.bytes)
  out.size = 0
}

export function dataView({ buffer, byteOffset, byteLength }: Uint8Array): DataView {
  return new DataView(buffer, byteOffset, byteLength)
}

/** Copies `length` bytes of `from`, which has SLACK behind them. */
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

/** Byte text. Gives where it begins. */
export function putText(out: OutputBytes, text: string): number {
  const start = out.size
  makeRoom(out, text.length)
  out.bytes.write(text, start, 'latin1')
  out.size = start + text.length
  return start
}

/** The bytes so far, good until the next ones are put in their place. */
export function takeBytes(out: OutputBytes): Buffer {
  const taken = out.bytes.subarray(0, out.size)
  out.size = 0
  return taken
}

/** From here on a native copy is worth its call. */
const LONG = 512

function makeRoom(out: OutputBytes, by: number): void {
  if (out.size + by + SLACK <= out.bytes.length) return
  const larger = Buffer.allocUnsafeSlow(Math.max(out.bytes.length * 2, out.size + by + SLACK))
  out.bytes.copy(larger, 0, 0, out.size)
  out.bytes = larger
  out.view = dataView(larger)
}
