/** DRB3, DRB4 and DRB5 typings of a person as a pair, one per chromosome: the result of `engine/blend.ts` with DRB1. */
import {
  blendDrbx,
  type Carried,
  carriedGenes,
  DRBX_GENES,
  type DrbxGene,
  type DrbxTypings,
  isDrbxGene,
} from '../../engine/blend.ts'
import { readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import type { CellAnswer } from '../answers/answers.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import { answersOf, formatGenotype, type GlStyle, type RowAnswers } from './gl-column.ts'

export const NONE = 'DRBX*NNNN'

/** A typing found; its cell may have two. */
export interface DrbxCopy {
  readonly column: number
  /** undefined when the typing is of several of the genes. */
  readonly gene: DrbxGene | undefined
  readonly text: string
}

/** Typings of one person in a row. */
export interface DrbxFacts {
  /** Genotype and its genes, when it implies what each chromosome carries, and each typing names its gene. */
  readonly drb1: string | undefined
  readonly carried: readonly [Carried, Carried] | undefined
  /** In the order of their genes. */
  readonly copies: readonly DrbxCopy[]
  /** Genes that a cell calls absent. */
  readonly absent: ReadonlySet<DrbxGene>
  /** True when a typing of one of the genes failed, is unknown, or new. */
  readonly isOpen: boolean
}

/**
 * When DRB1 implies the genes of both chromosomes: the answer of `blend`. `DRBX*NNNN` stands for a chromosome without
 * any, by DRB1 or by a cell that calls the gene absent; the second is empty when it equals the first, or was not found.
 * Otherwise: the two typings, equal ones once, and `DRBX*NNNN` for a missing second. Empty when nothing was typed or a
 * typing failed.
 */
export function formatDrbx(
  groups: readonly PlannedGroup[],
  answers: RowAnswers,
  style: GlStyle,
): readonly [string, string] {
  const { drb1, carried, copies, absent, isOpen } = gatherDrbx(groups, answers, style)
  if (isOpen || (copies.length === 0 && absent.size === 0)) return ['', '']
  if (drb1 === undefined || carried === undefined) {
    const [first, second] = new Set(copies.map(({ text }) => text))
    if (first === undefined) return [NONE, NONE]
    return [first, second ?? (copies.length > 1 ? '' : NONE)]
  }
  const isNone = (gene: Carried) => gene === undefined || absent.has(gene)
  const [first = '', second] = blendDrbx(drb1, drbxTypings(copies)).text.split('+')
  if (first === '') return carried.every(isNone) ? [NONE, NONE] : ['', '']
  const other = carried[0] === copies[0]?.gene ? carried[1] : carried[0]
  return [first, second ?? (isNone(other) ? NONE : '')]
}

/** Distinct typings of each gene, joined. */
export function drbxTypings(copies: readonly DrbxCopy[]): DrbxTypings {
  const joined = (gene: DrbxGene) =>
    [...new Set(copies.filter((copy) => copy.gene === gene).map(({ text }) => text))].join('+')
  return { DRB3: joined('DRB3'), DRB4: joined('DRB4'), DRB5: joined('DRB5') }
}

/** `groups`: those of the person. */
export function gatherDrbx(groups: readonly PlannedGroup[], answers: RowAnswers, style: GlStyle): DrbxFacts {
  const cells = groups
    .filter(mayHoldDrbx)
    .flatMap((group) => group.columns.map((column) => ({ group, column, answer: answers.get(column) })))
  const found = cells.flatMap(({ group, column, answer }) => {
    const texts = answer?.status === 'ok' ? splitCopies(answer.results[style.method] ?? '') : []
    return texts.map((text) => ({ group, column, text, locus: group.locus ?? readOnlyLocus(text) }))
  })
  // antigens name no gene, and possible genotypes several: these are copies in a column of these genes
  const copies = found
    .filter(({ group, locus }) => isDrbxGene(locus) || group.among !== undefined)
    .map(({ column, locus, text }) => ({ column, gene: isDrbxGene(locus) ? locus : undefined, text }))
  const absent = cells
    .filter(({ answer }) => answer?.status === 'absent')
    .flatMap(({ group }) => DRBX_GENES.filter((gene) => group.among !== undefined || group.locus === gene))
  const drb1 = [
    ...groups.filter(({ locus }) => locus === 'DRB1').map((group) => readDrb1(group, answers, style)),
    ...found.filter(({ locus }) => locus === 'DRB1').map(({ text }) => text),
  ].join('+')
  const isDecided = copies.every(isOfOneGene) && !/[|?]/.test(drb1)
  const carried = isDecided ? carriedGenes(drb1) : undefined
  return {
    drb1: carried && drb1,
    carried,
    copies: copies.toSorted((one, other) => geneOrder(one) - geneOrder(other)),
    absent: new Set(absent),
    isOpen:
      cells.some(({ answer }) => answer === undefined || !DECIDED.has(answer.status)) ||
      found.some(
        ({ group, locus, text }) => locus === undefined && group.among === undefined && hidesGene(text),
      ),
  }
}

const DECIDED: ReadonlySet<CellAnswer['status']> = new Set(['ok', 'absent', 'untyped'])

/** Genotype as in the GL String. */
function readDrb1(group: PlannedGroup, answers: RowAnswers, style: GlStyle): string {
  const cells = answersOf(group, answers)
  if (cells.length < group.columns.length) return ''
  return formatGenotype(cells, style, group.context.joined?.kind === 'split')
}

function mayHoldDrbx({ locus }: PlannedGroup): boolean {
  return locus === undefined || isDrbxGene(locus)
}

function geneOrder({ gene }: DrbxCopy): number {
  return gene === undefined ? DRBX_GENES.length : DRBX_GENES.indexOf(gene)
}

/** True for a typing of several loci that include one of the genes. */
function hidesGene(text: string): boolean {
  return DRBX_GENES.some((gene) => text.includes(`${gene}*`))
}

function isOfOneGene({ gene, text }: DrbxCopy): boolean {
  return gene !== undefined && !text.includes('+')
}

/** Splits a genotype into copies; possible genotypes stay whole. */
function splitCopies(result: string): readonly string[] {
  return result
    .split('^')
    .flatMap((part) => (/[|?]/.test(part) ? [part] : part.split(/[+~]/)))
    .filter((text) => text !== '')
}

/** undefined for several loci. */
function readOnlyLocus(text: string): string | undefined {
  const loci = new Set(text.split(/[+~|?/]/).map((name) => readLocus(withoutPrefix(name))))
  return loci.size === 1 ? [...loci][0] : undefined
}
