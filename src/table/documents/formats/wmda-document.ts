/** A WMDA inventory that is written back: each field of a typing in its place. */
import { assured } from '../../../errors.ts'
import { atPlace, LONGEST_TEXT } from '../../input/records/exchange/document-source.ts'
import { WMDA } from '../../input/records/exchange/wmda.ts'
import { WmdaReader } from '../../input/records/exchange/wmda-reader.ts'
import { type Attributes, type XmlHandlers, xmlEvents } from '../../input/xml-events.ts'
import type { DocumentBlock, DocumentFile, DocumentFormat, Passage, PersonFault } from '../document.ts'
import { heldPieces } from '../document-text.ts'
import type { HeldText } from '../held-text.ts'
import { type Field, readRecord } from './field-document.ts'
import { contentEdit } from './xml-text.ts'

export const WMDA_DOCUMENT: DocumentFormat = {
  name: 'wmda',
  places: ['replace'],
  whyPlaces: 'a field of a donor holds one typing',
  mayBeBlank: true,
  open(document) {
    const { format, reading, personName } = assured(
      WMDA.open(document.file, true),
      'what is asked for is opened',
    )
    return {
      format,
      reading,
      personName,
      releases: new Map(),
      written: 'the inventory as it was read, with FIELD1 and FIELD2 of typings replaced',
      blocks: () => wmdaBlocks(document),
    }
  },
}

async function* wmdaBlocks({ file, held }: DocumentFile): AsyncGenerator<DocumentBlock> {
  const sites = new WmdaSites(held, new WmdaReader(file.isLocus, false))
  const refuse = (reason: string, line: number) =>
    atPlace(line, '', `${file.input.name} is not XML that can be read: ${reason}`)
  for await (const _ of xmlEvents(heldPieces(file, held), { hasLines: true, refuse }, sites))
    yield sites.take()
  yield { ...sites.take(), upTo: held.end }
}

/** How deep elements stand: a donor, its parts, and the fields of its typings. */
const [ITEM, PART, FIELD] = [3, 4, 7]

/** Follows the reader of tables, which judges the inventory, and keeps where the fields of a donor stand until it is whole. */
class WmdaSites implements XmlHandlers {
  readonly #held: HeldText
  readonly #reader: WmdaReader
  /** Elements under way, by depth. */
  readonly #names: string[] = []
  #depth = 0
  #items = 0
  /** Of the item under way, by their path below it. */
  #fields = new Map<string, Field>()
  #found: (Passage | PersonFault)[] = []
  /** Of the first field of the item. */
  #firstField: number | undefined
  #isLost = false
  #start = 0
  #end = 0
  /** Of the field under way: where its content begins, and what it says. */
  #content = 0
  #text = ''

  constructor(held: HeldText, reader: WmdaReader) {
    this.#held = held
    this.#reader = reader
  }

  tag(start: number, end: number): void {
    this.#start = start
    this.#end = end
  }

  open(name: string, attributes: Attributes, line: number): void {
    this.#reader.open(name, attributes, line)
    this.#depth += 1
    this.#names[this.#depth] = name
    if (this.#depth === ITEM) this.#items += 1
    if (!this.#isField()) return
    this.#firstField ??= this.#start
    this.#content = this.#end
    this.#text = ''
  }

  text(piece: string, line: number): void {
    this.#reader.text(piece, line)
    if (!this.#isField()) return
    if (this.#text.length + piece.length <= LONGEST_TEXT) this.#text += piece
    else this.#giveUp()
  }

  close(): void {
    this.#reader.close()
    if (this.#isField()) this.#putField()
    if (this.#depth === ITEM) this.#closeItem()
    this.#depth -= 1
  }

  take(): DocumentBlock {
    const items = this.#found
    this.#found = []
    // a tag may be cut
    const upTo = this.#firstField ?? this.#held.lastPlace('<', this.#end) ?? this.#held.end
    return { items, persons: this.#items, upTo }
  }

  /** The reader tells that the donor cannot be read; until it ends, nothing more of it is held. */
  #giveUp(): void {
    this.#isLost = true
    this.#fields = new Map()
    this.#firstField = undefined
  }

  #isField(): boolean {
    return !this.#isLost && this.#depth === FIELD && this.#names[PART] === 'HLA'
  }

  #putField(): void {
    const [start, source] = [this.#content, this.#text]
    const content = this.#held.slice(start, this.#start)
    const path = `/${this.#names.slice(PART, FIELD + 1).join('/')}`
    this.#fields.set(path, { source, edit: (text) => contentEdit(content, start, text) })
  }

  /** Its records come with its end. */
  #closeItem(): void {
    for (const record of this.#reader.take()) {
      const found = readRecord(record, this.#items, (path) =>
        this.#fields.get(/\/HLA\/.*$/.exec(path)?.[0] ?? ''),
      )
      if (found !== undefined) this.#found.push(found)
    }
    this.#fields = new Map()
    this.#firstField = undefined
    this.#isLost = false
  }
}
