/** Memory for contents on their way to the disk: pieces that threads share, and that are used again. */

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
