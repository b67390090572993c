/** Alleles that typings stand for in a release: names by a method of `redux` for `same`, at a level of comparison for `expressed`. */
import { HlaError, isHlaError, type Note } from '../../errors.ts'
import { firstField, isGrouped, readLocus, withoutPrefix } from '../../nomenclature/allele.ts'
import { type GlLeaf, listDesignations, listTypings, parseGlString } from '../../nomenclature/gl-string.ts'
import { findMalformation, malformedError } from '../../nomenclature/grammar.ts'
import type { Release } from '../../reference/release.ts'
import type { TceGroup } from '../../reference/sources/tce.ts'
import { type Designation, designate } from '../designate.ts'
import type { Engine } from '../engine.ts'
import { coveredAlleles, isNull } from '../expand/covered.ts'
import { designatedNames, expressionOf, leafNames } from '../expand/nulls.ts'
import { locateError } from '../locate-error.ts'
import { type Method, METHODS } from '../reduce/methods.ts'
import { type LeafRun, reduceLeaf } from '../reduce/reduce-leaf.ts'
import { reduceAntigenToS, reduceToS } from '../reduce/serology.ts'
import { findMemo, reduceName } from '../reduce/typing-memo.ts'
import type { TypingNames } from './sets.ts'

/** Levels of comparison; `W` compares alleles as written, `S` split antigens, `broad` broad ones. */
export const MATCH_LEVELS = ['P', 'G', 'lgx', 'U2', 'W', 'S', 'broad'] as const
export type MatchLevel = (typeof MATCH_LEVELS)[number]

/** `leave-out`: nulls of a typing that may be an expressed allele, too, are not considered. */
export const NULL_RULES = ['leave-out', 'count'] as const
export type NullRule = (typeof NULL_RULES)[number]

export const TCE_VERSIONS = [1, 2] as const
export type TceVersion = (typeof TCE_VERSIONS)[number]

export interface ResolvedTyping {
  /** Its expressed alleles at the level; undefined when one has no name there, so that any is possible. */
  readonly expressed: readonly string[] | undefined
  /** Null alleles that it may be; without expressed ones it is a null. */
  readonly nulls: readonly string[]
  /** Split antigens; undefined when an allele has none, and where neither level nor grade needs them. */
  readonly antigens: readonly string[] | undefined
  readonly firstFields: readonly string[]
  /** T-cell epitope groups of its expressed alleles; empty at other loci than DPB1. */
  readonly epitopes: readonly TceGroup[]
  /** Expressed alleles of DPB1 without such a group. */
  readonly withoutEpitope: readonly string[]
  /** True when only antigens are typed. */
  readonly isSerology: boolean
  readonly notes: readonly Note[]
}

export interface ResolveRules {
  readonly level: MatchLevel
  readonly nulls: NullRule
  readonly tce: TceVersion
  /** Say whether a mismatch is of antigens or of alleles. */
  readonly isGraded: boolean
}

/** The engine of a run, and its forms that answer split and broad antigens. */
export interface MatchEngines {
  readonly plain: Engine
  readonly split: Engine
  readonly broad: Engine
}

export function makeMatchEngines(engine: Engine): MatchEngines {
  const at = (antigens: 'split' | 'broad') => ({ ...engine, options: { ...engine.options, antigens } })
  return { plain: engine, split: at('split'), broad: at('broad') }
}

/**
 * Names of each copy of each possible genotype, in the order of the text: typings joined by `+` or `~`, genotypes by `|`.
 * At loci without groups they are the full names; others are as `redux` answers them, without `HLA-`.
 * @throws {HlaError} as `redux`, but for an answer without names
 */
export function readGenotypes(glString: string, engine: Engine, method: Method): TypingNames[][] {
  const run = { engine, method, memo: findMemo(engine, method), offset: 0, notes: [] }
  return glString.split('|').map((genotype) =>
    listTypings(parseGlString(genotype)).map((typing) => {
      const leaves = listDesignations(typing).map(({ text }) => reducedNames(withoutPrefix(text), run))
      const merged = (part: keyof TypingNames) => distinct(leaves.flatMap((leaf) => leaf[part]))
      return { names: merged('names'), expressed: merged('expressed'), nulls: merged('nulls') }
    }),
  )
}

function reducedNames(leaf: string, run: LeafRun): TypingNames {
  const { release } = run.engine
  const reduced = reduceLeaf({ text: leaf, start: 0 }, run).map(({ text }) => text)
  const names = leafNames(leaf, run.engine)
  if (!isGrouped(readLocus(leaf)) && leaf.includes('*')) {
    const alleles = names.flatMap((name) => coveredAlleles(name, release))
    return { names: alleles, ...splitNulls(alleles) }
  }
  const nulls = names.flatMap((name) => expressionOf(name, release).nulls)
  return {
    names: reduced,
    expressed: nulls.length === 0 ? reduced : expressedNames(reduced, names, run),
    nulls,
  }
}

/** Reductions that some of the names with an expressed allele have. */
function expressedNames(
  reduced: readonly string[],
  names: readonly string[],
  run: LeafRun,
): readonly string[] {
  const isExpressed = (name: string) => expressionOf(name, run.engine.release).isExpressed
  const expressed = names.filter(isExpressed)
  if (expressed.length === 0) return []
  const own = new Set(expressed.flatMap((name) => reduceName(name, run).map(({ text }) => text)))
  const found = reduced.filter((name) => own.has(name) && isExpressed(name))
  // for names kept as typed, which no method reduced
  return found.length === 0 ? reduced : found
}

function splitNulls(alleles: readonly string[]): Pick<TypingNames, 'expressed' | 'nulls'> {
  return { expressed: alleles.filter((allele) => !isNull(allele)), nulls: alleles.filter(isNull) }
}

/**
 * Resolves the allele list of one place.
 * @throws {HlaError} errors of its names
 */
export function resolveTyping(text: string, rules: ResolveRules, engines: MatchEngines): ResolvedTyping {
  const { release } = engines.plain
  const leaves = listDesignations({ kind: 'typing', text, start: 0 })
  const read = leaves.map((leaf) => readLeaf(leaf, engines.plain))
  const names = read.flatMap(({ found }) => designatedNames(found, engines.plain))
  const { expressed, nulls } = splitNulls(distinct(names.flatMap((name) => allelesOf(name, release))))
  const typed = read.flatMap(({ found }) =>
    found.as === 'list' && found.antigen !== undefined ? [found] : [],
  )
  const isSerology = typed.length === read.length
  const isLeftOut = nulls.length > 0 && expressed.length > 0 && rules.nulls === 'leave-out'
  const antigens = needsAntigens(rules, release)
    ? isSerology
      ? antigensOfTyped(typed, engines.split)
      : antigensOf(expressed, engines.split)
    : undefined
  const groups = [...expressed, ...nulls].some((allele) => allele.startsWith('DPB1*'))
    ? expressed.map((allele) => [allele, release.tceOf(allele, rules.tce)] as const)
    : []
  return {
    expressed: namesAt(rules.level, { expressed, typed, isSerology, antigens }, engines),
    nulls: isLeftOut ? [] : nulls,
    antigens,
    firstFields: distinct(expressed.map(firstField)),
    epitopes: distinct(groups.flatMap(([, group]) => group ?? [])),
    withoutEpitope: groups.flatMap(([allele, group]) => (group === undefined ? [allele] : [])),
    isSerology,
    notes: [...read.flatMap(({ notes }) => notes), ...(isLeftOut ? [noteNulls(text, nulls)] : [])],
  }
}

function readLeaf(leaf: GlLeaf, engine: Engine) {
  const malformed = findMalformation(leaf.text)
  if (malformed !== undefined) throw malformedError(malformed, leaf.text, leaf.start)
  const name = withoutPrefix(leaf.text)
  try {
    const found = designate(name, engine)
    if (found.as === 'list' && found.names.length === 0) throw withoutAlleles(name)
    const notes = found.notes.map((note): Note => ({ ...note, offending: leaf.text }))
    return { found, notes: [...notes, ...expressionNotes(name)] }
  } catch (error) {
    throw isHlaError(error) ? locateError(error, leaf) : error
  }
}

/** Such as Bw4: it would be compared as a null allele. */
function withoutAlleles(antigen: string): HlaError {
  return new HlaError('no-alleles', `no allele of antigen ${antigen} is known`, { offending: antigen })
}

/** A short name without the letter N stands for its expressed alleles, unless only nulls bear it. */
function allelesOf(name: string, release: Release): readonly string[] {
  const alleles = coveredAlleles(name, release)
  if (release.listOf('groupMembers', name) !== undefined) return alleles
  const expressed = alleles.filter((allele) => !isNull(allele))
  return expressed.length === 0 ? alleles : expressed
}

type TypedAntigen = Extract<Designation, { as: 'list' }>

interface Alleles {
  readonly expressed: readonly string[]
  readonly typed: readonly TypedAntigen[]
  readonly isSerology: boolean
  readonly antigens: readonly string[] | undefined
}

function namesAt(
  level: MatchLevel,
  { expressed, typed, isSerology, antigens }: Alleles,
  engines: MatchEngines,
): readonly string[] | undefined {
  if (level === 'S') return antigens
  if (level === 'broad')
    return isSerology ? antigensOfTyped(typed, engines.broad) : antigensOf(expressed, engines.broad)
  const { reduce } = METHODS[level satisfies Method]
  return distinct(expressed.flatMap((allele) => reduce(allele, engines.plain)))
}

/** Antigens of typed ones; a broad antigen stands for its splits, unless broad ones are asked for. */
function antigensOfTyped(typed: readonly TypedAntigen[], engine: Engine): readonly string[] {
  const antigens = typed.flatMap(
    ({ antigen = '', names }) => reduceAntigenToS(antigen, names, engine) ?? [antigen],
  )
  return distinct(antigens.flatMap((antigen) => splitsOf(antigen, engine)))
}

/** The starter set has no split antigens: it grades by first fields, and refuses levels of antigens. */
function needsAntigens({ level, isGraded }: ResolveRules, { facts }: Release): boolean {
  return level === 'S' || level === 'broad' || (isGraded && facts.dataset !== 'starter')
}

/** undefined when an allele has no antigen. */
function antigensOf(expressed: readonly string[], engine: Engine): readonly string[] | undefined {
  const antigens = new Set<string>()
  for (const allele of expressed) {
    const own = reduceToS(allele, engine)
    if (own.length === 0) return undefined
    for (const antigen of own) for (const split of splitsOf(antigen, engine)) antigens.add(split)
  }
  return [...antigens]
}

function splitsOf(antigen: string, { release, options }: Engine): readonly string[] {
  return options.antigens === 'broad' ? [antigen] : (release.facts.broads[antigen] ?? [antigen])
}

function distinct<T>(items: readonly T[]): readonly T[] {
  return [...new Set(items)]
}

/** An allele with another letter than N is expressed. */
function expressionNotes(name: string): readonly Note[] {
  const [letter] = /(?<=\*.*\d)[LSQCA]$/.exec(name) ?? []
  if (letter === undefined) return []
  const message = `${name} counts as expressed: ${EXPRESSION[letter] ?? ''}`
  return [{ level: 'note', code: 'expression', message, offending: name }]
}

/** https://hla.alleles.org/pages/nomenclature/naming_alleles/ */
const EXPRESSION: Readonly<Record<string, string>> = {
  L: 'L means low cell surface expression',
  S: 'S means that it is secreted only',
  Q: 'Q means that its expression is questionable',
  C: 'C means that it is in the cytoplasm only',
  A: 'A means that its expression is uncertain',
}

function noteNulls(text: string, nulls: readonly string[]): Note {
  const more = nulls.length > MAX_NAMED ? ` and ${nulls.length - MAX_NAMED} more` : ''
  const message = `${text} may be a null allele (${nulls.slice(0, MAX_NAMED).join(', ')}${more}), which is left out`
  return { level: 'note', code: 'null-possible', message, offending: text }
}

const MAX_NAMED = 4
