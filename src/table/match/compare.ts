/** Verdicts of numbered persons: each distinct pair of typings of a locus is compared once. */
import { newLocusPairs, pack } from '../../engine/match/locus-pairs.ts'
import {
  COUNTED_LOCI,
  type LocusMatch,
  type LocusSide,
  type MatchCount,
  type MatchRules,
} from '../../engine/match/match.ts'
import { expressed, type Genotype } from '../../engine/match/sets.ts'
import { type Cohort, type Sides, UNTYPED } from './cohort.ts'

/** In place of packed counts: one person is untyped, both are, or a typing cannot be read. */
export const ONE_UNTYPED = 0x1_00_00
export const BOTH_UNTYPED = 0x1_00_01
export const UNREAD = 0x1_00_02

export interface ComparedCohorts {
  readonly patients: Cohort
  readonly donors: Cohort
  readonly loci: readonly string[]
  readonly sides: Sides
  readonly rules: MatchRules
}

/** Compares pairs that are named one by one. Returns the packed counts at each locus. */
export function pairComparer({ patients, donors, loci, sides, rules }: ComparedCohorts) {
  const columns = loci.map((locus) => {
    const side = (number: number) => sides.side(locus, number)
    const packed = rememberPairs((one, two) => packSides(side(one), side(two), rules))
    return { own: patients.at(locus), other: donors.at(locus), packed }
  })
  return (patient: number, donor: number): readonly number[] =>
    columns.map(({ own, other, packed }) => packed(own[patient] ?? UNTYPED, other[donor] ?? UNTYPED))
}

const MAX_KNOWN = 500_000

/** Remembers the results for pairs of sides. */
export function rememberPairs<T>(compute: (one: number, two: number) => T): (one: number, two: number) => T {
  const known = new Map<number, T>()
  return (one, two) => {
    const key = one * 2 ** 26 + two
    const found = known.get(key)
    if (found !== undefined) return found
    const result = compute(one, two)
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(key, result)
    return result
  }
}

function packSides(patient: LocusSide, donor: LocusSide, { homozygous }: MatchRules): number {
  if (patient.kind === 'unread' || donor.kind === 'unread') return UNREAD
  if (patient.kind === 'untyped') return donor.kind === 'untyped' ? BOTH_UNTYPED : ONE_UNTYPED
  if (donor.kind === 'untyped') return ONE_UNTYPED
  return pack(expressed(patient.genotypes, donor.genotypes, homozygous))
}

/** Packed counts of one patient with every donor, by locus. */
export type PatientCounts = readonly Int32Array[]

/** Compares every patient with every donor. Each call overwrites the arrays of the call before. */
export function allComparer({ patients, donors, loci, sides, rules }: ComparedCohorts) {
  const columns = loci.map((locus) => {
    const others = donors.at(locus).subarray(0, donors.size)
    const distinct = [...new Set(others)]
    const typed = distinct.filter((number) => sides.side(locus, number).kind === 'typed')
    const genotypes = typed.map((number) => genotypesOf(sides.side(locus, number)))
    const places = new Int32Array(Math.max(0, ...distinct) + 1)
    for (const number of distinct) {
      const { kind } = sides.side(locus, number)
      places[number] = kind === 'unread' ? AT_UNREAD : AT_UNTYPED
    }
    for (const [at, number] of typed.entries()) places[number] = at
    return {
      locus,
      own: patients.at(locus),
      places: Int32Array.from(others, (number) => places[number] ?? AT_UNTYPED),
      pairs: newLocusPairs(genotypes, sides.matcher.alleles(), rules.homozygous),
      known: new Map<number, Uint16Array>(),
      counts: new Int32Array(donors.size),
    }
  })
  return (patient: number): PatientCounts =>
    columns.map(({ locus, own, places, pairs, known, counts }) => {
      const number = own[patient] ?? UNTYPED
      const side = sides.side(locus, number)
      if (side.kind === 'unread') return counts.fill(UNREAD)
      const found = side.kind === 'typed' ? (known.get(number) ?? pairs.countsOf(side.genotypes)) : undefined
      if (found !== undefined && (known.size + 1) * found.byteLength < MAX_KNOWN_BYTES) known.set(number, found) // prettier-ignore
      for (let donor = 0; donor < counts.length; donor += 1) {
        const place = places[donor] ?? AT_UNTYPED
        if (place >= 0) counts[donor] = found === undefined ? ONE_UNTYPED : (found[place] ?? 0)
        else if (place === AT_UNREAD) counts[donor] = UNREAD
        else counts[donor] = found === undefined ? BOTH_UNTYPED : ONE_UNTYPED
      }
      return counts
    })
}

const AT_UNTYPED = -1
const AT_UNREAD = -2

/** Counts kept at one locus, for patients with the same typing. */
const MAX_KNOWN_BYTES = 8 * 1024 * 1024

function genotypesOf(side: LocusSide): readonly Genotype[] {
  return side.kind === 'typed' ? side.genotypes : []
}

/** Places of the counted loci among those of a report. */
export function countedPlaces(loci: readonly string[], count: MatchCount): readonly number[] {
  const counted: readonly string[] = COUNTED_LOCI[count]
  return loci.flatMap((locus, at) => (counted.includes(locus) ? [at] : []))
}

/** The loci of a pair, with everything that a record says. */
export function describePair(
  { patients, donors, loci, sides }: ComparedCohorts,
  patient: number,
  donor: number,
): readonly LocusMatch[] {
  return loci.flatMap((locus) => {
    const own = sides.side(locus, patients.at(locus)[patient] ?? UNTYPED)
    const other = sides.side(locus, donors.at(locus)[donor] ?? UNTYPED)
    if (own.kind === 'untyped' && other.kind === 'untyped') return []
    return [sides.matcher.compare(locus, own, other)]
  })
}
