/** Donor JSON that is written back: each field of a typing in its place. */
import { assured } from '../../../errors.ts'
import { DONOR_JSON } from '../../input/records/exchange/donor-json.ts'
import type { DocumentFormat } from '../document.ts'
import { withHeldText } from '../document-text.ts'
import { type Field, fieldBlocks } from './field-document.ts'
import type { HeldText } from '../held-text.ts'
import { type JsonPlace, JsonPlaces } from './json-places.ts'

/** hla, locus, dna or ser, field */
const BELOW_DONOR = 4

export const DONOR_JSON_DOCUMENT: DocumentFormat = {
  name: 'donor-json',
  places: ['replace'],
  whyPlaces: 'a field of a donor holds one typing',
  mayBeBlank: true,
  open({ file, held }) {
    const places = new JsonPlaces(held, 'donors', BELOW_DONOR)
    const read = withHeldText(file, held, () => places.read())
    const source = assured(DONOR_JSON.open(read, true), 'what is asked for is opened')
    const finder = {
      find: (donor: number, path: string) => fieldAt(held, places.find(donor, path)),
      passed: (donor: number) => places.passed(donor),
    }
    const { format, reading, personName } = source
    return {
      format,
      reading,
      personName,
      releases: new Map(),
      written: 'donor JSON as it was read, with field1 and field2 of typings replaced',
      blocks: () => fieldBlocks(source, { finder, held, root: /^\/donors\[(\d+)\]/ }),
    }
  },
}

function fieldAt(held: HeldText, place: JsonPlace | undefined): Field | undefined {
  if (place === undefined) return undefined
  const raw = held.slice(place.start, place.end)
  // whoever reads the document has parsed it
  const source = raw.startsWith('"') ? String(JSON.parse(raw)) : raw
  return { source, edit: (text) => ({ ...place, text: JSON.stringify(text) }) }
}
