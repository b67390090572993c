/** Parts of a streamed multipart body. */
import { type ByteSource, type PartHeaders, type PartStep, advance, partSteps } from './multipart.ts'

export interface BodyPart {
  readonly headers: PartHeaders
  /** Unread content is skipped when the next part is requested. */
  readonly content: AsyncIterable<Buffer>
}

type Next = () => Promise<PartStep | undefined>

/** Does not close the stream, which belongs to the caller. @throws as `partSteps` */
export async function* readParts(
  chunks: AsyncIterable<Uint8Array>,
  boundary: string | undefined,
): AsyncGenerator<BodyPart> {
  const source: ByteSource = { buffer: Buffer.alloc(0) }
  const steps = partSteps(source, boundary)
  const iterator = chunks[Symbol.asyncIterator]()
  const next: Next = async () => {
    let step = steps.next(false)
    while (step.done !== true && step.value.kind === 'more')
      step = steps.next(await advance(source, iterator))
    return step.done === true ? undefined : step.value
  }
  for (let step = await next(); step?.kind === 'part'; step = await next()) {
    const content = readContent(next)
    // no `return` method: when the reader stops early, `drain` skips the rest
    yield {
      headers: step.headers,
      content: { [Symbol.asyncIterator]: () => ({ next: () => content.next() }) },
    }
    await drain(content)
  }
}

async function* readContent(next: Next): AsyncGenerator<Buffer, void> {
  for (let step = await next(); step?.kind === 'bytes'; step = await next()) yield step.piece
}

async function drain(content: AsyncIterator<Buffer>): Promise<void> {
  for (let step = await content.next(); step.done !== true;) step = await content.next()
}
