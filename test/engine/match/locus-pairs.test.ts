/** Counts of many pairs are those of each pair by itself. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  type Genotype,
  type Homozygous,
  type Place,
  countMismatches,
} from '../../../src/engine/match/counts.ts'
import { newLocusPairs, unpack } from '../../../src/engine/match/locus-pairs.ts'
import { rounds } from '../../support/rounds.ts'

const ALLELES = [0, 1, 2, 3, 4, 5]

/** Places that several persons share, as one object. */
const PLACES: readonly Place[] = [
  ...ALLELES.map((allele): Place => ({ kind: 'typed', alleles: Int32Array.of(allele), mayBeNull: false })),
  ...[[0, 1], [1, 2], [0, 1, 2, 3], ALLELES].map((list): Place => ({
    kind: 'typed',
    alleles: Int32Array.from(list),
    mayBeNull: false,
  })),
  { kind: 'typed', alleles: Int32Array.of(1, 4), mayBeNull: true },
  { kind: 'typed', alleles: new Int32Array(0), mayBeNull: true },
  { kind: 'untyped', mayBeNull: false },
  { kind: 'absent' },
]

const place = fc.constantFrom(...PLACES)
const genotype: fc.Arbitrary<Genotype> = fc.tuple(place, place)
const list = fc.oneof(
  { weight: 9, arbitrary: fc.tuple(genotype) },
  { weight: 1, arbitrary: fc.array(genotype, { minLength: 1, maxLength: 3 }) },
)

describe('newLocusPairs', () => {
  test.for<Homozygous>([1, 2])('counts each pair, a homozygous allele %i times', (homozygous) => {
    fc.assert(
      fc.property(
        fc.array(list, { minLength: 1, maxLength: 40 }),
        fc.array(list, { minLength: 1 }),
        (donors, patients) => {
          const pairs = newLocusPairs(donors, ALLELES.length, homozygous)
          for (const patient of patients) {
            const counts = [...pairs.countsOf(patient)].map(unpack)
            expect(counts).toEqual(donors.map((donor) => countMismatches(patient, donor, homozygous)))
          }
        },
      ),
      { numRuns: rounds(500) },
    )
  })
})
