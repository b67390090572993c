/** Allele assignments of an HML message that are written back: the new one beside those of a typing, or one in place of another. Pure. */
import { HlaError } from '../../../errors.ts'
import { isSameTyping, unfit } from '../spelling.ts'
import { attributeEdit, contentEdit, prefixIn } from './xml-text.ts'
import type { DocumentRequest } from '../document.ts'
import type { Edit } from '../held-text.ts'

/** Characters before it in the document, and up to its end; with the text between. */
export interface Stretch {
  readonly start: number
  readonly end: number
  readonly text: string
}

export interface GlStringText {
  /** Of the element. */
  readonly content: Stretch
  /** What it says, without white space and prefixes. */
  readonly cell: string
  readonly line: number
  /** Its names begin with `HLA-`. */
  readonly isPrefixed: boolean
}

export interface HaploidText {
  readonly tag: Stretch
  readonly locus: string
  /** The text of its attribute. */
  readonly type: string
  /** With its locus. */
  readonly cell: string
  readonly line: number
}

/** One `<allele-assignment>`. */
export interface Assignment {
  readonly line: number
  readonly tag: Stretch
  /** White space before it. */
  readonly indent: string
  /** `IMGT/HLA`; '' when it does not say. */
  readonly db: string
  readonly version: string
  readonly glStrings: GlStringText[]
  readonly haploids: HaploidText[]
  hasGenotypes: boolean
  end: number
}

export const ALLELE_DB = 'IMGT/HLA'

/** Typings that it says, each as it is asked. A genotype of haploids is one, when nothing else says it. */
export function genotypeCell(haploids: readonly HaploidText[]): string {
  const loci = new Map<string, string[]>()
  for (const { locus, cell } of haploids) loci.set(locus, [...(loci.get(locus) ?? []), cell])
  return [...loci.values()].map((cells) => cells.join('+')).join('^')
}

/** GL Strings of the new assignment that one of the typing's gives; undefined: a typing of it stays. */
export type NewStrings = readonly string[] | undefined

/** Behind the last one; none where one of our release says the same. @throws {HlaError} surplus-typing — they do not agree */
export function addAssignment(
  assignments: readonly Assignment[],
  answers: readonly NewStrings[],
  request: DocumentRequest,
): readonly Edit[] {
  const [first, ...others] = answers
  if (first === undefined || first.length === 0 || others.includes(undefined)) return []
  if (others.some((one) => one !== undefined && !areSame(one, first))) throw disagreeing(assignments)
  const [model, last] = [assignments[0], assignments.at(-1)]
  if (model === undefined || last === undefined) return []
  const isThere = assignments.some(
    (one) => isOfRelease(one, request) && areSame(one.glStrings.map(({ cell }) => cell), first), // prettier-ignore
  )
  if (isThere) return []
  return [{ start: last.end, end: last.end, text: model.indent + assignmentText(model, first, request) }]
}

function disagreeing([first, ...others]: readonly Assignment[]): HlaError {
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

function isOfRelease({ db, version }: Assignment, { release }: DocumentRequest): boolean {
  return version === release && (db === '' || db === ALLELE_DB)
}

/** Laid out as `model` is. */
function assignmentText(model: Assignment, glStrings: readonly string[], request: DocumentRequest): string {
  const prefix = prefixIn(model.tag.text)
  const { release, date } = request
  const open = `<${prefix}allele-assignment date="${date}" allele-db="${ALLELE_DB}" allele-version="${release}">`
  const [, eol = '', indent = ''] = /(\r?\n|\r)([ \t]*)$/.exec(model.indent) ?? []
  const step = indent.includes('\t') ? '\t' : '  '
  const inner = eol === '' ? '' : eol + indent + step
  const lines = glStrings.map((text) => `${inner}<${prefix}glstring>${text}</${prefix}glstring>`)
  return `${open}${lines.join('')}${eol === '' ? '' : eol + indent}</${prefix}allele-assignment>`
}

/** Its typings, its release and its date; nothing where each typing is the same. @throws {HlaError} unfit-answer — it would say two things */
export function replaceAssignment(
  { tag, glStrings, haploids, hasGenotypes }: Assignment,
  glTexts: readonly (string | undefined)[],
  types: readonly (string | undefined)[],
  { release, date }: DocumentRequest,
): readonly Edit[] {
  if ([...glTexts, ...types].includes(undefined)) return []
  const edits = [
    ...glStrings.flatMap(({ content, cell }, at) => {
      const text = glTexts[at] ?? ''
      return isSameTyping(bare(text), bare(cell)) ? [] : [contentEdit(content.text, content.start, text)]
    }),
    ...haploids.flatMap(({ tag: { text, start }, type }, at) =>
      types[at] === type ? [] : [attributeEdit(text, start, 'type', types[at] ?? '')],
    ),
  ]
  if (edits.length === 0) return []
  if (hasGenotypes) throw unfit(glTexts.join(' '), 'the genotype elements beside it would say something else')
  const said = { date, 'allele-db': ALLELE_DB, 'allele-version': release }
  const stamps = Object.entries(said).map(([name, value]) => attributeEdit(tag.text, tag.start, name, value))
  return [...stamps, ...edits].toSorted((a, b) => a.start - b.start)
}
