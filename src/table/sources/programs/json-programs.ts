/** Typing programs that write one JSON document per sample: read whole, up to a limit, with the line of each text. */
import { HlaError } from '../../../errors.ts'
import { locusInTyping } from '../../words/locus-header.ts'
import { encodeByteText } from '../../input/encoding.ts'
import { gatheredDialect } from '../long-table.ts'
import { wholeText } from '../exchange/document-source.ts'
import type { TypingRecord } from '../typing-record.ts'
import { type ProgramFormat, slotAt } from './program-format.ts'

type JsonTyping = Pick<TypingRecord, 'person' | 'locus' | 'typing' | 'slot'>

interface JsonProgram extends Pick<ProgramFormat, 'name' | 'summary' | 'example'> {
  readonly title: string
  readonly reading: string
  /** `begun`: beginning of the document. */
  readonly isBegun: (begun: string) => boolean
  readonly read: (document: unknown) => readonly JsonTyping[]
}

/** Alleles per gene; or the same for several named samples. */
const GENES = /^\{\s*(?:"[^"]*"\s*:\s*\{\s*)?"[A-Z][A-Z0-9]*"\s*:\s*\[\s*"[A-Z][A-Z0-9]*\*/

const TABLE: readonly JsonProgram[] = [
  {
    name: 'arcashla',
    title: 'arcasHLA',
    summary: 'arcasHLA (JSON)',
    example: '{"A": ["A*02:01:01", "A*24:02:01"], "B": ["B*07:02:01"]}',
    isBegun: (begun) => begun.startsWith('{') && GENES.test(begun),
    reading: 'the alleles of each gene',
    read: readArcasHla,
  },
  {
    name: 'xhla',
    title: 'xHLA',
    summary: 'xHLA',
    example: '{"report_type": "hla_typing", "sample_id": "17", "hla": {"alleles": ["A*02:01"]}}',
    isBegun: (begun) =>
      begun.startsWith('{') && /"report_type"\s*:\s*"hla_typing"/.test(begun) && begun.includes('"alleles"'),
    reading: 'the list of alleles of a sample',
    read: readXHla,
  },
]

export const JSON_PROGRAMS: readonly ProgramFormat[] = TABLE.map(
  ({ title, isBegun, reading, read, ...program }) => ({
    ...program,
    title,
    isWrittenBy: (lines) => isBegun(lines.join('\n').trimStart()),
    open: (file) => ({
      format: title,
      reading,
      personName: 'sample',
      extras: [],
      ignored: [],
      dialect: gatheredDialect({ ...file.dialect, delimiter: '\t', eol: '\n' }),
      async *blocks() {
        const text = await wholeText(file, MAX_BYTES)
        yield placed(text, read(parseJson(text, file.input.name)))
      },
    }),
  }),
)

/** Maximum bytes; a document has the typings of a few samples. */
const MAX_BYTES = 16 * 1024 * 1024

/** @throws {HlaError} io — not JSON */
function parseJson(text: string, name: string): unknown {
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

function asFields(value: unknown): Readonly<Record<string, unknown>> | undefined {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : undefined
}

function readArcasHla(document: unknown): readonly JsonTyping[] {
  const unexpected = (where?: string) =>
    new HlaError(
      'io',
      `${where === undefined ? 'the document' : JSON.stringify(where)} is not in the format of arcasHLA, which lists alleles by gene`,
    )
  const fields = asFields(document)
  if (fields === undefined) throw unexpected()
  const readGene = (person: string | undefined, locus: string, alleles: unknown) => {
    if (!Array.isArray(alleles)) throw unexpected(locus)
    return alleles.map((typing: unknown, at) => {
      if (typeof typing !== 'string') throw unexpected(locus)
      return { person, locus, typing, slot: slotAt(at) }
    })
  }
  return Object.entries(fields).flatMap(([name, value]) => {
    if (Array.isArray(value)) return readGene(undefined, name, value)
    const genes = asFields(value)
    if (genes === undefined) throw unexpected(name)
    return Object.entries(genes).flatMap(([gene, alleles]) => readGene(name, gene, alleles))
  })
}

function readXHla(document: unknown): readonly JsonTyping[] {
  const unexpected = (where: string) =>
    new HlaError(
      'io',
      `${JSON.stringify(where)} is not in the format of xHLA, which lists alleles with their genes`,
    )
  const { sample_id, subject_id, hla } = asFields(document) ?? {}
  const alleles = asFields(hla)?.['alleles']
  if (!Array.isArray(alleles)) throw unexpected('hla.alleles')
  const named = [sample_id, subject_id].find((one) => typeof one === 'string' && one !== '')
  return alleles.map((typing: unknown) => {
    const locus = typeof typing === 'string' ? locusInTyping(typing) : undefined
    if (typeof typing !== 'string' || locus === undefined) throw unexpected(String(typing))
    return { person: typeof named === 'string' ? named : undefined, locus, typing, slot: undefined }
  })
}
