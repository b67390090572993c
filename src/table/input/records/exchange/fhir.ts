/**
 * FHIR R4: genotype Observations of the HLA reporting guide, whose values are GL String Codes: one Observation per
 * line, one alone, in a Bundle, or the summary of a DiagnosticReport. The guide is a draft
 * (fhir.nmdp.org/ig/hla-reporting).
 */
import type { RecordFormat, RecordInput, RecordSource, TypingRecord } from '../typing-record.ts'
import {
  MAX_TEXT_LENGTH,
  atPlace,
  documentBeginning,
  documentDialect,
  documentText,
  tableText,
  untypedRecord,
} from './document-source.ts'
import { asFields } from '../programs/json-programs.ts'
import { glTypings, NO_LOCUS } from '../gl-rows.ts'
import type { HlaError } from '../../../../errors.ts'
import { quoted } from '../../../placed-error.ts'
import { FrameCutter, countNames } from './json-frames.ts'

export const FHIR: RecordFormat = {
  name: 'fhir',
  summary:
    'genotype Observations of the HLA reporting guide (FHIR, a draft): JSON Lines, a Bundle, a DiagnosticReport',
  example:
    '{"resourceType": "Observation", …, "valueCodeableConcept": {"coding": [{"system": "http://glstring.org", "code": "hla#3.58.0#HLA-A*01:01+HLA-A*02:01"}]}}',
  open(file, isAsked) {
    const begun = documentBeginning(file)
    const isFhir = /^\s*\{/.test(begun) && /"resourceType"\s*:\s*"[A-Z]\w*"/.test(begun)
    if (!isAsked && !isFhir) return undefined
    return {
      format: 'FHIR',
      reading: 'the GL String Codes of genotype Observations',
      personName: 'subject',
      extras: [],
      ignored: ['all other resources', 'the summary of a report whose Observations are read'],
      dialect: documentDialect(file),
      hasPaths: true,
      blocks: () => fhirRecords(file),
    } satisfies RecordSource
  },
}

async function* fhirRecords(file: RecordInput): AsyncGenerator<readonly TypingRecord[]> {
  const reader = fhirReader()
  for await (const resources of fhirResources(file)) yield resources.flatMap((one) => reader.read(one))
  yield reader.finish()
}

/** Genotype display name. */
const GENOTYPE_CODE = { system: 'http://loinc.org', code: '84413-4' } as const
const GL_STRING_SYSTEM = 'http://glstring.org'
/** Extension of a report with the genotypes of all loci. */
const SUMMARY = /\/hla-genotype-summary$/

interface FhirReader {
  readonly read: (resource: FhirResource) => readonly TypingRecord[]
  /** Summaries of subjects without Observations. */
  readonly finish: () => readonly TypingRecord[]
}

/** Statuses of results that the laboratory has withdrawn. */
const WITHDRAWN: readonly unknown[] = ['cancelled', 'entered-in-error']
/** Resources with typings, in a document that may have others. */
const TYPED = ['Observation', 'DiagnosticReport']
/** Maximum number of reports held until all Observations are known. */
const MAX_REPORTS = 100_000

function fhirReader(): FhirReader {
  const observed = new Set<string | undefined>()
  const reports = new Map<string | undefined, TypingRecord[]>()
  let firstOther: FhirResource | undefined
  let [isTyped, count] = [false, 0]
  // Observations without a subject are about the file's person
  let named: boolean | undefined
  const take = (resource: FhirResource, records: TypingRecord[]): TypingRecord[] => {
    if (records.length === 0) return records
    const isNamed = records[0]?.person !== undefined
    named ??= isNamed
    if (named !== isNamed)
      throw atPlace(
        resource.line,
        resource.path,
        'some typings of the document have a subject, others have none',
      )
    return records
  }
  const hold = (resource: FhirResource): void => {
    const records = take(resource, reportRecords(resource))
    if (records.length === 0) return
    count += 1
    if (count > MAX_REPORTS)
      throw atPlace(resource.line, resource.path, `more than ${MAX_REPORTS} reports in one document`)
    const person = subjectName(resource)
    reports.set(person, [...(reports.get(person) ?? []), ...records])
  }
  return {
    read(resource) {
      const type = resource.fields['resourceType']
      if (typeof type !== 'string') throw atPlace(resource.line, resource.path, 'it has no resourceType')
      if (TYPED.includes(type)) isTyped = true
      else firstOther ??= resource
      if (type === 'DiagnosticReport') hold(resource)
      if (type !== 'Observation' || !hasCode(resource.fields['code'])) return []
      observed.add(subjectName(resource))
      return take(resource, observationRecords(resource))
    },
    finish() {
      if (!isTyped && firstOther !== undefined) {
        const { line, path, fields } = firstOther
        const reason = `${quoted(String(fields['resourceType']), 80)} holds no typings`
        throw atPlace(line, path, reason, 'Observations, Bundles of them and DiagnosticReports are read')
      }
      return [...reports].flatMap(([person, records]) => (observed.has(person) ? [] : records))
    },
  }
}

function observationRecords(resource: FhirResource): TypingRecord[] {
  const { fields, path, line } = resource
  const value = fields['valueCodeableConcept']
  const isAbsent = value === undefined && fields['dataAbsentReason'] !== undefined
  if (WITHDRAWN.includes(fields['status']) || isAbsent)
    return [untypedRecord({ person: subjectName(resource), values: [], line }, path)]
  return valueRecords(value, { resource, path: '/valueCodeableConcept' })
}

function reportRecords(resource: FhirResource): TypingRecord[] {
  const { fields } = resource
  if (WITHDRAWN.includes(fields['status'])) return []
  return listIn(fields['extension']).flatMap((one, at) => {
    const { url, valueCodeableConcept: value } = asFields(one) ?? {}
    if (typeof url !== 'string' || !SUMMARY.test(url)) return []
    return valueRecords(value, { resource, path: `/extension[${at + 1}]/valueCodeableConcept` })
  })
}

/** @throws {HlaError} io — not a GL String Code, or without a locus */
function valueRecords(value: unknown, place: ValuePlace): TypingRecord[] {
  const { resource } = place
  const { text, coding } = glStringCode(value, place)
  const person = subjectName(resource)
  const line = resource.lineAt(text)
  const path = `${resource.path}${place.path}/coding[${coding + 1}]`
  const [, release, body] = CODE.exec(text) ?? []
  if (release === undefined || body === undefined)
    throw atPlace(line, path, `${quoted(text, 80)} is not a GL String Code (hla#release#GL String)`)
  return glTypings(body.replaceAll(/\s+|HLA-/g, '')).map(({ locus, typing, slot }) => {
    if (locus === NO_LOCUS) throw atPlace(line, path, `${quoted(typing, 80)} names no locus`)
    // each typing states its own release
    const code = locus === '' ? '' : `hla#${release}#${typing}`
    return { person, locus: tableText(locus), typing: tableText(code), slot, line, path, values: [] }
  })
}

const CODE = /^hla#([^#\s]+)#(.*)$/s

interface ValuePlace {
  readonly resource: FhirResource
  readonly path: string
}

/** @throws {HlaError} io — none, or several */
function glStringCode(value: unknown, { resource, path }: ValuePlace) {
  const codings = listIn(asFields(value)?.['coding'])
  const found = codings.flatMap((one, at) => {
    const { system, code } = asFields(one) ?? {}
    const isGl = typeof system === 'string' && /^https?:\/\/(?:www\.)?glstring\.org\/?$/.test(system)
    return isGl && typeof code === 'string' ? [{ text: code, coding: at }] : []
  })
  const [first, another] = found
  if (first !== undefined && another === undefined) return first
  const many = first === undefined ? 'no GL String Code' : `${found.length} GL String Codes`
  throw atPlace(
    resource.line,
    `${resource.path}${path}`,
    `${many} of ${GL_STRING_SYSTEM} where one is expected`,
  )
}

function hasCode(value: unknown): boolean {
  return listIn(asFields(value)?.['coding']).some((one) => {
    const { system, code } = asFields(one) ?? {}
    return system === GENOTYPE_CODE.system && code === GENOTYPE_CODE.code
  })
}

/** Subject's name, by its identifier, else its reference (12 for `Patient/12`); undefined for none. */
function subjectName({ fields }: FhirResource): string | undefined {
  const subject = asFields(fields['subject'])
  const texts = [
    asFields(subject?.['identifier'])?.['value'],
    typeof subject?.['reference'] === 'string' ? subject['reference'].replace(/^Patient\//, '') : undefined,
    subject?.['display'],
  ]
  const name = texts.find((one) => typeof one === 'string' && one.trim() !== '')
  return typeof name === 'string' ? tableText(name.trim()) : undefined
}

function listIn(value: unknown): readonly unknown[] {
  return Array.isArray(value) ? (value as readonly unknown[]) : []
}

type Fields = Readonly<Record<string, unknown>>

interface FhirResource {
  readonly fields: Fields
  /** '' or `/entry[3]/resource`. */
  readonly path: string
  /** Line of its first character. */
  readonly line: number
  /** Line of the text, or the first line. */
  readonly lineAt: (text: string) => number
}

/** @throws {HlaError} io — not JSON, or not a resource; with line and path */
function fhirResources(file: RecordInput): AsyncGenerator<readonly FhirResource[]> {
  const begun = documentBeginning(file).trimStart()
  const end = begun.search(/\r?\n|$/)
  const first = begun.slice(0, end)
  if (/"resourceType"\s*:\s*"Bundle"/.test(begun) && /"entry"\s*:/.test(begun)) return bundleEntries(file)
  return isWhole(first) ? resourceLines(file) : wholeFile(file)
}

function isWhole(line: string): boolean {
  try {
    return asFields(JSON.parse(line)) !== undefined
  } catch {
    return false
  }
}

async function* resourceLines(file: RecordInput): AsyncGenerator<readonly FhirResource[]> {
  let [held, line] = ['', 0]
  const take = (text: string): FhirResource[] => {
    line += 1
    return text.trim() === '' ? [] : [resourceIn(text, line, '', undefined)]
  }
  for await (const text of documentText(file)) {
    const lines = (held + text).split('\n')
    held = lines.pop() ?? ''
    if (held.length > MAX_TEXT_LENGTH)
      throw atPlace(line + 1, '', `a resource is longer than ${MAX_TEXT_LENGTH}`)
    yield lines.flatMap(take)
  }
  yield take(held)
}

async function* wholeFile(file: RecordInput): AsyncGenerator<readonly FhirResource[]> {
  let whole = ''
  for await (const text of documentText(file)) {
    whole += text
    if (whole.length > MAX_TEXT_LENGTH) throw atPlace(1, '', `a resource is longer than ${MAX_TEXT_LENGTH}`)
  }
  yield [resourceIn(whole, 1, '', undefined)]
}

async function* bundleEntries(file: RecordInput): AsyncGenerator<readonly FhirResource[]> {
  const cutter = new FrameCutter('entry', file.input.name)
  let count = 0
  for await (const text of documentText(file)) {
    yield cutter.add(text).flatMap((frame) => {
      count += 1
      const entry = resourceIn(frame.text, frame.line, `/entry[${count}]`, frame.names)
      const resource = asFields(entry.fields['resource'])
      return resource === undefined ? [] : [{ ...entry, fields: resource, path: `${entry.path}/resource` }]
    })
  }
  const outside = resourceIn(cutter.finish(), 1, '', undefined)
  if (outside.fields['resourceType'] !== 'Bundle') throw atPlace(1, '', 'a list of entries must be a Bundle')
}

/** `names`: number of field names in it, if counted. */
function resourceIn(text: string, line: number, path: string, names: number | undefined): FhirResource {
  const refuse = (reason: string): HlaError => atPlace(line, path, reason)
  let parsed: unknown
  try {
    parsed = JSON.parse(text.replace(/^\ufeff/, ''))
  } catch (error) {
    throw refuse(`it is not valid JSON: ${(error as Error).message}`)
  }
  const fields = asFields(parsed)
  if (fields === undefined) throw refuse('a resource is an object')
  // of two fields of the same name the parser keeps the last
  if (countNames(parsed) !== (names ?? countColons(text)))
    throw refuse('two fields of one object have the same name')
  const lineAt = (sought: string) => {
    const at = text.indexOf(JSON.stringify(sought))
    return line + (at < 0 ? 0 : text.slice(0, at).split('\n').length - 1)
  }
  return { fields, path, line, lineAt }
}

/** Counts colons outside strings; each follows a field name. */
function countColons(text: string): number {
  let count = 0
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|:/gs)) if (piece === ':') count += 1
  return count
}
