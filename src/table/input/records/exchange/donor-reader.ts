/** A donor of a JSON document as typing records. */
import { personSet } from '../gathering/person-set.ts'
import type { BrokenRule, TypingPlace, TypingPlaces } from '../typing-places.ts'
import type { TypingRecord } from '../typing-record.ts'
import {
  PersonFault,
  atPlace,
  faultyRecord,
  placedRecord,
  tableText,
  untypedRecord,
} from './document-source.ts'
import { type Fields, type Refuse, countNames, folded } from './json-fields.ts'
import type { JsonFrame } from './json-frames.ts'
import { bareLocus, dnaField, serologicField } from './source-typing.ts'
import { ETHNIC_GROUPS, type FieldRule, atMostLong, brokenRule, oneOf } from './rules/field-rules.ts'

/** Adult, cord, banked. */
const DONOR_TYPES: readonly string[] = ['D', 'C', 'B']

export interface DonorReader {
  readonly read: (frame: JsonFrame) => readonly TypingRecord[]
  /** `outside`: the document without its donors. @throws {HlaError} io — it is no JSON */
  readonly finish: (outside: string) => void
}

/** `isChecked`: what a donor breaks of the rules is told with its first record. */
export function donorReader(name: string, isChecked: boolean): DonorReader {
  const known = personSet()
  let count = 0
  return {
    read(frame) {
      count += 1
      const path = `/donors[${count}]`
      let person = ''
      const refuse: Refuse = (reason, more = '') => new PersonFault(frame.line, `${path}${more}`, reason)
      const parsed = parseFrame(frame, path)
      try {
        const fields = readFields(parsed, frame, refuse)
        const id = readId(fields, refuse)
        person = tableText(id)
        if (!known.add(person)) throw refuse(`donor ${shown(id)} is there twice`)
        const [first, ...others] = donorRecords(fields, { person, path, frame, refuse })
        if (!isChecked || first === undefined) return first === undefined ? [] : [first, ...others]
        const inner = (value: unknown) => folded(value, refuse, '')
        const broken = brokenDonorRules({ fields, line: frame.line, path, inner })
        return [broken.length === 0 ? first : { ...first, broken }, ...others]
      } catch (error) {
        return [faultyRecord(person, error)]
      }
    },
    finish(outside) {
      try {
        JSON.parse(outside)
      } catch (cause) {
        throw atPlace(1, '', `${name} is not valid JSON around its donors: ${(cause as Error).message}`)
      }
    },
  }
}

/** @throws {PersonFault} */
function readId(fields: Fields, refuse: Refuse): string {
  const id = fields.get('recordid')
  // a number that is not kept exactly is the name of somebody else
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw refuse('recordId is no whole number that can be kept exactly: write it as a text')
  if ((typeof id !== 'string' && typeof id !== 'number') || `${id}`.trim() === '')
    throw refuse('the donor has no recordId')
  return `${id}`.trim()
}

interface Donor {
  readonly person: string
  readonly path: string
  readonly frame: JsonFrame
  readonly refuse: Refuse
}

/** @throws {PersonFault} */
function donorRecords(fields: Fields, { person, path, frame, refuse }: Donor): TypingRecord[] {
  const donorType = textIn(fields.get('donortype'))
  if (donorType !== '' && !DONOR_TYPES.includes(donorType.toUpperCase()))
    throw refuse(`donorType ${shown(donorType)} is none of ${DONOR_TYPES.join(' ')}`)
  const values = [tableText(textIn(fields.get('changetype'))), tableText(donorType)]
  const of = { person, values, line: frame.line }
  const sites = typingSites(fields.get('hla'), refuse)
  if (sites.length === 0) return [untypedRecord(of, path)]
  const places = new DonorPlaces(path, frame)
  return sites.map(({ locus, method, slot, text }) => {
    const typing = method === 'dna' ? dnaField(locus, text) : serologicField(locus, text)
    return placedRecord(of, places, { locus: tableText(locus), typing, slot })
  })
}

function shown(text: string): string {
  return JSON.stringify(text.slice(0, 60))
}

interface TypingSite {
  readonly locus: string
  /** As it is written. */
  readonly name: string
  readonly method: 'dna' | 'ser'
  readonly slot: 1 | 2
  readonly text: string
}

/** @throws {PersonFault} */
function typingSites(hla: unknown, refuse: Refuse): TypingSite[] {
  const sites: TypingSite[] = []
  if (hla === undefined || hla === null) return sites
  const loci = folded(hla, refuse, '/hla')
  for (const name of loci.names) {
    const value = loci.get(name)
    if (value === null) continue
    const path = `/hla/${name}`
    const fields = folded(value, refuse, path)
    refuseOthers(fields, METHODS, refuse, path)
    const locus = bareLocus(name)
    if (locus === '') throw refuse('a typing of no locus', path)
    const dna = bothFields(fields.get('dna'), refuse, `${path}/dna`)
    const method = dna[0] !== '' || dna[1] !== '' ? 'dna' : 'ser'
    const [first, second] = method === 'dna' ? dna : bothFields(fields.get('ser'), refuse, `${path}/ser`)
    sites.push({ locus, name, method, slot: 1, text: first }, { locus, name, method, slot: 2, text: second })
  }
  return sites
}

/** Its donor is read once more, when somebody asks. */
class DonorPlaces implements TypingPlaces {
  readonly #path: string
  readonly #frame: JsonFrame
  #found: Map<string, TypingPlace> | undefined

  constructor(path: string, frame: JsonFrame) {
    this.#path = path
    this.#frame = frame
  }

  find(locus: string, slot: 1 | 2): TypingPlace | undefined {
    this.#found ??= this.#read()
    return this.#found.get(`${locus} ${slot}`)
  }

  #read(): Map<string, TypingPlace> {
    const refuse: Refuse = (reason) => new PersonFault(this.#frame.line, this.#path, reason)
    const lineAt = lineFinder(this.#frame)
    const fields = folded(JSON.parse(this.#frame.text), refuse, '')
    const found = new Map<string, TypingPlace>()
    for (const { locus, name, method, slot, text } of typingSites(fields.get('hla'), refuse)) {
      const path = `${this.#path}/hla/${name}/${method}/field${slot}`
      found.set(`${tableText(locus)} ${slot}`, { line: lineAt(text), path })
    }
    return found
  }
}

function bothFields(value: unknown, refuse: Refuse, path: string): readonly [string, string] {
  if (value === undefined || value === null) return ['', '']
  const fields = folded(value, refuse, path)
  refuseOthers(fields, FIELDS, refuse, path)
  const field = (name: string) => {
    const one = fields.get(name)
    if (one === undefined || one === null) return ''
    if (typeof one === 'string' || typeof one === 'number') return `${one}`.trim()
    throw refuse('a typing is a text', `${path}/${name}`)
  }
  return [field('field1'), field('field2')]
}

const METHODS: readonly string[] = ['dna', 'ser']
const FIELDS: readonly string[] = ['field1', 'field2']

/** What is spelled otherwise would be a typing that nobody reads. @throws {PersonFault} */
function refuseOthers(fields: Fields, known: readonly string[], refuse: Refuse, path: string): void {
  for (const name of fields.names)
    if (!known.includes(name)) throw refuse(`${shown(name)} is none of ${known.join(' ')}`, path)
}

/** @throws {HlaError} io */
function parseFrame({ text, line }: JsonFrame, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw atPlace(line, path, `it is not valid JSON: ${(error as Error).message}`)
  }
}

/** @throws {PersonFault} */
function readFields(parsed: unknown, { names }: JsonFrame, refuse: Refuse): Fields {
  // of two fields of one name the parser keeps the last
  if (countNames(parsed) !== names) throw refuse('two fields of one object have the same name')
  return folded(parsed, refuse, '')
}

function textIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : ''
}

/** Typings stand in the order of the document; what is written with escapes is told as at the line before. */
function lineFinder({ text, line }: JsonFrame): (typing: string) => number {
  let [from, at] = [0, line]
  return (typing) => {
    const found = typing === '' ? -1 : text.indexOf(`"${typing}"`, from)
    if (found < 0) return at
    for (let feed = text.indexOf('\n', from); feed >= 0 && feed < found; feed = text.indexOf('\n', feed + 1))
      at += 1
    from = found + 1
    return at
  }
}

const REQUIRED: readonly (readonly [string, FieldRule])[] = [
  ['changeType', oneOf('D', 'U', 'N', 'NU')],
  ['donorType', oneOf('D', 'C', 'B')],
]

const ETHNIC = oneOf(...ETHNIC_GROUPS)
const LOCI: readonly string[] = ['a', 'b', 'c', 'drb1', 'drb3', 'drb4', 'drb5', 'dqa1', 'dqb1', 'dpa1', 'dpb1'] // prettier-ignore
const LENGTHS = { dna: atMostLong(20), ser: atMostLong(5) }

interface CheckedDonor {
  readonly fields: Fields
  readonly line: number
  readonly path: string
  /** Fields of an object that was read. */
  readonly inner: (value: unknown) => Fields
}

function brokenDonorRules({ fields, line, path, inner }: CheckedDonor): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const tell = (more: string, value: string, reason: string | undefined) => {
    if (reason !== undefined) broken.push(brokenRule({ line, path: `${path}${more}` }, value, reason))
  }
  for (const [name, rule] of REQUIRED) {
    const text = textOf(fields.get(name.toLowerCase()))
    tell(`/${name}`, text, text === '' ? 'is missing' : rule(text))
  }
  const ethnic = textOf(fields.get('ethn'))
  if (ethnic !== '') tell('/ethn', ethnic, ETHNIC(ethnic))
  const hla = fields.get('hla')
  if (hla === undefined || hla === null) {
    if (fields.get('changetype') !== 'D') tell('/hla', '', 'is missing')
    return broken
  }
  const loci = inner(hla)
  for (const name of loci.names) {
    if (!LOCI.includes(name.replace(/^hla-/, ''))) tell(`/hla/${name}`, '', `is none of ${LOCI.join(' ')}`)
    const value = loci.get(name)
    if (value === null) continue
    const methods = inner(value)
    for (const method of ['dna', 'ser'] as const) {
      const both = methods.get(method)
      if (both === undefined || both === null) continue
      const [first, second] = ['field1', 'field2'].map((field) => textOf(inner(both).get(field)))
      const at = `/hla/${name}/${method}`
      tell(`${at}/field1`, first ?? '', LENGTHS[method](first ?? ''))
      tell(`${at}/field2`, second ?? '', LENGTHS[method](second ?? ''))
      if (first === '' && second !== '') tell(`${at}/field2`, second ?? '', 'stands without field1')
    }
  }
  return broken
}

function textOf(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : ''
}
