/** Donors of a donor import file of Atlas (JSON): their typing records, and the lines of their typings. */
import { quoted } from '../../placed-error.ts'
import { PersonIndex } from '../../person-index.ts'
import type { BrokenRule, TypingPlace } from '../../input/places.ts'
import type { RecordFormat, RecordInput, TypingRecord } from '../typing-record.ts'
import {
  FieldPlaces,
  PersonFault,
  documentBeginning,
  documentDialect,
  faultyRecord,
  placedRecord,
  tableText,
  untypedRecord,
  wholeText,
} from './document-source.ts'
import { JsonFields, type JsonNode, type JsonObject, listObjects } from './json-tree.ts'
import { bareLocus, dnaField, serologicField } from './source-typing.ts'
import { DONOR_LENGTHS, DONOR_LOCI, DONOR_RULES } from './rules/donor-rules.ts'
import { brokenRule } from './rules/field-rules.ts'

/** Adult, cord, banked. */
const DONOR_TYPES: readonly string[] = ['D', 'C', 'B']

/** Reads the donors of one document. */
class DonorReader {
  readonly #known = new PersonIndex()
  readonly #isChecked: boolean
  #count = 0

  /** `isChecked`: report broken rules. */
  constructor(isChecked: boolean) {
    this.#isChecked = isChecked
  }

  /** Records of a donor, at least one. */
  records(donor: JsonObject): readonly TypingRecord[] {
    this.#count += 1
    const place = { line: donor.line, path: `/donors[${this.#count}]` }
    let person = ''
    try {
      const fields = foldNames(donor, '')
      person = readId(fields)
      if (this.#known.add(person) === undefined) throw new Refusal(`donor ${quoted(person)} occurs twice`)
      const values = [textIn(fields.get('changetype')), readDonorType(fields)].map(tableText)
      const of = { person: tableText(person), values, line: donor.line }
      const records = typedRecords(of, place.path, lociIn(fields.get('hla')))
      const broken = this.#isChecked ? brokenDonorRules(fields, place) : []
      return broken.length === 0
        ? records
        : records.map((record, at) => (at === 0 ? { ...record, broken } : record))
    } catch (error) {
      if (!(error instanceof Refusal)) throw error
      const fault = new PersonFault(place.line, place.path + error.path, error.message)
      return [faultyRecord(tableText(person), fault)]
    }
  }
}

/** Reason why a donor cannot be read; thrown and caught within its reader. */
class Refusal extends Error {
  override readonly name = 'Refusal'
  /** Path within the donor. */
  readonly path: string

  constructor(reason: string, path = '') {
    super(reason)
    this.path = path
  }
}

function typedRecords(
  of: Pick<TypingRecord, 'person' | 'values' | 'line'>,
  path: string,
  loci: readonly DonorLocus[],
): readonly TypingRecord[] {
  if (loci.length === 0) return [untypedRecord(of)]
  const places = new FieldPlaces(
    of.line,
    loci.map((one) => ({ ...one, locus: tableText(one.locus) })),
    ({ name, method, slot }) => `${path}/hla/${name}/${method}/field${slot}`,
  )
  return loci.flatMap(({ locus, method, texts }) =>
    texts.map((text, at) => {
      const typing = method === 'dna' ? dnaField(locus, text) : serologicField(locus, text)
      return placedRecord(of, places, { locus: tableText(locus), typing, slot: at === 0 ? 1 : 2 })
    }),
  )
}

/** @throws {Refusal} */
function readId(fields: Fields): string {
  const id = textIn(fields.get('recordid'))
  if (id === '') throw new Refusal('the donor has no recordId')
  return id
}

/** @throws {Refusal} */
function readDonorType(fields: Fields): string {
  const donorType = textIn(fields.get('donortype'))
  if (donorType === '' || DONOR_TYPES.includes(donorType.toUpperCase())) return donorType
  throw new Refusal(`donorType ${quoted(donorType)} is not one of ${DONOR_TYPES.join(' ')}`)
}

interface DonorLocus {
  readonly locus: string
  /** Name as written, in lower case. */
  readonly name: string
  readonly method: (typeof METHODS)[number]
  /** Lines of both fields; 0 where one is absent. */
  readonly lines: readonly [number, number]
  readonly texts: readonly [string, string]
}

const METHODS = ['dna', 'ser'] as const
const FIELDS = ['field1', 'field2'] as const

/** DNA where it is given, else serology. @throws {Refusal} */
function lociIn(hla: JsonNode | undefined): DonorLocus[] {
  const node = given(hla)
  if (node === undefined) return []
  return [...foldNames(node, '/hla')].flatMap(([name, one]) => {
    if (one.value === null) return []
    const path = `/hla/${name}`
    const methods = onlyFields(one, METHODS, path)
    const locus = bareLocus(name)
    if (locus === '') throw new Refusal('a typing of no locus', path)
    const dna = bothFields(methods.get('dna'), `${path}/dna`)
    const method = dna.texts.join('') === '' ? 'ser' : 'dna'
    const both = method === 'dna' ? dna : bothFields(methods.get('ser'), `${path}/ser`)
    return [{ locus, name, method, ...both }]
  })
}

function bothFields(node: JsonNode | undefined, path: string): Pick<DonorLocus, 'lines' | 'texts'> {
  const object = given(node)
  const fields = object === undefined ? undefined : onlyFields(object, FIELDS, path)
  const text = (name: (typeof FIELDS)[number]) => {
    const value = fields?.get(name)?.value ?? ''
    if (typeof value === 'string') return value.trim()
    throw new Refusal('a typing must be a string or a number', `${path}/${name}`)
  }
  return {
    lines: [fields?.get('field1')?.line ?? 0, fields?.get('field2')?.line ?? 0],
    texts: [text('field1'), text('field2')],
  }
}

/** Refuses unknown fields: a misspelled one would be a typing that is silently ignored. @throws {Refusal} */
function onlyFields(node: JsonNode, known: readonly string[], path: string): Fields {
  const fields = foldNames(node, path)
  for (const name of fields.keys())
    if (!known.includes(name)) throw new Refusal(`${quoted(name)} is not one of ${known.join(' ')}`, path)
  return fields
}

/** Values by the lower-case names of their fields. */
type Fields = ReadonlyMap<string, JsonNode>

/** @throws {Refusal} not an object, or two names that differ at most in case */
function foldNames({ value }: JsonNode, path: string): Fields {
  if (!(value instanceof JsonFields)) throw new Refusal('an object is expected', path)
  const fields = new Map<string, JsonNode>()
  for (const [name, node] of value.all) {
    const lower = name.toLowerCase()
    if (fields.has(lower)) throw new Refusal(`${quoted(name)} occurs twice`, path)
    fields.set(lower, node)
  }
  return fields
}

/** undefined for a missing value and null. */
function given(node: JsonNode | undefined): JsonNode | undefined {
  return node?.value === null ? undefined : node
}

function textIn(node: JsonNode | undefined): string {
  return typeof node?.value === 'string' ? node.value.trim() : ''
}

const REQUIRED = ['changeType', 'donorType'] as const

/** `fields`: those of a donor without a fault. */
function brokenDonorRules(fields: Fields, { line, path }: TypingPlace): readonly BrokenRule[] {
  const broken: BrokenRule[] = []
  const tell = (more: string, value: string, reason: string | undefined) => {
    if (reason !== undefined) broken.push(brokenRule({ line, path: `${path}${more}` }, value, reason))
  }
  const inner = (node: JsonNode) => foldNames(node, '')
  for (const name of REQUIRED) {
    const text = textIn(fields.get(name.toLowerCase()))
    tell(`/${name}`, text, text === '' ? 'is missing' : DONOR_RULES[name](text))
  }
  const ethnic = textIn(fields.get('ethn'))
  if (ethnic !== '') tell('/ethn', ethnic, DONOR_RULES.ethn(ethnic))
  const hla = given(fields.get('hla'))
  if (hla === undefined) {
    if (textIn(fields.get('changetype')) !== 'D') tell('/hla', '', 'is missing')
    return broken
  }
  for (const [name, node] of inner(hla)) {
    if (!DONOR_LOCI.includes(name.replace(/^hla-/, '')))
      tell(`/hla/${name}`, '', `is not one of ${DONOR_LOCI.join(' ')}`)
    if (node.value === null) continue
    const methods = inner(node)
    for (const method of METHODS) {
      const both = given(methods.get(method))
      if (both === undefined) continue
      const [first, second] = ['field1', 'field2'].map((field) => textIn(inner(both).get(field)))
      const at = `/hla/${name}/${method}`
      tell(`${at}/field1`, first ?? '', DONOR_LENGTHS[method](first ?? ''))
      tell(`${at}/field2`, second ?? '', DONOR_LENGTHS[method](second ?? ''))
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

/** Maximum size of a file, which is read whole. */
const MAX_BYTES = 256 * 1024 * 1024
/** Donors per block. */
const BLOCK = 50

async function* readDonors(file: RecordInput): AsyncGenerator<readonly TypingRecord[]> {
  const text = await wholeText(file, MAX_BYTES, 'divide its donors among several files')
  const reader = new DonorReader(file.isChecked)
  let records: TypingRecord[] = []
  let count = 0
  for (const donor of listObjects(text, 'donors', file.input.name)) {
    records.push(...reader.records(donor))
    count += 1
    if (count % BLOCK !== 0) continue
    yield records
    records = []
  }
  yield records
}
