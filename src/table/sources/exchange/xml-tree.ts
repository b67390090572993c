/** Parts of an XML document as small trees, one at a time: a sample of HML, a donor of an inventory. */
import { type Attributes, xmlEvents } from '../../input/xml-events.ts'
import { MAX_TEXT_LENGTH, atPlace } from './document-source.ts'

export class Element {
  readonly name: string
  readonly line: number
  readonly #attributes: Attributes
  #children: Element[] | undefined
  /** Empty if it is white space; cut behind the maximum length. */
  text = ''
  /** Line of its last text; else of its beginning. */
  end: number

  constructor(name: string, attributes: Attributes, line: number) {
    this.name = name
    this.line = line
    this.end = line
    this.#attributes = attributes
  }

  get children(): readonly Element[] {
    return this.#children ?? NONE
  }

  get isTooLong(): boolean {
    return this.text.length > MAX_TEXT_LENGTH
  }

  attribute(name: string): string | undefined {
    return this.#attributes.get(name)
  }

  add(child: Element): void {
    if (this.#children === undefined) this.#children = [child]
    else this.#children.push(child)
  }

  addText(piece: string, line: number): void {
    this.end = line
    if (this.text !== '' || !isWhite(piece))
      this.text += piece.slice(0, MAX_TEXT_LENGTH + 1 - this.text.length)
  }
}

const NONE: readonly Element[] = []

/** Depths count from 1, that of the document's element. */
export interface TreeReader<T> {
  readonly isTree: (name: string, depth: number) => boolean
  /** Selects the elements of a tree; the children of others count as children of `parent`. */
  readonly isPart: (name: string, depth: number, parent: Element) => boolean
  /** Called at the beginning of each element around the trees. */
  readonly around: (element: Element, depth: number) => void
  readonly read: (tree: Element) => readonly T[]
}

/** Results of `reader` for each piece. @throws {HlaError} io — malformed, or not as `reader` expects */
export async function* readTrees<T>(
  name: string,
  pieces: AsyncIterable<string>,
  reader: TreeReader<T>,
): AsyncGenerator<readonly T[]> {
  const refuse = (reason: string, line: number) =>
    atPlace(line, '', `${name} is not XML that can be read: ${reason}`)
  /** Open elements of the tree; undefined for one that is not part of it. */
  const open: (Element | undefined)[] = []
  let depth = 0
  let results: T[] = []
  const handlers = {
    open(element: string, attributes: Attributes, line: number) {
      depth += 1
      const parent = open.at(-1) ?? open.findLast((one) => one !== undefined)
      const isIn =
        parent === undefined ? reader.isTree(element, depth) : reader.isPart(element, depth, parent)
      if (parent !== undefined && !isIn) return void open.push(undefined)
      const one = new Element(element, attributes, line)
      if (!isIn) return reader.around(one, depth)
      parent?.add(one)
      open.push(one)
    },
    text(piece: string, line: number) {
      open.at(-1)?.addText(piece, line)
    },
    close() {
      depth -= 1
      const one = open.pop()
      if (one !== undefined && open.length === 0) results.push(...reader.read(one))
    },
  }
  for await (const _ of xmlEvents(pieces, refuse, handlers)) {
    yield results
    results = []
  }
}

function isWhite(text: string): boolean {
  for (let at = 0; at < text.length; at += 1) if (text.charCodeAt(at) > SPACE) return false
  return true
}

const SPACE = 32
