/** What is said of tables means nothing for a document that is written back: it is refused, not passed over. Pure. */
import { HlaError } from '../../errors.ts'

/** Members of the options, and how they are written. */
const OF_TABLES = [
  ['csv', '--csv'], ['tsv', '--tsv'], ['delimiter', '--delimiter'], ['headerRow', '--header-row'], ['skip', '--skip'],
  ['comment', '--comment'], ['quote', '--quote'], ['ragged', '--ragged'], ['sheet', '--sheet'],
  ['planFrom', '--plan-from'], ['sampleColumn', '--sample-column'], ['locusColumn', '--locus-column'], ['alleleColumn', '--allele-column'],
  ['scores', '--scores'], ['tableLoci', '--table-loci'], ['sampleFrom', '--sample-from'], ['layout', '--layout'], ['columns', '--columns'],
  ['exclude', '--exclude'], ['locus', '--locus'], ['gl', '--gl'], ['onlyNamed', '--only-named'], ['subject', '--subject'],
  ['idColumn', '--id-column'], ['cellSeparator', '--cell-separator'], ['name', '--name'], ['glOut', '--gl-out'], ['glsc', '--glsc'],
  ['drbx', '--drbx'], ['secondBlank', '--second-blank'], ['dropSource', '--drop-source'], ['locusPrefix', '--locus-prefix'],
  ['outDelimiter', '--out-delimiter'], ['eol', '--eol'], ['bom', '--bom'], ['shape', '--shape'],
] as const // prettier-ignore

type Said = { readonly [K in (typeof OF_TABLES)[number][0] | 'header' | 'onError']?: unknown }

/** `results`: what each typing becomes. @throws {HlaError} usage */
export function refuseOfTables(options: Said, results: readonly string[]): void {
  const said = [
    ...OF_TABLES.filter(([member]) => options[member] !== undefined).map(([, option]) => option),
    ...(options.header === false ? ['--no-header'] : []),
    ...(options.onError === 'report' ? ['--on-error report'] : []),
  ]
  if (said.length > 0)
    throw new HlaError('usage', `${said.join(' ')}: not for --output-format same, which writes no table`, {
      hint: 'a document keeps all but its typings, and its reports stand in files of their own',
    })
  if (results.length === 1) return
  throw new HlaError(
    'usage',
    `--output-format same writes one answer for a typing, not ${results.join(', ')}`,
    {
      hint: 'one method, without --details',
    },
  )
}
