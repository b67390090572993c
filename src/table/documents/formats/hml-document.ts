/** HML written back: an allele assignment of our release beside, or instead of, those of each typing. */
import { xmlParts } from '../../input/records/exchange/document-source.ts'
import {
  type HmlAssignment,
  type HmlGlString,
  type HmlHaploid,
  HmlReader,
  type HmlSample,
  type HmlTyping,
  type Stretch,
  inRelease,
} from '../../input/records/exchange/hml-reader.ts'
import { hlaRelease } from '../../input/records/exchange/source-typing.ts'
import type {
  DocumentBlock,
  DocumentFile,
  DocumentFormat,
  DocumentRequest,
  Passage,
  PersonFault,
  TypingSite,
} from '../document.ts'
import {
  type Edit,
  type HeldText,
  holdPieces,
  isSameTyping,
  isSerologic,
  partsIn,
  unwritableAnswer,
  withPrefix,
  spellTyping,
} from '../document-text.ts'
import { locusInTyping } from '../../plan/locus-header.ts'
import { HlaError } from '../../../errors.ts'

export const HML_DOCUMENT: DocumentFormat = {
  name: 'hml',
  places: ['after', 'replace'],
  whyPlaces: 'an allele assignment is added after the others of its typing, or replaces one',
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
          ? `HML as it was read, with an allele-assignment by ${release} after the existing ones of each typing`
          : `HML as it was read, with each GL String replaced and its allele-assignment set to ${release}`,
      blocks: () => hmlBlocks(document, releases),
    }
  },
}

async function* hmlBlocks(
  { file, held, request }: DocumentFile,
  releases: Map<string, number>,
): AsyncGenerator<DocumentBlock> {
  const reader = new HmlReader(releases)
  for await (const samples of xmlParts(file.input.name, holdPieces(file, held), reader))
    yield {
      items: samples.flatMap((sample) => sampleItems(sample, request, held)),
      persons: reader.count,
      upTo: writtenUpTo(reader, held),
    }
  yield { items: [], persons: reader.count, upTo: held.end }
}

/** Maximum white space held between elements of a typing, in characters, for the layout of additions. */
const MAX_SPACE = 4096

/** Offset before which nothing changes any more. */
function writtenUpTo({ firstTag, lastTag }: HmlReader, held: HeldText): number {
  if (firstTag !== undefined) return Math.max(firstTag.before, firstTag.tag.start - MAX_SPACE)
  // a tag may be incomplete
  const safe = held.lastPlace('<', lastTag.end) ?? held.end
  return lastTag.isInTyping && safe - lastTag.end < MAX_SPACE ? lastTag.end : safe
}

/** An unreadable sample stays unchanged. */
function sampleItems(
  { row, person, fault, typings }: HmlSample,
  request: DocumentRequest,
  held: HeldText,
): (Passage | PersonFault)[] {
  if (fault !== undefined) return [{ row, person, line: fault.line, path: fault.path, error: fault.error }]
  return typings.map((typing) => hmlPassage({ ...typing, row, person }, request, textAt(held)))
}

function textAt(held: HeldText): HeldParts {
  return {
    slice: ({ start, end }) => held.slice(start, end),
    indent({ before, tag }) {
      const text = held.slice(Math.max(held.from, before, tag.start - MAX_SPACE), tag.start)
      return text.slice(text.trimEnd().length)
    },
  }
}

type TypingOfSample = HmlTyping & Pick<HmlSample, 'row' | 'person'>

export function hmlPassage(typing: TypingOfSample, request: DocumentRequest, text: HeldParts): Passage {
  return request.place === 'after'
    ? passageAfter(typing, request, text)
    : passageInPlace(typing, request, text)
}

/** Haploids are read where the typing has no GL String. */
function passageAfter(typing: TypingOfSample, request: DocumentRequest, text: HeldParts): Passage {
  const typed = typing.assignments
    .map((assignment) => ({ assignment, sites: sitesAfter(typing, assignment, request) }))
    .filter(({ sites }) => sites.length > 0)
  return {
    sites: typed.flatMap(({ sites }) => sites),
    edits(spelled) {
      const take = taker(spelled)
      const answers = typed.map(({ sites }) => allOf(take(sites.length)))
      return addAssignment(typing.assignments, answers, request, text)
    },
  }
}

function sitesAfter(
  typing: TypingOfSample,
  assignment: HmlAssignment,
  request: DocumentRequest,
): TypingSite[] {
  const { glStrings, haploids, line } = assignment
  if (glStrings.length > 0 || haploids.length === 0)
    return glStrings.map((one) => glStringSite(typing, assignment, one, request))
  const one = { cell: genotypeCell(haploids), line: haploids[0]?.line ?? line, isPrefixed: true }
  return [{ ...glStringSite(typing, assignment, one, request), column: 'haploid' }]
}

/** Each assignment separately: all of its typings are replaced, or none. */
function passageInPlace(typing: TypingOfSample, request: DocumentRequest, text: HeldParts): Passage {
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
        replaceAssignment(one, take(one.glStrings.length), take(one.haploids.length), {
          ...request,
          held: text,
        }),
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
  { row, person, path }: TypingOfSample,
  assignment: HmlAssignment,
  { cell, line, isPrefixed }: Pick<HmlGlString, 'cell' | 'line' | 'isPrefixed'>,
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
    cell: inRelease(cell, assignment.release, request),
    loci: [...loci],
    spell(answer) {
      // the answer is not an antigen: the typing stays
      if (isSerologic(cell.replace(CODE, '')) && !isSerologic(answer)) return undefined
      const code = CODE.test(cell) ? `hla#${request.release}#` : ''
      return code + (isPrefixed ? withPrefix(answer) : answer)
    },
  }
}

function haploidSite(
  { row, person, path }: TypingOfSample,
  assignment: HmlAssignment,
  { locus, type, cell, line }: HmlHaploid,
  request: DocumentRequest,
): TypingSite {
  return {
    row,
    person,
    line,
    path,
    column: 'haploid',
    locus,
    cell: inRelease(cell, assignment.release, request),
    loci: [locus],
    spell: (answer) => spellTyping(answer, { cell, locus, text: type }),
  }
}

/** A GL String Code names its own release. */
const CODE = /^hla#[^#]*#/

/** Text of the message held for editing. */
interface HeldParts {
  readonly slice: (part: Stretch) => string
  /** White space before an assignment. */
  readonly indent: (assignment: HmlAssignment) => string
}

const ALLELE_DB = 'IMGT/HLA'

/** Typings of an assignment, each as a question. A genotype of haploids counts when there is no GL String. */
function genotypeCell(haploids: readonly HmlHaploid[]): string {
  const loci = new Map<string, string[]>()
  for (const { locus, cell } of haploids) loci.set(locus, [...(loci.get(locus) ?? []), cell])
  return [...loci.values()].map((cells) => cells.join('+')).join('^')
}

/** GL Strings of the new assignment derived from one of the typing's; undefined when a typing stays. */
type NewStrings = readonly string[] | undefined

/**
 * Inserted after the last assignment, unless one of our release is already equal.
 * @throws {HlaError} surplus-typing — the assignments disagree
 */
function addAssignment(
  assignments: readonly HmlAssignment[],
  answers: readonly NewStrings[],
  request: DocumentRequest,
  held: HeldParts,
): readonly Edit[] {
  const [first, ...others] = answers
  if (first === undefined || first.length === 0 || others.includes(undefined)) return []
  if (others.some((one) => one !== undefined && !areSame(one, first))) throw disagreeing(assignments)
  const [model, last] = [assignments[0], assignments.at(-1)]
  if (model === undefined || last === undefined) return []
  const isThere = assignments.some(
    (one) => hlaRelease(one.release) === request.release && areSame(one.glStrings.map(({ cell }) => cell), first), // prettier-ignore
  )
  if (isThere) return []
  return [{ start: last.end, end: last.end, text: assignmentText({ tag: held.slice(model.tag), indent: held.indent(model) }, first, request) }] // prettier-ignore
}

function disagreeing([first, ...others]: readonly HmlAssignment[]): HlaError {
  const lines = [first, ...others].map((one) => one?.line).join(', ')
  return new HlaError('surplus-typing', `allele assignments of one typing do not agree (lines ${lines})`, {
    hint: 'keep only one allele assignment in the typing',
  })
}

function areSame(one: readonly string[], other: readonly string[]): boolean {
  return one.length === other.length && one.every((text, at) => isSameTyping(text, bare(other[at] ?? '')) || isSameTyping(bare(text), bare(other[at] ?? ''))) // prettier-ignore
}

function bare(glString: string): string {
  return glString.replaceAll(/HLA-|^hla#[^#]*#/g, '')
}

interface Model {
  readonly tag: string
  readonly indent: string
}

/** New assignment in the layout of `model`. */
function assignmentText(model: Model, glStrings: readonly string[], request: DocumentRequest): string {
  const prefix = prefixIn(model.tag)
  const { release, date } = request
  const open = `<${prefix}allele-assignment date="${date}" allele-db="${ALLELE_DB}" allele-version="${release}">`
  const [, eol = '', indent = ''] = /(\r?\n|\r)([ \t]*)$/.exec(model.indent) ?? []
  const step = indent.includes('\t') ? '\t' : '  '
  const inner = eol === '' ? '' : eol + indent + step
  const lines = glStrings.map((text) => `${inner}<${prefix}glstring>${text}</${prefix}glstring>`)
  return `${model.indent}${open}${lines.join('')}${eol === '' ? '' : eol + indent}</${prefix}allele-assignment>`
}

/**
 * Replaces typings, release and date; no edits when every typing is unchanged.
 * @throws {HlaError} unfit-answer — the result would contradict itself
 */
function replaceAssignment(
  { tag, glStrings, haploids, hasGenotypes }: HmlAssignment,
  glTexts: readonly (string | undefined)[],
  types: readonly (string | undefined)[],
  { release, date, held }: DocumentRequest & { readonly held: HeldParts },
): readonly Edit[] {
  if ([...glTexts, ...types].includes(undefined)) return []
  const edits = [
    ...glStrings.flatMap(({ content, cell }, at) => {
      const text = glTexts[at] ?? ''
      return isSameTyping(bare(text), bare(cell))
        ? []
        : [contentEdit(held.slice(content), content.start, text)]
    }),
    ...haploids.flatMap(({ tag: own, type }, at) =>
      types[at] === type ? [] : [attributeEdit(held.slice(own), own.start, 'type', types[at] ?? '')],
    ),
  ]
  if (edits.length === 0) return []
  if (hasGenotypes)
    throw unwritableAnswer(
      glTexts.join(' '),
      'the result would contradict the genotype elements of the typing',
    )
  const said = { date, 'allele-db': ALLELE_DB, 'allele-version': release }
  const stamps = Object.entries(said).map(([name, value]) =>
    attributeEdit(held.slice(tag), tag.start, name, value),
  )
  return [...stamps, ...edits].toSorted((a, b) => a.start - b.start)
}

/** Sets or adds an attribute of `tag`, which begins at offset `start`. Values contain no characters to escape. */
function attributeEdit(tag: string, start: number, name: string, value: string): Edit {
  for (const found of tag.matchAll(ATTRIBUTE)) {
    const [whole, full = '', quoted = ''] = found
    if (localName(full) !== name) continue
    const end = start + found.index + whole.length - 1
    return { start: end - (quoted.length - 2), end, text: value }
  }
  const at = start + (/^<[^\s/>]+/.exec(tag)?.[0].length ?? 1)
  return { start: at, end: at, text: ` ${name}="${value}"` }
}

const ATTRIBUTE = /([^\s=<>"'/]+)\s*=\s*("[^"]*"|'[^']*')/g

function localName(name: string): string {
  return name.slice(name.indexOf(':') + 1)
}

/** `hml:` of `<hml:typing`. */
function prefixIn(tag: string): string {
  return /^<([^\s/>:]+:)/.exec(tag)?.[1] ?? ''
}

/**
 * Replaces the content of an element at offset `start` by `text`; surrounding white space, comments and a CDATA section
 * stay.
 */
export function contentEdit(content: string, start: number, text: string): Edit {
  const [from, to] = [leadOf(content), trailOf(content)]
  // only comments: the text follows them
  const core = content.slice(from, Math.max(from, to))
  const at = { start: start + from, end: start + from + core.length }
  if (core.startsWith(CDATA) && core.indexOf(CDATA_END) === core.length - CDATA_END.length)
    return contentEdit(core.slice(CDATA.length, -CDATA_END.length), at.start + CDATA.length, text)
  const within = core.match(/<!--[\s\S]*?-->|<\?[\s\S]*?\?>/g) ?? []
  return { ...at, text: text + within.join('') }
}

const CDATA = '<![CDATA['
const CDATA_END = ']]>'
const ASIDES = [
  ['<!--', '-->'],
  ['<?', '?>'],
] as const

/** Length of leading white space, comments and instructions. */
function leadOf(content: string): number {
  for (let at = 0; ;) {
    const rest = content.slice(at)
    at = content.length - rest.trimStart().length
    const aside = ASIDES.find(([open]) => content.startsWith(open, at))
    const end = aside === undefined ? -1 : content.indexOf(aside[1], at)
    if (aside === undefined || end < 0) return at
    at = end + aside[1].length
  }
}

/** Offset of trailing white space, comments and instructions. */
function trailOf(content: string): number {
  for (let at = content.length; ;) {
    at = content.slice(0, at).trimEnd().length
    const before = content.slice(0, at)
    const aside = ASIDES.find(([, close]) => before.endsWith(close))
    const start = aside === undefined ? -1 : before.lastIndexOf(aside[0])
    if (start < 0) return at
    at = start
  }
}
