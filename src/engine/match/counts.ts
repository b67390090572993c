/** Mismatches of two persons at a locus by direction, over every allele that their typings leave possible. Pure. */

/** What one of a person's two places at a locus may hold. */
export type Place =
  /** Ascending numbers of the expressed alleles it may be; none for a null. */
  | { readonly kind: 'typed'; readonly alleles: Int32Array; readonly mayBeNull: boolean }
  /** Any allele; a null, too, when nulls count. */
  | { readonly kind: 'untyped'; readonly mayBeNull: boolean }
  /** No gene, or no second copy of one that not every chromosome carries. */
  | { readonly kind: 'absent' }

export type Genotype = readonly [Place, Place]

export type Range = readonly [least: number, most: number]

export interface Counts {
  /** Alleles of the patient that the donor lacks (graft-versus-host). */
  readonly gvh: Range
  /** Alleles of the donor that the patient lacks (host-versus-graft). */
  readonly hvg: Range
  /** 2 - the larger of both, each homozygous allele counted twice. */
  readonly matched: Range
}

/** Mismatches of a homozygous pair: 2 by the consensus of 2016 (`AA` against `BB` is 2 and 2), 1 by that of 2010. */
export type Homozygous = 1 | 2

/** Counts over lists of possible genotypes. */
export function countMismatches(
  patient: readonly Genotype[],
  donor: readonly Genotype[],
  homozygous: Homozygous,
): Counts {
  const seen = new Extremes()
  for (const one of patient) for (const other of donor) countPair(one, other, homozygous, seen)
  return seen.counts()
}

class Extremes {
  readonly #gvh: [number, number] = [2, 0]
  readonly #hvg: [number, number] = [2, 0]
  readonly #matched: [number, number] = [2, 0]

  add(gvh: number, hvg: number, matched: number): void {
    widen(this.#gvh, gvh)
    widen(this.#hvg, hvg)
    widen(this.#matched, matched)
  }

  counts(): Counts {
    return { gvh: this.#gvh, hvg: this.#hvg, matched: this.#matched }
  }
}

function widen(range: [number, number], value: number): void {
  if (value < range[0]) range[0] = value
  if (value > range[1]) range[1] = value
}

/** Places 0 and 1 are the patient's, 2 and 3 the donor's. */
type Places = readonly [Place, Place, Place, Place]

function countPair(patient: Genotype, donor: Genotype, homozygous: Homozygous, seen: Extremes): void {
  const places: Places = [...patient, ...donor]
  for (const nulls of nullChoices(places)) {
    const variables = placeVariables(places, nulls)
    for (const classes of equalities(places, variables)) {
      const values = variables.map((variable) => (variable < 0 ? EMPTY : (classes[variable] ?? EMPTY)))
      const twice = mismatches(values, 2)
      const [gvh, hvg] = homozygous === 2 ? twice : mismatches(values, 1)
      seen.add(gvh, hvg, 2 - Math.max(...twice))
    }
  }
}

const EMPTY = -1

/** Every choice of places that hold a null. */
function nullChoices(places: Places): boolean[][] {
  let choices: boolean[][] = [[]]
  for (const place of places) {
    const mayBe = place.kind !== 'absent' && place.mayBeNull
    const mustBe = place.kind === 'typed' && place.alleles.length === 0
    const own = mayBe && !mustBe ? [false, true] : [mustBe]
    choices = choices.flatMap((before) => own.map((one) => [...before, one]))
  }
  return choices
}

/**
 * The place whose allele each place holds; -1 for none. The only null of a person takes the place's other allele when
 * the other person has no null, and stays empty otherwise.
 */
function placeVariables(places: Places, nulls: readonly boolean[]): number[] {
  const isNull = (at: number) => nulls[at] === true
  const isFilled = (at: number) => !isNull(at) && places[at]?.kind !== 'absent'
  return [0, 1, 2, 3].map((at) => {
    if (isFilled(at)) return at
    const [mate, [one, other]] = [at ^ 1, at < 2 ? [2, 3] : [0, 1]] as const
    const isRepeated = isNull(at) && isFilled(mate) && !isNull(one) && !isNull(other)
    return isRepeated ? mate : EMPTY
  })
}

/** Places of one side whose value the other side lacks; `times` 1 counts a repeated value once. */
export function mismatches(
  values: readonly number[],
  times: Homozygous,
): readonly [gvh: number, hvg: number] {
  const [a = EMPTY, b = EMPTY, c = EMPTY, d = EMPTY] = values
  const lacking = (one: number, two: number, other: number, another: number) => {
    const isLacking = (value: number) => value !== EMPTY && value !== other && value !== another
    return Number(isLacking(one)) + Number(isLacking(two) && (times === 2 || two !== one))
  }
  return [lacking(a, b, c, d), lacking(c, d, a, b)]
}

/**
 * Every way in which the variables' alleles can be equal or different: the class of each variable. At most fifteen,
 * whatever the number of alleles.
 */
function* equalities(places: Places, variables: readonly number[]): Generator<readonly number[]> {
  const distinct = [...new Set(variables)].filter((variable) => variable >= 0)
  for (const blocks of partitions(distinct)) {
    const sets = blocks.map((block) => commonAlleles(block, places))
    if (sets.some((set) => set?.length === 0) || !haveDistinctMembers(sets)) continue
    const classes: number[] = []
    for (const [at, block] of blocks.entries()) for (const variable of block) classes[variable] = at
    yield classes
  }
}

function partitions(items: readonly number[]): number[][][] {
  let all: number[][][] = [[]]
  for (const item of items)
    all = all.flatMap((blocks) => [
      ...blocks.map((_, at) => blocks.map((block, index) => (index === at ? [...block, item] : block))),
      [...blocks, [item]],
    ])
  return all
}

/** Alleles that all places of a block may be; undefined for any allele. */
function commonAlleles(block: readonly number[], places: Places): Int32Array | undefined {
  let common: Int32Array | undefined
  for (const at of block) {
    const place = places[at]
    if (place?.kind !== 'typed') continue
    common = common === undefined ? place.alleles : intersect(common, place.alleles)
  }
  return common
}

function intersect(one: Int32Array, other: Int32Array): Int32Array {
  const both: number[] = []
  let [at, to] = [0, 0]
  while (at < one.length && to < other.length) {
    const difference = (one[at] ?? 0) - (other[to] ?? 0)
    if (difference === 0) both.push(one[at] ?? 0)
    if (difference <= 0) at += 1
    if (difference >= 0) to += 1
  }
  return Int32Array.from(both)
}

/** True when each set has a member of its own. A set with as many members as there are sets always has one left. */
function haveDistinctMembers(sets: readonly (Int32Array | undefined)[]): boolean {
  const small = sets.filter((set) => set !== undefined && set.length < sets.length)
  const choose = (at: number, taken: readonly number[]): boolean => {
    const set = small[at]
    if (set === undefined) return true
    return set.some((member) => !taken.includes(member) && choose(at + 1, [...taken, member]))
  }
  return choose(0, [])
}
