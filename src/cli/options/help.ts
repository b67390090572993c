/** Help texts: `-h` fits one screen, `--help` shows everything, with examples and topics. */
import { type Command, Help, type Option } from 'commander'
import { TOPICS } from '../../manual/topic-names.ts'
import { exampleList } from '../../manual/command-facts.ts'
import type { Example } from '../../operations/operation.ts'
import { OPTION_GROUPS } from '../../options/option-row.ts'
import { rowOf } from './option-of.ts'
import { GLOBAL_TITLE } from './options.ts'

export const GROUP_TITLES = {
  reduce: 'Reduce:',
  names: 'Names:',
  data: 'Data and programs:',
  meta: 'About:',
} as const

/** Call before adding commands: they inherit the configuration of `program`. */
export function configureHelp(program: Command, isFull: boolean): void {
  program.helpOption('-h, --help', 'print help: -h in brief, --help with all options and examples')
  program.addHelpText('afterAll', ({ command }) => (isFull ? fullEnd(command) : shortEnd(command)))
  const help = new Help()
  program.configureHelp({
    // commander would look for colours, which no text has
    displayWidth: (text) => text.length,
    optionDescription: (option) => describeOption(option, help, isFull),
    // alternatives are lines of their own
    commandUsage: (command) => {
      const [first = '', ...others] = help.commandUsage(command).split(' | ')
      return [first, ...others.map((other) => `hla ${command.name()} ${other}`)].join('\n       ')
    },
    formatHelp: (command, helper) =>
      command.parent === null
        ? commandsFirst(help.formatHelp(command, helper))
        : help.formatHelp(command, helper),
    ...(isFull ? {} : { visibleOptions: (command) => shortList(command, help.visibleOptions(command)) }),
  })
}

/** Options for the short help: the common ones of a long command, else the command's own. */
function shortList(command: Command, options: readonly Option[]): Option[] {
  const isLong =
    command.parent !== null &&
    options.some(({ helpGroupHeading = '' }) => TABLE_TITLES.includes(helpGroupHeading))
  if (!isLong) return options.filter(({ helpGroupHeading = '' }) => !LONG.includes(helpGroupHeading))
  const common = options.filter((option) => option.name() === 'help' || rowOf(option).isCommon === true)
  // commander groups by the heading of each option
  return common.map((option) => changed(option, { helpGroupHeading: 'Options:' }))
}

/** A copy of the option for help. */
function changed(option: Option, changes: object): Option {
  return Object.assign(Object.create(option) as Option, changes)
}

/** Moves the sections of commands before the sections of options. */
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
const TABLE_TITLES: readonly string[] = Object.values(OPTION_GROUPS)
const LONG = [GLOBAL_TITLE, ...TABLE_TITLES]

/** Prints choices without quotes, and omits choices that a manual topic lists. */
function describeOption(option: Option, help: Help, isFull: boolean): string {
  const { argChoices: choices, description } = option
  const brief = isFull ? rowOf(option).brief : undefined
  if (brief !== undefined)
    return choices === undefined || choices.length > FEW ? brief : `${brief}: ${choices.join(' ')}`
  if (choices === undefined) return help.optionDescription(option)
  const isListed = choices.length > MOST_CHOICES || choices.every((choice) => description.includes(choice))
  const text = isListed ? description : `${description}: ${choices.join(', ')}`
  return help.optionDescription(changed(option, { argChoices: undefined, description: text }))
}

const MOST_CHOICES = 10
const FEW = 4

const EXAMPLES = new WeakMap<Command, readonly Example[]>()

/** An example; without output as its command alone, or with its output behind it. */
export type ExampleText = string | readonly [command: string, output: string] | Example

/** Adds examples to a command. `--help` and the manual show them; a test runs them. */
export function addExamples(command: Command, examples: readonly ExampleText[]): Command {
  EXAMPLES.set(command, examples.map(readExample))
  return command
}

function readExample(text: ExampleText): Example {
  if (typeof text === 'string') return { command: text, output: '' }
  return 'command' in text ? text : { command: text[0], output: text[1] }
}

export function listExamples(command: Command): readonly Example[] {
  return EXAMPLES.get(command) ?? []
}

/** End of the short help: lists what it leaves out. */
function shortEnd(command: Command): string {
  const lists: readonly (readonly [string, readonly string[]])[] = [
    [GLOBAL_TITLE, [GLOBAL_TITLE]],
    ['Tables:', TABLE_TITLES],
  ]
  const groups = lists
    .map(([title, titles]) => {
      const options = command.options.filter(({ helpGroupHeading = '' }) => titles.includes(helpGroupHeading))
      const flags = options.flatMap(({ short }) => short ?? [])
      return options.length === 0 ? '' : `\n${title} ${flags.join(' ')} …`
    })
    .join('')
  const isProgram = command.parent === null
  const name = isProgram ? 'hla' : `hla ${command.name()}`
  const topics = isProgram ? `\n${wrapped(`Help topics: ${Object.keys(TOPICS).join(' ')}`)}` : ''
  const first = isProgram || groups === '' ? [] : listExamples(command).slice(0, MOST_SHORT)
  const examples = exampleText(first.map((example) => ({ ...example, output: '' })))
  return groups === ''
    ? ''
    : `${examples}${examples === '' ? '' : '\n'}${groups}${topics}\nAll options, with examples: ${name} --help`
}

function fullEnd(command: Command): string {
  const examples = exampleText(shownExamples(command))
  return command.parent === null ? `${examples}\n${topicList()}` : examples
}

/** Maximum number of examples in the short help. */
const MOST_SHORT = 3

function exampleText(examples: readonly Example[]): string {
  const texts = examples.map(
    ({ command: line, output = '' }) =>
      `  $ ${line}\n${output === '' ? '' : `${output.replace(/^/gm, '  ')}\n`}`,
  )
  const between = examples.every(({ output = '' }) => output === '') ? '' : '\n'
  return texts.length === 0 ? '' : `\nExamples:\n${texts.join(between).trimEnd()}`
}

function shownExamples(command: Command): Example[] {
  return exampleList(
    listExamples(command),
    command.commands.map((inner) => shownExamples(inner)),
  )
}

/** Words in lines of at most 80 columns; those behind the first begin with two spaces. */
function wrapped(text: string): string {
  return text.replace(/(.{1,78})(?: |$)/g, '$1\n  ').trimEnd()
}

function topicList(): string {
  const width = Math.max(...Object.keys(TOPICS).map((name) => name.length))
  const lines = Object.entries(TOPICS).map(([name, about]) => `  ${name.padEnd(width)}  ${about}`)
  return `\nHelp topics (hla help <topic>):\n${lines.join('\n')}`
}
