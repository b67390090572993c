/** How cells that hold more than one typing are read; and what stands between the typings. */
import { advice, option } from '../../../advice.ts'
import { HlaError } from '../../../errors.ts'
import { recognizeShape } from '../../plan/typing-shape.ts'
import type { DigitReading } from '../digits.ts'

/**
 * `split`: two typings of the locus. `phenotype`: typings of several loci, each behind its locus. `asked`: two typings or
 * possible alleles of one, which is not guessed; of `/`, `open` where only names of different first fields are asked.
 */
export type Joined =
  | { readonly kind: 'split'; readonly separator: string; readonly slash: 'open' | 'list' }
  | { readonly kind: 'phenotype'; readonly digits: ReadonlyMap<string, DigitReading> }
  | { readonly kind: 'asked'; readonly slash: 'asked' | 'open' | 'list' }

/** Equal for columns whose cells are read alike. */
export function joinedKey(joined: Joined | undefined): string {
  if (joined === undefined) return ''
  return JSON.stringify(joined.kind === 'phenotype' ? [...joined.digits] : joined)
}

/** What may stand between two typings and means nothing else, the likelier first. */
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

/** Without the spaces round them. */
export function splitCell(text: string, separator: string): string[] {
  if (separator === ' ') return text.trim().split(/\s+/u)
  if (separator === '-' || separator === '_')
    return text.split(AROUND_PREFIX[separator]).map((part) => part.trim())
  return text.split(separator).map((part) => part.trim())
}

/** Not that of `HLA-A`. */
const AROUND_PREFIX = { '-': /(?<!HLA)-/i, _: /(?<!HLA)_/i } as const

export function isTypingLike(part: string): boolean {
  return !['other', 'pair', 'phenotype'].includes(recognizeShape(part))
}

/** Names that no list of possible alleles of one typing has: of different first fields, or one twice. */
export function areApart([first = '', second = '']: readonly string[]): boolean {
  if (first === second) return true
  const [one, other] = [findFamily(first), findFamily(second)]
  return one !== undefined && other !== undefined && one !== other
}

/** The number of the first field, or of the antigen: `A*24:02`, `2402`, `A24` and `24` are of 24. */
function findFamily(part: string): number | undefined {
  const [, digits, next] = /^(?:HLA-)?(?:[A-Za-z][A-Za-z0-9]*\*|[A-Za-z]+|\*)?(\d+)(:?)/.exec(part) ?? []
  if (digits === undefined) return undefined
  return Number(next === ':' || digits.length < 4 ? digits : digits.slice(0, 2))
}
