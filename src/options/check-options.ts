/** Refuses options that would have no effect. Pure. */
import { type Advice, advice, joinAdvice, option, optionLike } from '../advice.ts'
import { HlaError } from '../errors.ts'
import { type Condition, memberOf, type OptionRow } from './option-row.ts'

type Given = Readonly<Record<string, unknown>>

/**
 * `said` are the options of this command line or request; `all` also has those of settings, which may have no effect.
 * @throws {HlaError} usage
 */
export function refuseIdle(rows: readonly OptionRow[], said: Given, all: Given = said): void {
  const idle =
    said['inputFormat'] === 'lines'
      ? rows.find((row) => row.ofTables === true && isGiven(row, said))
      : undefined
  if (idle !== undefined)
    throw new HlaError(
      'usage',
      advice`${option(idle.name)} cannot be combined with ${option('input-format', 'lines')}, which reads no table`,
    )
  for (const row of rows.filter((one) => isGiven(one, said))) {
    const { requires, excludes = [] } = row
    if (requires !== undefined && !requires.some((one) => holds(one, rows, all)))
      throw new HlaError(
        'usage',
        advice`${option(row.name)} requires ${joinAdvice(requires.map(conditionText), ' or ')}`,
      )
    const against = excludes.find((one) => holds(one, rows, said))
    if (against !== undefined)
      throw new HlaError(
        'usage',
        advice`${option(row.name)} cannot be combined with ${option(against.option, against.values && String(said[memberOf(against.option)]))}`,
      )
  }
}

/** commander stores `--no-header` as `header`, true unless given. */
export function isGiven({ name }: OptionRow, given: Given): boolean {
  const value = given[memberOf(name)]
  return name.startsWith('no-') ? value === false : value !== undefined && value !== false
}

function holds({ option: asked, values }: Condition, rows: readonly OptionRow[], given: Given): boolean {
  const row = rows.find(({ name }) => name === asked)
  if (row === undefined || !isGiven(row, given)) return false
  return values === undefined || values.includes(String(given[memberOf(asked)]))
}

function conditionText({ option: name, values, form }: Condition): Advice {
  return form === undefined ? option(name, values?.[0]) : optionLike(name, form)
}
