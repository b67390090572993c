/** What help shows: `-h` a screen, `--help` everything, with examples. */
import { type Command, Help } from 'commander'
import type { Example } from '../operations/operation.ts'
import { GLOBAL_TITLE, TABLES_TITLE } from './options.ts'

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
      help.visibleOptions(command).filter(({ helpGroupHeading = '' }) => !LONG.includes(helpGroupHeading)),
  })
  program.addHelpText('afterAll', ({ command }) => shortEnd(command))
}

/** Groups of options that the short help only mentions. */
const LONG = [GLOBAL_TITLE, TABLES_TITLE]

/** Says what the short help leaves out. */
function shortEnd(command: Command): string {
  const groups = LONG.map((title) => {
    const options = command.options.filter((option) => option.helpGroupHeading === title)
    const flags = options.flatMap(({ short }) => short ?? [])
    return options.length === 0 ? '' : `\n${title} ${flags.join(' ')} …`
  }).join('')
  const name = command.parent === null ? 'hla' : `hla ${command.name()}`
  return groups === '' ? '' : `${groups}\nAll of it, with examples: ${name} --help`
}

/** Shown by `--help` only. */
export function addExamples(command: Command, examples: readonly Example[], isFull: boolean): void {
  if (examples.length === 0 || !isFull) return
  const shown = examples
    .map(
      ({ command: line, output }) =>
        `  $ ${line}\n${output === '' ? '' : `${output.replace(/^/gm, '  ')}\n`}`,
    )
    .join('\n')
    .trimEnd()
  command.addHelpText('after', `\nExamples:\n${shown}`)
}
