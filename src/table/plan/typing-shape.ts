/** Does a text look like a typing at all? For choosing columns and recognising headers; never for reading. */
import { withoutMarks } from '../cells/damage.ts'

const NAMED = /^(?:HLA-)?(?:DR|DQ|DP|DM|DO|MIC)?[A-Z]\d?\*\d/
const FIELDS = /^\*?\d{2,4}:[\dA-Z]/
const LETTERS = /^[\w*:/+|~^#.-]+$/
const ANTIGEN = /^(?:A|B|Bw|C|Cw|DR|DRB?1?|DQ|DPw?)\d{1,4}$/
const DIGITS = /^\d{1,8}[A-Z]?$/

export type TypingShape = 'named' | 'fields' | 'antigen' | 'digits' | 'other'

/** `named`: with its locus. */
export function recognizeShape(text: string): TypingShape {
  const trimmed = withoutMarks(text.trim())
  if (NAMED.test(trimmed) || trimmed.startsWith('hla#')) return 'named'
  if (FIELDS.test(trimmed) && LETTERS.test(trimmed)) return 'fields'
  if (ANTIGEN.test(trimmed)) return 'antigen'
  return DIGITS.test(trimmed) ? 'digits' : 'other'
}

/** The share of the values that have one of the shapes; 1 when there is no value. */
export function measureShare(values: readonly string[], shapes: readonly TypingShape[]): number {
  if (values.length === 0) return 1
  return values.filter((value) => shapes.includes(recognizeShape(value))).length / values.length
}
