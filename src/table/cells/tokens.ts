/** What stands in a cell instead of a typing: missing, absent, unknown, new; each kept apart and passed through. */

/** `untyped`: nothing was typed. `absent`: typed, and the gene is not there. `unknown`: the result is not known. */
export const TOKEN_STATUSES = ['untyped', 'absent', 'unknown', 'new'] as const
export type TokenStatus = (typeof TOKEN_STATUSES)[number]

export type Tokens = Readonly<Record<TokenStatus, ReadonlySet<string>>>

/** PyPop writes `****` and `00:00`, HATK `0`, PLINK `-9`, spreadsheets the rest. NNNN, UUUU and XXXX are WMDA's. */
export const DEFAULT_TOKENS: Readonly<Record<TokenStatus, readonly string[]>> = {
  untyped: ['NA', 'N/A', 'NULL', 'None', '?', '-', '.', '0', '00', '00:00', '0000', '-9', '****'],
  absent: ['NNNN'],
  unknown: ['UUUU', 'XXXX'],
  new: ['NEW'],
}

export function makeTokens(asked: Partial<Record<TokenStatus, readonly string[] | undefined>>): Tokens {
  const named = new Set(TOKEN_STATUSES.flatMap((status) => asked[status] ?? []))
  const setOf = (status: TokenStatus) =>
    // a token that was asked for as one thing is no other thing
    new Set(asked[status] ?? DEFAULT_TOKENS[status].filter((token) => !named.has(token)))
  return {
    untyped: setOf('untyped'),
    absent: setOf('absent'),
    unknown: setOf('unknown'),
    new: setOf('new'),
  }
}

/** The tokens of the loci that may be absent: there PyPop's `00:00` says that they are. */
export function withAbsent(tokens: Tokens, more: readonly string[]): Tokens {
  const untyped = new Set([...tokens.untyped].filter((token) => !more.includes(token)))
  return { ...tokens, untyped, absent: new Set([...tokens.absent, ...more]) }
}

/** What a cell says instead of a typing; undefined for a typing. `NNNN`, `DRB3*NNNN` and `04:NEW` are told alike. */
export function findToken(text: string, locus: string | undefined, tokens: Tokens): TokenStatus | undefined {
  if (text === '') return 'untyped'
  const bare = withoutLocus(text, locus)
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
