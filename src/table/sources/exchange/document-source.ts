/** Shared parts of document readers: text as a stream, errors with their place, and the form of the resulting table. */
import { advice, option } from '../../../advice.ts'
import { isAscii } from 'node:buffer'
import { HlaError } from '../../../errors.ts'
import { encodeByteText, toByteText } from '../../input/encoding.ts'
import { gatheredDialect } from '../long-table.ts'
import type { TypingPlace, TypingPlaces } from '../../input/places.ts'
import type { RecordInput, RecordSource, TypingRecord } from '../typing-record.ts'

/** Maximum characters of one meaningful text; no typing is nearly so long. */
export const MAX_TEXT_LENGTH = 1024 * 1024

/** Beginning of a document, which identifies it. */
export function documentBeginning({ input }: RecordInput): string {
  return input.sample.toString('latin1').replaceAll('\0', '').replace(/^(?:\u00ef\u00bb\u00bf|\u00ff\u00fe|\u00fe\u00ff)/, '') // prettier-ignore
}

/** UTF-8, since entities can name characters outside Latin-1. */
export function documentDialect({ dialect }: RecordInput): RecordSource['dialect'] {
  return gatheredDialect({ ...dialect, encoding: 'utf8', delimiter: '\t', eol: '\n', preamble: 0 })
}

/** Text in pieces. @throws {HlaError} bad-encoding */
export async function* documentText({ input, dialect }: RecordInput): AsyncGenerator<string> {
  // UTF-16 has already been converted to UTF-8
  const decoder = new TextDecoder(dialect.encoding === 'latin1' ? 'latin1' : 'utf-8', {
    fatal: true,
    ignoreBOM: true,
  })
  /** False when the last piece ended within a character. */
  let isWhole = true
  const decode = (bytes: Buffer | undefined) => {
    // most pieces; their text then takes one byte per character
    if (bytes !== undefined && isWhole && isAscii(bytes)) return bytes.toString('latin1')
    isWhole = bytes === undefined || (bytes.at(-1) ?? 0) < 0x80
    try {
      return bytes === undefined ? decoder.decode() : decoder.decode(bytes, { stream: true })
    } catch (cause) {
      throw new HlaError('bad-encoding', `${input.name} contains bytes that are not UTF-8`, {
        offending: input.name,
        hint: advice`${option('encoding')} sets the encoding of the document`,
        cause,
      })
    }
  }
  for await (const bytes of toByteText(input.chunks(), dialect)) yield decode(bytes)
  yield decode(undefined)
}

/** All of the text. @throws {HlaError} io — larger than `most` bytes, with the hint; bad-encoding */
export async function wholeText(file: RecordInput, most: number, hint?: string): Promise<string> {
  let text = ''
  for await (const piece of documentText(file)) {
    text += piece
    if (text.length <= most) continue
    const reason = `${file.input.name} is larger than ${most / 1024 ** 2} MiB, and must be read as a whole`
    throw new HlaError('io', reason, { offending: file.input.name, hint })
  }
  return text
}

/** `line 12: /hml/sample[3]: it names no person`; an empty path is left out. */
export function atPlace(line: number, path: string, reason: string, hint?: string): HlaError {
  return new HlaError('io', path === '' ? reason : `${path}: ${reason}`, { line, hint })
}

/** Ends the reading of one person, not of the document; thrown and caught within its reader. */
export class PersonFault extends Error {
  override readonly name = 'PersonFault'
  readonly line: number
  readonly path: string
  readonly error: HlaError

  constructor(line: number, path: string, reason: string, hint?: string) {
    super(reason)
    this.line = line
    this.path = path
    this.error = new HlaError('bad-record', reason, { hint })
  }
}

/** The only record of an unreadable person; `person` is '' when unknown. @throws `error`, when it is something else */
export function faultyRecord(person: string, error: unknown): TypingRecord {
  if (!(error instanceof PersonFault)) throw error
  const { line, path, error: fault } = error
  return { ...untypedRecord({ person, values: [], line }), path, error: fault }
}

interface LocusPlace {
  readonly locus: string
  /** The locus and the method as parts of a path. */
  readonly name: string
  readonly method: string
  /** Lines of both fields; 0 where one is absent. */
  readonly lines: readonly [number, number]
}

type FieldPath = (part: Pick<LocusPlace, 'name' | 'method'> & { readonly slot: 1 | 2 }) => string

/** Places of the fields of one person. Compact: hundreds of thousands are held. */
export class FieldPlaces implements TypingPlaces {
  readonly line: number
  readonly #pathOf: FieldPath
  readonly #loci: readonly LocusPlace[]

  /** `line`: that of the person. */
  constructor(line: number, loci: readonly LocusPlace[], pathOf: FieldPath) {
    this.line = line
    this.#pathOf = pathOf
    this.#loci = loci
  }

  find(locus: string, slot: 1 | 2): TypingPlace | undefined {
    const { name = '', method = '', lines } = this.#loci.find((one) => one.locus === locus) ?? {}
    const line = lines?.[slot - 1] ?? 0
    return line === 0 ? undefined : { line, path: this.#pathOf({ name, method, slot }) }
  }
}

/** Properties common to all records of a person. */
type OfPerson = Pick<TypingRecord, 'person' | 'values' | 'line'>

/** A million documents make ten records each: equal properties in equal order keep access to them fast. */
export function placedRecord(
  { person, values, line }: OfPerson,
  places: TypingPlaces,
  { locus, typing, slot }: Pick<TypingRecord, 'locus' | 'typing' | 'slot'>,
): TypingRecord {
  return { person, locus, typing, slot, line, places, values, path: undefined, error: undefined }
}

/** The only record of a person without typings. */
export function untypedRecord({ person, values, line }: OfPerson): TypingRecord {
  return { person, locus: '', typing: '', slot: undefined, line, places: undefined, values, path: undefined, error: undefined } // prettier-ignore
}

/** Encodes text for the table of records. */
export function tableText(text: string): string {
  return encodeByteText(text, 'utf8')
}
