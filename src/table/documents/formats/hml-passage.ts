/** The allele assignments of one typing of an HML message as typings to be asked, and what is written of the answers. */
import { locusInTyping } from '../../plan/locus-header.ts'
import { serologicTyping } from '../../input/records/exchange/source-typing.ts'
import type { DocumentRequest, Passage, TypingSite } from '../document.ts'
import {
  addAssignment,
  ALLELE_DB,
  type Assignment,
  genotypeCell,
  type GlStringText,
  type HaploidText,
  replaceAssignment,
} from './hml-assignment.ts'
import { isSameTyping, isSerologic, partsIn, spellAntigen, spellField, withPrefix } from '../spelling.ts'

export interface HmlTyping {
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
