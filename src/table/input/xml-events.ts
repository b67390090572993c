/** XML elements as a stream: no document type, only XML's five entities, limited depth and length. */
import type { SAXOptions, SAXParser } from 'sax'
import { type HlaError, isHlaError } from '../../errors.ts'
import { damagedWorkbook } from './workbook/zip-parts.ts'

/** Names come without their prefix, which differs between programs. */
export interface XmlHandlers {
  open(name: string, attributes: Attributes, line: number): void
  /** A piece of an element's text. */
  text(text: string, line: number): void
  close(name: string): void
}

export interface Attributes {
  /** Value of an attribute, by its name without a prefix. */
  get(name: string): string | undefined
}

export interface XmlReading {
  /** Count lines, which costs time; else all are 0. */
  readonly hasLines: boolean
  /** Error for a malformed document. */
  readonly refuse: (reason: string, line: number, cause?: unknown) => HlaError
}

const DEEPEST = 200

/** Yields after each piece. @throws {HlaError} from `refuse` — malformed */
export async function* xmlEvents(
  pieces: AsyncIterable<string>,
  { hasLines, refuse }: XmlReading,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const { default: sax } = await import('sax')
  // the types lack some options
  const options: SAXOptions & { readonly strictEntities: boolean } = {
    strictEntities: true,
    position: hasLines,
  }
  const parser = sax.parser(true, options)
  const line = () => (hasLines ? parser.line + 1 : 0)
  listen(parser, line, refuse, handlers)
  const run = (step: () => unknown) => {
    try {
      step()
    } catch (error) {
      throw isHlaError(error) ? error : refuse(firstLine(error), line(), error)
    }
  }
  for await (const piece of pieces) {
    run(() => parser.write(piece))
    yield
  }
  run(() => parser.close())
  yield
}

function listen(
  parser: SAXParser,
  line: () => number,
  refuse: XmlReading['refuse'],
  handlers: XmlHandlers,
): void {
  let depth = 0
  const text = (piece: string) => handlers.text(piece, line())
  // one by one: an object that takes many properties at once becomes slow, and all of reading with it
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- it has none
  parser.onerror = (error) => {
    throw error
  }
  parser.ondoctype = () => {
    throw refuse('a part of it has a document type', line())
  }
  parser.onopentag = (tag) => {
    depth += 1
    if (depth > DEEPEST) throw refuse(`a part of it has more than ${DEEPEST} nested elements`, line())
    handlers.open(localName(tag.name), new TagAttributes(tag.attributes), line())
  }
  // oxlint-disable-next-line unicorn/prefer-add-event-listener -- as above
  parser.ontext = text
  parser.oncdata = text
  parser.onclosetag = (tag) => {
    depth -= 1
    handlers.close(localName(tag))
  }
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** Compact: documents have millions of elements, and most attributes are never read. */
class TagAttributes implements Attributes {
  readonly #values: Readonly<Record<string, unknown>>

  constructor(values: object) {
    this.#values = values as Readonly<Record<string, unknown>>
  }

  get(name: string): string | undefined {
    const own = Object.hasOwn(this.#values, name) ? this.#values[name] : this.#prefixed(name)
    return typeof own === 'string' ? own : undefined
  }

  #prefixed(name: string): unknown {
    for (const full of Object.keys(this.#values))
      if (full.includes(':') && localName(full) === name) return this.#values[full]
    return undefined
  }
}

/** First line of a parser error; line and column follow it. */
function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
}

/** Yields after each piece. `name`: that of the file, for messages. @throws {HlaError} io — malformed */
export function readXml(
  pieces: AsyncIterable<string>,
  name: string,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  // line numbers within a hidden part are useless
  const refuse = (reason: string, _line: number, cause?: unknown) => damagedWorkbook(name, reason, cause)
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
