/** T-cell epitope groups: every combination at both places of both persons, by the lowest expressed group. */
import { describe, expect, test } from 'vitest'
import {
  type EpitopeGenotype,
  type EpitopePlace,
  compareEpitopes,
} from '../../../src/engine/match/epitopes.ts'

const GROUPS = ['1', '2', '2a', '3', 'N'] as const
type Group = (typeof GROUPS)[number]

function placeOf(group: Group): EpitopePlace {
  return group === 'N' ? { groups: [], mayBeNull: true } : { groups: [group], mayBeNull: false }
}

function expected(patient: readonly Group[], donor: readonly Group[]): string {
  const lowest = (groups: readonly Group[]) =>
    Math.min(...groups.filter((group) => group !== 'N').map((group) => Number.parseInt(group, 10)))
  const [one, two] = [lowest(patient), lowest(donor)]
  if (one === Infinity || two === Infinity) return 'unknown'
  return one === two ? 'permissive' : one < two ? 'non-permissive-gvh' : 'non-permissive-hvg'
}

const pairs = GROUPS.flatMap((one) => GROUPS.map((other) => [one, other] as const))

describe('compareEpitopes', () => {
  test.for(pairs)('a patient of groups %s and %s with every donor', (patient) => {
    for (const donor of pairs) {
      const genotype = ([one, other]: readonly [Group, Group]): EpitopeGenotype => [
        placeOf(one),
        placeOf(other),
      ]
      const { verdicts } = compareEpitopes([genotype(patient)], [genotype(donor)])
      expect([donor, verdicts]).toEqual([donor, [expected(patient, donor)]])
    }
  })

  test('has every verdict that is possible, and the groups as they are shown', () => {
    const patient: EpitopeGenotype = [
      { groups: ['1', '3'], mayBeNull: false },
      { groups: ['2a$'], mayBeNull: false },
    ]
    const donor: EpitopeGenotype = [
      { groups: ['2'], mayBeNull: false },
      { groups: ['3'], mayBeNull: false },
    ]
    expect(compareEpitopes([patient], [donor])).toEqual({
      verdicts: ['permissive', 'non-permissive-gvh'],
      patient: ['1', '2a'],
      donor: ['2'],
      isPredicted: true,
    })
  })

  test('leaves a person unknown whose allele has no group', () => {
    const without: EpitopeGenotype = [
      { groups: [undefined], mayBeNull: false },
      { groups: ['3'], mayBeNull: false },
    ]
    const donor: EpitopeGenotype = [
      { groups: ['3'], mayBeNull: false },
      { groups: ['3'], mayBeNull: false },
    ]
    expect(compareEpitopes([without], [donor])).toMatchObject({ verdicts: ['unknown'], patient: [] })
  })
})
