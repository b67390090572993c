/** GL Strings: text to tree and back (Milius et al. 2013, Tissue Antigens 82:106; with `?` of GL String 1.1, Mack et al. 2023, HLA 102:206). */
import { assured } from '../errors.ts'

/**
 * Operators from the loosest to the tightest: possible genes, multilocus unphased genotype, genotype list, genotype, haplotype.
 * `/` separates the members of a typing (allele list) and is read by `listDesignations`.
 */
export const OPERATORS = ['?', '^', '|', '+', '~'] as const
export type Operator = (typeof OPERATORS)[number]

/** A typing: one allele list, the text between `?`, `^`, `|`, `+` and `~`. */
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

/** Never fails: `grammar.ts` and the release decide what a leaf may be. */
export function parseGlString(text: string): GlNode {
  return foldGlString<GlNode>(text, {
    typing: (typing, start) => ({ kind: 'typing', text: typing, start }),
    operation: (operator, parts) => ({ kind: 'operation', operator, parts }),
  })
}

/** Functions for a typing and for an operator over its parts' values; `parts` may be modified. */
export interface GlFold<T> {
  readonly typing: (text: string, start: number) => T
  readonly operation: (operator: Operator, parts: T[]) => T
}

/** Folds the whole text to one value without building a tree. Each part belongs to the tightest operator around it. */
export function foldGlString<T>(text: string, fold: GlFold<T>): T {
  // typing, operator, typing, operator, …, typing
  const pieces = text.split(/([\^?|+~])/)
  const open: T[][] = [[], [], [], [], []]
  let start = 0
  let value = fold.typing(assured(pieces[0], 'split gives a piece'), start)
  for (let at = 1; at < pieces.length; at += 2) {
    const level = OPERATORS.indexOf(pieces[at] as Operator)
    open[level]?.push(close(open, level + 1, value, fold))
    start += assured(pieces[at - 1], 'pieces and operators take turns').length + 1
    value = fold.typing(assured(pieces[at + 1], 'pieces and operators take turns'), start)
  }
  return close(open, 0, value, fold)
}

/** Closes open operations at `level` and tighter; `last` is their last part. */
function close<T>(open: T[][], level: number, last: T, fold: GlFold<T>): T {
  let value = last
  for (let tight = OPERATORS.length - 1; tight >= level; tight -= 1) {
    const operator = OPERATORS[tight]
    const parts = open[tight]
    if (operator === undefined || parts === undefined || parts.length === 0) continue
    parts.push(value)
    value = fold.operation(operator, parts)
    open[tight] = []
  }
  return value
}

/** The leaves of a typing, with their offsets in the whole GL String. */
export function listDesignations({ text, start }: GlTyping): GlLeaf[] {
  const leaves: GlLeaf[] = []
  let at = start
  for (const part of text.split('/')) {
    leaves.push({ text: part, start: at })
    at += part.length + 1
  }
  return leaves
}

export function listTypings(node: GlNode): GlTyping[] {
  return node.kind === 'typing' ? [node] : node.parts.flatMap(listTypings)
}

/** Designations of all typings of a GL String. */
export function listLeaves(glString: string): GlLeaf[] {
  return listTypings(parseGlString(glString)).flatMap(listDesignations)
}

/** Copy of the tree with each typing's text replaced. */
export function mapTypings(node: GlNode, change: (typing: GlTyping) => string): GlNode {
  if (node.kind === 'typing') return { ...node, text: change(node) }
  return { ...node, parts: node.parts.map((part) => mapTypings(part, change)) }
}

export function formatGlString(node: GlNode): string {
  return node.kind === 'typing' ? node.text : node.parts.map(formatGlString).join(node.operator)
}
