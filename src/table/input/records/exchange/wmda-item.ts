/** A donor or a cord blood unit of a WMDA inventory as typing records. */
import { personSet } from '../gathering/person-set.ts'
import type { TypingPlace, TypingPlaces } from '../typing-places.ts'
import type { TypingRecord } from '../typing-record.ts'
import { faultyRecord, PersonFault, placedRecord, tableText, untypedRecord } from './document-source.ts'
import { dnaField, serologicField } from './source-typing.ts'

/** Columns beside the person: the donor's number all over the world, donor or cord, and whether it is to be deleted. */
export const WMDA_EXTRAS = ['GRID', 'CONTENT_TYPE', 'STATUS'] as const

export interface WmdaItem {
  readonly path: string
  readonly line: number
  readonly type: 'D' | 'C'
  readonly inventory: WmdaInventory
  /** Of ID, GRID and STATUS; of all that are checked, when they are. */
  readonly texts: ReadonlyMap<string, FieldText>
  readonly hasHla: boolean
  readonly loci: readonly LocusFields[]
}

export interface WmdaInventory {
  readonly path: string
  readonly line: number
  readonly attributes: ReadonlyMap<string, string>
}

export interface LocusFields {
  readonly name: string
  readonly line: number
  readonly DNA: FieldPair
  readonly SER: FieldPair
}

/** First and second; undefined: it is not there. */
type FieldPair = (FieldText | undefined)[]

export interface FieldText {
  readonly text: string
  readonly line: number
}

export interface ItemRecords {
  readonly make: (item: WmdaItem) => readonly TypingRecord[]
  /** Whoever has no ID is known by the GRID; '' is nobody. */
  readonly person: (item: WmdaItem) => string
}

export function itemRecords(): ItemRecords {
  const known = { ID: personSet(), GRID: personSet() }
  const person = ({ texts }: WmdaItem) => tableText(texts.get('ID')?.text || texts.get('GRID')?.text || '')
  return {
    person,
    make(item) {
      const { path, line, type, texts, loci } = item
      const name = person(item)
      const refuse = (reason: string) => [faultyRecord(name, new PersonFault(line, path, reason))]
      if (name === '') return refuse('it has neither ID nor GRID')
      for (const said of ['ID', 'GRID'] as const) {
        const text = texts.get(said)?.text ?? ''
        if (text !== '' && !known[said].add(text))
          return refuse(`${said} ${JSON.stringify(text.slice(0, 60))} is there twice`)
      }
      const values = [
        tableText(texts.get('GRID')?.text ?? ''),
        type,
        tableText(texts.get('STATUS')?.text ?? ''),
      ]
      const of = { person: name, values, line }
      if (loci.length === 0) return [untypedRecord(of, path)]
      const places = new ItemPlaces(path, loci)
      const records: TypingRecord[] = []
      for (const fields of loci) {
        const method = methodRead(fields)
        for (const slot of SLOTS) {
          const text = fields[method][slot - 1]?.text ?? ''
          const typing = method === 'DNA' ? dnaField(fields.name, text) : serologicField(fields.name, text)
          records.push(placedRecord(of, places, { locus: fields.name, typing, slot }))
        }
      }
      return records
    },
  }
}

const SLOTS = [1, 2] as const

/** DNA, else serology. */
function methodRead({ DNA: [first, second] }: LocusFields): 'DNA' | 'SER' {
  return (first?.text ?? '') !== '' || (second?.text ?? '') !== '' ? 'DNA' : 'SER'
}

/** Hundreds of thousands are held. */
class ItemPlaces implements TypingPlaces {
  readonly #path: string
  readonly #loci: string[] = []
  readonly #methods: string[] = []
  /** Two a locus. */
  readonly #lines: number[] = []

  constructor(path: string, loci: readonly LocusFields[]) {
    this.#path = path
    for (const fields of loci) {
      const method = methodRead(fields)
      const [first, second] = fields[method]
      this.#loci.push(fields.name)
      this.#methods.push(method)
      this.#lines.push(first?.line ?? 0, second?.line ?? 0)
    }
  }

  find(locus: string, slot: 1 | 2): TypingPlace | undefined {
    const at = this.#loci.indexOf(locus)
    const line = this.#lines[2 * at + slot - 1]
    if (line === undefined || line === 0) return undefined
    return { line, path: `${this.#path}/HLA/${locus}/${this.#methods[at]}/FIELD${slot}` }
  }
}
