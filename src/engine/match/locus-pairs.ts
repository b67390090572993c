/**
 * Counts for very many pairs at one locus: each place of a patient is compared once with every place of the donors, and
 * most pairs follow from these four relations.
 */
import { assured } from '../../errors.ts'
import {
  type Counts,
  expressed,
  type Genotype,
  type Homozygous,
  intersects,
  mismatches,
  type Place,
  type TypedPlace,
} from './sets.ts'

/** Counts as six numbers of two bits: least and most of gvh, hvg and matched. */
export type PackedCounts = number

export interface LocusPairs {
  /** Counts of a patient's genotype list with each of the donors', by their numbers. */
  readonly countsOf: (patient: readonly Genotype[]) => Uint16Array
}

/**
 * `donors`: the distinct genotype lists of the donors at the locus. `alleles`: numbers of alleles are below it.
 * Counts are kept for as many genotypes of patients as fit into `MAX_KEPT_BYTES`.
 */
export function newLocusPairs(
  donors: readonly (readonly Genotype[])[],
  alleles: number,
  homozygous: Homozygous,
): LocusPairs {
  const places = new Numbers<Place>()
  const simple = donors.map((list) => simpleGenotype(list)?.map((place) => places.numberOf(place)))
  const firsts = Int32Array.from(simple, (one) => one?.[0] ?? -1)
  const seconds = Int32Array.from(simple, (one) => one?.[1] ?? -1)
  const own = simple.map((_, at) => {
    const genotype = simpleGenotype(donors[at] ?? [])
    return genotype === undefined || homozygous === 2 ? 0 : relate(genotype[0], genotype[1])
  })
  const marks = new Uint8Array(alleles)
  const relations = new Map<Place, Uint8Array>()
  const relationsOf = (place: Place) => {
    const found = relations.get(place)
    if (found !== undefined) return found
    if (relations.size * places.all.length > MAX_KEPT_BYTES) relations.clear()
    const row = relateAll(place, places.all, marks)
    relations.set(place, row)
    return row
  }
  const packed = (patient: readonly Genotype[], at: number) =>
    pack(expressed(patient, assured(donors[at], 'a donor has a genotype'), homozygous))
  return {
    countsOf(patient) {
      const genotype = simpleGenotype(patient)
      if (genotype === undefined) return Uint16Array.from(donors, (_, at) => packed(patient, at))
      const [one, two] = [relationsOf(genotype[0]), relationsOf(genotype[1])]
      const ownRelation = homozygous === 2 ? 0 : relate(genotype[0], genotype[1])
      const counts = new Uint16Array(donors.length)
      for (let at = 0; at < counts.length; at += 1) {
        const first = firsts[at] ?? -1
        const second = seconds[at] ?? -1
        const key = (one[first] ?? 0) + 3 * (one[second] ?? 0) + 9 * (two[first] ?? 0) + 27 * (two[second] ?? 0) + 81 * ownRelation + 243 * (own[at] ?? 0) // prettier-ignore
        const known = first < 0 ? UNDECIDED : (BY_RELATIONS[homozygous][key] ?? UNDECIDED)
        counts[at] = known === UNDECIDED ? packed(patient, at) : known
      }
      return counts
    },
  }
}

/** Bytes of relations kept at one locus. */
const MAX_KEPT_BYTES = 32 * 1024 * 1024

class Numbers<T> {
  readonly all: T[] = []
  readonly #numbers = new Map<T, number>()

  numberOf(item: T): number {
    const known = this.#numbers.get(item) ?? this.all.length
    if (known === this.all.length) this.#numbers.set(item, this.all.push(item) - 1)
    return known
  }
}

/** The only genotype of a list, when both places hold an expressed allele. */
function simpleGenotype(list: readonly Genotype[]): readonly [TypedPlace, TypedPlace] | undefined {
  const [only] = list
  if (only === undefined || list.length > 1) return undefined
  const [one, other] = only
  return isExpressed(one) && isExpressed(other) ? [one, other] : undefined
}

function isExpressed(place: Place): place is TypedPlace {
  return place.kind === 'typed' && place.nulls.length === 0 && place.expressed.length > 0
}

/** Relations of two places. */
const DIFFERENT = 0
const EQUAL = 1
const EITHER = 2

function relate({ expressed: one }: TypedPlace, { expressed: other }: TypedPlace): number {
  if (!intersects(one, other)) return DIFFERENT
  return one.length === 1 && other.length === 1 ? EQUAL : EITHER
}

/** `marks` is zero before and after. */
function relateAll(place: Place, others: readonly Place[], marks: Uint8Array): Uint8Array {
  const { expressed: alleles } = place as TypedPlace // callers have simple genotypes
  for (const allele of alleles) marks[allele] = 1
  const isOne = alleles.length === 1
  const relations = Uint8Array.from(others, (other) => {
    const list = (other as TypedPlace).expressed // as above
    for (let at = 0; at < list.length; at += 1)
      if (marks[list[at] ?? 0] === 1) return isOne && list.length === 1 ? EQUAL : EITHER
    return DIFFERENT
  })
  for (const allele of alleles) marks[allele] = 0
  return relations
}

const UNDECIDED = 0xff_ff

/**
 * Counts by the relations patient 1 with donor 1 and 2, patient 2 with donor 1 and 2, then of the patient's places and
 * of the donor's. One relation that may be either leaves both counts possible; more depend on each other.
 */
const BY_RELATIONS: Readonly<Record<Homozygous, Uint16Array>> = { 1: tabulate(1), 2: tabulate(2) }

function tabulate(homozygous: Homozygous): Uint16Array {
  return Uint16Array.from({ length: 3 ** 6 }, (_, key) => {
    const relations = [0, 1, 2, 3, 4, 5].map((place) => Math.floor(key / 3 ** place) % 3)
    const open = relations.indexOf(EITHER)
    if (open < 0) return packOne(relations, homozygous)
    if (relations.indexOf(EITHER, open + 1) >= 0) return UNDECIDED
    return join(
      packOne(relations.with(open, DIFFERENT), homozygous),
      packOne(relations.with(open, EQUAL), homozygous),
    )
  })
}

/** Values of the places that are equal as the relations say. */
function packOne(
  [first, second, third, fourth, ofPatient, ofDonor]: readonly number[],
  homozygous: Homozygous,
): PackedCounts {
  const values = [0, 1, 2, 3]
  const equate = (one: number, other: number) => {
    const [from, to] = [values[other], values[one] ?? 0]
    for (const [at, value] of values.entries()) if (value === from) values[at] = to
  }
  if (ofPatient === EQUAL) equate(0, 1)
  if (ofDonor === EQUAL) equate(2, 3)
  if (first === EQUAL) equate(0, 2)
  if (second === EQUAL) equate(0, 3)
  if (third === EQUAL) equate(1, 2)
  if (fourth === EQUAL) equate(1, 3)
  const twice = mismatches(values, 2)
  const [gvh, hvg] = mismatches(values, homozygous)
  const matched = 2 - Math.max(...twice)
  return pack({ gvh: [gvh, gvh], hvg: [hvg, hvg], matched: [matched, matched] })
}

export function pack({ gvh, hvg, matched }: Counts): PackedCounts {
  return [...gvh, ...hvg, ...matched].reduce((sum, count, at) => sum | (count << (2 * at)), 0)
}

export function unpack(packed: PackedCounts): Counts {
  const at = (place: number) => (packed >> (2 * place)) & 3
  return { gvh: [at(0), at(1)], hvg: [at(2), at(3)], matched: [at(4), at(5)] }
}

export function leastMatched(packed: PackedCounts): number {
  return (packed >> 8) & 3
}

export function mostMatched(packed: PackedCounts): number {
  return (packed >> 10) & 3
}

function join(one: PackedCounts, other: PackedCounts): PackedCounts {
  const [a, b] = [unpack(one), unpack(other)]
  const range = (key: keyof Counts) =>
    [Math.min(a[key][0], b[key][0]), Math.max(a[key][1], b[key][1])] as const
  return pack({ gvh: range('gvh'), hvg: range('hvg'), matched: range('matched') })
}
