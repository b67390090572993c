/** What help shows: `-h` a screen, `--help` everything, with examples. */
import { type Command, Help } from 'commander'
import type { Example } from '../operations/operation.ts'
import { GLOBAL_TITLE } from './options.ts'

export const GROUP_TITLES = {
  reduce: 'Reduce:',
  names: 'Names:',
  data: 'Data and programs:',
  meta: 'About:',
} as const

/** Commands that are added to `program` later inherit it. */
export function configureHelp(program: Command, isFull: boolean): void {
  program.helpOption('-h, --help', 'show help: -h in short, --help with all options and examples')
  if (isFull) return
  const help = new Help()
  program.configureHelp({
    visibleOptions: (command) =>
      help.visibleOptions(command).filter((option) => option.helpGroupHeading !== GLOBAL_TITLE),
  })
  program.addHelpText('afterAll', ({ command }) => shortEnd(command))
}

/** Says what the short help leaves out. */
function shortEnd(command: Command): string {
  const global = command.options.filter((option) => option.helpGroupHeading === GLOBAL_TITLE)
  if (global.length === 0) return ''
  const flags = global.map(({ short, long }) => short ?? long).join(' ')
  const name = command.parent === null ? 'hla' : `hla ${command.name()}`
  return `\nGlobal options: ${flags}\nAll of it, with examples: ${name} --help`
}

/** Shown by `--help` only. */
export function addExamples(command: Command, examples: readonly Example[], isFull: boolean): void {
  if (examples.length === 0 || !isFull) return
  const shown = examples
    .map(({ command: line, output }) => `  $ ${line}\n${output.replace(/^/gm, '  ')}`)
    .join('\n\n')
  command.addHelpText('after', `\nExamples:\n${shown}`)
}
