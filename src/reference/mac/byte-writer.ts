/** Growing byte array, with numbers of any size written seven bits at a time. */

export interface ByteWriter {
  bytes: Uint8Array
  length: number
}

export function byteWriter(capacity = 256): ByteWriter {
  return { bytes: new Uint8Array(capacity), length: 0 }
}

export function writtenBytes(writer: ByteWriter): Uint8Array {
  return writer.bytes.subarray(0, writer.length)
}

export function pushByte(writer: ByteWriter, byte: number): void {
  if (writer.length === writer.bytes.length) reserve(writer, 1)
  writer.bytes[writer.length++] = byte
}

/** `value` is a whole number from 0 to 2^53 - 1. */
export function pushVarint(writer: ByteWriter, value: number): void {
  let large = value
  while (large >= 2 ** 31) {
    pushByte(writer, (large % 128) + 128)
    large = Math.floor(large / 128)
  }
  // bit operations truncate at 2^32, and nearly all numbers are far below
  let rest = large | 0
  while (rest >= 128) {
    pushByte(writer, (rest & 127) | 128)
    rest >>>= 7
  }
  pushByte(writer, rest)
}

export function pushBytes(writer: ByteWriter, bytes: Uint8Array): void {
  reserve(writer, bytes.length)
  writer.bytes.set(bytes, writer.length)
  writer.length += bytes.length
}

function reserve(writer: ByteWriter, extra: number): void {
  if (writer.length + extra <= writer.bytes.length) return
  const grown = new Uint8Array(Math.max(writer.length + extra, writer.bytes.length * 2))
  grown.set(writtenBytes(writer))
  writer.bytes = grown
}
