/** HML that is written back: an allele assignment of our release beside those of each typing, or in the place of each. */
import { formatGlStringCode } from '../../../nomenclature/gl-string-code.ts'
import { xmlParts } from '../../input/records/exchange/document-source.ts'
import {
  type HmlAssignment,
  type HmlGlString,
  type HmlHaploid,
  HmlReader,
  type HmlSample,
  type HmlTyping,
} from '../../input/records/exchange/hml-reader.ts'
import { hlaRelease } from '../../input/records/exchange/stated-release.ts'
import { serologicTyping } from '../../input/records/exchange/source-typing.ts'
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
import { type HeldParts, addAssignment, genotypeCell, replaceAssignment } from './hml-assignment.ts'
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
  const reader = new HmlReader(releases)
  for await (const samples of xmlParts(file.input.name, heldPieces(file, held), reader))
    yield {
      items: samples.flatMap((sample) => sampleItems(sample, request, held)),
      persons: reader.count,
      upTo: writtenUpTo(reader, held),
    }
  yield { items: [], persons: reader.count, upTo: held.end }
}

/** Characters of white space between elements of a typing that are held, for the layout of what is added. */
const MOST_SPACE = 4096

/** Nothing before it is changed any more. */
function writtenUpTo({ firstTag, lastTag }: HmlReader, held: HeldText): number {
  if (firstTag !== undefined) return Math.max(firstTag.before, firstTag.tag.start - MOST_SPACE)
  // a tag may be cut
  const safe = held.lastPlace('<', lastTag.end) ?? held.end
  return lastTag.isInTyping && safe - lastTag.end < MOST_SPACE ? lastTag.end : safe
}

/** Of a sample that cannot be read nothing is changed. */
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
      const text = held.slice(Math.max(held.from, before, tag.start - MOST_SPACE), tag.start)
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

/** Haploids are read where nothing else says the same. */
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

/** Each assignment by itself: all of its typings, or none. */
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
function inRelease(cell: string, { release }: HmlAssignment, { isLifted, past }: DocumentRequest): string {
  const stated = hlaRelease(release)
  if (stated === undefined || !cell.includes('*') || CODE.test(cell)) return cell
  return isLifted || past?.hasChanged(stated, cell) === true ? formatGlStringCode(stated, cell) : cell
}
