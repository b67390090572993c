/** Options that were given as an empty text: mostly a variable of a script that is not set. */
import type { Command } from 'commander'
import { HlaError } from '../../errors.ts'

/** Options for which an empty text is a value. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['drb3', 'drb4', 'drb5'])

/**
 * `--remote "$URL"` without the variable would answer from the data here.
 * @throws {HlaError} usage
 */
export function refuseEmptyOptions(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) !== 'cli' || MAY_BE_EMPTY.has(name)) continue
    const value: unknown = command.getOptionValue(name)
    const texts: readonly unknown[] = Array.isArray(value) ? value : [value]
    // a list of no items was an empty text
    if (texts.length > 0 && !texts.includes('')) continue
    const flag = option.long ?? option.flags
    throw new HlaError('usage', `${flag} is empty`, {
      offending: flag,
      hint: `leave ${flag} out, or give it a value: a variable of the script may not be set`,
    })
  }
}
