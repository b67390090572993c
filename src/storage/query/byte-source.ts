/** Reading a stream of bytes piece by piece, with what was read too far kept for the next. */

export interface ByteSource {
  /** Read, not used yet. */
  buffer: Buffer
  readonly chunks: AsyncIterator<Uint8Array>
}

export interface Line {
  /** Each byte is a character. */
  readonly text: string
  readonly ending: '\r\n' | '\n'
}

export function sourceOf(stream: AsyncIterable<Uint8Array>): ByteSource {
  return { buffer: Buffer.alloc(0), chunks: stream[Symbol.asyncIterator]() }
}

/** Adds the next chunk to the buffer. @returns whether there was one */
export async function advance(source: ByteSource): Promise<boolean> {
  const { done, value } = await source.chunks.next()
  if (done === true) return false
  const chunk = Buffer.from(value.buffer, value.byteOffset, value.byteLength)
  source.buffer = source.buffer.length === 0 ? chunk : Buffer.concat([source.buffer, chunk])
  return true
}

/** Undefined: there is no line ending within `longest` bytes, or none at all. */
export async function readLine(source: ByteSource, longest: number): Promise<Line | undefined> {
  let end = source.buffer.indexOf('\n')
  while (end < 0) {
    const searched = source.buffer.length
    if (searched > longest || !(await advance(source))) return undefined
    end = source.buffer.indexOf('\n', searched)
  }
  if (end > longest) return undefined
  const hasReturn = source.buffer[end - 1] === 0x0d
  const text = source.buffer.toString('latin1', 0, hasReturn ? end - 1 : end)
  source.buffer = source.buffer.subarray(end + 1)
  return { text, ending: hasReturn ? '\r\n' : '\n' }
}
