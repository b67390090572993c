/** Mismatches by direction: the published consensus tables, and every choice of small sets one by one. */
import fc from 'fast-check'
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import {
  type Agreement,
  type Counts,
  expressed,
  type Genotype,
  type Homozygous,
  type Place,
  same,
  says,
  type TypedGenotype,
  type TypedPlace,
} from '../../../src/engine/match/sets.ts'
import { hasShared, sharedPath } from '../../support/shared.ts'
import { rounds } from '../../support/rounds.ts'

const typed = (alleles: readonly number[], mayBeNull = false): TypedPlace => {
  const names = Int32Array.from([...new Set(alleles)].toSorted((a, b) => a - b))
  return { kind: 'typed', names, expressed: names, nulls: Int32Array.from(mayBeNull ? [SOME_NULL] : []) }
}
const SOME_NULL = 1000
const NULL = typed([], true)
const UNTYPED: Place = { kind: 'untyped', mayBeNull: false }
const ABSENT: Place = { kind: 'absent' }

/** `NA`: a null and allele A. */
function lettered(text: string): Genotype {
  const [one = NULL, other = NULL] = text
    .split('')
    .map((letter) => (letter === 'N' ? NULL : typed([letter.codePointAt(0) ?? 0])))
  return [one, other]
}

function exactly(gvh: number, hvg: number, matched: number): Counts {
  return { gvh: [gvh, gvh], hvg: [hvg, hvg], matched: [matched, matched] }
}

describe.skipIf(!hasShared)('the consensus', () => {
  for (const [year, homozygous] of [
    [2010, 1],
    [2016, 2],
  ] as const) {
    const rows = readFileSync(sharedPath(`match/consensus-${year}.tsv`), 'utf8')
      .trim()
      .split('\n')
      .slice(1)
    test.for(rows)(`of ${year}: %s`, (row) => {
      const [patient = '', donor = '', gvh, hvg] = row.split('\t')
      const counts = expressed([lettered(patient)], [lettered(donor)], homozygous)
      expect([counts.gvh, counts.hvg]).toEqual([
        [Number(gvh), Number(gvh)],
        [Number(hvg), Number(hvg)],
      ])
    })
  }
})

describe('expressed', () => {
  const [a, b, c, ab] = [typed([1]), typed([2]), typed([3]), typed([1, 2])]
  test.for<[name: string, patient: Genotype, donor: Genotype, counts: Counts]>([
    ['an allele twice', [a, a], [b, b], exactly(2, 2, 0)],
    ['one of two', [a, b], [a, c], exactly(1, 1, 1)],
    ['a homozygous donor', [a, b], [a, a], exactly(1, 0, 1)],
    ['an ambiguous place', [ab, c], [a, c], { gvh: [0, 1], hvg: [0, 1], matched: [1, 2] }],
    // both of the patient's places may be 1 or 2, but the donor needs each of them once
    ['two places with one set', [ab, ab], [a, b], { gvh: [0, 0], hvg: [0, 1], matched: [1, 2] }],
    ['an untyped place', [a, UNTYPED], [a, b], { gvh: [0, 1], hvg: [0, 1], matched: [1, 2] }],
    [
      'an untyped place beside a mismatch',
      [c, UNTYPED],
      [a, b],
      { gvh: [1, 2], hvg: [1, 2], matched: [0, 1] },
    ],
    ['a gene on one chromosome', [a, ABSENT], [a, ABSENT], exactly(0, 0, 2)],
    ['no gene and one', [ABSENT, ABSENT], [a, ABSENT], exactly(0, 1, 1)],
    ['a possible null', [typed([1], true), b], [a, b], { gvh: [0, 0], hvg: [0, 1], matched: [1, 2] }],
    ['a null is filled', [a, NULL], [a, b], exactly(0, 1, 1)],
    ['two persons with a null stay as they are', [a, NULL], [b, NULL], exactly(1, 1, 1)],
  ])('%s', ([, patient, donor, counts]) => {
    expect(expressed([patient], [donor], 2)).toEqual(counts)
  })

  test('of 2010 counts an allele of both places once', () => {
    expect(expressed([[a, a]], [[b, c]], 1)).toEqual({ gvh: [1, 1], hvg: [2, 2], matched: [0, 0] })
  })

  test('of lists of genotypes takes the extremes of every pair', () => {
    const counts = expressed(
      [
        [a, b],
        [c, c],
      ],
      [[a, b]],
      2,
    )
    expect(counts).toEqual({ gvh: [0, 2], hvg: [0, 2], matched: [0, 2] })
  })
})

/** One choice: an allele, a null, or no gene. */
type Choice = number | 'null' | 'absent'

/** Alleles that only an untyped place can be, four of them, so that all may differ. */
const OTHERS = [101, 102, 103, 104]

function choices(place: Place): Choice[] {
  if (place.kind === 'absent') return ['absent']
  const alleles = place.kind === 'untyped' ? [...ALL, ...OTHERS] : [...place.expressed]
  const isNull = place.kind === 'untyped' ? place.mayBeNull : place.nulls.length > 0
  return [...alleles, ...(isNull ? ['null' as const] : [])]
}

const ALL = [1, 2, 3, 4, 5]

function filled(own: readonly Choice[], other: readonly Choice[]): number[] {
  const alleles = own.filter((one) => typeof one === 'number')
  const isRepeated = own.filter((one) => one === 'null').length === 1 && !other.includes('null')
  return isRepeated ? [...alleles, ...alleles] : alleles
}

function bruteForce(
  patient: readonly Genotype[],
  donor: readonly Genotype[],
  homozygous: Homozygous,
): Counts {
  const all: { gvh: number; hvg: number; matched: number }[] = []
  const lacking = (own: readonly number[], other: readonly number[], times: Homozygous) =>
    (times === 1 ? [...new Set(own)] : own).filter((one) => !other.includes(one)).length
  const pairsOf = (genotypes: readonly Genotype[]) =>
    genotypes.flatMap(([one, two]) => choices(one).flatMap((first) => choices(two).map((second) => [first, second] as const))) // prettier-ignore
  for (const ofPatient of pairsOf(patient))
    for (const ofDonor of pairsOf(donor)) {
      const [own, other] = [filled(ofPatient, ofDonor), filled(ofDonor, ofPatient)]
      const most = Math.max(lacking(own, other, 2), lacking(other, own, 2))
      all.push({
        gvh: lacking(own, other, homozygous),
        hvg: lacking(other, own, homozygous),
        matched: 2 - most,
      })
    }
  const range = (key: 'gvh' | 'hvg' | 'matched') => {
    const values = all.map((one) => one[key])
    return [Math.min(...values), Math.max(...values)] as const
  }
  return { gvh: range('gvh'), hvg: range('hvg'), matched: range('matched') }
}

const place: fc.Arbitrary<Place> = fc.oneof(
  {
    weight: 12,
    arbitrary: fc
      .record({ alleles: fc.uniqueArray(fc.constantFrom(...ALL), { minLength: 1 }), mayBeNull: fc.boolean() })
      .map(({ alleles, mayBeNull }) => typed(alleles, mayBeNull)),
  },
  { weight: 2, arbitrary: fc.constant(NULL) },
  { weight: 1, arbitrary: fc.boolean().map((mayBeNull): Place => ({ kind: 'untyped', mayBeNull })) },
  { weight: 1, arbitrary: fc.constant(ABSENT) },
)
const genotypes = fc.array(fc.tuple(place, place), { minLength: 1, maxLength: 2 })

describe('random genotypes', () => {
  test.for([1, 2] as const)('have the counts of every choice, a homozygous allele %i times', (homozygous) => {
    fc.assert(
      fc.property(genotypes, genotypes, (patient, donor) => {
        expect(expressed(patient, donor, homozygous)).toEqual(bruteForce(patient, donor, homozygous))
      }),
      { numRuns: rounds(5_000) },
    )
  })

  test('turned round have the counts of the other direction', () => {
    fc.assert(
      fc.property(genotypes, genotypes, (patient, donor) => {
        const { gvh, hvg, matched } = expressed(patient, donor, 2)
        expect(expressed(donor, patient, 2)).toEqual({ gvh: hvg, hvg: gvh, matched })
      }),
      { numRuns: rounds(5_000) },
    )
  })
})

describe('typings of one person', () => {
  const [a, ab, ac, abc, none] = [[1], [1, 2], [1, 3], [1, 2, 3], []].map((alleles) => typed(alleles))
  const pair = (one = NULL, other = one): TypedGenotype => [one, other]

  test.for<[string, TypedGenotype, TypedGenotype, Agreement]>([
    ['the same lists', pair(ab, ac), pair(ac, ab), { shared: 2, named: 2, isIdentical: true }],
    // as long, and with one name in common
    ['other lists', pair(ab), pair(ac), { shared: 2, named: 2, isIdentical: false }],
    ['a longer list', pair(ab), pair(abc), { shared: 2, named: 2, isIdentical: false }],
    [
      'one copy of two',
      pair(ab, typed([4])),
      pair(typed([5]), a),
      { shared: 1, named: 1, isIdentical: false },
    ],
    ['no name', pair(ab), pair(none), { shared: 0, named: 0, isIdentical: false }],
  ])('%s', ([, one, other, agreement]) => expect(same([one], [other])).toEqual(agreement))

  test('a list says what each of its members says, and not the other way round', () => {
    expect([
      says([pair(abc)], [pair(ab)]),
      says([pair(ab)], [pair(abc)]),
      says([pair(ab)], [pair(ac)]),
    ]).toEqual([true, false, false])
  })
})
