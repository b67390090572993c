/** How the reduced parts of a GL String are put together: what is dropped, what is sorted. */
import { listDesignations, formatGlString, type GlNode, type GlTyping } from '../../nomenclature/gl-string.ts'
import { counted, differentSteps, type Step } from './step.ts'

/** What `redux` makes of a part; empty when nothing is left of it. */
export type ReducePart = (text: string) => string

/** One step for each list and each operator, innermost first; the same words are said once. */
export function togetherSteps(node: GlNode, reduce: ReducePart): Step[] {
  return differentSteps(explainParts(node, reduce))
}

function explainParts(node: GlNode, reduce: ReducePart): Step[] {
  if (node.kind === 'typing') return listSteps(node, reduce)
  const inner = node.parts.flatMap((part) => explainParts(part, reduce))
  const parts = node.parts.map((part) => reduce(formatGlString(part)))
  const left = parts.filter((part) => part !== '')
  const gone = parts.length - left.length
  const empty =
    gone === 0 ? '' : `${counted(gone)} of ${counted(parts.length)} left out, as nothing is left of them; `
  return [...inner, { title: node.operator, text: empty + RULES[node.operator](left) }]
}

const RULES = {
  '?': (parts: readonly string[]) => `possible genes ${sortedOnce(parts)}`,
  '^': (parts: readonly string[]) => `loci ${sortedOnce(parts)}`,
  '|': (parts: readonly string[]) => `genotypes ${sortedOnce(parts)}`,
  '+': (parts: readonly string[]) =>
    parts.length > new Set(parts).size ? 'both copies are kept, sorted' : 'copies are kept, sorted',
  '~': () => 'names in phase keep their order',
}

function sortedOnce(parts: readonly string[]): string {
  const repeated = parts.length - new Set(parts).size
  return repeated === 0
    ? 'are sorted'
    : `are sorted; ${counted(repeated)} said again ${repeated === 1 ? 'is' : 'are'} dropped`
}

function listSteps(typing: GlTyping, reduce: ReducePart): Step[] {
  const leaves = listDesignations(typing)
  if (leaves.length < 2) return []
  // a leaf that is said again gives the same names: they are only counted
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
    repeated === 0 ? '' : `, ${counted(repeated)} said again ${repeated === 1 ? 'is' : 'are'} dropped`
  return [
    {
      title: '/',
      text: `${counted(leaves.length)} names give ${counted(count)}${dropped}; sorted by their fields`,
    },
  ]
}

function namesIn(list: string): string[] {
  return list.split('/').filter((name) => name !== '')
}
