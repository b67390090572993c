/** What is said of tables means nothing for a document that is written back: it is refused, not passed over. Pure. */
import { advice, joinAdvice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'

/** Members of the options, as options are called. */
const OF_TABLES = [
  'csv', 'tsv', 'delimiter', 'headerRow', 'skip', 'comment', 'quote', 'ragged', 'sheet', 'planFrom', 'sampleColumn', 'locusColumn', 'alleleColumn',
  'scores', 'tableLoci', 'sampleFrom', 'layout', 'columns', 'exclude', 'locus', 'gl', 'onlyNamed', 'subject', 'idColumn', 'cellSeparator', 'name',
  'glOut', 'glsc', 'drbx', 'secondBlank', 'dropSource', 'locusPrefix', 'outDelimiter', 'eol', 'bom', 'shape',
] as const // prettier-ignore

type Said = { readonly [K in (typeof OF_TABLES)[number] | 'header' | 'onError']?: unknown }

/** `results`: what each typing becomes. @throws {HlaError} usage */
export function refuseOfTables(options: Said, results: readonly string[]): void {
  const said = [
    ...OF_TABLES.filter((member) => options[member] !== undefined).map((member) => option(longName(member))),
    ...(options.header === false ? [option('no-header')] : []),
    ...(options.onError === 'report' ? [option('on-error', 'report')] : []),
  ]
  if (said.length > 0)
    throw new HlaError(
      'usage',
      advice`${joinAdvice(said, ' ')}: not for ${option('output-format', 'same')}, which writes no table`,
      { hint: 'a document keeps all but its typings, and its reports stand in files of their own' },
    )
  if (results.length === 1) return
  throw new HlaError(
    'usage',
    advice`${option('output-format', 'same')} writes one answer for a typing, not ${results.join(', ')}`,
    { hint: advice`one method, without ${option('details')}` },
  )
}

/** `headerRow` -> `header-row` */
function longName(member: string): string {
  return member.replace(/[A-Z]/g, (letter) => `-${letter.toLowerCase()}`)
}
