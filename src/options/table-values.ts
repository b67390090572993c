/** Table options whose values have several parts: `--token XY=absent`, `--long sample=ID`. Pure. */
import { advice, joinAdvice, optionLike } from '../advice.ts'
import { HlaError } from '../errors.ts'
import { LAYOUT_FORMATS, LONG_PARTS, TOKEN_KINDS } from './choices.ts'
import type { RawTableOptions } from './table-options.ts'

type TokenKind = (typeof TOKEN_KINDS)[number]

/** Words of each kind, besides the usual ones. @throws {HlaError} usage — an unknown kind */
export function parseTokens({
  token = [],
  missing = [],
}: RawTableOptions): Partial<Record<TokenKind, readonly string[]>> {
  const words = new Map<TokenKind, string[]>(missing.length === 0 ? [] : [['untyped', [...missing]]])
  for (const item of token) {
    const at = item.lastIndexOf('=')
    const kind = item.slice(at + 1)
    if (at < 1 || !isOneOf(TOKEN_KINDS, kind)) throw notOneOf('token', 'WORD', item, TOKEN_KINDS)
    words.set(kind, [...(words.get(kind) ?? []), item.slice(0, at)])
  }
  return Object.fromEntries(words)
}

/** Columns of each part: `sample=ID,allele=A1,A2`, where columns are separated by commas too. @throws {HlaError} usage — an unknown part */
export function parseLong(
  items: readonly string[] = [],
): Partial<Record<(typeof LONG_PARTS)[number], string>> {
  const part = new RegExp(`,(?=(?:${LONG_PARTS.join('|')})=)`)
  const pairs = items
    .flatMap((item) => item.split(part))
    .map((item) => {
      const [, name = '', columns = ''] = /^(.*?)=(.+)/s.exec(item) ?? []
      if (!isOneOf(LONG_PARTS, name)) throw notOneOf('long', 'PART', item, LONG_PARTS)
      return [name, columns] as const
    })
  return Object.fromEntries(pairs)
}

/** A number of lines, and a prefix of lines. */
export function parseSkip(items: readonly string[] = []): { count?: number; prefix?: string } {
  const isCount = (item: string) => /^\d+$/.test(item)
  const count = items.findLast(isCount)
  const prefix = items.findLast((item) => !isCount(item))
  return {
    ...(count === undefined ? {} : { count: Number(count) }),
    ...(prefix === undefined ? {} : { prefix }),
  }
}

/** True for a format that is a layout of a table. */
export function isLayout(format: string | undefined): format is (typeof LAYOUT_FORMATS)[number] {
  return format !== undefined && isOneOf(LAYOUT_FORMATS, format)
}

function isOneOf<T extends string>(list: readonly T[], text: string): text is T {
  return (list as readonly string[]).includes(text)
}

function notOneOf(name: string, form: string, item: string, list: readonly string[]): HlaError {
  const shape = name === 'token' ? `${form}=KIND` : `${form}=COLUMNS`
  const one = name === 'token' ? 'KIND' : form
  return new HlaError(
    'usage',
    advice`${optionLike(name, shape)}: ${one} is ${joinAdvice(list, ', ')}, not ${JSON.stringify(item)}`,
  )
}
