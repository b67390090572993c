/** What the values of a column look like, all rows of the sample counted. Words that are no typings never outweigh typings by their number. */
import { findDamage } from '../../cells/damage.ts'
import { recognizeShape, type TypingShape } from '../typing-shape.ts'

export type ContentKind = TypingShape | 'damaged'

export interface ColumnContent {
  /** Values, and different ones, that are typings or words: no empty cell and no token. */
  readonly cells: number
  /** Different values of each kind. */
  readonly kinds: Readonly<Record<ContentKind, number>>
  /** Cells of each kind. */
  readonly counts: Readonly<Record<ContentKind, number>>
}

export function readContent(values: readonly string[]): ColumnContent {
  const kinds = countNone()
  const counts = { ...kinds }
  const known = new Map<string, ContentKind>()
  for (const value of values) {
    let kind = known.get(value)
    if (kind === undefined) {
      kind = kindOf(value)
      known.set(value, kind)
      kinds[kind] += 1
    }
    counts[kind] += 1
  }
  return { cells: values.length, kinds, counts }
}

/** Most columns of a table are numbers: those are known at once. */
const DECIMAL = /^-?\d+\.\d+$/
const WHOLE = /^\d{1,8}$/

function kindOf(value: string): ContentKind {
  if (WHOLE.test(value)) return 'digits'
  if (DECIMAL.test(value)) return findDamage(value) === undefined ? 'other' : 'damaged'
  const shape = recognizeShape(value)
  return shape === 'other' && findDamage(value.trim()) !== undefined ? 'damaged' : shape
}

/**
 * Most cells are of these kinds, or most of the different values: one word, however often it stands there, hides no typings.
 */
export function isMostly({ cells, kinds, counts }: ColumnContent, asked: readonly ContentKind[]): boolean {
  const count = sum(counts, asked)
  return count > 0 && (2 * count >= cells || 2 * sum(kinds, asked) >= sum(kinds, ALL))
}

export function countKinds({ counts }: ColumnContent, asked: readonly ContentKind[]): number {
  return sum(counts, asked)
}

const ALL = ['named', 'fields', 'antigen', 'digits', 'pair', 'phenotype', 'damaged', 'other'] as const

function countNone(): Record<ContentKind, number> {
  return { named: 0, fields: 0, antigen: 0, digits: 0, pair: 0, phenotype: 0, damaged: 0, other: 0 }
}

function sum(of: Readonly<Record<ContentKind, number>>, kinds: readonly ContentKind[]): number {
  return kinds.reduce((total, kind) => total + of[kind], 0)
}

/** As if both columns were one. */
export function joinContent(one: ColumnContent, other: ColumnContent): ColumnContent {
  const add = (a: ColumnContent['kinds'], b: ColumnContent['kinds']) => {
    const total = countNone()
    for (const kind of ALL) total[kind] = a[kind] + b[kind]
    return total
  }
  return {
    cells: one.cells + other.cells,
    kinds: add(one.kinds, other.kinds),
    counts: add(one.counts, other.counts),
  }
}
