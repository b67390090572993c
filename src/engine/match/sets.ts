/**
 * What the two places of a person's locus may hold, as sets, and two comparisons of them. `same`: may two typings be of
 * one person? Every name counts, and a null allele is not the expressed one of its group. `expressed`: which alleles of
 * each person does the other lack? A null allele is an empty place. Pure.
 */

/** Names that one typing may stand for. */
export interface TypingNames {
  /** By a method or level; those of null alleles, too, for `same`. */
  readonly names: readonly string[]
  /** Those of `names` that an expressed allele has. */
  readonly expressed: readonly string[]
  /** Null alleles that it may be, by their full names. */
  readonly nulls: readonly string[]
}

/** The same as ascending numbers. */
export interface TypedPlace {
  readonly kind: 'typed'
  readonly names: Int32Array
  readonly expressed: Int32Array
  readonly nulls: Int32Array
}

export type Place =
  | TypedPlace
  /** Any allele; a null, too, when nulls count. */
  | { readonly kind: 'untyped'; readonly mayBeNull: boolean }
  /** No gene, or no second copy of one that not every chromosome carries. */
  | { readonly kind: 'absent' }

export type Genotype = readonly [Place, Place]
export type TypedGenotype = readonly [TypedPlace, TypedPlace]

/** `numbers`: name -> number, for all places that are compared. */
export function makePlace(
  { names, expressed, nulls }: TypingNames,
  numbers: Map<string, number>,
): TypedPlace {
  const all = numbersOf(names, numbers)
  const own = expressed.length === names.length ? all : numbersOf(expressed, numbers)
  return { kind: 'typed', names: all, expressed: own, nulls: numbersOf(nulls, numbers) }
}

function numbersOf(names: readonly string[], numbers: Map<string, number>): Int32Array {
  return Int32Array.from(names, (name) => {
    const found = numbers.get(name) ?? numbers.size
    numbers.set(name, found)
    return found
  }).sort()
}

/** True when the two have a number in common. */
export function intersects(one: Int32Array, other: Int32Array): boolean {
  let [at, to] = [0, 0]
  while (at < one.length && to < other.length) {
    const difference = (one[at] ?? 0) - (other[to] ?? 0)
    if (difference === 0) return true
    if (difference < 0) at += 1
    else to += 1
  }
  return false
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

export interface Agreement {
  /** Number of copies that may be the same allele, in the best matching. */
  readonly shared: 0 | 1 | 2
  /** The same where a null allele counts as one with its reduced name: above `shared`, only expression differs. */
  readonly named: 0 | 1 | 2
  /** True when both have exactly the same possibilities. */
  readonly isIdentical: boolean
}

/** Compares one genotype each, or lists of possible ones, as those of the same person. */
export function same(left: readonly TypedGenotype[], right: readonly TypedGenotype[]): Agreement {
  let shared: Agreement['shared'] = 0
  let named: Agreement['named'] = 0
  for (const one of left) {
    for (const other of right) {
      const found = countShared(one, other)
      if (found.shared > shared) shared = found.shared
      if (found.named > named) named = found.named
      if (shared === 2) return { shared, named: 2, isIdentical: areIdentical(left, right) }
    }
  }
  return { shared, named, isIdentical: false }
}

type Shared = Pick<Agreement, 'shared' | 'named'>

function countShared([a, b]: TypedGenotype, [c, d]: TypedGenotype): Shared {
  const straight = addShared(comparePlaces(a, c), comparePlaces(b, d))
  if (straight.shared === 2) return straight
  const crossed = addShared(comparePlaces(a, d), comparePlaces(b, c))
  return { shared: most(straight.shared, crossed.shared), named: most(straight.named, crossed.named) }
}

/** 0: no name in common; 1: only if a null allele of one may be an expressed allele of the other; 2: a common possibility. */
function comparePlaces(one: TypedPlace, other: TypedPlace): 0 | 1 | 2 {
  if (!intersects(one.names, other.names)) return 0
  return (isNull(one) || isNull(other)) && !intersects(one.nulls, other.nulls) ? 1 : 2
}

function isNull({ expressed: own, nulls }: TypedPlace): boolean {
  return own.length === 0 && nulls.length > 0
}

function addShared(one: 0 | 1 | 2, other: 0 | 1 | 2): Shared {
  const count = (least: 1 | 2) => (one < least ? 0 : 1) + (other < least ? 0 : 1)
  return { shared: count(2) as 0 | 1 | 2, named: count(1) as 0 | 1 | 2 }
}

function most(one: 0 | 1 | 2, other: 0 | 1 | 2): 0 | 1 | 2 {
  return one > other ? one : other
}

/**
 * True when the first typing may be whatever the second may be: a list says what one of its members says, and a typing
 * says what an identical one does.
 */
export function says(wide: readonly TypedGenotype[], narrow: readonly TypedGenotype[]): boolean {
  if (same(wide, narrow).isIdentical) return true
  const [all, own] = [possiblePairs(wide, allelesOf), possiblePairs(narrow, allelesOf)]
  return all !== undefined && own !== undefined && [...own].every((pair) => all.has(pair))
}

/** Names of expressed alleles, and of nulls that have none of these names. */
function allelesOf({ names, expressed: own, nulls }: TypedPlace): number[] {
  const hasOthers = names.length > own.length
  return [
    ...Array.from(own, (name) => 2 * name),
    ...Array.from(hasOthers ? nulls : [], (name) => 2 * name + 1),
  ]
}

/** Called for genotypes that share both copies. */
function areIdentical(left: readonly TypedGenotype[], right: readonly TypedGenotype[]): boolean {
  const [one, other] = [left[0], right[0]]
  if (left.length === 1 && right.length === 1 && one !== undefined && other !== undefined)
    return isSame(one, other)
  const [pairs, others] = [possiblePairs(left), possiblePairs(right)]
  return (
    pairs !== undefined &&
    others !== undefined &&
    pairs.size === others.size &&
    [...pairs].every((pair) => others.has(pair))
  )
}

function isSame([a, b]: TypedGenotype, [c, d]: TypedGenotype): boolean {
  return (areEqual(a, c) && areEqual(b, d)) || (areEqual(a, d) && areEqual(b, c))
}

function areEqual(one: TypedPlace, other: TypedPlace): boolean {
  if (one === other) return true
  return (
    isNull(one) === isNull(other) &&
    one.names.length === other.names.length &&
    one.names.every((name, at) => name === other.names[at]) &&
    (!isNull(one) || intersects(one.nulls, other.nulls))
  )
}

/** Maximum number of name pairs of a list; of two longer lists identity is not tested. */
const MAX_PAIRS = 10_000

function possiblePairs(
  genotypes: readonly TypedGenotype[],
  keys: (place: TypedPlace) => readonly number[] = keysOf,
): ReadonlySet<string> | undefined {
  const all = genotypes.map(([one, other]) => [keys(one), keys(other)] as const)
  if (all.reduce((sum, [a, b]) => sum + a.length * b.length, 0) > MAX_PAIRS) return undefined
  const pairs = new Set<string>()
  for (const [one, other] of all)
    for (const a of one) for (const b of other) pairs.add(a < b ? `${a} ${b}` : `${b} ${a}`)
  return pairs
}

/** Names of a null allele are not those of an expressed one. */
function keysOf(place: TypedPlace): number[] {
  return Array.from(place.names, (name) => 2 * name + Number(isNull(place)))
}

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

/** Mismatches between two persons, over every allele that their possible genotypes leave open. */
export function expressed(
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
  range[0] = Math.min(range[0], value)
  range[1] = Math.max(range[1], value)
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
  for (const place of places)
    choices = choices.flatMap((before) => nullChoice(place).map((one) => [...before, one]))
  return choices
}

function nullChoice(place: Place): readonly boolean[] {
  if (place.kind === 'absent') return [false]
  if (place.kind === 'untyped') return place.mayBeNull ? [false, true] : [false]
  if (place.expressed.length === 0) return [true]
  return place.nulls.length > 0 ? [false, true] : [false]
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
    common = common === undefined ? place.expressed : intersect(common, place.expressed)
  }
  return common
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
