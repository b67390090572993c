/** Steps of an explanation, their context, and their wording. */
import type { Citation, Citations } from '../../reference/citations.ts'
import type { Engine } from '../engine.ts'
import { formatCount } from '../../format-count.ts'

export interface Step {
  /** `parse`, `known`, `G group` … */
  readonly title: string
  readonly text: string
  /** Line of the published file that supports the text. */
  readonly citation?: Citation
}

/** Derivation of a reduction from a name of the release. */
export interface Derivation {
  /** Look-ups in order. */
  readonly looked: readonly Step[]
  readonly rule: string
  /** Part of the finding that is the answer: `first two fields`; undefined when it is all of it. */
  readonly form?: string
  /** The look-up that decided, for a summary of one line. */
  readonly decisive: Step
}

export interface Context {
  readonly engine: Engine
  readonly citations: Citations
}

/** `text, hla_nom_g.txt:7`: the citation is also in the text, since most readers see only that. */
export function citeStep(
  title: string,
  text: string,
  citation: Citation | undefined,
  context: Context,
): Step {
  const place = formatCitation(citation, context)
  const words = place === undefined ? text : `${text}, ${place}`
  return citation === undefined ? { title, text: words } : { title, text: words, citation }
}

/** undefined when the source files of the release are not kept. */
export function formatCitation(citation: Citation | undefined, { engine }: Context): string | undefined {
  if (citation !== undefined) return `${citation.file}:${citation.line}`
  return engine.release.facts.dataset === 'starter' ? 'built-in starter set' : undefined
}

/** First few names, and the total. */
export function listNames(names: readonly string[], most = 4): string {
  return firstNames(names, most) + (names.length <= most ? '' : ` (${formatCount(names.length)} in all)`)
}

/** First few names. */
export function firstNames(names: readonly string[], most = 4): string {
  return names.length <= most ? names.join(' ') : `${names.slice(0, most).join(' ')} …`
}

/** Steps without repeats. */
export function differentSteps(steps: readonly Step[]): Step[] {
  const seen = new Set<string>()
  return steps.filter(({ title, text }) => seen.size < seen.add(`${title}\n${text}`).size)
}

/** Alleles below a short name; empty for a full one. */
export function allelesBelow(name: string, { engine }: Context): readonly string[] {
  return engine.release.listOf('who', name) ?? []
}
