/** Tokens in place of a typing: untyped, absent, unknown, new; kept distinct and passed through. */

import { ABSENT_GENE, withoutPrefix } from '../../nomenclature/allele.ts'
import { readNotation, spellNoted } from '../../nomenclature/programs.ts'
import { namesAntigensOf2026 } from '../../reference/release-number.ts'
import type { NameFacts } from './name-facts.ts'

/** `untyped`: nothing was typed. `absent`: typed, and the gene is missing. `unknown`: the result is not known. */
export const TOKEN_STATUSES = ['untyped', 'absent', 'unknown', 'new'] as const
export type TokenStatus = (typeof TOKEN_STATUSES)[number]

export interface Tokens extends Readonly<Record<TokenStatus, ReadonlySet<string>>> {
  /** True when a token looks like an allele name: `01:01`. */
  readonly hasNames: boolean
}

/**
 * PyPop writes `****` and `00:00`, HATK `0`, PLINK `-9`, spreadsheets the rest. NNNN, UUUU and XXXX are WMDA's. Words
 * match in capitals, in lower case, and with initial capitals. `X`, `*`, `-` and `blank` in place of a second typing
 * mean that none was found; `--second-blank` says whether that is a second copy of the first
 * (docs/adr/table-reading.md#words-for-no-typing).
 */
export const DEFAULT_TOKENS: Readonly<Record<TokenStatus, readonly string[]>> = {
  untyped: [
    'NA', 'N/A', 'NULL', 'None', '?', '-', '.', '0', '00', '00:00', '0000', '-9', '****',
    'ND', 'N.D.', 'N/D', 'NT', 'N.T.', 'N/T', 'not typed', 'not_typed', 'not-typed', 'untyped', 'not tested', 'not done',
    'not determined', 'not available', 'no data', 'missing', 'blank', 'X', '*', '**', '***', '??', '--', '–', '—', '000',
    '000000', '00:00:00', '-99', '-999', 'NaN', '<NA>', '#N/A', 'nil',
    // the chain beside class I in tables of T-cell receptors
    'B2M',
    // no second antigen: A-, BX
    ...['A', 'B', 'C', 'Cw', 'DR', 'DQ', 'DP'].flatMap((locus) => [`${locus}-`, `${locus}X`]),
  ],
  absent: [ABSENT_GENE, 'absent', 'not present'],
  unknown: ['UUUU', 'XXXX', 'unknown', 'unk', 'undetermined'],
  new: ['NEW', 'novel'],
} // prettier-ignore

/** Tokens that may also be part of a list or a genotype: `A*01:01+NNNN`. Others stand for a whole cell. */
const OF_PARTS: ReadonlySet<string> = new Set([
  ...DEFAULT_TOKENS.untyped.slice(0, 13), ABSENT_GENE, 'UUUU', 'XXXX', 'NEW',
]) // prettier-ignore

export function makeTokens(asked: Partial<Record<TokenStatus, readonly string[] | undefined>>): Tokens {
  const named = new Set(TOKEN_STATUSES.flatMap((status) => asked[status] ?? []))
  // a token requested for one status has no other
  const setOf = (status: TokenStatus) =>
    named.size === 0
      ? SPELLED[status]
      : new Set([...(asked[status] ?? []), ...[...SPELLED[status]].filter((token) => !named.has(token))])
  return withNames({
    untyped: setOf('untyped'),
    absent: setOf('absent'),
    unknown: setOf('unknown'),
    new: setOf('new'),
  })
}

/** Spellings of a word: in capitals, lower case, or with one or more initial capitals. */
function spellings(word: string): string[] {
  const small = word.toLowerCase()
  if (small === word.toUpperCase()) return [word]
  const title = small.replace(/(?<![a-z])[a-z]/g, (letter) => letter.toUpperCase())
  return [word, small, word.toUpperCase(), small.slice(0, 1).toUpperCase() + small.slice(1), title]
}

const SPELLED: Readonly<Record<TokenStatus, ReadonlySet<string>>> = {
  untyped: new Set(DEFAULT_TOKENS.untyped.flatMap(spellings)),
  absent: new Set(DEFAULT_TOKENS.absent.flatMap(spellings)),
  unknown: new Set(DEFAULT_TOKENS.unknown.flatMap(spellings)),
  new: new Set(DEFAULT_TOKENS.new.flatMap(spellings)),
}

/** Tokens of loci that may be absent: there PyPop's `00:00` means absent. */
export function withAbsent(tokens: Tokens, more: readonly string[]): Tokens {
  const untyped = new Set([...tokens.untyped].filter((token) => !more.includes(token)))
  return withNames({ ...tokens, untyped, absent: new Set([...tokens.absent, ...more]) })
}

/** End of a name of two to four fields; a text that begins with `00` may be PyPop's token for untyped. */
export const NAME_FIELDS = '(?!00)\\d{2,4}(?::\\d{2,4}){1,3}[A-Z]?'
const LIKE_NAME = new RegExp(`${NAME_FIELDS}$`)

function withNames(words: Omit<Tokens, 'hasNames'>): Tokens {
  const isName = (token: string) => token.includes(':') && LIKE_NAME.test(token)
  const hasNames = TOKEN_STATUSES.some((status) => [...words[status]].some(isName))
  return { ...words, hasNames }
}

/** Token status of a cell; undefined for a typing. `NNNN`, `DRB3*NNNN` and `04:NEW` are all recognised. */
export function findToken(text: string, locus: string | undefined, tokens: Tokens): TokenStatus | undefined {
  if (text === '') return 'untyped'
  return registryCode(text, locus) ?? findBareToken(text, withoutLocus(text, locus), tokens)
}

/** Registries write 97 for unknown, 98 for no second antigen, 99 for not tested. No such antigen or family exists. */
export function registryCode(text: string, locus: string | undefined): TokenStatus | undefined {
  if (text.length !== 2 || locus === undefined || !OF_ANTIGENS.has(locus)) return undefined
  return text === '97' ? 'unknown' : text === '98' || text === '99' ? 'untyped' : undefined
}

const OF_ANTIGENS: ReadonlySet<string> = new Set(['A', 'B', 'C', 'DRB1', 'DQB1'])

/** `findToken` for a part of a cell. Requested tokens may be any part. */
export function findPartToken(
  leaf: string,
  locus: string | undefined,
  tokens: Tokens,
): TokenStatus | undefined {
  if (leaf === '') return 'untyped'
  const bare = withoutLocus(leaf, locus)
  const isWord = TOKEN_STATUSES.some((status) => SPELLED[status].has(leaf) || SPELLED[status].has(bare))
  return isWord && !OF_PARTS.has(leaf) && !OF_PARTS.has(bare) ? undefined : findBareToken(leaf, bare, tokens)
}

function findBareToken(text: string, bare: string, tokens: Tokens): TokenStatus | undefined {
  for (const status of TOKEN_STATUSES) {
    if (tokens[status].has(text) || (bare !== text && tokens[status].has(bare))) return status
  }
  const field = /^\d{2,4}:([A-Z]+)$/.exec(bare)?.[1]
  return field !== undefined && tokens.new.has(field) ? 'new' : undefined
}

function withoutLocus(text: string, locus: string | undefined): string {
  if (!text.includes('*')) return text
  const [, named, rest] = /^(?:HLA-)?([A-Z][A-Z0-9]*)?\*(.+)$/.exec(text) ?? []
  if (rest === undefined || (named !== undefined && locus !== undefined && named !== locus)) return text
  return rest
}

/** Share of the different values. */
const NEARLY_ALL = 0.9

/** True when nearly all values are in this notation; values that may be antigens do not count. */
export function areNoted(values: readonly string[], facts: NameFacts): boolean {
  const noted = values.filter((value) => {
    const parts = value.trim().split(/[+/^]/)
    return parts.every((part) => readNotation(part) !== undefined && !mayBeAntigen(part.trim(), facts))
  })
  return noted.length > 0 && noted.length >= NEARLY_ALL * values.length
}

/** `A0201` -> `A*02:01`, `DQA10501-DQB10201` -> `DQA1*05:01~DQB1*02:01`; undefined for other notations. */
export function notedNames(text: string, facts: NameFacts): string | undefined {
  const names = readNotation(text)?.split('~')
  return names?.map((name) => spellNoted(name, facts.isListed, facts.respell) ?? name).join('~')
}

/** `B2708`, and with the names of 2026 `A0203`. */
export function mayBeAntigen(text: string, facts: NameFacts): boolean {
  const bare = withoutPrefix(text)
  const [, digits] = /^(?:[ABC]|Cw)(\d{4})$/.exec(bare) ?? []
  if (digits === undefined || (digits.startsWith('0') && !namesAntigensOf2026(facts.label))) return false
  return facts.isAntigen(bare)
}
