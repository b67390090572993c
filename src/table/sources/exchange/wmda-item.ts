/** A donor or a cord blood unit of a WMDA inventory: its typing records. */
import type { TypingRecord } from '../typing-record.ts'
import { FieldPlaces, placedRecord, tableText, untypedRecord } from './document-source.ts'
import { dnaField, serologicField } from './source-typing.ts'

/** Columns besides the person: global donor number (GRID), donor or cord, deletion status. */
export const WMDA_EXTRAS = ['GRID', 'CONTENT_TYPE', 'STATUS'] as const

export interface WmdaItem {
  readonly path: string
  readonly line: number
  readonly type: 'D' | 'C'
  readonly inventory: WmdaInventory
  /** True for the first of its inventory. */
  readonly isFirst: boolean
  /** Texts of ID, GRID and STATUS; of all checked elements, when rules are checked. */
  readonly texts: Map<string, FieldText>
  hasHla: boolean
  readonly loci: LocusFields[]
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

/** First and second field; undefined when absent. */
type FieldPair = (FieldText | undefined)[]

export interface FieldText {
  readonly text: string
  readonly line: number
}

/** Name of the person: the ID, else the GRID; '' when both are missing. */
export function itemPerson({ texts }: WmdaItem): string {
  return texts.get('ID')?.text || texts.get('GRID')?.text || ''
}

export function itemRecords(item: WmdaItem): readonly TypingRecord[] {
  const { path, line, type, texts, loci } = item
  const text = (name: string) => tableText(texts.get(name)?.text ?? '')
  const of = { person: tableText(itemPerson(item)), values: [text('GRID'), type, text('STATUS')], line }
  if (loci.length === 0) return [untypedRecord(of)]
  const places = new FieldPlaces(line, loci.map(locusPlace), ({ name, method, slot }) => {
    return `${path}/HLA/${name}/${method}/FIELD${slot}`
  })
  return loci.flatMap((fields) => {
    const method = methodRead(fields)
    return SLOTS.map((slot) => {
      const typing = fieldTyping(fields.name, method, fields[method][slot - 1]?.text ?? '')
      return placedRecord(of, places, { locus: fields.name, typing, slot })
    })
  })
}

function locusPlace(fields: LocusFields) {
  const { name } = fields
  const method = methodRead(fields)
  const [first, second] = fields[method]
  return { locus: name, name, method, lines: [first?.line ?? 0, second?.line ?? 0] } as const
}

function fieldTyping(locus: string, method: 'DNA' | 'SER', text: string): string {
  return method === 'DNA' ? dnaField(locus, text) : serologicField(locus, text)
}

const SLOTS = [1, 2] as const

/** DNA if typed, else serology. */
function methodRead({ DNA: [first, second] }: LocusFields): 'DNA' | 'SER' {
  return (first?.text ?? '') !== '' || (second?.text ?? '') !== '' ? 'DNA' : 'SER'
}
