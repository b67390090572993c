/** One GL String per subject of a row, from the results of its columns. */
import { readLocus } from '../../nomenclature/allele.ts'
import { sortParts } from '../../nomenclature/order.ts'
import type { CellAnswer } from '../answers/answers.ts'
import type { PlannedGroup } from '../plan/plan.ts'

/** Answers of one row: column -> answer. */
export type RowAnswers = ReadonlyMap<number, CellAnswer>

export interface GlStyle {
  readonly secondBlank: 'blank' | 'homozygous'
  /** Index of the method. */
  readonly method: number
}

/**
 * Empty when a typing failed: a GL String without it would mean that the locus was not typed. Loci with an unknown or
 * new typing are left out whole, for the same reason.
 */
export function formatGlString(groups: readonly PlannedGroup[], answers: RowAnswers, style: GlStyle): string {
  const cells = groups.map(({ columns }) => columns.map((column) => answers.get(column)))
  if (cells.flat().some((cell) => cell === undefined || cell.status === 'error')) return ''
  const loci = cells.flatMap((cell, at) => {
    const known = cell.filter((one) => one !== undefined)
    const group = groups[at]
    const isSplit = group?.context.joined?.kind === 'split'
    return group?.among === undefined
      ? formatGenotype(known, style, isSplit)
      : formatGenotypes(known, style, isSplit)
  })
  const typed = [...new Set(loci.filter((locus) => locus !== ''))]
  // `?` binds looser than `^`: beside another locus the text would be parsed differently
  if (typed.length > 1 && typed.some((locus) => locus.includes('?'))) return ''
  return sortParts(typed).join('^')
}

/** Answers of one locus by status; each writer makes its own form of the genotype from them. */
interface LocusAnswers {
  readonly typed: readonly CellAnswer[]
  /** The first that failed, is unknown or new: the genotype is not known. */
  readonly open: CellAnswer | undefined
  /** True when a single copy may stand for both: an absent second typing is not a second copy of the first. */
  readonly isWhole: boolean
}

export function joinAnswers(answers: readonly CellAnswer[]): LocusAnswers {
  return {
    typed: answers.filter(({ status }) => status === 'ok'),
    open: answers.find(({ status }) => status === 'error' || status === 'unknown' || status === 'new'),
    isWhole: answers.every(({ status }) => status === 'ok' || status === 'untyped'),
  }
}

export function answersOf({ columns }: Pick<PlannedGroup, 'columns'>, answers: RowAnswers): CellAnswer[] {
  return columns.flatMap((column) => answers.get(column) ?? [])
}

/** '' when the genotype is not known. `isSplit`: one cell has both typings. */
export function formatGenotype(
  cells: readonly CellAnswer[],
  { secondBlank, method }: GlStyle,
  isSplit: boolean,
): string {
  const { typed, open, isWhole } = joinAnswers(cells)
  if (open !== undefined) return ''
  const texts = typed.flatMap(({ results }) => results[method] ?? [])
  const [only] = texts
  const isSingle = texts.length === 1 && only?.includes('+') === false && (cells.length === 2 || isSplit)
  if (isSingle && isWhole && secondBlank === 'homozygous') return `${only}+${only}`
  return sortParts(texts).join('+')
}

/** Genotypes of columns whose cells each name one of several loci: `DRB3*01:01` and `DRB4*01:03` belong to two. */
function formatGenotypes(cells: readonly CellAnswer[], style: GlStyle, isSplit: boolean): string[] {
  const loci = new Map<string, CellAnswer[]>()
  // the affected locus is unknown: all are left out
  if (joinAnswers(cells).open !== undefined) return []
  for (const cell of cells) {
    const locus = cell.status === 'ok' ? readLocus(cell.results[style.method] ?? '') : ''
    loci.set(locus, [...(loci.get(locus) ?? []), cell])
  }
  return [...loci.values()].map((same) => formatGenotype(same, style, isSplit))
}
