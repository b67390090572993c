/** A document that is to be written back, with all that is decided before its first typing is answered. */
import { advice, joinAdvice, option } from '../../advice.ts'
import { type SettlingFacts, settled } from '../cells/name-facts.ts'
import { firstLines, sniffDialect } from '../input/dialect.ts'
import type { TableInput } from '../input/input.ts'
import type { RecordInput } from '../input/records/typing-record.ts'
import { COLUMN_LOCI } from '../plan/locus-spellings.ts'
import type { ReadRequest, WriteRequest } from '../plan/table-request.ts'
import type {
  DocumentBlock,
  DocumentFormat,
  DocumentRequest,
  OpenedDocument,
  Place,
  TypingSite,
} from './document.ts'
import { type DocumentPlan, planDocument, readBeginning } from './document-plan.ts'
import { HeldText } from './held-text.ts'
import { HlaError } from '../../errors.ts'
import { recordFormat } from '../input/records/record-formats.ts'
import { DONOR_JSON_DOCUMENT, WMDA_DOCUMENT } from './formats/field-document.ts'
import { HML_DOCUMENT } from './formats/hml-document.ts'

export interface OpenDocument extends DocumentPlan {
  readonly input: TableInput
  readonly format: DocumentFormat
  readonly held: HeldText
  /** For people: what is written. */
  readonly written: string
  /** All of it, that which the plan was made from included. */
  readonly blocks: () => AsyncGenerator<DocumentBlock>
}

export interface DocumentAsked extends Pick<DocumentRequest, 'release' | 'isLifted' | 'past' | 'date'> {
  readonly reading: ReadRequest
  readonly writing: WriteRequest
  readonly facts: SettlingFacts
  readonly isTyping: (text: string) => boolean
}

/** Typings that are looked at before the first is answered, and characters that are held for them. */
const FIRST_SITES = 200
const FIRST_TEXT = 1024 * 1024

/** @throws {HlaError} usage — it is no document that is written back, or not so; io — it is not well-formed */
export async function openDocument(input: TableInput, asked: DocumentAsked): Promise<OpenDocument> {
  const { reading, writing, facts, isTyping, ...of } = asked
  const dialect = sniffDialect(input.name, input.sample, reading.dialect)
  const known = new Set<string>([...COLUMN_LOCI, ...facts.loci])
  const file: RecordInput = {
    input,
    dialect,
    rows: [],
    lines: firstLines(input.sample, dialect),
    request: reading.records ?? {},
    header: undefined,
    isLocus: (name) => known.has(name),
    isTyping,
    lazyQuotes: false,
    isChecked: false,
  }
  const format = documentFormat(file)
  const held = new HeldText()
  const place = choosePlace(format, writing.place)
  const document = format.open({ file, held, request: { ...of, place } })
  const blocks = document.blocks()
  const first = await takeFirst(blocks, held)
  const planned = await settled(facts, () => {
    const made = planDocument({
      name: input.name,
      dialect,
      document,
      past: asked.past,
      sites: sitesIn(first),
      reading,
      facts,
    })
    if (facts.settle !== undefined) readBeginning(made.plan)
    return made
  })
  return {
    ...planned,
    input,
    format,
    held,
    written: document.written,
    async *blocks() {
      yield* first
      yield* blocks
    },
  }
}

async function takeFirst(
  blocks: ReturnType<OpenedDocument['blocks']>,
  held: HeldText,
): Promise<readonly DocumentBlock[]> {
  const first: DocumentBlock[] = []
  while (held.end < FIRST_TEXT && sitesIn(first).length < FIRST_SITES) {
    const next = await blocks.next()
    if (next.done === true) break
    first.push(next.value)
  }
  return first
}

function sitesIn(blocks: readonly DocumentBlock[]): readonly TypingSite[] {
  return blocks.flatMap(sitesOfBlock)
}

export function sitesOfBlock({ items }: DocumentBlock): readonly TypingSite[] {
  return items.flatMap((item) => ('sites' in item ? item.sites : []))
}

export const DOCUMENT_FORMATS: readonly DocumentFormat[] = [HML_DOCUMENT, WMDA_DOCUMENT, DONOR_JSON_DOCUMENT]

/** As it was asked for, or by its beginning. @throws {HlaError} usage — it is none of them; unknown input format */
function documentFormat(file: RecordInput): DocumentFormat {
  const { format = 'auto' } = file.request
  const named = format === 'auto' ? undefined : recordFormat(format).name
  const found = DOCUMENT_FORMATS.find(({ name }) =>
    named === undefined ? recordFormat(name).open(file, false) !== undefined : name === named,
  )
  if (found !== undefined) return found
  const names = DOCUMENT_FORMATS.map(({ name }) => name).join(', ')
  throw new HlaError('usage', `${file.input.name} is no document that is written back: those are ${names}`, {
    offending: file.input.name,
    hint: advice`without ${option('output-format', 'same')}, the output is a table`,
  })
}

/** @throws {HlaError} usage — the format has no such place */
function choosePlace({ name, places, whyPlaces }: DocumentFormat, asked: string | undefined): Place {
  const found = asked === undefined ? places[0] : places.find((place) => place === asked)
  if (found !== undefined) return found
  throw new HlaError('usage', advice`${option('into', asked)} is not for ${name}: ${whyPlaces}`, {
    hint: joinAdvice(
      places.map((place) => option('into', place)),
      ' or ',
    ),
  })
}
