/** One GL String, and one DRBX pair, for each subject of a row, from the results of its columns. */
import { readLocus } from '../../nomenclature/allele.ts'
import { sortParts } from '../../nomenclature/order.ts'
import type { CellAnswer } from '../cells/answers.ts'
import { DRB345 } from '../plan/locus-spellings.ts'
import type { PlannedGroup } from '../plan/plan.ts'

/** The results of one row: column -> answer. */
export type RowAnswers = ReadonlyMap<number, CellAnswer>

export interface GlStyle {
  readonly secondBlank: 'blank' | 'homozygous'
  /** Which of the methods. */
  readonly method: number
}

/**
 * Empty when a typing failed: a string without it would say that the locus was not typed.
 * Loci with an unknown or new typing are left out whole, for the same reason.
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
  // possible genes bind less than loci do: beside another locus they would be read as something else
  if (typed.length > 1 && typed.some((locus) => locus.includes('?'))) return ''
  return sortParts(typed).join('^')
}

/** `isSplit`: one cell has both typings. */
function formatGenotype(
  cells: readonly CellAnswer[],
  { secondBlank, method }: GlStyle,
  isSplit: boolean,
): string {
  if (cells.some(({ status }) => status === 'unknown' || status === 'new')) return ''
  const typed = cells.flatMap(({ results }) => results[method] ?? [])
  const [only] = typed
  // an absent second typing is not a second copy of the first
  const isHomozygous =
    typed.length === 1 &&
    only?.includes('+') === false &&
    (cells.length === 2 || isSplit) &&
    cells.every(({ status }) => status === 'ok' || status === 'untyped')
  if (isHomozygous && secondBlank === 'homozygous') return `${only}+${only}`
  return sortParts(typed).join('+')
}

/** Of columns whose cells name one of several loci each: `DRB3*01:01` and `DRB4*01:03` are typings of two. */
function formatGenotypes(cells: readonly CellAnswer[], style: GlStyle, isSplit: boolean): string[] {
  const loci = new Map<string, CellAnswer[]>()
  // which locus is left out nobody knows: all are
  if (cells.some(({ status }) => status === 'unknown' || status === 'new')) return []
  for (const cell of cells) {
    const locus = cell.status === 'ok' ? readLocus(cell.results[style.method] ?? '') : ''
    loci.set(locus, [...(loci.get(locus) ?? []), cell])
  }
  return [...loci.values()].map((same) => formatGenotype(same, style, isSplit))
}

export const NONE = 'DRBX*NNNN'

/**
 * The two DRB3/4/5 typings a DR haplotype pair can have: absent ones are dropped, equal ones written once, and `NNNN` stands for
 * the second of one copy. Empty when nothing was typed or a typing failed; of more than two different ones the third has failed.
 */
export function formatDrbx(
  groups: readonly PlannedGroup[],
  answers: RowAnswers,
  method: number,
): readonly [string, string] {
  const cells = groups.filter(isPaired).flatMap(({ columns }) => columns.map((column) => answers.get(column)))
  const decided = ['ok', 'absent', 'untyped']
  if (cells.some((cell) => cell === undefined || !decided.includes(cell.status))) return ['', '']
  if (cells.every((cell) => cell?.status === 'untyped')) return ['', '']
  const typed = cells.flatMap((cell) => pairedCopies(cell?.results[method] ?? ''))
  const [first, second, ...others] = new Set(typed)
  if (others.length > 0) return ['', '']
  if (first === undefined) return [NONE, NONE]
  return [first, second ?? (typed.length > 1 ? '' : NONE)]
}

/** Its typings are of the DRBX pair. */
export function isPaired({ locus, among }: PlannedGroup): boolean {
  return among !== undefined || (locus !== undefined && DRB345.includes(locus))
}

/** A cell may have both copies. */
export function pairedCopies(result: string): readonly string[] {
  if (result === '') return []
  return /[|^]/.test(result) ? [result] : result.split('+')
}
