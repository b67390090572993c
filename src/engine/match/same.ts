/** Whether two typings of a locus are of the same person: every name counts, null alleles too. Pure. */
import type { CopySet } from './copies.ts'

/** What one copy may be, as sorted numbers of names. */
export interface Copy {
  readonly names: Int32Array
  readonly nulls: Int32Array
  /** True when it can only be a null allele. */
  readonly isNull: boolean
}
export type Genotype = readonly [Copy, Copy]

export interface Agreement {
  /** Number of copies that may be the same allele, in the best matching. */
  readonly shared: 0 | 1 | 2
  /** The same where a null allele counts as one with its reduced name: above `shared`, only expression differs. */
  readonly named: 0 | 1 | 2
  /** True when both have exactly the same possibilities. */
  readonly isIdentical: boolean
}

/** `numbers`: name -> number, for all copies that are compared. */
export function numberCopy({ names, expressed, nulls }: CopySet, numbers: Map<string, number>): Copy {
  const isNull = expressed.length === 0 && nulls.length > 0
  return { names: numbersOf(names, numbers), nulls: numbersOf(nulls, numbers), isNull }
}

function numbersOf(names: readonly string[], numbers: Map<string, number>): Int32Array {
  if (names.length === 0) return new Int32Array(0)
  return Int32Array.from(names, (name) => {
    const found = numbers.get(name) ?? numbers.size
    numbers.set(name, found)
    return found
  }).sort()
}

/** Compares one genotype each, or lists of possible ones. */
export function same(left: readonly Genotype[], right: readonly Genotype[]): Agreement {
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

type Counts = Pick<Agreement, 'shared' | 'named'>

function countShared([a, b]: Genotype, [c, d]: Genotype): Counts {
  const straight = addCounts(compareCopies(a, c), compareCopies(b, d))
  if (straight.shared === 2) return straight
  const crossed = addCounts(compareCopies(a, d), compareCopies(b, c))
  return { shared: most(straight.shared, crossed.shared), named: most(straight.named, crossed.named) }
}

/** 0: no name in common; 1: only if a null allele of one may be an expressed allele of the other; 2: a common possibility. */
function compareCopies(one: Copy, other: Copy): 0 | 1 | 2 {
  if (!intersect(one.names, other.names)) return 0
  return (one.isNull || other.isNull) && !intersect(one.nulls, other.nulls) ? 1 : 2
}

function addCounts(one: 0 | 1 | 2, other: 0 | 1 | 2): Counts {
  const count = (least: 1 | 2) => (one < least ? 0 : 1) + (other < least ? 0 : 1)
  return { shared: count(2) as 0 | 1 | 2, named: count(1) as 0 | 1 | 2 }
}

function most(one: 0 | 1 | 2, other: 0 | 1 | 2): 0 | 1 | 2 {
  return one > other ? one : other
}

function intersect(one: Int32Array, other: Int32Array): boolean {
  let [at, to] = [0, 0]
  while (at < one.length && to < other.length) {
    const difference = (one[at] ?? 0) - (other[to] ?? 0)
    if (difference === 0) return true
    if (difference < 0) at += 1
    else to += 1
  }
  return false
}

/** Called for genotypes that share both copies. */
function areIdentical(left: readonly Genotype[], right: readonly Genotype[]): boolean {
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

function isSame([a, b]: Genotype, [c, d]: Genotype): boolean {
  return (areEqual(a, c) && areEqual(b, d)) || (areEqual(a, d) && areEqual(b, c))
}

function areEqual(one: Copy, other: Copy): boolean {
  if (one === other) return true
  return (
    one.isNull === other.isNull &&
    one.names.length === other.names.length &&
    one.names.every((name, at) => name === other.names[at]) &&
    (!one.isNull || intersect(one.nulls, other.nulls))
  )
}

/** Maximum number of name pairs of a list; of two longer lists identity is not tested. */
const MAX_PAIRS = 10_000

function possiblePairs(genotypes: readonly Genotype[]): ReadonlySet<string> | undefined {
  const count = genotypes.reduce((sum, [a, b]) => sum + a.names.length * b.names.length, 0)
  if (count > MAX_PAIRS) return undefined
  const pairs = new Set<string>()
  for (const [one, other] of genotypes)
    for (const a of keysOf(one)) for (const b of keysOf(other)) pairs.add(a < b ? `${a} ${b}` : `${b} ${a}`)
  return pairs
}

/** Names of a null copy are not those of an expressed one. */
function keysOf({ names, isNull }: Copy): number[] {
  return Array.from(names, (name) => 2 * name + Number(isNull))
}
