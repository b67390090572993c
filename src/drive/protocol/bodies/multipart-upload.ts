/** A `multipart/related` upload: metadata, then content (spec 6.2). */
import { ByteBlocks } from '../../../byte-blocks.ts'
import { badContent, type PartHeaders, type PartStep, partSteps } from './multipart.ts'
import { type BodyPart, readParts } from './parts.ts'
import { decodedContent, chooseDecoder } from './transfer-encoding.ts'

export interface MultipartUpload<Content> {
  /** JSON, not parsed. */
  readonly metadata: Buffer
  /** Of the content, as its part says. */
  readonly contentType: string | undefined
  /** To be read once. It ends in a failure if more parts follow, or if the body breaks off. */
  readonly content: Content
}

/** Of a body whose content streams; `longest`: bytes of the metadata. @throws {StorageFailure} 400 badContent, uploadBrokenConnection */
export async function readMultipartUpload(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string | undefined,
  longest: number,
): Promise<MultipartUpload<AsyncIterable<Buffer>>> {
  const parts = readParts(chunks, boundary)
  const metadata = await collect(await nextPart(parts), longest)
  const part = await nextPart(parts)
  return { metadata, contentType: partType(part.headers), content: lastContent(part, parts) }
}

/** The same of a small body that is all there, in one turn. */
export function parseMultipartUpload(
  body: Buffer,
  boundary: string | undefined,
): MultipartUpload<() => Buffer> {
  const steps = partSteps({ buffer: body }, boundary)
  const metadata = wholeContent(steps, wholePart(steps))
  const headers = wholePart(steps)
  return {
    metadata,
    contentType: partType(headers),
    content() {
      const bytes = wholeContent(steps, headers)
      if (nextStep(steps) !== undefined) throw mustHaveTwo()
      return bytes
    },
  }
}

function partType(headers: PartHeaders): string | undefined {
  return headers.get('content-type') || undefined
}

function mustHaveTwo() {
  return badContent('it must have two parts')
}

async function nextPart(parts: AsyncGenerator<BodyPart>): Promise<BodyPart> {
  const { done, value } = await parts.next()
  if (done === true) throw mustHaveTwo()
  return value
}

async function* lastContent(part: BodyPart, parts: AsyncGenerator<BodyPart>): AsyncGenerator<Buffer> {
  yield* decodedContent(part)
  const { done } = await parts.next()
  if (done !== true) throw mustHaveTwo()
}

async function collect(part: BodyPart, longest: number): Promise<Buffer> {
  const bytes = new ByteBlocks()
  for await (const piece of decodedContent(part)) {
    bytes.add(piece)
    if (bytes.size > longest) throw badContent(`the metadata are longer than ${longest} bytes`)
  }
  return bytes.joined()
}

type Steps = Generator<PartStep, void, boolean>

/** There is no more than what is there. */
function nextStep(steps: Steps): PartStep | undefined {
  let step = steps.next(false)
  while (step.done !== true && step.value.kind === 'more') step = steps.next(false)
  return step.done === true ? undefined : step.value
}

function wholePart(steps: Steps): PartHeaders {
  const step = nextStep(steps)
  if (step?.kind !== 'part') throw mustHaveTwo()
  return step.headers
}

function wholeContent(steps: Steps, headers: PartHeaders): Buffer {
  const decoder = chooseDecoder(headers)
  const pieces: Buffer[] = []
  for (let step = nextStep(steps); step?.kind === 'bytes'; step = nextStep(steps))
    pieces.push(decoder === undefined ? step.piece : decoder.decode(step.piece))
  if (decoder !== undefined) pieces.push(decoder.end())
  const [first = Buffer.alloc(0)] = pieces
  return pieces.length > 1 ? Buffer.concat(pieces) : first
}
