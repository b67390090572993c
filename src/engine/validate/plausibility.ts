/**
 * Finds valid names that are unlikely in one person: more than two copies of a gene, or DRB3, DRB4 or DRB5 that DRB1
 * excludes.
 */
import type { Note } from '../../errors.ts'
import { ABSENT_GENE, withoutPrefix } from '../../nomenclature/allele.ts'
import { readNameLocus } from '../../nomenclature/antigen.ts'
import { type GlNode, type GlTyping, listDesignations } from '../../nomenclature/gl-string.ts'
import { carriedGenes, DRBX_GENES, type DrbxGene, findMisfits, isDrbxGene } from '../blend.ts'

type Respell = (name: string) => string

/** Typing of a gene on one chromosome. */
interface Copy {
  readonly gene: string
  /** Typing with its alternatives. */
  readonly typing: GlTyping
  /** The same in present names, without `HLA-`. */
  readonly text: string
  /** Another genotype in the text has another typing in its place. */
  readonly isOpen: boolean
}

/** Warnings on a GL String of valid names of one person; `present` gives the spelling since 2010. */
export function findImplausible(node: GlNode, present: Respell): Note[] {
  const copies = listCopies(node, present)
  const unfit = findUnfitDrbx(copies)
  return [...(joinsThree(node) ? [] : findSurplus(copies, unfit.length > 0)), ...unfit]
}

/**
 * Copies of each gene. A typing that may be of several genes has none; of alternative genotypes, only copies common to
 * all count.
 */
function listCopies(node: GlNode, respell: Respell): readonly Copy[] {
  if (node.kind === 'typing') return typedCopy(node, respell)
  const [first = [], ...others] = node.parts.map((part) => listCopies(part, respell))
  if (node.operator !== '|' && node.operator !== '?') return [...first, ...others.flat()]
  return [...new Set(first.map(({ gene }) => gene))].flatMap((gene) => {
    const ofGene = (list: readonly Copy[]) => list.filter((copy) => copy.gene === gene)
    const own = ofGene(first)
    const fewest = Math.min(own.length, ...others.map((other) => ofGene(other).length))
    const isSame = others.every((other) => textsOf(ofGene(other)) === textsOf(own))
    return isSame ? own : own.slice(0, fewest).map((copy) => ({ ...copy, isOpen: true }))
  })
}

function typedCopy(typing: GlTyping, respell: Respell): readonly Copy[] {
  const names = listDesignations(typing).map(({ text }) => withoutPrefix(text))
  const [gene, ...others] = new Set(names.map(readNameLocus))
  const isAbsent = names.some((name) => name.endsWith(`*${ABSENT_GENE}`))
  return gene === undefined || others.length > 0 || isAbsent
    ? []
    : [{ gene, typing, text: names.map(respell).join('/'), isOpen: false }]
}

function textsOf(copies: readonly Copy[]): string {
  return copies.map(({ text }) => text).sort().join('+') // prettier-ignore
}

/** True for three typings joined by `+`, which have a warning of their own. */
function joinsThree(node: GlNode): boolean {
  if (node.kind === 'typing') return false
  return (node.operator === '+' && node.parts.length > 2) || node.parts.some(joinsThree)
}

/**
 * Warns about more than two copies; a chromosome has at most one of DRB3, DRB4 and DRB5. `isUnfit`: a warning about
 * DRB1 already names them.
 */
function findSurplus(copies: readonly Copy[], isUnfit: boolean): Note[] {
  const notes = [...new Set(copies.map(({ gene }) => gene))].flatMap((gene) =>
    surplusNotes(gene, copies.filter((copy) => copy.gene === gene)),
  ) // prettier-ignore
  const drbx = distinct(copies.filter(({ gene }) => isDrbxGene(gene)))
  return notes.length > 0 || isUnfit ? notes : surplusNotes('DRB3, DRB4 and DRB5', drbx)
}

function surplusNotes(genes: string, copies: readonly Copy[]): Note[] {
  const last = copies[copies.length - 1]
  if (copies.length < 3 || last === undefined) return []
  const message = `${copies.length} copies of ${genes}; a person has two`
  return [{ level: 'warning', code: THREE_COPIES, message, ...placeOf(last) }]
}

/** Merges equal typings of a gene: the same copy written twice. */
function distinct(copies: readonly Copy[]): readonly Copy[] {
  return [...new Map(copies.map((copy) => [copy.text, copy])).values()]
}

/** Applies the rule of `blend`: the first fields of DRB1 determine which of the genes a chromosome carries. */
function findUnfitDrbx(copies: readonly Copy[]): Note[] {
  const drb1 = copies.filter(({ gene }) => gene === 'DRB1')
  const genotype = joined(drb1)
  if (drb1.some(({ isOpen }) => isOpen) || carriedGenes(genotype) === undefined) return []
  const ofGene = (gene: DrbxGene) => distinct(copies.filter((copy) => copy.gene === gene && !copy.isOpen))
  const [DRB3 = '', DRB4 = '', DRB5 = ''] = DRBX_GENES.map((gene) => joined(ofGene(gene)))
  return findMisfits(genotype, { DRB3, DRB4, DRB5 }).flatMap(({ gene, error }) => {
    const last = ofGene(gene).at(-1)
    const message = typeof error.hint === 'string' ? error.hint : error.message
    return last === undefined ? [] : [{ level: 'warning', code: DRB1_MISMATCH, message, ...placeOf(last) }]
  })
}

function joined(copies: readonly Copy[]): string {
  return copies.map(({ text }) => text).join('+')
}

function placeOf({ typing: { text, start } }: Copy): Pick<Note, 'offending' | 'position'> {
  return { offending: text, position: [start, start + text.length] }
}

/** Codes of the warnings that an option disables. */
export const THREE_COPIES = 'three-copies'
export const DRB1_MISMATCH = 'drb1-mismatch'
