/** XML elements as a stream: no document type, only XML's five entities, limited depth and length. */
import type { HlaError } from '../../errors.ts'
import { damagedWorkbook } from './workbook/zip-parts.ts'

/** Names come without their prefix, which differs between programs. */
export interface XmlHandlers {
  open(name: string, attributes: Attributes, line: number): void
  /** Text between two tags, or a CDATA section. */
  text(text: string, line: number): void
  close(name: string, line: number): void
}

export interface Attributes {
  /** Value of an attribute, by its name without a prefix. */
  get(name: string): string | undefined
}

const DEEPEST = 200
/** Maximum characters between two tags, all of which are in memory. */
const MAX_HELD = 8 * 1024 ** 2

/** Yields after each piece. @throws {HlaError} from `refuse` — malformed */
export async function* xmlEvents(
  pieces: AsyncIterable<string>,
  refuse: (reason: string, line: number) => HlaError,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const { SaxesParser } = await import('saxes')
  const parser = new SaxesParser()
  parser.makeError = (message) => refuse(message.replace(/\.$/, ''), parser.line)
  let [depth, held] = [0, 0]
  const text = (piece: string) => handlers.text(piece, parser.line)
  parser.on('doctype', () => {
    throw refuse('a part of it has a document type', parser.line)
  })
  parser.on('opentag', ({ name, attributes }) => {
    depth += 1
    held = 0
    if (depth > DEEPEST) throw refuse(`a part of it has more than ${DEEPEST} nested elements`, parser.line)
    handlers.open(localName(name), new TagAttributes(attributes), parser.line)
  })
  parser.on('text', text)
  parser.on('cdata', text)
  parser.on('closetag', ({ name }) => {
    depth -= 1
    held = 0
    handlers.close(localName(name), parser.line)
  })
  let isBegun = false
  for await (const piece of pieces) {
    held += piece.length
    if (isBegun) parser.write(piece)
    else {
      // XML allows nothing before its declaration, where files have empty lines
      const rest = piece.replace(/^\uFEFF/, '').trimStart()
      parser.line += piece.slice(0, piece.length - rest.length).split('\n').length - 1
      parser.write(rest)
      isBegun = rest !== ''
    }
    if (held > MAX_HELD) throw refuse(`more than ${MAX_HELD / 1024 ** 2} MiB without a tag`, parser.line)
    yield
  }
  // a missing part of a workbook is empty
  if (isBegun) parser.close()
  yield
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** Compact: documents have millions of elements, and most attributes are never read. */
class TagAttributes implements Attributes {
  /** Without a prototype. */
  readonly #values: Readonly<Record<string, string>>

  constructor(values: Readonly<Record<string, string>>) {
    this.#values = values
  }

  get(name: string): string | undefined {
    return this.#values[name] ?? this.#prefixed(name)
  }

  #prefixed(name: string): string | undefined {
    for (const full of Object.keys(this.#values))
      if (full.includes(':') && localName(full) === name) return this.#values[full]
    return undefined
  }
}

/** Yields after each piece. `name`: that of the file, for messages. @throws {HlaError} io — malformed */
export function readXml(
  pieces: AsyncIterable<string>,
  name: string,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  // line numbers within a hidden part are useless
  return xmlEvents(pieces, (reason) => damagedWorkbook(name, reason), handlers)
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
