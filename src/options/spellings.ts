/**
 * Splits options with several parts into members: `--token XY=absent`, `--long sample=ID`, `--input-format hped`.
 * Pure.
 */
import { advice, joinAdvice, optionLike } from '../advice.ts'
import { HlaError } from '../errors.ts'
import { LAYOUT_FORMATS, LONG_PARTS, TOKEN_KINDS } from './choices.ts'
import { defined } from './option-row.ts'
import type { RawTableOptions } from './table-options.ts'

/** Replaces `token`, `long`, `skip` and `inputFormat` by the members they set. @throws {HlaError} usage — an unknown kind or part */
export function spreadOptions<T extends Merged>(given: T): T & Spread {
  const { token, long, skip, inputFormat } = given
  const merged = { token: undefined, long: undefined, skip: undefined, inputFormat: undefined }
  const members = { ...longMembers(long), ...skipMembers(skip), ...formatMembers(inputFormat) }
  return { ...given, ...merged, ...tokenMembers(given, token), ...members }
}

type Merged = Pick<
  RawTableOptions,
  'token' | 'long' | 'skip' | 'inputFormat' | 'missing' | 'absent' | 'unknown' | 'new'
>
type Spread = Pick<RawTableOptions, 'lines' | 'layout'>

/** `UNK=unknown` has the effect of `--unknown UNK`. */
function tokenMembers(given: Merged, items: readonly string[] = []): RawTableOptions {
  const pairs = items.map((item) => ({ item, at: item.lastIndexOf('=') }))
  const words = (kind: (typeof TOKEN_KINDS)[number]) =>
    pairs.flatMap(({ item, at }) => (item.slice(at + 1) === kind && at > 0 ? [item.slice(0, at)] : []))
  const wrong = pairs.find(({ item, at }) => at < 1 || !isOneOf(TOKEN_KINDS, item.slice(at + 1)))
  if (wrong !== undefined) throw notOneOf('token', 'WORD', wrong.item, TOKEN_KINDS)
  const lists = TOKEN_KINDS.map((kind) => {
    const member = kind === 'untyped' ? 'missing' : kind
    return [member, [...(given[member] ?? []), ...words(kind)]] as const
  })
  return Object.fromEntries(lists.filter(([, list]) => list.length > 0))
}

/** Parses `sample=ID,allele=A1,A2`, where columns are separated by commas too. */
function longMembers(items: readonly string[] = []): RawTableOptions {
  const part = new RegExp(`,(?=(?:${LONG_PARTS.join('|')})=)`)
  const pairs = items
    .flatMap((item) => item.split(part))
    .map((item) => {
      const [, name = '', columns = ''] = /^([^=]*)=(.+)$/s.exec(item) ?? []
      if (!isOneOf(LONG_PARTS, name)) throw notOneOf('long', 'PART', item, LONG_PARTS)
      return [name, columns] as const
    })
  const { sample, locus, allele, scores, loci } = Object.fromEntries(pairs)
  const members = { sampleColumn: sample, locusColumn: locus, alleleColumn: allele, scores }
  return defined({ ...members, tableLoci: loci?.split(',') })
}

/** Splits the items into a number of lines and a prefix. */
function skipMembers(items: readonly string[] = []): { skip?: readonly string[]; comment?: string } {
  const isCount = (item: string) => /^\d+$/.test(item)
  const count = items.findLast(isCount)
  return defined({
    skip: count === undefined ? undefined : [count],
    comment: items.findLast((item) => !isCount(item)),
  })
}

function formatMembers(format: string | undefined): RawTableOptions {
  if (format === 'lines') return { lines: true }
  if (format === undefined || !isOneOf(LAYOUT_FORMATS, format))
    return format === undefined ? {} : { inputFormat: format }
  return { layout: LAYOUTS.get(format) ?? format }
}

/** Layouts whose names are taken by record formats. */
const LAYOUTS: ReadonlyMap<string, string> = new Map([['gl-columns', 'gl'], ['wmda-lines', 'wmda']]) // prettier-ignore

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
