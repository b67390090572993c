/** Allele assignments of an HML message that are written back: the new one beside those of a typing, or one in place of another. Pure. */
import { HlaError } from '../../../errors.ts'
import { isSameTyping, unfit } from '../spelling.ts'
import { attributeEdit, contentEdit, prefixIn } from './xml-text.ts'
import { hlaRelease } from '../../input/records/exchange/stated-release.ts'
import type { HmlAssignment, HmlHaploid, Stretch } from '../../input/records/exchange/hml-reader.ts'
import type { DocumentRequest } from '../document.ts'
import type { Edit } from '../held-text.ts'

/** Text of the message, which is held where something may be written. */
export interface HeldParts {
  readonly slice: (part: Stretch) => string
  /** White space before an assignment. */
  readonly indent: (assignment: HmlAssignment) => string
}

const ALLELE_DB = 'IMGT/HLA'

/** Typings that it says, each as it is asked. A genotype of haploids is one, when nothing else says it. */
export function genotypeCell(haploids: readonly HmlHaploid[]): string {
  const loci = new Map<string, string[]>()
  for (const { locus, cell } of haploids) loci.set(locus, [...(loci.get(locus) ?? []), cell])
  return [...loci.values()].map((cells) => cells.join('+')).join('^')
}

/** GL Strings of the new assignment that one of the typing's gives; undefined: a typing of it stays. */
export type NewStrings = readonly string[] | undefined

/** Behind the last one; none where one of our release says the same. @throws {HlaError} surplus-typing — they do not agree */
export function addAssignment(
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
    hint: 'leave one allele assignment in the typing',
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

/** Laid out as `model` is. */
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

/** Its typings, its release and its date; nothing where each typing is the same. @throws {HlaError} unfit-answer — it would say two things */
export function replaceAssignment(
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
  if (hasGenotypes) throw unfit(glTexts.join(' '), 'the genotype elements beside it would say something else')
  const said = { date, 'allele-db': ALLELE_DB, 'allele-version': release }
  const stamps = Object.entries(said).map(([name, value]) =>
    attributeEdit(held.slice(tag), tag.start, name, value),
  )
  return [...stamps, ...edits].toSorted((a, b) => a.start - b.start)
}
