/** Formats of one JSON document per sample: read whole, up to a limit, with the line of each text. */
import { HlaError } from '../../../../errors.ts'
import { encodeByteText, toByteText } from '../../encoding.ts'
import { gatheredDialect } from '../long-table.ts'
import type { RecordInput, RecordSource, TypingRecord } from '../typing-record.ts'

/** Maximum bytes; a document has the typings of a few samples. */
const MAX_BYTES = 16 * 1024 * 1024

export interface JsonTyping {
  readonly person: string | undefined
  readonly locus: string
  readonly typing: string
  readonly slot: 1 | 2 | undefined
}

export function jsonSource(
  file: RecordInput,
  {
    title,
    reading,
    read,
  }: { title: string; reading: string; read: (document: unknown) => readonly JsonTyping[] },
): RecordSource {
  const dialect = gatheredDialect({ ...file.dialect, delimiter: '\t', eol: '\n' })
  return {
    format: title,
    reading,
    personName: 'sample',
    extras: [],
    ignored: [],
    dialect,
    async *blocks() {
      const text = await readText(file)
      yield placed(text, read(parseJson(text, file.input.name)))
    },
  }
}

/** @throws {HlaError} io — too large */
async function readText({ input, dialect }: RecordInput): Promise<string> {
  const pieces: Buffer[] = []
  let size = 0
  for await (const chunk of toByteText(input.chunks(), dialect)) {
    size += chunk.length
    if (size > MAX_BYTES)
      throw new HlaError('io', `${input.name} is larger than ${MAX_BYTES / 1024 ** 2} MiB`)
    pieces.push(Buffer.from(chunk))
  }
  return Buffer.concat(pieces).toString('utf8')
}

/** @throws {HlaError} io — not JSON */
export function parseJson(text: string, name: string): unknown {
  try {
    return JSON.parse(text)
  } catch (cause) {
    throw new HlaError('io', `${name} is not valid JSON: ${(cause as Error).message}`, {
      offending: name,
      cause,
    })
  }
}

/** Typings in document order, with their lines. */
function placed(text: string, typings: readonly JsonTyping[]): TypingRecord[] {
  let [from, line] = [0, 1]
  return typings.map(({ person, locus, typing, slot }) => {
    const at = text.indexOf(JSON.stringify(typing), from)
    if (at >= 0) {
      for (let feed = text.indexOf('\n', from); feed >= 0 && feed < at; feed = text.indexOf('\n', feed + 1))
        line += 1
      from = at + 1
    }
    return {
      person: person === undefined ? undefined : encodeByteText(person, 'utf8'),
      locus: encodeByteText(locus, 'utf8'),
      typing: encodeByteText(typing, 'utf8'),
      slot,
      line,
      values: [],
    }
  })
}

export function asFields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}
