/** Refuses options that would have no effect. Pure. */
import { type Advice, advice, joinAdvice, option } from '../advice.ts'
import { HlaError } from '../errors.ts'
import { type Condition, memberOf, type OptionRow } from './option-row.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * `said` are the options of this command line or request; `all` also has those of settings, which may have no effect.
 * @throws {HlaError} usage
 */
export function refuseIdle(rows: readonly OptionRow[], said: Given, all: Given = said): void {
  const idle = readsLines(said) ? rows.find((row) => row.ofTables === true && isGiven(row, said)) : undefined
  if (idle !== undefined)
    throw new HlaError(
      'usage',
      advice`${nameOf(idle)} cannot be combined with ${option('input-format', 'lines')}, which reads no table`,
    )
  for (const row of rows.filter((one) => isGiven(one, said))) {
    const { requires, excludes = [] } = row
    if (requires !== undefined && !requires.some((one) => holds(one, rows, all)))
      throw new HlaError(
        'usage',
        advice`${nameOf(row)} requires ${joinAdvice(requires.map(conditionText), ' or ')}`,
      )
    const against = excludes.find((one) => holds(one, rows, said))
    if (against !== undefined)
      throw new HlaError('usage', advice`${nameOf(row)} cannot be combined with ${found(against, said)}`)
  }
}

/** True when the input is one typing per line. */
function readsLines({ lines, inputFormat }: Given): boolean {
  return lines === true || inputFormat === 'lines'
}

/** Refuses options for typing records when the rows are read as a table. @throws {HlaError} usage */
export function refuseOfRecords(rows: readonly OptionRow[], said: Given, table: string): void {
  const row = rows.find((one) => one.needs === 'records' && isGiven(one, said))
  if (row === undefined) return
  throw new HlaError(
    'usage',
    advice`${nameOf(row)} requires a table with one row per typing, and ${table} is not read as one`,
  )
}

/** commander stores `--no-header` as `header`, true unless given. */
export function isGiven({ name }: OptionRow, given: Given): boolean {
  const value = given[memberOf(name)]
  return name.startsWith('no-') ? value === false : value !== undefined && value !== false
}

function holds({ option, values }: Condition, rows: readonly OptionRow[], given: Given): boolean {
  const row = rows.find(({ name }) => name === option)
  if (row === undefined || !isGiven(row, given)) return false
  return values === undefined || values.includes(String(given[memberOf(option)]))
}

function nameOf({ name }: OptionRow): Advice {
  return [{ option: name }]
}

function conditionText({ option, values, form }: Condition): Advice {
  if (form !== undefined) return [{ option, form }]
  if (values === undefined) return [{ option }]
  const [only, another] = values
  return [another === undefined ? { option, value: only } : { option, form: values.join('|') }]
}

function found({ option, values }: Condition, given: Given): Advice {
  return [{ option, ...(values === undefined ? {} : { value: String(given[memberOf(option)]) }) }]
}
