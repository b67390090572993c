/** Permissiveness of two persons at DPB1 by T-cell epitope groups. Pure. */
import type { TceGroup } from '../../reference/sources/tce.ts'

/** In the order of answers. */
export const TCE_VERDICTS = [
  'match',
  'permissive',
  'non-permissive-gvh',
  'non-permissive-hvg',
  'unknown',
] as const
export type TceVerdict = (typeof TCE_VERDICTS)[number]

/** Groups of the expressed alleles that one place may hold; undefined for an allele without one. */
export interface EpitopePlace {
  readonly groups: readonly (TceGroup | undefined)[]
  /** A place that may be a null, whose group is that of the person's other allele. */
  readonly mayBeNull: boolean
}

export type EpitopeGenotype = readonly [EpitopePlace, EpitopePlace]

export interface TceComparison {
  /** One verdict, or several that are possible. */
  readonly verdicts: readonly TceVerdict[]
  /** Groups that a person may have, as published without the mark of a prediction: `1`, `2`, `2a`, `3`. */
  readonly patient: readonly string[]
  readonly donor: readonly string[]
  /** True when a group rests on a prediction. */
  readonly isPredicted: boolean
}

/** A person has the lowest group of the expressed alleles; 1 is the most immunogenic. */
export function compareEpitopes(
  patient: readonly EpitopeGenotype[],
  donor: readonly EpitopeGenotype[],
): TceComparison {
  const [own, other] = [personGroups(patient), personGroups(donor)]
  const found = new Set(own.flatMap((one) => other.map((two) => compareGroups(one, two))))
  const predicted = [...own, ...other].some((group) => group?.includes('$'))
  return {
    verdicts: TCE_VERDICTS.filter((verdict) => found.has(verdict)),
    patient: shown(own),
    donor: shown(other),
    isPredicted: predicted,
  }
}

type PersonGroup = TceGroup | undefined

function compareGroups(patient: PersonGroup, donor: PersonGroup): TceVerdict {
  if (patient === undefined || donor === undefined) return 'unknown'
  const [one, two] = [rank(patient), rank(donor)]
  if (one === two) return 'permissive'
  return one < two ? 'non-permissive-gvh' : 'non-permissive-hvg'
}

/** `2a` counts as 2. */
function rank(group: TceGroup): number {
  return Number(group[0])
}

function shown(groups: readonly PersonGroup[]): readonly string[] {
  return [...new Set(groups.flatMap((group) => group?.replace('$', '') ?? []))].toSorted()
}

function personGroups(genotypes: readonly EpitopeGenotype[]): readonly PersonGroup[] {
  const groups = genotypes.flatMap(([one, two]) =>
    choices(one).flatMap((first) => choices(two).map((second) => lowest(first, second))),
  )
  return [...new Set(groups)]
}

/** A null, which has no group of its own. */
const NULL = null

function choices({ groups, mayBeNull }: EpitopePlace): readonly (PersonGroup | typeof NULL)[] {
  const own = groups.map((group) => (group === '0' ? NULL : group))
  return [...new Set([...own, ...(mayBeNull ? [NULL] : [])])]
}

/** Two nulls, or an allele without a group, leave the person's group unknown. */
function lowest(one: PersonGroup | typeof NULL, two: PersonGroup | typeof NULL): PersonGroup {
  if (one === NULL) return two ?? undefined
  if (two === NULL || one === undefined) return one
  if (two === undefined) return two
  return isLower(two, one) ? two : one
}

/** Of equal groups the one that is no prediction. */
function isLower(one: TceGroup, other: TceGroup): boolean {
  return rank(one) === rank(other) ? one.length < other.length : rank(one) < rank(other)
}
