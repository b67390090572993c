/**
 * Explanation of a reduction: every name parsed, looked up and reduced step by step, each fact with its source line.
 */
import { type HlaError, type Note, isHlaError, orElse, withDetails } from '../../errors.ts'
import {
  type GlNode,
  type GlTyping,
  formatGlString,
  listDesignations,
  listTypings,
  parseGlString,
} from '../../nomenclature/gl-string.ts'
import type { Citations } from '../../reference/citations.ts'
import type { Engine } from '../engine.ts'
import { leafSteps } from './leaf.ts'
import { type Context, type Step, differentSteps } from './step.ts'
import { CONTRACT_METHODS, type Method } from '../reduce/methods.ts'
import { type Reduced, redux } from '../redux.ts'
import { formatCount } from '../../format-count.ts'

export { differentSteps, type Step } from './step.ts'

export interface ExplainedLeaf {
  /** As typed. */
  readonly leaf: string
  /** The leaf's part of the `redux` answer; '' when nothing is left. */
  readonly result: string
  readonly steps: readonly Step[]
}

export interface Explanation {
  /** The `redux` answer. */
  readonly text: string
  readonly notes: readonly Note[]
  /** Distinct leaves in the order of the text, up to `MAX_LEAVES`. */
  readonly leaves: readonly ExplainedLeaf[]
  /** Number of distinct leaves not explained. */
  readonly unexplained: number
  /** Steps that combine the leaves; empty for a single one. */
  readonly together: readonly Step[]
  /** Answers of the other methods, for a single leaf; methods without an answer are absent. */
  readonly other: Readonly<Partial<Record<Method, string>>>
}

/** Maximum number of distinct leaves explained. */
const MAX_LEAVES = 12

/** @throws {HlaError} as `redux`; where nothing is left, with the reason as hint */
export function explain(engine: Engine, citations: Citations, glString: string, method: Method): Explanation {
  const context = { engine, citations }
  const { text, notes } = reduceOrSayWhy(glString, method, context)
  const tree = parseGlString(glString)
  const all = listTypings(tree).flatMap(listDesignations)
  const different = [...new Set(all.map((leaf) => leaf.text))]
  const reduce = remembering((part) => whatIsLeft(engine, part, method))
  const leaves = different.slice(0, MAX_LEAVES).map((leaf) => {
    const result = reduce(leaf)
    return { leaf, result, steps: leafSteps(leaf, result, method, context) }
  })
  return {
    text,
    notes,
    leaves,
    unexplained: different.length - leaves.length,
    together: all.length > 1 ? togetherSteps(tree, reduce) : [],
    other: all.length > 1 ? {} : otherMethods(engine, glString, method),
  }
}

function reduceOrSayWhy(glString: string, method: Method, context: Context): Reduced {
  try {
    return redux(context.engine, glString, method)
  } catch (error) {
    throw isHlaError(error) && isNothingLeft(error) ? withReason(error, method, context) : error
  }
}

function withReason(error: HlaError, method: Method, context: Context): HlaError {
  const [leaf = ''] = (error.offending ?? '').split(/[\^?|+~/]/)
  const steps = leafSteps(leaf, '', method, context).slice(1, -1)
  const hint = steps.map(({ title, text }) => `${title}: ${text}`).join('\n')
  return withDetails(error, { hint })
}

function isNothingLeft({ code }: HlaError): boolean {
  return code === 'no-serology' || code === 'no-alleles'
}

/** The reduced part; '' where `redux` reports that nothing is left. */
function whatIsLeft(engine: Engine, part: string, method: Method): string {
  try {
    return redux(engine, part, method).text
  } catch (error) {
    if (isHlaError(error) && isNothingLeft(error)) return ''
    throw error
  }
}

/** Caches reductions: a part repeats in every part around it. */
function remembering(reduce: (part: string) => string): (part: string) => string {
  const known = new Map<string, string>()
  return (part) => {
    const result = known.get(part) ?? reduce(part)
    known.set(part, result)
    return result
  }
}

/** Methods without an answer, or with too long a one, are left out: the user did not ask for them. */
function otherMethods(engine: Engine, leaf: string, method: Method): Partial<Record<Method, string>> {
  const levels: Partial<Record<Method, string>> = {}
  const shown: readonly Method[] = engine.release.facts.hasHats
    ? [...CONTRACT_METHODS, 'hats']
    : CONTRACT_METHODS
  for (const other of shown) {
    if (other === method) continue
    const text = orElse(
      () => redux(engine, leaf, other).text,
      () => undefined,
    )
    if (text !== undefined) levels[other] = text
  }
  return levels
}

/** `redux` of a part; '' when nothing is left. */
type ReducePart = (text: string) => string

/** One step per list and operator, innermost first, without repeats. */
function togetherSteps(node: GlNode, reduce: ReducePart): Step[] {
  return differentSteps(explainParts(node, reduce))
}

function explainParts(node: GlNode, reduce: ReducePart): Step[] {
  if (node.kind === 'typing') return listSteps(node, reduce)
  const inner = node.parts.flatMap((part) => explainParts(part, reduce))
  const parts = node.parts.map((part) => reduce(formatGlString(part)))
  const left = parts.filter((part) => part !== '')
  const gone = parts.length - left.length
  const empty =
    gone === 0
      ? ''
      : `${formatCount(gone)} of ${formatCount(parts.length)} left out because their result is empty; `
  return [...inner, { title: node.operator, text: empty + RULES[node.operator](left) }]
}

const RULES = {
  '?': (parts: readonly string[]) => `possible genes ${sortedOnce(parts)}`,
  '^': (parts: readonly string[]) => `loci ${sortedOnce(parts)}`,
  '|': (parts: readonly string[]) => `genotypes ${sortedOnce(parts)}`,
  '+': (parts: readonly string[]) =>
    parts.length > new Set(parts).size ? 'both copies are kept, sorted' : 'copies are kept, sorted',
  '~': () => 'phased names keep their order',
}

function sortedOnce(parts: readonly string[]): string {
  const repeated = parts.length - new Set(parts).size
  return repeated === 0
    ? 'are sorted'
    : `are sorted; ${formatCount(repeated)} ${repeated === 1 ? 'repeat is' : 'repeats are'} dropped`
}

function listSteps(typing: GlTyping, reduce: ReducePart): Step[] {
  const leaves = listDesignations(typing)
  if (leaves.length < 2) return []
  // a repeated leaf gives the same names, which are only counted
  const namesByLeaf = new Map<string, readonly string[]>()
  const different = new Set<string>()
  let count = 0
  for (const { text } of leaves) {
    const known = namesByLeaf.get(text)
    const names = known ?? namesIn(reduce(text))
    count += names.length
    if (known !== undefined) continue
    namesByLeaf.set(text, names)
    for (const name of names) different.add(name)
  }
  const repeated = count - different.size
  const dropped =
    repeated === 0 ? '' : `, ${formatCount(repeated)} ${repeated === 1 ? 'repeat is' : 'repeats are'} dropped`
  return [
    {
      title: '/',
      text: `${formatCount(leaves.length)} names reduce to ${formatCount(count)}${dropped}, sorted by their fields`,
    },
  ]
}

function namesIn(list: string): string[] {
  return list.split('/').filter((name) => name !== '')
}
