/** What help shows besides options: groups of commands, examples. */
import type { Command } from 'commander'
import type { Example } from '../operations/operation.ts'

export const GROUP_TITLES = {
  reduce: 'Reduce:',
  names: 'Names:',
  data: 'Data and programs:',
  meta: 'About:',
} as const

/** `-h` ends with a hint, `--help` with the examples. */
export function addExamples(command: Command, examples: readonly Example[]): void {
  if (examples.length === 0) return
  const shown = examples
    .map(({ command: line, output }) => `  $ ${line}\n${output.replace(/^/gm, '  ')}`)
    .join('\n\n')
  command.addHelpText('after', () =>
    process.argv.includes('-h') ? '\nExamples: --help' : `\nExamples:\n${shown}`,
  )
}
