/** Cells with more than one typing: their kinds and separators. */
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { recognizeShape } from '../../plan/typing-shape.ts'
import type { DigitReading } from '../digits.ts'

/**
 * `split`: two typings of the locus. `phenotype`: typings of several loci, each after its locus. `asked`: two typings
 * or possible alleles of one, which the user must decide; with `/` and `open`, only for names of different first
 * fields.
 */
export type Joined =
  | { readonly kind: 'split'; readonly separator: string; readonly slash: 'open' | 'list' }
  | { readonly kind: 'phenotype'; readonly digits: ReadonlyMap<string, DigitReading> }
  | { readonly kind: 'asked'; readonly slash: 'asked' | 'open' | 'list' }

/** Equal keys mean that cells are read alike. */
export function joinedKey(joined: Joined | undefined): string {
  if (joined === undefined) return ''
  return JSON.stringify(joined.kind === 'phenotype' ? [...joined.digits] : joined)
}

/** Possible separators of two typings, likelier first; they have no other meaning. */
export const SEPARATORS = [',', ';', ' '] as const

const NAMES: ReadonlyMap<string, string> = new Map([
  ['comma', ','],
  ['semicolon', ';'],
  ['space', ' '],
  ['slash', '/'],
  ['pipe', '|'],
])

/** `auto`, `none`, or one character. @throws {HlaError} usage */
export function parseCellSeparator(text: string): string {
  const one = NAMES.get(text) ?? text
  if (one === 'auto' || one === 'none' || /^[ ,;/|_\\&%#!=-]$/.test(one)) return one
  throw new HlaError(
    'usage',
    advice`${option('cell-separator')} is auto, none or one character, not ${JSON.stringify(text)}`,
    {
      hint: 'such as , ; / pipe or space',
    },
  )
}

/** Parts of a cell, trimmed. */
export function splitCell(text: string, separator: string): string[] {
  if (separator === ' ') return text.trim().split(/\s+/u)
  if (separator === '-' || separator === '_')
    return text.split(AROUND_PREFIX[separator]).map((part) => part.trim())
  return text.split(separator).map((part) => part.trim())
}

/** Excludes the hyphen or underscore of `HLA-A`. */
const AROUND_PREFIX = { '-': /(?<!HLA)-/i, _: /(?<!HLA)_/i } as const

export function isTypingLike(part: string): boolean {
  return !['other', 'pair', 'phenotype'].includes(recognizeShape(part))
}

/** True for names that cannot be possible alleles of one typing: of different first fields, or equal. */
export function areApart([first = '', second = '']: readonly string[]): boolean {
  if (first === second) return true
  const [one, other] = [findFamily(first), findFamily(second)]
  return one !== undefined && other !== undefined && one !== other
}

/** Number of the first field or antigen: 24 for `A*24:02`, `2402`, `A24` and `24`. */
function findFamily(part: string): number | undefined {
  const [, digits, next] = /^(?:HLA-)?(?:[A-Za-z][A-Za-z0-9]*\*|[A-Za-z]+|\*)?(\d+)(:?)/.exec(part) ?? []
  if (digits === undefined) return undefined
  return Number(next === ':' || digits.length < 4 ? digits : digits.slice(0, 2))
}
