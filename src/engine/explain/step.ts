/** A step of an explanation, what explaining needs, and how steps are worded. */
import type { Citation, Citations } from '../../reference/citations.ts'
import type { Engine } from '../engine.ts'

export interface Step {
  /** `parse`, `known`, `G group` … */
  readonly title: string
  readonly text: string
  /** The line of a published file that the text is about. */
  readonly citation?: Citation
}

/** What leads from a name of the release to what it reduces to. */
export interface Derivation {
  /** What was looked up, in order. */
  readonly looked: readonly Step[]
  readonly rule: string
  /** What the answer is of what was found: `first two fields`; nothing when it is the thing itself. */
  readonly form?: string
  /** The one that decided, for a summary of one line. */
  readonly decisive: Step
}

export interface Context {
  readonly engine: Engine
  readonly citations: Citations
}

/** `text, hla_nom_g.txt:7`: the place is said in words too, because most readers see only those. */
export function cited(title: string, text: string, citation: Citation | undefined, context: Context): Step {
  const place = formatCitation(citation, context)
  const words = place === undefined ? text : `${text}, ${place}`
  return citation === undefined ? { title, text: words } : { title, text: words, citation }
}

/** undefined when the source files of the release are not kept. */
export function formatCitation(citation: Citation | undefined, { engine }: Context): string | undefined {
  if (citation !== undefined) return `${citation.file}:${citation.line}`
  return engine.release.facts.dataset === 'starter' ? 'built-in starter set' : undefined
}

/** The first few, and how many there are. */
export function listed(names: readonly string[], most = 4): string {
  return some(names, most) + (names.length <= most ? '' : ` (${counted(names.length)} in all)`)
}

/** The first few. */
export function some(names: readonly string[], most = 4): string {
  return names.length <= most ? names.join(' ') : `${names.slice(0, most).join(' ')} …`
}

export function counted(count: number): string {
  return count.toLocaleString('en')
}

/** What is said again is left out. */
export function differentSteps(steps: readonly Step[]): Step[] {
  const seen = new Set<string>()
  return steps.filter(({ title, text }) => seen.size < seen.add(`${title}\n${text}`).size)
}

/** `1 allele`, `1,204 alleles` */
export function countedAlleles(count: number): string {
  return `${counted(count)} ${count === 1 ? 'allele' : 'alleles'}`
}

/** The alleles below a short name; none for a full one. */
export function allelesBelow(name: string, { engine }: Context): readonly string[] {
  return engine.release.listOf('who', name) ?? []
}
