/**
 * Examples in the help of `hla drive`. The tests run those of a command one after the other, on a store with the folder
 * /registry, and give them real ids in place of EXAMPLE_IDS.
 */
import type { ExampleText } from '../../cli/options/help.ts'

/** Ids as the lists of keys, tokens, rules and revisions print them. */
export const EXAMPLE_IDS = {
  key: '8bbef0cdd0fc8131896813da16b71b2fcd30accf',
  token: 'MyoORRRoUk',
  rule: '1Yk8d0cTqJ4wS2mZ',
  revision: '1AaIokCbQSjcL-9ejcSxHhOsy9JwnrFdq',
} as const

/** The output of most has ids and dates, which no example can show. */
export function drive(...commands: readonly string[]): readonly ExampleText[] {
  return commands.map((command) => ({ command: `hla drive ${command}` }))
}
