/** Reading position in a byte array. */

export interface ByteCursor {
  readonly bytes: Uint8Array
  at: number
}

/** Returns 0 past the end, so that loops over damaged bytes terminate; callers check the final position. */
export function readByte(cursor: ByteCursor): number {
  return cursor.bytes[cursor.at++] ?? 0
}

export function readVarint(cursor: ByteCursor): number {
  let byte = readByte(cursor)
  if (byte < 128) return byte
  let value = byte - 128
  for (let scale = 128; ; scale *= 128) {
    byte = readByte(cursor)
    if (byte < 128) return value + byte * scale
    value += (byte - 128) * scale
  }
}
