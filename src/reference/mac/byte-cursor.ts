/** A place in a byte array that moves as numbers are read from it. */

export interface ByteCursor {
  readonly bytes: Uint8Array
  at: number
}

/** Past the end it reads 0, so damaged bytes end every loop; the callers check where they arrived. */
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
