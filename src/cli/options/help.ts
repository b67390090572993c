/** What help shows: `-h` a screen, `--help` everything, with examples and topics. */
import { type Command, Help } from 'commander'
import { TOPICS } from '../../manual/topic-names.ts'
import { exampleList } from '../../manual/command-facts.ts'
import type { Example } from '../../operations/operation.ts'
import { GLOBAL_TITLE, TABLES_TITLE } from './options.ts'

export const GROUP_TITLES = {
  reduce: 'Reduce:',
  names: 'Names:',
  data: 'Data and programs:',
  meta: 'About:',
} as const

/** Commands that are added to `program` later inherit it. */
export function configureHelp(program: Command, isFull: boolean): void {
  program.helpOption('-h, --help', 'print help: -h in brief, --help with all options and examples')
  program.addHelpText('afterAll', ({ command }) => (isFull ? fullEnd(command) : shortEnd(command)))
  const help = new Help()
  program.configureHelp({
    formatHelp: (command, helper) =>
      command.parent === null
        ? commandsFirst(help.formatHelp(command, helper))
        : help.formatHelp(command, helper),
  })
  if (isFull) return
  program.configureHelp({
    ...program.configureHelp(),
    visibleOptions: (command) =>
      help.visibleOptions(command).filter(({ helpGroupHeading = '' }) => !LONG.includes(helpGroupHeading)),
  })
}

/** Who asks what there is wants to know the commands; options of all of them stand below. */
function commandsFirst(text: string): string {
  const titles: readonly string[] = Object.values(GROUP_TITLES)
  const sections = text.split('\n\n')
  const isCommands = (section: string) => titles.includes(section.split('\n', 1)[0] ?? '')
  const first = sections.findIndex((section) => section.startsWith('Options:'))
  const head = sections.slice(0, Math.max(first, 0))
  const rest = sections.slice(Math.max(first, 0))
  return [...head, ...rest.filter(isCommands), ...rest.filter((section) => !isCommands(section))]
    .map((section) => section.replace(/\n$/, ''))
    .join('\n\n')
    .concat('\n')
}

/** Groups of options that the short help only mentions. */
const LONG = [GLOBAL_TITLE, TABLES_TITLE]

const EXAMPLES = new WeakMap<Command, readonly Example[]>()

/** Shown by `--help` and in the manual, and run by a test. */
export function addExamples(command: Command, examples: readonly Example[]): Command {
  EXAMPLES.set(command, examples)
  return command
}

export function listExamples(command: Command): readonly Example[] {
  return EXAMPLES.get(command) ?? []
}

/** Says what the short help leaves out. */
function shortEnd(command: Command): string {
  const groups = LONG.map((title) => {
    const options = command.options.filter((option) => option.helpGroupHeading === title)
    const flags = options.flatMap(({ short }) => short ?? [])
    return options.length === 0 ? '' : `\n${title} ${flags.join(' ')} …`
  }).join('')
  const isProgram = command.parent === null
  const name = isProgram ? 'hla' : `hla ${command.name()}`
  const topics = isProgram ? `\nHelp topics: ${Object.keys(TOPICS).join(' ')}` : ''
  return groups === '' ? '' : `${groups}${topics}\nAll of it, with examples: ${name} --help`
}

function fullEnd(command: Command): string {
  const shown = shownExamples(command).map(
    ({ command: line, output }) => `  $ ${line}\n${output === '' ? '' : `${output.replace(/^/gm, '  ')}\n`}`,
  )
  const examples = shown.length === 0 ? '' : `\nExamples:\n${shown.join('\n').trimEnd()}`
  return command.parent === null ? `${examples}\n${topicList()}` : examples
}

function shownExamples(command: Command): Example[] {
  return exampleList(
    listExamples(command),
    command.commands.map((one) => shownExamples(one)),
  )
}

function topicList(): string {
  const width = Math.max(...Object.keys(TOPICS).map((name) => name.length))
  const lines = Object.entries(TOPICS).map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
  return `\nHelp topics (hla help <topic>):\n${lines.join('\n')}`
}
