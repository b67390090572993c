/** Bytes that grow: what a block becomes, and where texts are kept. */

export interface OutputBytes {
  bytes: Buffer
  size: number
}

export function outputBytes(capacity: number): OutputBytes {
  return { bytes: Buffer.allocUnsafeSlow(capacity), size: 0 }
}

export function putRange(out: OutputBytes, from: Uint8Array, start: number, end: number): void {
  const length = end - start
  let at = out.size
  if (at + length > out.bytes.length) grow(out, length)
  const { bytes } = out
  out.size = at + length
  if (length > LONG) {
    bytes.set(from.subarray(start, end), at)
    return
  }
  for (let index = start; index < end; index += 1) bytes[at++] = from[index] ?? 0
}

export function putByte(out: OutputBytes, byte: number): void {
  if (out.size >= out.bytes.length) grow(out, 1)
  out.bytes[out.size] = byte
  out.size += 1
}

/** Byte text. Gives where it begins. */
export function putText(out: OutputBytes, text: string): number {
  const start = out.size
  if (start + text.length > out.bytes.length) grow(out, text.length)
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
const LONG = 96

function grow(out: OutputBytes, by: number): void {
  const larger = Buffer.allocUnsafeSlow(Math.max(out.bytes.length * 2, out.size + by))
  out.bytes.copy(larger, 0, 0, out.size)
  out.bytes = larger
}
