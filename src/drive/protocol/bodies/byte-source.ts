/** Reading bytes that come in pieces, wherever from: what was read too far is kept for the next. */

export interface ByteSource {
  /** Read, not used yet. */
  buffer: Buffer
}

/** More bytes are wanted. It is answered with whether there were any, which are then in the buffer. */
export interface More {
  readonly kind: 'more'
}

export const MORE: More = { kind: 'more' }

export interface HeaderLine {
  /** Each byte is a character. */
  readonly text: string
  readonly ending: '\r\n' | '\n'
}

/** Adds the next chunk to the buffer. @returns whether there was one */
export async function advance(source: ByteSource, chunks: AsyncIterator<Uint8Array>): Promise<boolean> {
  const { done, value } = await chunks.next()
  if (done === true) return false
  const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  source.buffer = source.buffer.length === 0 ? chunk : Buffer.concat([source.buffer, chunk])
  return true
}

/** Undefined: there is no line ending within `longest` bytes, or none at all. */
export function* readLine(
  source: ByteSource,
  longest: number,
): Generator<More, HeaderLine | undefined, boolean> {
  let end = source.buffer.indexOf('\n')
  while (end < 0) {
    const searched = source.buffer.length
    if (searched > longest || !(yield MORE)) return undefined
    end = source.buffer.indexOf('\n', searched)
  }
  if (end > longest) return undefined
  const hasReturn = source.buffer[end - 1] === 0x0d
  const text = source.buffer.toString('latin1', 0, hasReturn ? end - 1 : end)
  source.buffer = source.buffer.subarray(end + 1)
  return { text, ending: hasReturn ? '\r\n' : '\n' }
}
