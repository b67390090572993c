/** Elements of XML as they come: no document type, no entities but the five of XML, nothing deep or endless. */
import type { SAXOptions, SAXParser } from 'sax'
import { isHlaError } from '../../../errors.ts'
import { damaged } from './zip-parts.ts'

/** Names are without their prefix: which one a program uses says nothing. */
export interface XmlHandlers {
  open(name: string, attributes: Attributes): void
  /** A piece of the text of an element. */
  text(text: string): void
  close(name: string): void
}

export interface Attributes {
  /** By its name without a prefix. */
  get(name: string): string | undefined
}

const DEEPEST = 200
/** The types do not know all options. */
const OPTIONS: SAXOptions & { readonly strictEntities: boolean } = { strictEntities: true, position: false }

/** Yields after each piece that was read. `name`: of the file, for messages. @throws {HlaError} io — it is not well-formed */
export async function* readXml(
  pieces: AsyncIterable<string>,
  name: string,
  handlers: XmlHandlers,
): AsyncGenerator<void> {
  const { parser: newParser } = await import('sax')
  const parser = newParser(true, OPTIONS)
  listen(parser, name, handlers)
  const run = (step: () => unknown) => {
    try {
      step()
    } catch (error) {
      throw isHlaError(error) ? error : damaged(name, firstLine(error), error)
    }
  }
  for await (const piece of pieces) {
    run(() => parser.write(piece))
    yield
  }
  run(() => parser.close())
  yield
}

function listen(parser: SAXParser, name: string, handlers: XmlHandlers): void {
  let depth = 0
  const text = (piece: string) => handlers.text(piece)
  Object.assign(parser, {
    onerror(error: Error) {
      throw error
    },
    ondoctype() {
      throw damaged(name, 'a part of it has a document type')
    },
    onopentag(tag: SAXParser['tag']) {
      depth += 1
      if (depth > DEEPEST) throw damaged(name, `a part of it has more than ${DEEPEST} elements in each other`)
      handlers.open(localName(tag.name), new TagAttributes(tag.attributes))
    },
    ontext: text,
    oncdata: text,
    onclosetag(tag: string) {
      depth -= 1
      handlers.close(localName(tag))
    },
  })
}

function localName(name: string): string {
  const colon = name.indexOf(':')
  return colon < 0 ? name : name.slice(colon + 1)
}

/** A sheet has millions of elements: nothing is made of an attribute that nobody asks for. */
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

/** What follows are line and column, of a part that nobody sees. */
function firstLine(error: unknown): string {
  return error instanceof Error ? (error.message.split('\n')[0] ?? '') : String(error)
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
