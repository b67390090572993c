/** A `multipart/related` upload: metadata, then content that streams (spec 6.2). */
import { badContent, type Part, readParts } from './multipart.ts'
import { decodedContent } from './transfer-encoding.ts'

export interface MultipartUpload {
  /** JSON, not parsed. */
  readonly metadata: Buffer
  /** Of the content, as its part says. */
  readonly contentType: string | undefined
  /** To be read once. It ends in a failure if more parts follow, or if the body breaks off. */
  readonly content: AsyncIterable<Buffer>
}

const LONGEST_METADATA = 1024 * 1024

/** @throws {StorageFailure} 400 badContent, uploadBrokenConnection */
export async function readMultipartUpload(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string | undefined,
): Promise<MultipartUpload> {
  const parts = readParts(chunks, boundary)
  const metadata = await collect(await nextPart(parts), LONGEST_METADATA)
  const part = await nextPart(parts)
  const contentType = part.headers.get('content-type')
  return {
    metadata,
    contentType: contentType === '' ? undefined : contentType,
    content: lastContent(part, parts),
  }
}

async function nextPart(parts: AsyncGenerator<Part>): Promise<Part> {
  const { done, value } = await parts.next()
  if (done === true) throw badContent('it must have two parts')
  return value
}

async function* lastContent(part: Part, parts: AsyncGenerator<Part>): AsyncGenerator<Buffer> {
  yield* decodedContent(part)
  const { done } = await parts.next()
  if (done !== true) throw badContent('it must have two parts')
}

async function collect(part: Part, longest: number): Promise<Buffer> {
  const pieces: Buffer[] = []
  let length = 0
  for await (const piece of decodedContent(part)) {
    length += piece.length
    if (length > longest) throw badContent('the metadata are longer than 1 MiB')
    pieces.push(piece)
  }
  return Buffer.concat(pieces)
}
