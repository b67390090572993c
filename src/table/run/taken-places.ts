/** The two places of each locus of a person, where the typings of a row are joined: what has no place fails, and is in no GL String. */
import { readLocus } from '../../nomenclature/allele.ts'
import type { CellAnswer } from '../cells/answers.ts'
import { noPlaceError, thirdCopyError } from '../input/records/gathering/surplus.ts'
import { isPaired, pairedCopies } from '../output/gl-column.ts'
import type { PlannedGroup } from '../plan/plan.ts'

interface Place {
  /** That has typings of the locus. */
  readonly group: PlannedGroup
  isFull: boolean
}

/** Of one row. */
export interface TakenPlaces {
  /** By person and locus. */
  readonly loci: Map<string, Place>
  /** By person: different typings of DRB3, DRB4 and DRB5. undefined: they are not joined to two. */
  readonly pairs: Map<string, ReadonlySet<string>> | undefined
}

export function newTakenPlaces(isPairing: boolean): TakenPlaces {
  return { loci: new Map(), pairs: isPairing ? new Map() : undefined }
}

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
      const place = taken.loci.get(key)
      if (place === undefined) taken.loci.set(key, { group, isFull: isGenotype })
      else if (place.group !== group || place.isFull || isGenotype)
        return { ...answer, status: 'error', results: [], error: noPlaceError(value, locus) }
      else place.isFull = true
    }
  }
  return withoutThird(answer, { group, value, taken })
}

/** A person has two of DRB3, DRB4 and DRB5 at most: one for each chromosome. */
function withoutThird(answer: CellAnswer, { group, value, taken: { pairs } }: TakingCell): CellAnswer {
  if (pairs === undefined || !isPaired(group)) return answer
  const before = pairs.get(group.subject) ?? []
  const all = new Set([...before, ...pairedCopies(answer.results[0] ?? '')])
  // the typing by itself is good, and keeps its result
  if (all.size > 2) return { ...answer, status: 'error', error: thirdCopyError(value, [...before]) }
  pairs.set(group.subject, all)
  return answer
}

/** One, or those of a haplotype. */
function lociIn(part: string): readonly string[] {
  const names = part.includes('~') ? part.split(/[+~|]/) : [part]
  return [...new Set(names.map(readLocus))].filter((locus) => locus !== '')
}
