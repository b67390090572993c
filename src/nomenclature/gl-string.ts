/** GL Strings: text to tree and back (Milius et al. 2013, Tissue Antigens 82:106). */

/**
 * Operators from the loosest to the tightest: multilocus unphased genotype, genotype list, genotype, haplotype.
 * `/` separates the members of a typing (allele list) and is read by `designationsOf`.
 */
export const OPERATORS = ['^', '|', '+', '~'] as const
export type Operator = (typeof OPERATORS)[number]

/** A typing: one allele list, the text between `^`, `|`, `+` and `~`. */
export interface GlTyping {
  readonly kind: 'typing'
  readonly text: string
  /** Offset of the typing in the whole GL String, in UTF-16 units. */
  readonly start: number
}

export interface GlOperation {
  readonly kind: 'operation'
  readonly operator: Operator
  readonly parts: readonly GlNode[]
}

export type GlNode = GlOperation | GlTyping

/** One leaf of a GL String. */
export interface GlLeaf {
  readonly text: string
  readonly start: number
}

/** Never fails: what a leaf may be is the matter of `grammar.ts` and of the release. */
export function parseGlString(text: string, start = 0): GlNode {
  return parseFrom(text, start, 0)
}

/** The leaves of a typing, with their offsets in the whole GL String. */
export function designationsOf({ text, start }: GlTyping): GlLeaf[] {
  let at = start
  return text.split('/').map((part) => {
    const leaf = { text: part, start: at }
    at += part.length + 1
    return leaf
  })
}

export function typingsOf(node: GlNode): GlTyping[] {
  return node.kind === 'typing' ? [node] : node.parts.flatMap(typingsOf)
}

/** The same tree with the text of each typing replaced. */
export function mapTypings(node: GlNode, change: (typing: GlTyping) => string): GlNode {
  if (node.kind === 'typing') return { ...node, text: change(node) }
  return { ...node, parts: node.parts.map((part) => mapTypings(part, change)) }
}

export function formatGlString(node: GlNode): string {
  return node.kind === 'typing' ? node.text : node.parts.map(formatGlString).join(node.operator)
}

function parseFrom(text: string, start: number, level: number): GlNode {
  for (let next = level; next < OPERATORS.length; next += 1) {
    const operator = OPERATORS[next]
    if (operator !== undefined && text.includes(operator))
      return parseOperation(text, start, operator, next + 1)
  }
  return { kind: 'typing', text, start }
}

function parseOperation(text: string, start: number, operator: Operator, level: number): GlOperation {
  const parts: GlNode[] = []
  let at = start
  for (const part of text.split(operator)) {
    parts.push(parseFrom(part, at, level))
    at += part.length + 1
  }
  return { kind: 'operation', operator, parts }
}
