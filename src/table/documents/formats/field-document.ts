/** Documents whose typings stand in fields of their own, each written by itself. */
import { readable } from '../../input/encoding.ts'
import { type PersonFault as Fault, xmlParts } from '../../input/records/exchange/document-source.ts'
import { type TypingField, serologicTyping } from '../../input/records/exchange/source-typing.ts'
import type {
  DocumentBlock,
  DocumentFile,
  DocumentFormat,
  Passage,
  PersonFault,
  TypingSite,
} from '../document.ts'
import type { Edit } from '../held-text.ts'
import { isSameTyping, isSerologic, spellAntigen, spellField } from '../spelling.ts'
import { assured } from '../../../errors.ts'
import { DONOR_JSON, donorFields, donorReader } from '../../input/records/exchange/donor-reader.ts'
import { FrameCutter } from '../../input/records/exchange/json-frames.ts'
import { heldPieces } from '../document-text.ts'
import { itemFields, itemPerson } from '../../input/records/exchange/wmda-item.ts'
import { WMDA, WmdaReader } from '../../input/records/exchange/wmda-reader.ts'
import { contentEdit } from './xml-text.ts'

/** The field says `text` instead. */
type FieldEdit = (field: TypingField, text: string) => Edit

interface FieldPerson {
  readonly row: number
  readonly person: string
  /** Why the person cannot be read: nothing of it is changed. */
  readonly fault: Fault | undefined
  readonly fields: () => readonly TypingField[]
  readonly edit: FieldEdit
}

function fieldItems({ row, person, fault, fields, edit }: FieldPerson): (Passage | PersonFault)[] {
  if (fault !== undefined) return [{ row, person, line: fault.line, path: fault.path, error: fault.error }]
  return fields().map((field) => new FieldPassage({ row, person }, field, edit))
}

/** One typing. An inventory has millions. */
class FieldPassage implements Passage, TypingSite {
  readonly row: number
  readonly person: string
  readonly cell: string
  readonly column: string
  readonly #field: TypingField
  readonly #edit: FieldEdit

  constructor({ row, person }: Pick<FieldPerson, 'row' | 'person'>, field: TypingField, edit: FieldEdit) {
    this.row = row
    this.person = person
    this.cell = readable(field.typing, 'utf8')
    this.column = `${field.locus}_${field.slot}`
    this.#field = field
    this.#edit = edit
  }

  get line(): number {
    return this.#field.line
  }

  get path(): string {
    return this.#field.path
  }

  get locus(): string {
    return this.#field.locus
  }

  get loci(): readonly string[] {
    return [this.#field.locus]
  }

  get sites(): readonly TypingSite[] {
    return [this]
  }

  spell(answer: string): string | undefined {
    const { text, locus } = this.#field
    if (isSameTyping(answer, this.cell)) return text
    if (!isSerologic(this.cell)) return spellField(answer, locus, text)
    // no antigen: the field stays
    return isSerologic(answer)
      ? spellAntigen(answer, serologicTyping(locus, '0').slice(0, -1), text)
      : undefined
  }

  edits([text]: readonly (string | undefined)[]): readonly Edit[] {
    return text === undefined || text === this.#field.text ? [] : [this.#edit(this.#field, text)]
  }
}

export const DONOR_JSON_DOCUMENT = fieldDocument(
  'donor-json',
  DONOR_JSON,
  'donor JSON as it was read, with field1 and field2 of typings replaced',
  donorBlocks,
)

export const WMDA_DOCUMENT = fieldDocument(
  'wmda',
  WMDA,
  'the inventory as it was read, with FIELD1 and FIELD2 of typings replaced',
  wmdaBlocks,
)

/** `written`: the output in words. */
function fieldDocument(
  name: DocumentFormat['name'],
  source: typeof DONOR_JSON,
  written: string,
  blocks: (document: DocumentFile) => AsyncGenerator<DocumentBlock>,
): DocumentFormat {
  return {
    name,
    places: ['replace'],
    whyPlaces: 'a field of a donor holds one typing',
    mayBeBlank: true,
    open(document) {
      const opened = assured(source.open(document.file, true), 'what is asked for is opened')
      const { format, reading, personName } = opened
      return { format, reading, personName, releases: new Map(), written, blocks: () => blocks(document) }
    },
  }
}

async function* donorBlocks({ file, held }: DocumentFile): AsyncGenerator<DocumentBlock> {
  const cutter = new FrameCutter('donors', file.input.name)
  const reader = donorReader(file.input.name, false)
  const edit: FieldEdit = ({ start, end }, text) => ({ start, end, text: JSON.stringify(text) })
  let persons = 0
  for await (const piece of heldPieces(file, held)) {
    const items = cutter.add(piece).flatMap((frame) => {
      const donor = reader.read(frame)
      const { row, person, fault } = donor
      persons = row
      return fieldItems({ row, person, fault, fields: () => donorFields(donor), edit })
    })
    yield { items, persons, upTo: cutter.passed }
  }
  reader.finish(cutter.finish())
  yield { items: [], persons, upTo: held.end }
}

async function* wmdaBlocks({ file, held }: DocumentFile): AsyncGenerator<DocumentBlock> {
  const reader = new WmdaReader(file.isLocus, false)
  const edit: FieldEdit = ({ start, end }, text) => contentEdit(held.slice(start, end), start, text)
  for await (const items of xmlParts(file.input.name, heldPieces(file, held), reader))
    yield {
      items: items.flatMap((item) => {
        const person = itemPerson(item)
        return fieldItems({ row: item.row, person, fault: item.fault, fields: () => itemFields(item), edit })
      }),
      persons: reader.count,
      // a tag may be cut
      upTo: reader.firstField ?? held.lastPlace('<', reader.end) ?? held.end,
    }
  yield { items: [], persons: reader.count, upTo: held.end }
}
