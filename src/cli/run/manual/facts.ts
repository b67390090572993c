/** What the manual is made from, gathered where it is known. */
import { LAYOUTS } from '../../../table/plan/layouts.ts'
import { RECORD_FORMATS, TABLE_PROGRAMS } from '../../../table/input/records/record-formats.ts'
import { POPULATION_FORMATS } from '../../../table/output/population/population-formats.ts'
import { DEFAULT_TOKENS, TOKEN_STATUSES, type TokenStatus } from '../../../table/cells/tokens.ts'
import type { ManualFacts } from '../../../manual/manual-facts.ts'
import type { Term } from '../../../manual/page.ts'
import { packageVersion } from '../../../package-root.ts'
import { EXIT } from '../../exit-status.ts'
import { programFacts } from '../../options/program-facts.ts'
import { FORMATS } from '../../options/formats.ts'
import { EXIT_MEANINGS, FORMAT_MEANINGS, VARIABLES } from './meanings.ts'

export function manualFacts(): ManualFacts {
  return {
    version: packageVersion(),
    program: programFacts(),
    exits: exits(),
    formats: FORMATS.map((format) => [format, FORMAT_MEANINGS[format]]),
    layouts: Object.entries(LAYOUTS).map(([name, { summary }]) => [name, summary]),
    recordFormats: RECORD_FORMATS.map(({ name, summary, example }) => [name, summary, example]),
    outputFormats: [...POPULATION_FORMATS].map(([name, { summary }]) => [name, summary]),
    tablePrograms: TABLE_PROGRAMS.map(([name, header]) => [
      name,
      `\`${header.trim().replaceAll('\t', ' ')}\``,
    ]),
    tokens: TOKEN_STATUSES.map((status) => [status, listTokens(status)]),
    variables: Object.entries(VARIABLES),
  }
}

function exits(): Term[] {
  // the keys of EXIT are its type
  const names = Object.keys(EXIT) as (keyof typeof EXIT)[]
  return names.toSorted((a, b) => EXIT[a] - EXIT[b]).map((name) => [String(EXIT[name]), EXIT_MEANINGS[name]])
}

function listTokens(status: TokenStatus): string {
  const empty = status === 'untyped' ? ['an empty cell'] : []
  return `${[...empty, ...DEFAULT_TOKENS[status].map((token) => `\`${token}\``)].join(', ')}.`
}
