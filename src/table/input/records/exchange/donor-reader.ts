/** A donor of a JSON document: its typing records, and the lines of its typings. */
import { quoted } from '../../../placed-error.ts'
import { PersonIndex } from '../../../person-index.ts'
import type { BrokenRule, TypingPlace, TypingPlaces } from '../gathering/places.ts'
import type { RecordFormat, RecordInput, TypingRecord } from '../typing-record.ts'
import {
  PersonFault,
  atPlace,
  documentBeginning,
  documentDialect,
  documentText,
  faultyRecord,
  placedRecord,
  tableText,
  untypedRecord,
} from './document-source.ts'
import {
  type Fields,
  FrameCutter,
  type JsonFrame,
  type Refuse,
  countNames,
  foldNames,
  valuePlaces,
} from './json-frames.ts'
import { bareLocus, dnaField, serologicField } from './source-typing.ts'
import { ETHNIC_GROUPS, type FieldRule, atMostLong, brokenRule, oneOf } from './rules/field-rules.ts'

/** Adult, cord, banked. */
const DONOR_TYPES: readonly string[] = ['D', 'C', 'B']

export interface JsonDonor {
  /** 1-based number in the document. */
  readonly row: number
  readonly person: string
  /** `/donors[3]` */
  readonly path: string
  readonly frame: JsonFrame
  readonly changeType: string
  readonly donorType: string
  readonly sites: readonly DonorSite[]
  /** Reason why it cannot be read. */
  readonly fault: PersonFault | undefined
  /** Broken rules of the format, when they are checked. */
  readonly broken: readonly BrokenRule[]
}

export interface DonorReader {
  readonly read: (frame: JsonFrame) => JsonDonor
  /** `outside`: the document without its donors. @throws {HlaError} io — not JSON */
  readonly finish: (outside: string) => void
}

/** Fields of an unreadable donor. */
const NOTHING_READ = { changeType: '', donorType: '', sites: [], broken: [] } as const

/** `isChecked`: report broken rules. */
export function donorReader(name: string, isChecked: boolean): DonorReader {
  const known = new PersonIndex()
  let count = 0
  return {
    read(frame) {
      count += 1
      const path = `/donors[${count}]`
      let person = ''
      const refuse = refuser(frame.line, path)
      const parsed = parseFrame(frame, path)
      try {
        const fields = readFields(parsed, frame, refuse)
        person = readId(fields, refuse)
        if (known.add(person) === undefined) throw refuse(`donor ${quoted(person)} occurs twice`)
        const changeType = textIn(fields.get('changetype'))
        const donorType = readDonorType(fields, refuse)
        const sites = typingSites(fields.get('hla'), refuse)
        const inner = (value: unknown) => foldNames(value, refuse, '')
        const broken = isChecked ? brokenDonorRules({ fields, line: frame.line, path, inner }) : []
        return { row: count, person, path, frame, changeType, donorType, sites, fault: undefined, broken }
      } catch (error) {
        if (!(error instanceof PersonFault)) throw error
        return { ...NOTHING_READ, row: count, person, path, frame, fault: error }
      }
    },
    finish(outside) {
      try {
        JSON.parse(outside)
      } catch (cause) {
        throw atPlace(1, '', `${name} is not valid JSON outside its donors: ${(cause as Error).message}`)
      }
    },
  }
}

/** @throws {PersonFault} */
function readId(fields: Fields, refuse: Refuse): string {
  const id = fields.get('recordid')
  // an inexact number would identify another person
  if (typeof id === 'number' && !Number.isSafeInteger(id))
    throw refuse('recordId cannot be kept exactly as a number: write it as a string')
  if ((typeof id !== 'string' && typeof id !== 'number') || `${id}`.trim() === '')
    throw refuse('the donor has no recordId')
  return `${id}`.trim()
}

/** @throws {PersonFault} */
function readDonorType(fields: Fields, refuse: Refuse): string {
  const donorType = textIn(fields.get('donortype'))
  if (donorType === '' || DONOR_TYPES.includes(donorType.toUpperCase())) return donorType
  throw refuse(`donorType ${quoted(donorType)} is not one of ${DONOR_TYPES.join(' ')}`)
}

function donorRecords(donor: JsonDonor): readonly TypingRecord[] {
  const { path, frame, sites, fault, broken } = donor
  const person = tableText(donor.person)
  if (fault !== undefined) return [faultyRecord(person, fault)]
  const of = { person, values: [tableText(donor.changeType), tableText(donor.donorType)], line: frame.line }
  const places = new DonorPlaces(donor)
  const records = sites.map((site) =>
    placedRecord(of, places, { locus: tableText(site.locus), typing: siteTyping(site), slot: site.slot }),
  )
  if (records.length === 0) records.push(untypedRecord(of, path))
  return broken.length === 0
    ? records
    : records.map((record, at) => (at === 0 ? { ...record, broken } : record))
}

function siteTyping({ locus, method, text }: DonorSite): string {
  return method === 'dna' ? dnaField(locus, text) : serologicField(locus, text)
}

function sitePath({ name, method, slot }: DonorSite): string {
  return `/hla/${name}/${method}/field${slot}`
}

interface DonorSite {
  readonly locus: string
  /** Name as written. */
  readonly name: string
  readonly method: 'dna' | 'ser'
  readonly slot: 1 | 2
  readonly text: string
}

/** @throws {PersonFault} */
function typingSites(hla: unknown, refuse: Refuse): DonorSite[] {
  const sites: DonorSite[] = []
  if (hla === undefined || hla === null) return sites
  const loci = foldNames(hla, refuse, '/hla')
  for (const name of loci.names) {
    const value = loci.get(name)
    if (value === null) continue
    const path = `/hla/${name}`
    const fields = foldNames(value, refuse, path)
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

/** Parses its donor again on request, and holds only its text: a block has hundreds of donors. */
class DonorPlaces implements TypingPlaces {
  readonly #frame: JsonFrame
  readonly #path: string
  #found: ReadonlyMap<string, TypingPlace> | undefined

  constructor({ frame, path }: JsonDonor) {
    this.#frame = frame
    this.#path = path
  }

  find(locus: string, slot: 1 | 2): TypingPlace | undefined {
    this.#found ??= this.#read()
    return this.#found.get(`${locus} ${slot}`)
  }

  #read(): ReadonlyMap<string, TypingPlace> {
    const [frame, path] = [this.#frame, this.#path]
    const refuse = refuser(frame.line, path)
    const fields = foldNames(parseFrame(frame, path), refuse, '')
    const places = valuePlaces(frame)
    return new Map(
      typingSites(fields.get('hla'), refuse).map((site) => {
        const { line } = places.get(sitePath(site)) ?? frame
        return [`${tableText(site.locus)} ${site.slot}`, { line, path: path + sitePath(site) }]
      }),
    )
  }
}

function refuser(line: number, path: string): Refuse {
  return (reason, more = '') => new PersonFault(line, `${path}${more}`, reason)
}

function bothFields(value: unknown, refuse: Refuse, path: string): readonly [string, string] {
  if (value === undefined || value === null) return ['', '']
  const fields = foldNames(value, refuse, path)
  refuseOthers(fields, FIELDS, refuse, path)
  const field = (name: string) => {
    const one = fields.get(name)
    if (one === undefined || one === null) return ''
    if (typeof one === 'string' || typeof one === 'number') return `${one}`.trim()
    throw refuse('a typing must be a string or a number', `${path}/${name}`)
  }
  return [field('field1'), field('field2')]
}

const METHODS: readonly string[] = ['dna', 'ser']
const FIELDS: readonly string[] = ['field1', 'field2']

/** Refuses unknown fields: a misspelled one would be a typing that is silently ignored. @throws {PersonFault} */
function refuseOthers(fields: Fields, known: readonly string[], refuse: Refuse, path: string): void {
  for (const name of fields.names)
    if (!known.includes(name)) throw refuse(`${quoted(name)} is not one of ${known.join(' ')}`, path)
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
  // of two fields of the same name the parser keeps the last
  if (countNames(parsed) !== names) throw refuse('two fields of one object have the same name')
  return foldNames(parsed, refuse, '')
}

function textIn(value: unknown): string {
  return typeof value === 'string' || typeof value === 'number' ? `${value}`.trim() : ''
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
    const text = textIn(fields.get(name.toLowerCase()))
    tell(`/${name}`, text, text === '' ? 'is missing' : rule(text))
  }
  const ethnic = textIn(fields.get('ethn'))
  if (ethnic !== '') tell('/ethn', ethnic, ETHNIC(ethnic))
  const hla = fields.get('hla')
  if (hla === undefined || hla === null) {
    if (fields.get('changetype') !== 'D') tell('/hla', '', 'is missing')
    return broken
  }
  const loci = inner(hla)
  for (const name of loci.names) {
    if (!LOCI.includes(name.replace(/^hla-/, ''))) tell(`/hla/${name}`, '', `is not one of ${LOCI.join(' ')}`)
    const value = loci.get(name)
    if (value === null) continue
    const methods = inner(value)
    for (const method of ['dna', 'ser'] as const) {
      const both = methods.get(method)
      if (both === undefined || both === null) continue
      const [first, second] = ['field1', 'field2'].map((field) => textIn(inner(both).get(field)))
      const at = `/hla/${name}/${method}`
      tell(`${at}/field1`, first ?? '', LENGTHS[method](first ?? ''))
      tell(`${at}/field2`, second ?? '', LENGTHS[method](second ?? ''))
      if (first === '' && second !== '') tell(`${at}/field2`, second ?? '', 'is given without field1')
    }
  }
  return broken
}

export const DONOR_JSON: RecordFormat = {
  name: 'donor-json',
  summary: 'donor import files of Atlas (JSON)',
  example: '{"donors": [{"recordId": "D1", "hla": {"a": {"dna": {"field1": "*01:01"}}}}]}',
  open(file, isAsked) {
    const begun = documentBeginning(file)
    if (!isAsked && !isDonors(begun)) return undefined
    return {
      format: 'donor JSON',
      reading: 'the typings of donors: in DNA, else in serology',
      personName: 'recordId',
      extras: ['changeType', 'donorType'].map((name) => ({ name, isOfTyping: false })),
      ignored: ['all else about a donor', 'serology of a locus that has DNA'],
      dialect: documentDialect(file),
      hasPaths: true,
      isApart: true,
      blocks: () => readDonors(file),
    }
  },
}

/** Also true for a document whose beginning is missing: it is refused as such, and its lines are not typings. */
function isDonors(begun: string): boolean {
  if (/^\s*\{/.test(begun)) return /"donors"\s*:\s*\[/i.test(begun) && !/"alleles"/.test(begun)
  return /^\s*"\w+"\s*:/.test(begun) && /"recordId"\s*:/i.test(begun) && /"hla"\s*:\s*\{/i.test(begun)
}

async function* readDonors(file: RecordInput): AsyncGenerator<readonly TypingRecord[]> {
  const cutter = new FrameCutter('donors', file.input.name)
  const reader = donorReader(file.input.name, file.isChecked)
  for await (const text of documentText(file))
    yield cutter.add(text).flatMap((frame) => donorRecords(reader.read(frame)))
  reader.finish(cutter.finish())
}
