/** Options of tables are refused for a document that is written back. Pure. */
import { advice, joinAdvice, option } from '../../advice.ts'
import { isGiven } from '../../options/check-options.ts'
import { type RawTableOptions, TABLE_OPTIONS } from '../../options/table-options.ts'
import { HlaError } from '../../errors.ts'

/** `results`: columns requested for each typing. @throws {HlaError} usage */
export function refuseOfTables(options: RawTableOptions, results: readonly string[]): void {
  const said = [
    ...TABLE_OPTIONS.filter((row) => 'ofTables' in row && isGiven(row, options)).map(({ name }) =>
      option(name),
    ),
    ...(options.onError === 'report' ? [option('on-error', 'report')] : []),
  ]
  if (said.length > 0)
    throw new HlaError(
      'usage',
      advice`${joinAdvice(said, ' ')}: not for ${option('output-format', 'same')}, which writes no table`,
      { hint: 'only typings change in a document, and reports go to separate files' },
    )
  if (results.length === 1) return
  throw new HlaError(
    'usage',
    advice`${option('output-format', 'same')} writes one result per typing, not ${results.join(', ')}`,
    { hint: advice`use one method, without ${option('details')}` },
  )
}
