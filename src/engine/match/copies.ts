/** Typings of a locus as sets: what each of the two copies may be, by a method. */
import { withoutPrefix, isGrouped, readLocus } from '../../nomenclature/allele.ts'
import { type GlTyping, listDesignations, listTypings, parseGlString } from '../../nomenclature/gl-string.ts'
import type { Engine } from '../engine.ts'
import { coveredAlleles, isNull } from '../expand/covered.ts'
import { expressionOf, leafNames } from '../expand/nulls.ts'
import type { Method } from '../reduce/methods.ts'
import { type LeafRun, reduceLeaf } from '../reduce/reduce-leaf.ts'
import { findMemo, reduceName } from '../reduce/typing-memo.ts'

/** What one copy may be. Without `expressed` names it can only be a null allele. */
export interface CopySet {
  /** Names as `redux` answers them, without `HLA-`; at loci without groups the full names. */
  readonly names: readonly string[]
  /** Those that an expressed allele has. */
  readonly expressed: readonly string[]
  /** Null alleles, by their full names. */
  readonly nulls: readonly string[]
}

/**
 * Copies of each possible genotype, in the order of the text: typings joined by `+` or `~`, genotypes by `|`.
 * @throws {HlaError} as `redux`, but for an answer without names
 */
export function readGenotypes(glString: string, engine: Engine, method: Method): CopySet[][] {
  const run = { engine, method, memo: findMemo(engine, method), offset: 0, notes: [] }
  return glString
    .split('|')
    .map((genotype) => listTypings(parseGlString(genotype)).map((typing) => readCopy(typing, run)))
}

function readCopy(typing: GlTyping, run: LeafRun): CopySet {
  const leaves = listDesignations(typing).map(({ text }) => readLeaf(withoutPrefix(text), run))
  const merged = (part: (leaf: CopySet) => readonly string[]) => [...new Set(leaves.flatMap(part))]
  return {
    names: merged(({ names }) => names),
    expressed: merged(({ expressed }) => expressed),
    nulls: merged(({ nulls }) => nulls),
  }
}

function readLeaf(leaf: string, run: LeafRun): CopySet {
  const { release } = run.engine
  const reduced = reduceLeaf({ text: leaf, start: 0 }, run).map(({ text }) => text)
  const names = leafNames(leaf, run.engine)
  if (!isGrouped(readLocus(leaf)) && leaf.includes('*'))
    return fullNames(names.flatMap((name) => coveredAlleles(name, release)))
  const nulls = names.flatMap((name) => expressionOf(name, release).nulls)
  return {
    names: reduced,
    expressed: nulls.length === 0 ? reduced : expressedNames(reduced, names, run),
    nulls,
  }
}

function fullNames(alleles: readonly string[]): CopySet {
  return {
    names: alleles,
    expressed: alleles.filter((allele) => !isNull(allele)),
    nulls: alleles.filter(isNull),
  }
}

/** Reductions that some of the names with an expressed allele have. */
function expressedNames(
  reduced: readonly string[],
  names: readonly string[],
  run: LeafRun,
): readonly string[] {
  const { release } = run.engine
  const isExpressed = (name: string) => expressionOf(name, release).isExpressed
  const expressed = names.filter(isExpressed)
  if (expressed.length === 0) return []
  const own = new Set(
    expressed.flatMap((name) => reduceName(name, run).map(({ text }) => text)).filter(isExpressed),
  )
  const found = reduced.filter((name) => own.has(name))
  // names kept as typed are no reduction
  return found.length === 0 ? reduced : found
}
