/** A command of the store in one call, and a group of commands. */
import { type CommandSpec, commandOf, type WorkOf } from '../../cli/options/declare-command.ts'
import type { OptionRow } from '../../options/option-row.ts'

/** A command line without its `hla drive`; with the output, unless that has ids or dates. */
type StoreExample = string | readonly [line: string, output: string]

// a row of a table, whose columns these are
// oxlint-disable-next-line max-params
export function command<const Usage extends string, const Rows extends readonly OptionRow[]>(
  usage: Usage,
  summary: string,
  options: Rows,
  run: WorkOf<Usage, Rows>,
  examples: readonly StoreExample[],
): CommandSpec {
  const texts = examples.map((example) => {
    const [line, output] = typeof example === 'string' ? [example] : example
    return { command: `hla drive ${line}`, ...(output === undefined ? {} : { output }) }
  })
  return commandOf({ usage, summary, options, run, examples: texts })
}

export function group(
  usage: string,
  summary: string,
  description: string,
  commands: readonly CommandSpec[],
): CommandSpec {
  return { usage, summary, description, commands }
}

/**
 * Ids as the lists of keys, tokens, rules and revisions print them. The tests run the examples of a command one after
 * the other, on a store with the folder /registry, with real ids in place of these.
 */
export const EXAMPLE_IDS = {
  key: '8bbef0cdd0fc8131896813da16b71b2fcd30accf',
  token: 'MyoORRRoUk',
  rule: '1Yk8d0cTqJ4wS2mZ',
  revision: '1AaIokCbQSjcL-9ejcSxHhOsy9JwnrFdq',
} as const
