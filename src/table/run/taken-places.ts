/** The two places of each locus of a person, where the typings of a row are joined: what has no place fails, and is in no GL String. */
import { readLocus } from '../../nomenclature/allele.ts'
import type { CellAnswer } from '../cells/answers.ts'
import { noPlaceError } from '../input/records/gathering/surplus.ts'
import type { PlannedGroup } from '../plan/plan.ts'

interface Place {
  /** That has typings of the locus. */
  readonly group: PlannedGroup
  isFull: boolean
}

/** By person and locus, of one row. */
export type TakenPlaces = Map<string, Place>

interface TakingCell {
  readonly group: PlannedGroup
  readonly value: string
  readonly taken: TakenPlaces
}

/** A genotype takes both places, and another column that names the locus is not the second typing of the first. */
export function withoutSurplus(answer: CellAnswer, { group, value, taken }: TakingCell): CellAnswer {
  if (answer.status !== 'ok') return answer
  for (const part of answer.results[0]?.split('^') ?? []) {
    const isGenotype = part.includes('+')
    for (const locus of group.locus === undefined ? lociIn(part) : [group.locus]) {
      const key = `${group.subject}\n${locus}`
      const place = taken.get(key)
      if (place === undefined) taken.set(key, { group, isFull: isGenotype })
      else if (place.group !== group || place.isFull || isGenotype)
        return { ...answer, status: 'error', results: [], error: noPlaceError(value, locus) }
      else place.isFull = true
    }
  }
  return answer
}

/** One, or those of a haplotype. */
function lociIn(part: string): readonly string[] {
  const names = part.includes('~') ? part.split(/[+~|]/) : [part]
  return [...new Set(names.map(readLocus))].filter((locus) => locus !== '')
}
