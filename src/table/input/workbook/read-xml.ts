/** Elements of a part of a workbook as they come. */
import { xmlEvents, type XmlHandlers } from '../xml-events.ts'
import { damaged } from './zip-parts.ts'

/** Yields after each piece that was read. `name`: of the file, for messages. @throws {HlaError} io — it is not well-formed */
export function readXml(
  pieces: AsyncIterable<string>,
  name: string,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  // a line of a part that nobody sees tells nothing
  const refuse = (reason: string, _line: number, cause?: unknown) => damaged(name, reason, cause)
  return xmlEvents(pieces, { hasLines: false, refuse }, handlers)
}

/** Reads all of a small part. */
export async function readWholeXml(
  pieces: AsyncIterable<string>,
  name: string,
  handlers: Partial<XmlHandlers>,
): Promise<void> {
  const all = { open: nothing, text: nothing, close: nothing, ...handlers }
  for await (const _ of readXml(pieces, name, all)) continue
}

function nothing(): void {}
