/** A donor or a cord blood unit of a WMDA inventory as typing records. */
import { personSet } from '../gathering/person-set.ts'
import type { TypingPlace, TypingPlaces } from '../typing-places.ts'
import type { TypingRecord } from '../typing-record.ts'
import { faultyRecord, PersonFault, tableText } from './document-source.ts'
import { fieldReaders } from './source-typing.ts'

/** Columns beside the person: the donor's number all over the world, donor or cord, and whether it is to be deleted. */
export const WMDA_EXTRAS = ['GRID', 'CONTENT_TYPE', 'STATUS'] as const

export interface WmdaItem {
  readonly path: string
  readonly line: number
  readonly type: 'D' | 'C'
  /** Of ID, GRID and STATUS. */
  readonly texts: ReadonlyMap<string, string>
  readonly loci: readonly LocusFields[]
}

export interface LocusFields {
  readonly name: string
  readonly DNA: FieldPair
  readonly SER: FieldPair
}

/** First and second; undefined: it is not there. */
type FieldPair = (FieldText | undefined)[]

interface FieldText {
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
  const read = fieldReaders()
  const person = ({ texts }: WmdaItem) => tableText(texts.get('ID') || texts.get('GRID') || '')
  return {
    person,
    make(item) {
      const { path, line, type, texts, loci } = item
      const of = { person: person(item), line }
      const refuse = (reason: string) => [faultyRecord(of.person, new PersonFault(line, path, reason))]
      if (of.person === '') return refuse('it has neither ID nor GRID')
      for (const name of ['ID', 'GRID'] as const) {
        const said = texts.get(name) ?? ''
        if (said !== '' && !known[name].add(said))
          return refuse(`${name} ${JSON.stringify(said.slice(0, 60))} is there twice`)
      }
      const values = [tableText(texts.get('GRID') ?? ''), type, tableText(texts.get('STATUS') ?? '')]
      if (loci.length === 0) return [{ ...of, values, path, locus: '', typing: '', slot: undefined }]
      const places = new ItemPlaces(path, loci)
      return loci.flatMap((fields) => {
        const { name } = fields
        const method = methodRead(fields)
        return SLOTS.map((slot) => {
          const text = fields[method][slot - 1]?.text ?? ''
          const typing = method === 'DNA' ? read.dna(name, text) : read.serology(name, text)
          return { ...of, values, places, locus: name, typing, slot }
        })
      })
    },
  }
}

const SLOTS = [1, 2] as const

/** DNA, else serology. */
function methodRead({ DNA }: LocusFields): 'DNA' | 'SER' {
  return DNA.some((field) => field !== undefined && field.text !== '') ? 'DNA' : 'SER'
}

/** Hundreds of thousands are held. */
class ItemPlaces implements TypingPlaces {
  readonly #path: string
  readonly #loci: readonly string[]
  readonly #methods: readonly string[]
  /** Two a locus. */
  readonly #lines: readonly number[]

  constructor(path: string, loci: readonly LocusFields[]) {
    this.#path = path
    this.#loci = loci.map(({ name }) => name)
    this.#methods = loci.map(methodRead)
    this.#lines = loci.flatMap((fields) =>
      SLOTS.map((slot) => fields[methodRead(fields)][slot - 1]?.line ?? 0),
    )
  }

  find(locus: string, slot: 1 | 2): TypingPlace | undefined {
    const at = this.#loci.indexOf(locus)
    const line = this.#lines[2 * at + slot - 1]
    if (line === undefined || line === 0) return undefined
    return { line, path: `${this.#path}/HLA/${locus}/${this.#methods[at]}/FIELD${slot}` }
  }
}
