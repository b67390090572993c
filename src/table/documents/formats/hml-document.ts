/** HML that is written back: an allele assignment of our release beside those of each typing, or in the place of each. */
import { HlaError } from '../../../errors.ts'
import { parseReleaseNumber } from '../../../reference/release-number.ts'
import { LONGEST_TEXT, atPlace } from '../../input/records/exchange/document-source.ts'
import { HmlReader } from '../../input/records/exchange/hml-reader.ts'
import { bareLocus, dnaTyping, serologicTyping } from '../../input/records/exchange/source-typing.ts'
import { type Attributes, type XmlHandlers, xmlEvents } from '../../input/xml-events.ts'
import type {
  DocumentBlock,
  DocumentFile,
  DocumentFormat,
  DocumentRequest,
  Passage,
  PersonFault,
  TypingSite,
} from '../document.ts'
import { heldPieces } from '../document-text.ts'
import type { HeldText } from '../held-text.ts'
import {
  ALLELE_DB,
  type Assignment,
  type GlStringText,
  type HaploidText,
  type Stretch,
  addAssignment,
  genotypeCell,
  replaceAssignment,
} from './hml-assignment.ts'
import { locusInTyping } from '../../plan/locus-header.ts'
import { isSameTyping, isSerologic, partsIn, spellAntigen, spellField, withPrefix } from '../spelling.ts'

export const HML_DOCUMENT: DocumentFormat = {
  name: 'hml',
  places: ['after', 'replace'],
  whyPlaces: 'an allele assignment stands after the others of its typing, or in place of one',
  mayBeBlank: false,
  open(document) {
    const releases = new Map<string, number>()
    const { place, release } = document.request
    return {
      format: 'HML',
      reading: 'the GL Strings of samples',
      personName: 'sample',
      releases,
      written:
        place === 'after'
          ? `HML as it was read, with an allele-assignment of ${release} after those of each typing`
          : `HML as it was read, with GL Strings replaced, and their allele-assignment of ${release}`,
      blocks: () => hmlBlocks(document, releases),
    }
  },
}

async function* hmlBlocks(
  { file, held, request }: DocumentFile,
  releases: Map<string, number>,
): AsyncGenerator<DocumentBlock> {
  const reader = new HmlSites(held, request, new HmlReader(releases))
  const refuse = (reason: string, line: number) =>
    atPlace(line, '', `${file.input.name} is not XML that can be read: ${reason}`)
  const pieces = heldPieces(file, held)
  for await (const _ of xmlEvents(pieces, { hasLines: true, refuse }, reader)) yield reader.take()
  yield { ...reader.take(), upTo: held.end }
}

/** Characters of white space between elements of a typing that are held, for the layout of what is added. */
const MOST_SPACE = 4096

/** Follows the reader of tables, which judges the message, and keeps where its typings stand. */
class HmlSites implements XmlHandlers {
  readonly #held: HeldText
  readonly #request: DocumentRequest
  readonly #reader: HmlReader
  /** Of samples that are whole. */
  #found: (Passage | PersonFault)[] = []
  /** Of the sample under way: of one that cannot be read nothing is changed. */
  #own: Passage[] = []
  #isLost = false
  /** Where the first of them begins. */
  #ownStart: number | undefined
  #depth = 0
  #samples = 0
  #person = ''
  #typing: HmlTyping | undefined
  /** Allele assignments of the typing stand at this depth. */
  #assignmentDepth = 0
  #assignment: Assignment | undefined
  #glString: { readonly start: number; readonly line: number; text: string } | undefined
  /** Of the tag that is told. */
  #start = 0
  #end = 0
  #typings = 0

  constructor(held: HeldText, request: DocumentRequest, reader: HmlReader) {
    this.#held = held
    this.#request = request
    this.#reader = reader
  }

  tag(start: number, end: number): void {
    this.#start = start
    this.#end = end
  }

  open(name: string, attributes: Attributes, line: number): void {
    this.#reader.open(name, attributes, line)
    this.#depth += 1
    if (name === 'sample' && this.#depth === 2) {
      this.#samples += 1
      this.#typings = 0
      this.#person = attributes.get('id')?.trim() ?? ''
    } else if (this.#samples === 0 || this.#isLost) return
    else if (name === 'typing' && this.#depth === 3) this.#typings += 1
    else if (name === 'allele-assignment') this.#openAssignment(attributes, line)
    else if (this.#assignment !== undefined) this.#openInside(name, attributes, line, this.#assignment)
    else this.#endTyping()
  }

  text(piece: string, line: number): void {
    this.#reader.text(piece, line)
    if (this.#glString === undefined) return
    if (this.#glString.text.length + piece.length <= LONGEST_TEXT) this.#glString.text += piece
    else this.#giveUp()
  }

  close(name: string): void {
    this.#reader.close(name)
    this.#depth -= 1
    if (name === 'glstring') this.#closeGlString()
    else if (name === 'allele-assignment' && this.#assignment !== undefined) {
      this.#assignment.end = this.#end
      this.#typing?.assignments.push(this.#assignment)
      this.#assignment = undefined
    } else if (this.#depth < this.#assignmentDepth - 1) this.#endTyping()
    if (name === 'sample' && this.#depth === 1) this.#closeSample()
  }

  take(): DocumentBlock {
    const items = this.#found
    this.#found = []
    return { items, persons: this.#samples, upTo: this.#upTo() }
  }

  /** The reader tells that the sample cannot be read; until it ends, nothing more of it is held. */
  #giveUp(): void {
    this.#isLost = true
    this.#glString = undefined
    this.#assignment = undefined
    this.#typing = undefined
    this.#own = []
    this.#ownStart = undefined
  }

  /** What the reader made of its typings is told by their sites. */
  #closeSample(): void {
    const faults = this.#reader.take().flatMap(({ line, path = '', error }) => (error === undefined ? [] : [{ row: this.#samples, person: this.#person, line, path, error }])) // prettier-ignore
    this.#found.push(...(faults.length === 0 ? this.#own : faults))
    this.#own = []
    this.#ownStart = undefined
    this.#isLost = false
  }

  /** Nothing before it is changed any more. */
  #upTo(): number {
    const { end } = this.#held
    if (this.#ownStart !== undefined) return this.#ownStart
    // a tag may be cut
    const safe = this.#held.lastPlace('<', this.#end) ?? end
    return this.#depth === 3 && safe - this.#end < MOST_SPACE ? this.#end : safe
  }

  #openAssignment(attributes: Attributes, line: number): void {
    this.#ownStart ??= this.#start
    this.#typing ??= {
      row: this.#samples,
      person: this.#person,
      path: `/hml/sample[${this.#samples}]${this.#typings === 0 ? '' : `/typing[${this.#typings}]`}`,
      assignments: [],
    }
    this.#assignmentDepth = this.#depth
    this.#assignment = {
      line,
      tag: this.#stretch(),
      indent: this.#space(),
      db: attributes.get('allele-db')?.trim() ?? '',
      version: releaseLabel(attributes.get('allele-version')),
      glStrings: [],
      haploids: [],
      hasGenotypes: false,
      end: this.#end,
    }
  }

  #openInside(name: string, attributes: Attributes, line: number, assignment: Assignment): void {
    if (name === 'genotype' || name === 'genotype-list') assignment.hasGenotypes = true
    else if (name === 'glstring') this.#glString = { start: this.#end, line, text: '' }
    else if (name === 'haploid') {
      const locus = bareLocus(attributes.get('locus') ?? '')
      const type = attributes.get('type') ?? ''
      const isSerology = /^ser/i.test(attributes.get('method') ?? '')
      const cell = isSerology ? serologicTyping(locus, type) : dnaTyping(locus, type)
      assignment.haploids.push({ tag: this.#stretch(), locus, type, cell, line })
    }
  }

  #closeGlString(): void {
    const open = this.#glString
    this.#glString = undefined
    const cell = open?.text.replaceAll(/\s+|HLA-/g, '') ?? ''
    if (open === undefined || cell === '') return
    const { start, line } = open
    const content = { start, end: this.#start, text: this.#held.slice(start, this.#start) }
    const glString: GlStringText = { content, cell, line, isPrefixed: open.text.includes('HLA-') }
    this.#assignment?.glStrings.push(glString)
  }

  #endTyping(): void {
    if (this.#typing === undefined || this.#assignment !== undefined) return
    this.#own.push(hmlPassage(this.#typing, this.#request))
    this.#typing = undefined
    this.#assignmentDepth = 0
  }

  #stretch(): Stretch {
    const [start, end] = [this.#start, this.#end]
    return { start, end, text: this.#held.slice(start, end) }
  }

  /** Before the tag, as far as it is held. */
  #space(): string {
    const text = this.#held.slice(Math.max(this.#held.from, this.#start - MOST_SPACE), this.#start)
    return text.slice(text.trimEnd().length)
  }
}

/** `3.14.0`; what is no number of a release as it stands. */
function releaseLabel(said: string | undefined): string {
  const text = said?.trim() ?? ''
  try {
    return parseReleaseNumber(text).label
  } catch (error) {
    if (error instanceof HlaError) return text
    throw error
  }
}

interface HmlTyping {
  readonly row: number
  readonly person: string
  readonly path: string
  readonly assignments: Assignment[]
}

export function hmlPassage(typing: HmlTyping, request: DocumentRequest): Passage {
  return request.place === 'after' ? passageAfter(typing, request) : passageInPlace(typing, request)
}

/** Haploids are read where nothing else says the same. */
function passageAfter(typing: HmlTyping, request: DocumentRequest): Passage {
  const typed = typing.assignments
    .map((assignment) => ({ assignment, sites: sitesAfter(typing, assignment, request) }))
    .filter(({ sites }) => sites.length > 0)
  return {
    sites: typed.flatMap(({ sites }) => sites),
    edits(spelled) {
      const take = taker(spelled)
      const answers = typed.map(({ sites }) => allOf(take(sites.length)))
      return addAssignment(typing.assignments, answers, request)
    },
  }
}

function sitesAfter(typing: HmlTyping, assignment: Assignment, request: DocumentRequest): TypingSite[] {
  const { glStrings, haploids, line } = assignment
  if (glStrings.length > 0 || haploids.length === 0)
    return glStrings.map((one) => glStringSite(typing, assignment, one, request))
  const one = { cell: genotypeCell(haploids), line: haploids[0]?.line ?? line, isPrefixed: true }
  return [{ ...glStringSite(typing, assignment, one, request), column: 'haploid' }]
}

/** Each assignment by itself: all of its typings, or none. */
function passageInPlace(typing: HmlTyping, request: DocumentRequest): Passage {
  const { assignments } = typing
  const sites = assignments.flatMap((assignment) => [
    ...assignment.glStrings.map((one) => glStringSite(typing, assignment, one, request)),
    ...assignment.haploids.map((one) => haploidSite(typing, assignment, one, request)),
  ])
  return {
    sites,
    edits(spelled) {
      const take = taker(spelled)
      return assignments.flatMap((one) =>
        replaceAssignment(one, take(one.glStrings.length), take(one.haploids.length), request),
      )
    },
  }
}

function taker<T>(all: readonly T[]): (count: number) => readonly T[] {
  let at = 0
  return (count) => {
    at += count
    return all.slice(at - count, at)
  }
}

function allOf(spelled: readonly (string | undefined)[]): readonly string[] | undefined {
  const found = spelled.filter((one) => one !== undefined)
  return found.length < spelled.length ? undefined : found
}

function glStringSite(
  { row, person, path }: HmlTyping,
  assignment: Assignment,
  { cell, line, isPrefixed }: Pick<GlStringText, 'cell' | 'line' | 'isPrefixed'>,
  request: DocumentRequest,
): TypingSite {
  const loci = new Set(partsIn(cell).map((part) => locusInTyping(part.replace(CODE, '')) ?? ''))
  loci.delete('')
  return {
    row,
    person,
    line,
    path,
    column: 'glstring',
    locus: undefined,
    cell: inRelease(cell, assignment, request),
    loci: [...loci],
    spell(answer) {
      // no antigen: the typing stays
      if (isSerologic(cell.replace(CODE, '')) && !isSerologic(answer)) return undefined
      const code = CODE.test(cell) ? `hla#${request.release}#` : ''
      return code + (isPrefixed ? withPrefix(answer) : answer)
    },
  }
}

function haploidSite(
  { row, person, path }: HmlTyping,
  assignment: Assignment,
  { locus, type, cell, line }: HaploidText,
  request: DocumentRequest,
): TypingSite {
  return {
    row,
    person,
    line,
    path,
    column: 'haploid',
    locus,
    cell: inRelease(cell, assignment, request),
    loci: [locus],
    spell(answer) {
      if (isSameTyping(answer, cell)) return type
      if (!isSerologic(cell)) return spellField(answer, locus, type.trim())
      return isSerologic(answer) ? spellAntigen(answer, serologicTyping(locus, '0').slice(0, -1), type) : undefined // prettier-ignore
    },
  }
}

/** A GL String Code says itself of which release it is. */
const CODE = /^hla#[^#]*#/

/** Names are those of the release that the assignment states: with `--lift` all, else those that have changed since. */
function inRelease(cell: string, { db, version }: Assignment, { isLifted, past }: DocumentRequest): string {
  const isKnown = /^\d+\.\d+\.\d+$/.test(version) && (db === '' || db === ALLELE_DB)
  if (!isKnown || !cell.includes('*') || CODE.test(cell)) return cell
  return isLifted || past?.hasChanged(version, cell) === true ? `hla#${version}#${cell}` : cell
}
