/** Counts of many pairs are those of each pair by itself. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type Genotype, type Homozygous, type Place, expressed } from '../../../src/engine/match/sets.ts'
import { newLocusPairs, unpack } from '../../../src/engine/match/locus-pairs.ts'
import { rounds } from '../../support/rounds.ts'

const ALLELES = [0, 1, 2, 3, 4, 5]

const typed = (alleles: readonly number[], nulls: readonly number[] = []): Place => {
  const names = Int32Array.from(alleles)
  return { kind: 'typed', names, expressed: names, nulls: Int32Array.from(nulls) }
}

/** Places that several persons share, as one object. */
const PLACES: readonly Place[] = [
  ...ALLELES.map((allele) => typed([allele])),
  ...[[0, 1], [1, 2], [0, 1, 2, 3], ALLELES].map((list) => typed(list)),
  typed([1, 4], [5]),
  typed([], [5]),
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
            expect(counts).toEqual(donors.map((donor) => expressed(patient, donor, homozygous)))
          }
        },
      ),
      { numRuns: rounds(500) },
    )
  })
})
