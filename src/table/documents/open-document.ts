/** A document to be written back, with everything that is decided before its first typing is answered. */
import type { UnreadColumns } from '../plan/recognition/unread-text.ts'
import { type PlannedGroup, type TablePlan, findWords, tryRead } from '../plan/plan.ts'
import { findToken, makeTokens } from '../cells/tokens.ts'
import { advice, joinAdvice, option } from '../../advice.ts'
import { type SettlingFacts, settleFacts } from '../cells/name-facts.ts'
import { firstLines, sniffDialect, type Dialect } from '../input/dialect.ts'
import type { TableInput, MadeFacts } from '../input/input.ts'
import type { RecordInput } from '../input/records/typing-record.ts'
import { COLUMN_LOCI } from '../plan/locus-header.ts'
import type { ReadRequest, WriteRequest } from '../plan/table-request.ts'
import type {
  DocumentBlock,
  DocumentFile,
  DocumentFormat,
  DocumentRequest,
  OpenedDocument,
  Passage,
  PersonFault,
  Place,
  TypingSite,
} from './document.ts'
import { type Edit, HeldText, holdPieces, spellTyping } from './document-text.ts'
import { HlaError, assured } from '../../errors.ts'
import { recordFormat } from '../input/records/record-formats.ts'
import { HML_DOCUMENT, contentEdit } from './formats/hml-document.ts'
import { readable } from '../input/encoding.ts'
import { type PersonFault as Fault, xmlParts } from '../input/records/exchange/document-source.ts'
import type { TypingField } from '../input/records/exchange/source-typing.ts'
import { DONOR_JSON, donorFields, donorReader } from '../input/records/exchange/donor-reader.ts'
import { FrameCutter } from '../input/records/exchange/json-frames.ts'
import { itemFields, itemPerson } from '../input/records/exchange/wmda-item.ts'
import { WMDA, WmdaReader } from '../input/records/exchange/wmda-reader.ts'

/** Replaces the text of a field. */
type FieldEdit = (field: TypingField, text: string) => Edit

interface FieldPerson {
  readonly row: number
  readonly person: string
  /** Reason why the person cannot be read; it then stays unchanged. */
  readonly fault: Fault | undefined
  readonly fields: () => readonly TypingField[]
  readonly edit: FieldEdit
}

function fieldItems({ row, person, fault, fields, edit }: FieldPerson): (Passage | PersonFault)[] {
  if (fault !== undefined) return [{ row, person, line: fault.line, path: fault.path, error: fault.error }]
  return fields().map((field) => new FieldPassage({ row, person }, field, edit))
}

/** One typing. An inventory has millions. */
class FieldPassage implements Passage, TypingSite {
  readonly row: number
  readonly person: string
  readonly cell: string
  readonly column: string
  readonly #field: TypingField
  readonly #edit: FieldEdit

  constructor({ row, person }: Pick<FieldPerson, 'row' | 'person'>, field: TypingField, edit: FieldEdit) {
    this.row = row
    this.person = person
    this.cell = readable(field.typing, 'utf8')
    this.column = `${field.locus}_${field.slot}`
    this.#field = field
    this.#edit = edit
  }

  get line(): number {
    return this.#field.line
  }

  get path(): string {
    return this.#field.path
  }

  get locus(): string {
    return this.#field.locus
  }

  get loci(): readonly string[] {
    return [this.#field.locus]
  }

  get sites(): readonly TypingSite[] {
    return [this]
  }

  spell(answer: string): string | undefined {
    const { text, locus } = this.#field
    return spellTyping(answer, { cell: this.cell, locus, text })
  }

  edits([text]: readonly (string | undefined)[]): readonly Edit[] {
    return text === undefined || text === this.#field.text ? [] : [this.#edit(this.#field, text)]
  }
}

const DONOR_JSON_DOCUMENT = fieldDocument(
  'donor-json',
  DONOR_JSON,
  'donor JSON as it was read, with field1 and field2 of typings replaced',
  donorBlocks,
)

const WMDA_DOCUMENT = fieldDocument(
  'wmda',
  WMDA,
  'the inventory as it was read, with FIELD1 and FIELD2 of typings replaced',
  wmdaBlocks,
)

/** `written`: description of the output. */
function fieldDocument(
  name: DocumentFormat['name'],
  source: typeof DONOR_JSON,
  written: string,
  blocks: (document: DocumentFile) => AsyncGenerator<DocumentBlock>,
): DocumentFormat {
  return {
    name,
    places: ['replace'],
    whyPlaces: 'a field of a donor holds one typing',
    mayBeBlank: true,
    open(document) {
      const opened = assured(source.open(document.file, true), 'what is asked for is opened')
      const { format, reading, personName } = opened
      return { format, reading, personName, releases: new Map(), written, blocks: () => blocks(document) }
    },
  }
}

async function* donorBlocks({ file, held }: DocumentFile): AsyncGenerator<DocumentBlock> {
  const cutter = new FrameCutter('donors', file.input.name)
  const reader = donorReader(file.input.name, false)
  const edit: FieldEdit = ({ start, end }, text) => ({ start, end, text: JSON.stringify(text) })
  let persons = 0
  for await (const piece of holdPieces(file, held)) {
    const items = cutter.add(piece).flatMap((frame) => {
      const donor = reader.read(frame)
      const { row, person, fault } = donor
      persons = row
      return fieldItems({ row, person, fault, fields: () => donorFields(donor), edit })
    })
    yield { items, persons, upTo: cutter.passed }
  }
  reader.finish(cutter.finish())
  yield { items: [], persons, upTo: held.end }
}

async function* wmdaBlocks({ file, held }: DocumentFile): AsyncGenerator<DocumentBlock> {
  const edit: FieldEdit = ({ start, end }, text) => contentEdit(held.slice(start, end), start, text)
  const reader = new WmdaReader(file.isLocus, false, (item) => {
    const person = itemPerson(item)
    return fieldItems({ row: item.row, person, fault: item.fault, fields: () => itemFields(item), edit })
  })
  for await (const items of xmlParts(file.input.name, holdPieces(file, held), reader))
    yield {
      items: items.flat(),
      persons: reader.count,
      // a tag may be incomplete
      upTo: reader.firstField ?? held.lastPlace('<', reader.end) ?? held.end,
    }
  yield { items: [], persons: reader.count, upTo: held.end }
}

export interface DocumentPlan {
  /** Loci unknown to the release are added as they are met. */
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly groupFor: (site: TypingSite) => PlannedGroup
  /** false when the release has none of its loci, so that it stays unchanged. */
  readonly isRead: (site: TypingSite) => boolean
}

export interface OpenDocument extends DocumentPlan {
  readonly input: TableInput
  readonly format: DocumentFormat
  readonly held: HeldText
  /** Display text: what is written. */
  readonly written: string
  /** All blocks, including those the plan was made from. */
  readonly blocks: () => AsyncGenerator<DocumentBlock>
}

export interface OpenDocumentRequest extends Pick<DocumentRequest, 'release' | 'isLifted' | 'past' | 'date'> {
  readonly reading: ReadRequest
  readonly writing: WriteRequest
  readonly facts: SettlingFacts
  readonly isTyping: (text: string) => boolean
}

/** Number of typings, and of characters held for them, examined before the first answer. */
const FIRST_SITES = 200
const FIRST_TEXT = 1024 * 1024

/** @throws {HlaError} usage — not a document that can be written back, or not with these options; io — malformed */
export async function openDocument(input: TableInput, asked: OpenDocumentRequest): Promise<OpenDocument> {
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
  const planned = await settleFacts(facts, () => {
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

/**
 * Requested format, or the format by its beginning.
 * @throws {HlaError} usage — none of these formats; unknown input format
 */
function documentFormat(file: RecordInput): DocumentFormat {
  const { format = 'auto' } = file.request
  const named = format === 'auto' ? undefined : recordFormat(format).name
  const found = DOCUMENT_FORMATS.find(({ name }) =>
    named === undefined ? recordFormat(name).open(file, false) !== undefined : name === named,
  )
  if (found !== undefined) return found
  const names = DOCUMENT_FORMATS.map(({ name }) => name).join(', ')
  throw new HlaError('usage', `cannot write ${file.input.name} in its own format (supported: ${names})`, {
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

/** Maximum number of typings shown per locus. */
const MAX_VALUES = 1000

type Planned = Pick<OpenDocumentRequest, 'reading' | 'facts' | 'past'> & {
  readonly name: string
  readonly dialect: Dialect
  readonly document: OpenedDocument
  /** Sites in the beginning of the document. */
  readonly sites: readonly TypingSite[]
}

/** Plan of a document before conversion; its typings are read like cells of a table. */
function planDocument({ name, dialect, document, sites, reading, facts, past }: Planned): DocumentPlan {
  const labels = [document.personName]
  const groups: PlannedGroup[] = []
  const unread: UnreadColumns[] = []
  const known = new Set(facts.loci)
  const newGroup = groupMaker(reading, facts)
  const isRead = (site: TypingSite) => site.loci.length === 0 || site.loci.some((locus) => known.has(locus))
  const groupFor = (site: TypingSite) => {
    const found = groups.find(({ locus }) => locus === site.locus)
    if (found !== undefined) return found
    labels.push(site.locus ?? site.column)
    const values = sites.filter((one) => one.locus === site.locus && isRead(one)).map(({ cell }) => cell)
    const made = newGroup(site.locus, labels.length - 1, values)
    groups.push(made)
    return made
  }
  const noteUnread = (site: TypingSite) => {
    const locus = site.loci.join(' ')
    if (labels.includes(locus)) return
    labels.push(locus)
    unread.push({ columns: [labels.length - 1], code: 'unknown-locus', why: `${locus} is not a locus of this release`, option: 'it stays as it is' }) // prettier-ignore
  }
  for (const site of sites) {
    if (isRead(site)) groupFor(site)
    else noteUnread(site)
  }
  const made: MadeFacts = { format: document.format, reading: document.reading, files: 1, kept: [], left: [], ignored: [], releases: document.releases, past } // prettier-ignore
  const header = { table: name, width: labels.length, names: labels, labels }
  return {
    plan: {
      header,
      headerRow: undefined,
      headerLines: [],
      groups,
      aside: [],
      rowNotes: [],
      unread,
      idColumn: 0,
      made,
    },
    dialect,
    groupFor,
    isRead(site) {
      if (isRead(site)) return true
      noteUnread(site)
      return false
    },
  }
}

function groupMaker({ tokens: asked, digits, accept }: ReadRequest, facts: SettlingFacts) {
  const tokens = makeTokens(asked)
  const reading = digits === 'auto' ? 'error' : digits
  return (locus: string | undefined, column: number, all: readonly string[]): PlannedGroup => {
    const distinct = [...new Set(all)].slice(0, MAX_VALUES)
    const told = distinct.map((value) => [value, findToken(value, locus, tokens)] as const)
    const values = told.flatMap(([value, token]) => (token === undefined ? [value] : []))
    const tokensSeen = told.flatMap(([value, token]) => (token === undefined ? [] : [[value, token] as const])) // prettier-ignore
    return {
      subject: '',
      locus,
      columns: [column],
      context: { locus, digits: reading, tokens, accept, facts },
      contextKey: `${locus ?? ''} ${reading}`,
      hasDigits: false,
      values,
      tokensSeen,
      words: findWords([values]),
    }
  }
}

/** Reads the beginning, so that missing facts are requested together. */
function readBeginning({ groups }: TablePlan): void {
  for (const { values, context } of groups) for (const value of values) tryRead(value, context)
}
