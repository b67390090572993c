/** Genotypes of a person, from the answers of the columns of each locus, and what a format cannot hold of them. Pure. */
import { readLocus } from '../../../nomenclature/allele.ts'
import type { CellAnswer } from '../../cells/answers.ts'
import type { PlannedGroup } from '../../plan/plan.ts'
import type { RowAnswers } from '../gl-column.ts'
import type { Genotype, GenotypeReader } from './genotype.ts'
import type { LocusGenotype, PopulationFormat } from './population-format.ts'

export interface GenotypeRequest {
  readonly format: PopulationFormat
  /** A copy alone stands for both. */
  readonly isHomozygous: boolean
  readonly read: GenotypeReader
}

type Asked = Omit<GenotypeRequest, 'format'> & {
  readonly format: Pick<PopulationFormat, 'holds' | 'absent'>
}

/** Why the typings of a locus cannot be written; undefined: they can. */
export function refuseGenotype(
  group: Pick<PlannedGroup, 'locus'>,
  answers: readonly CellAnswer[],
  { format: { holds, absent }, isHomozygous, read }: Asked,
): string | undefined {
  const copies = typedCopies(answers, absent)
  if (copies.length === 0) return undefined
  const isLost = answers.some(({ status }) => status === 'error' || status === 'unknown')
  if (isLost && holds.half !== 'copy') return 'one copy of a genotype whose other is not known'
  const parts = group.locus === undefined ? copies.flatMap((text) => text.split('^')) : [copies]
  for (const part of parts) {
    const genotype = read(typeof part === 'string' ? [part] : part)
    if (typeof genotype === 'string') return genotype
    const { alternatives } = genotype
    if (alternatives.length > 1 && !holds.alternatives) return `${alternatives.length} possible genotypes (|)`
    if (alternatives.length > 1 && isLost) return 'several possible genotypes beside one that is not known'
    if (holds.anyLoci && alternatives.flat().some((copy) => !copy.includes('*')))
      return 'an antigen, which does not name its locus'
    const list = alternatives.flat().find((copy) => copy.includes('/'))
    if (list !== undefined && !holds.lists) return `a list of ${list.split('/').length} alleles`
    const isHalf = alternatives.some((one) => one.length < 2)
    if (isHalf && !isHomozygous && holds.half === 'none') return 'one copy of a genotype without the other'
  }
  return undefined
}

/** In the order of the table; loci of GL Strings as they come. */
export function findGenotypes(
  groups: readonly PlannedGroup[],
  answers: RowAnswers,
  request: Asked,
): LocusGenotype[] {
  return groups.flatMap((group) => {
    const cells = group.columns.flatMap((column) => answers.get(column) ?? [])
    const copies = typedCopies(cells, request.format.absent)
    // the second of two that is not known is not a second copy of the first
    const isWhole = cells.every(({ status }) => status === 'ok' || status === 'untyped')
    const asked = { isHomozygous: request.isHomozygous && isWhole, read: request.read }
    if (group.locus !== undefined) return [{ locus: group.locus, genotype: makeGenotype(copies, asked) }]
    return copies
      .flatMap((text) => text.split('^'))
      .map((text) => ({ locus: readLocus(text.replace('HLA-', '')), genotype: makeGenotype([text], asked) }))
  })
}

function typedCopies(answers: readonly CellAnswer[], absent: string | undefined): string[] {
  return answers.flatMap(({ status, results }) =>
    status === 'absent' && absent !== undefined ? [absent] : status === 'ok' ? (results[0] ?? []) : [],
  )
}

/** What cannot be held has become an error, and is no copy here. */
function makeGenotype(
  copies: readonly string[],
  { isHomozygous, read }: Omit<GenotypeRequest, 'format'>,
): Genotype | undefined {
  const genotype = copies.length === 0 ? undefined : read(copies)
  if (genotype === undefined || typeof genotype === 'string') return undefined
  if (!isHomozygous) return genotype
  return {
    alternatives: genotype.alternatives.map((one) => (one.length === 1 ? [...one, ...one] : one)),
  }
}
