/** Donor JSON that is written back: each field of a typing in its place. */
import { assured } from '../../../errors.ts'
import { DONOR_JSON } from '../../input/records/exchange/donor-json.ts'
import { donorFields, donorReader } from '../../input/records/exchange/donor-reader.ts'
import { FrameCutter } from '../../input/records/exchange/json-frames.ts'
import type { DocumentBlock, DocumentFile, DocumentFormat } from '../document.ts'
import { heldPieces } from '../document-text.ts'
import { type FieldEdit, fieldItems } from './field-document.ts'

export const DONOR_JSON_DOCUMENT: DocumentFormat = {
  name: 'donor-json',
  places: ['replace'],
  whyPlaces: 'a field of a donor holds one typing',
  mayBeBlank: true,
  open(document) {
    const { format, reading, personName } = assured(
      DONOR_JSON.open(document.file, true),
      'what is asked for is opened',
    )
    return {
      format,
      reading,
      personName,
      releases: new Map(),
      written: 'donor JSON as it was read, with field1 and field2 of typings replaced',
      blocks: () => donorBlocks(document),
    }
  },
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
