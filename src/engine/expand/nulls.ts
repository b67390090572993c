/** Null alleles, which are not expressed: those that a name stands for, and names that stand for nothing else. */
import { ABSENT_GENE, withoutPrefix } from '../../nomenclature/allele.ts'
import { listLeaves } from '../../nomenclature/gl-string.ts'
import type { Release } from '../../reference/release.ts'
import { type Designation, designate } from '../designate.ts'
import type { Engine } from '../engine.ts'
import { coveredAlleles, isNull } from './covered.ts'
import { expandFamily, expandMac } from './expand-mac.ts'
import { parseMac } from './mac.ts'

export interface Expression {
  /** Null alleles, in the order of the release. */
  readonly nulls: readonly string[]
  /** True when some allele is expressed. */
  readonly isExpressed: boolean
}

/** Expression of the alleles of a name of the release: an allele, a short name or a group. */
export function expressionOf(name: string, release: Release): Expression {
  const known = release.derive(newExpressions)
  let found = known.get(name)
  if (found === undefined) {
    const alleles = coveredAlleles(name, release)
    const nulls = alleles.filter(isNull)
    found = nulls.length === 0 ? EXPRESSED : { nulls, isExpressed: nulls.length < alleles.length }
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(name, found)
  }
  return found
}

export const EXPRESSED: Expression = { nulls: [], isExpressed: true }

function newExpressions(): Map<string, Expression> {
  return new Map()
}

/** Names of a release; unlisted ones are dropped with all others. */
const MAX_KNOWN = 100_000

/**
 * Expression of everything that a leaf stands for: of a code, its members; of an antigen, its alleles.
 * @throws {HlaError} as `designate`
 */
export function leafExpression(leaf: string, engine: Engine): Expression {
  const all = leafNames(leaf, engine).map((name) => expressionOf(name, engine.release))
  return {
    nulls: [...new Set(all.flatMap(({ nulls }) => nulls))],
    isExpressed: all.some(({ isExpressed }) => isExpressed),
  }
}

/** Null alleles that any leaf of a valid GL String stands for, in the order of the text. */
export function listNulls(glString: string, engine: Engine): readonly string[] {
  return [...new Set(listLeaves(glString).flatMap(({ text }) => leafExpression(text, engine).nulls))]
}

/**
 * Names that a leaf stands for, whatever the options leave unread, and those of codes at loci without groups, which
 * reductions return; none of an absent gene.
 */
export function leafNames(leaf: string, engine: Engine): readonly string[] {
  const name = withoutPrefix(leaf)
  if (name.endsWith(`*${ABSENT_GENE}`)) return []
  return designatedNames(designate(name, withoutSwitches(engine)), engine)
}

/** Names that a designation stands for: `redux` and `match` make their sets of them. */
export function designatedNames(found: Designation, engine: Engine): readonly string[] {
  if (found.as === 'list') return found.names
  const mac = parseMac(found.name)
  if (mac !== undefined) return expandMac(mac, engine).names
  const family = found.name.endsWith(':XX') ? found.name.slice(0, -3) : ''
  return expandFamily(family, engine)?.names ?? [found.name]
}

/** The engine without options that keep or refuse kinds of names. */
export function withoutSwitches(engine: Engine): Engine {
  const { options } = engine
  if (options.off.length === 0 && options.keep.length === 0) return engine
  return { ...engine, options: { ...options, off: [], keep: [] } }
}
