/** The resources of a FHIR document, each parsed by itself, with its place: a resource a line, the entries of a Bundle, or one that fills the file. */
import type { HlaError } from '../../../../errors.ts'
import { asFields } from '../programs/json-records.ts'
import type { RecordInput } from '../typing-record.ts'
import { atPlace, documentBeginning, documentText, LONGEST_TEXT } from './document-source.ts'
import { countNames } from './json-fields.ts'
import { FrameCutter } from './json-frames.ts'

export type Fields = Readonly<Record<string, unknown>>

export interface FhirResource {
  readonly fields: Fields
  /** '' or `/entry[3]/resource`. */
  readonly path: string
  /** Of its first character. */
  readonly line: number
  /** Where the text stands; else the first line. */
  readonly lineAt: (text: string) => number
}

/** @throws {HlaError} io — it is no JSON, or no resource; with line and path */
export function fhirResources(file: RecordInput): AsyncGenerator<readonly FhirResource[]> {
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
    if (held.length > LONGEST_TEXT) throw atPlace(line + 1, '', `a resource is longer than ${LONGEST_TEXT}`)
    yield lines.flatMap(take)
  }
  yield take(held)
}

async function* wholeFile(file: RecordInput): AsyncGenerator<readonly FhirResource[]> {
  let whole = ''
  for await (const text of documentText(file)) {
    whole += text
    if (whole.length > LONGEST_TEXT) throw atPlace(1, '', `a resource is longer than ${LONGEST_TEXT}`)
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
  if (outside.fields['resourceType'] !== 'Bundle')
    throw atPlace(1, '', 'a list of entries stands in a Bundle')
}

/** `names`: names of fields in it, where they were counted. */
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
  // of two fields of one name the parser keeps the last
  if (countNames(parsed) !== (names ?? countColons(text)))
    throw refuse('two fields of one object have the same name')
  const lineAt = (sought: string) => {
    const at = text.indexOf(JSON.stringify(sought))
    return line + (at < 0 ? 0 : text.slice(0, at).split('\n').length - 1)
  }
  return { fields, path, line, lineAt }
}

/** Outside of texts each follows a name. */
function countColons(text: string): number {
  let count = 0
  for (const [piece] of text.matchAll(/"(?:[^"\\]|\\.)*"|:/gs)) if (piece === ':') count += 1
  return count
}
