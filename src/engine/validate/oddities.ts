/** Finds oddities in a GL String of valid names: three copies, mixed loci, duplicates. */
import { assured, type Note } from '../../errors.ts'
import { withoutPrefix } from '../../nomenclature/allele.ts'
import { readNameLocus } from '../../nomenclature/antigen.ts'
import {
  listDesignations,
  formatGlString,
  type GlLeaf,
  type GlNode,
  type GlOperation,
  type GlTyping,
  listTypings,
  parseGlString,
} from '../../nomenclature/gl-string.ts'
import { isDrbxGene } from '../blend.ts'
import { THREE_COPIES } from './plausibility.ts'

/** Notes on mixed loci only, which a reduction reports too, since its answer mixes them as well. */
export function findMixedLoci(glString: string): Note[] {
  if (glString.split('^').every(isPlain)) return []
  return findOddities(parseGlString(glString)).filter(({ code }) => code === MIXED_LOCI)
}

/** Whether a part is surely of one locus. */
function isPlain(part: string): boolean {
  if (!/[/+|]/.test(part)) return true
  const [first, ...others] = part.match(/(?<![A-Z0-9])[A-Z][A-Z0-9]*(?=\*)/g) ?? []
  // antigens have no asterisk
  const hasAntigen = /(?:^|[/+|^~?])(?:HLA-)?[A-Za-z]+\d+(?:$|[/+|^~?])/.test(part)
  return first !== undefined && others.every((locus) => locus === first) && !hasAntigen
}

export function findOddities(node: GlNode): Note[] {
  if (node.kind === 'typing') return oddTyping(node)
  const odd = node.operator === '~' ? [] : oddOperation(node)
  return [...odd, ...node.parts.flatMap(findOddities)]
}

function oddTyping(typing: GlTyping): Note[] {
  const leaves = listDesignations(typing)
  if (leaves.length < 2) return []
  const loci = [...new Set(leaves.map(findLeafLocus))]
  const repeated = repeatedIn(leaves, (leaf) => withoutPrefix(leaf.text))
  return [
    ...(loci.length > 1 ? [mixedLoci('/', loci, findSpan(typing))] : []),
    ...repeated.map(({ text, start }) => twice(text, '/', [start, start + text.length])),
  ]
}

function oddOperation(node: GlOperation): Note[] {
  const { operator, parts } = node
  const notes: Note[] = []
  if (operator === '+' && parts.length > 2) {
    const message = `"+" joins ${parts.length} copies; a person has two of each locus`
    notes.push({ level: 'warning', code: THREE_COPIES, message, ...at(findSpan(node)) })
  }
  if (operator === '+' || operator === '|') {
    const loci = parts.map(listLoci)
    const [first = []] = loci
    const mixed = loci.some((other) => !other.some((locus) => first.includes(locus)))
    if (mixed) notes.push(mixedLoci(operator, [...new Set(loci.flat())], findSpan(node)))
  }
  if (operator !== '+') {
    for (const part of repeatedIn(parts, canonicalForm))
      notes.push(twice(formatGlString(part), operator, findSpan(part)))
  }
  return notes
}

const MIXED_LOCI = 'mixed-loci'

const MEANING = {
  '|': 'list mixes loci LOCI; "|" separates alternative genotypes of one locus, "^" separates loci',
  '+': 'pair mixes loci LOCI; "+" joins the two copies of one locus, "^" separates loci',
  '/': 'list mixes loci LOCI; "/" separates alternative alleles of one locus',
} as const

function mixedLoci(operator: keyof typeof MEANING, loci: readonly string[], span: Span): Note {
  const shown = `${loci.slice(0, -1).join(', ')} and ${loci.at(-1) ?? ''}`
  const message = `a "${operator}" ${MEANING[operator].replace('LOCI', () => shown)}`
  return { level: 'warning', code: MIXED_LOCI, message, ...at(span) }
}

function twice(text: string, operator: string, span: Span): Note {
  const shown = text.length > 60 ? `${text.slice(0, 60)}…` : text
  const message = `${shown} occurs twice around "${operator}"; the reduced typing has it once`
  return { level: 'warning', code: 'duplicate-allele', message, offending: text, ...at(span) }
}

type Span = readonly [start: number, end: number]

function at(position: Span): { position: Span } {
  return { position }
}

function findSpan(node: GlNode): Span {
  const typings = listTypings(node)
  const last = typings.at(-1)
  const first = assured(typings[0], 'a GL String has a typing')
  return [first.start, last === undefined ? first.start : last.start + last.text.length]
}

function listLoci(node: GlNode): string[] {
  return [...new Set(listTypings(node).flatMap(listDesignations).map(findLeafLocus))]
}

/** Locus for comparison. DRB3, DRB4 and DRB5 count as one: a chromosome has at most one of them. */
function findLeafLocus({ text }: GlLeaf): string {
  const locus = readNameLocus(withoutPrefix(text))
  return isDrbxGene(locus) ? 'DRB3/4/5' : locus
}

/** Canonical text: the order of the two copies, and of alternatives, is irrelevant. */
function canonicalForm(node: GlNode): string {
  if (node.kind === 'typing') return listDesignations(node).map(({ text }) => withoutPrefix(text)).sort().join('/') // prettier-ignore
  const parts = node.parts.map(canonicalForm)
  return (node.operator === '~' ? parts : parts.sort()).join(node.operator)
}

function repeatedIn<T>(items: readonly T[], keyOf: (item: T) => string): T[] {
  const seen = new Set<string>()
  return items.filter((item) => {
    const key = keyOf(item)
    const repeated = seen.has(key)
    seen.add(key)
    return repeated
  })
}
