/** Genotypes as possibilities, and what two of them have in common. Pure. */

/** Numbers of the names that one copy may be, in order. */
export type Possible = Int32Array
/** Both copies. */
export type Genotype = readonly [Possible, Possible]

export interface Agreement {
  /** Copies that may be the same allele, matched as well as they can be. */
  readonly shared: 0 | 1 | 2
  /** Both say the same: no possibility more or less. */
  readonly isIdentical: boolean
}

/** One genotype each, or lists of possible ones. */
export function compareGenotypes(left: readonly Genotype[], right: readonly Genotype[]): Agreement {
  let shared: Agreement['shared'] = 0
  for (const one of left) {
    for (const other of right) {
      const found = countShared(one, other)
      if (found > shared) shared = found
      if (shared === 2) return { shared, isIdentical: areIdentical(left, right) }
    }
  }
  return { shared, isIdentical: false }
}

function countShared([a, b]: Genotype, [c, d]: Genotype): 0 | 1 | 2 {
  const straight = Number(intersect(a, c)) + Number(intersect(b, d))
  if (straight === 2) return 2
  const crossed = Number(intersect(a, d)) + Number(intersect(b, c))
  const most = Math.max(straight, crossed)
  return most === 2 ? 2 : most === 1 ? 1 : 0
}

function intersect(one: Possible, other: Possible): boolean {
  let [at, to] = [0, 0]
  while (at < one.length && to < other.length) {
    const difference = (one[at] ?? 0) - (other[to] ?? 0)
    if (difference === 0) return true
    if (difference < 0) at += 1
    else to += 1
  }
  return false
}

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

function areEqual(one: Possible, other: Possible): boolean {
  return one === other || (one.length === other.length && one.every((name, at) => name === other[at]))
}

/** Pairs of names that a list may stand for; two longer lists are not called identical. */
const MOST_PAIRS = 10_000

function possiblePairs(genotypes: readonly Genotype[]): ReadonlySet<string> | undefined {
  const count = genotypes.reduce((sum, [a, b]) => sum + a.length * b.length, 0)
  if (count > MOST_PAIRS) return undefined
  const pairs = new Set<string>()
  for (const [one, other] of genotypes)
    for (const a of one) for (const b of other) pairs.add(a < b ? `${a} ${b}` : `${b} ${a}`)
  return pairs
}
