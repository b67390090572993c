/** A WMDA inventory that is written back: each field of a typing in its place. */
import { assured } from '../../../errors.ts'
import { xmlParts } from '../../input/records/exchange/document-source.ts'
import { itemFields, itemPerson } from '../../input/records/exchange/wmda-item.ts'
import { WMDA } from '../../input/records/exchange/wmda.ts'
import { WmdaReader } from '../../input/records/exchange/wmda-reader.ts'
import type { DocumentBlock, DocumentFile, DocumentFormat } from '../document.ts'
import { heldPieces } from '../document-text.ts'
import { type FieldEdit, fieldItems } from './field-document.ts'
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
