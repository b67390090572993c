/**
 * Molecules of DQ and DP in a table, named as peptide-binding predictors do: their two chains stand in columns of two
 * genes, so a cell alone has no answer.
 */
import { DEFAULT_OPTIONS } from '../../engine/options.ts'
import { writePairs } from '../../engine/write-as.ts'
import { isHlaError } from '../../errors.ts'
import { parseGlString } from '../../nomenclature/gl-string.ts'
import { partnerOf, PROGRAMS } from '../../nomenclature/programs.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import type { CellAnswer } from './answers.ts'

/** A chain in a cell, with the error that says that it is alone. */
interface ChainCell {
  readonly column: number
  readonly gene: string
  readonly answer: CellAnswer
  /** Two joined by `+` where a cell holds both copies. */
  readonly chain: string
}

/** Gives the cells of both chains of a person their molecules, in the order of the columns. */
export function pairChains(groups: readonly PlannedGroup[], answers: Map<number, CellAnswer>): void {
  if (![...answers.values()].some(({ error }) => error?.facts?.['chain'] !== undefined)) return
  for (const subject of new Set(groups.map((group) => group.subject))) {
    const cells = groups
      .filter((group) => group.subject === subject)
      .flatMap(({ columns, locus = '' }) => columns.flatMap((column) => chainIn(column, locus, answers)))
    const paired = [...new Set(cells.map(({ gene }) => gene))].flatMap((gene) => {
      const alphas = cells.filter((cell) => cell.gene === gene)
      const betas = cells.filter((cell) => cell.gene === partnerOf(gene))
      return betas.length === 0 ? [] : pairedAnswers(alphas, betas)
    })
    for (const [column, answer] of paired) answers.set(column, answer)
  }
}

function chainIn(column: number, gene: string, answers: ReadonlyMap<number, CellAnswer>): ChainCell[] {
  const answer = answers.get(column)
  const chain = answer?.error?.facts?.['chain']
  return answer === undefined || chain === undefined ? [] : [{ column, gene, answer, chain }]
}

function pairedAnswers(
  alphas: readonly ChainCell[],
  betas: readonly ChainCell[],
): readonly (readonly [column: number, answer: CellAnswer])[] {
  const cells = [...alphas, ...betas]
  const program = PROGRAMS.find((one) => one === cells[0]?.answer.error?.facts?.['program'])
  // possible genotypes in one of two cells belong to neither copy
  const isOpen = (list: readonly ChainCell[]) =>
    list.length > 1 && list.some(({ chain }) => chain.includes('|'))
  if (program === undefined || isOpen(alphas) || isOpen(betas)) return []
  const genotype = (list: readonly ChainCell[]) => parseGlString(list.map(({ chain }) => chain).join('+'))
  try {
    const pairs = writePairs(genotype(alphas), genotype(betas), program, DEFAULT_OPTIONS.limit)
    const molecules = pairs.includes('|') ? [pairs] : pairs.split('+')
    const size = Math.ceil(molecules.length / cells.length)
    return cells.map(({ column, answer }, at) => {
      const own = molecules.slice(at * size, (at + 1) * size)
      return [column, { ...answer, status: 'ok', results: [own.join('+')], error: undefined }] as const
    })
  } catch (error) {
    if (!isHlaError(error)) throw error
    return cells.map(({ column, answer }) => [column, { ...answer, error }] as const)
  }
}
