/** What commander found wrong with a command line, in our words and with the right way to say it. */
import type { Command, CommanderError } from 'commander'
import { existsSync } from 'node:fs'
import { type Advice, advice, command, shellWord } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { adviceOn } from '../../options/command-aliases.ts'
import { closest } from './closest.ts'
import { everyOptionIn } from './declare/sparse-command.ts'
import { removedCommand, removedOption } from './removed-options.ts'
import { usualCommand, usualOption } from './usual-names.ts'

/** `words` are the command line, the command first. */
export function explainUsage(
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
  words: readonly string[],
  program: Command,
): HlaError {
  const command = findCommand(words, program)
  const text = message.replace(/^error: /, '').replace(/\.$/, '')
  const quoted = /'([^']*)'/.exec(text)?.[1] ?? ''
  if (code === 'commander.unknownCommand')
    return unknownCommand(quoted, listNames(command), fullName(command))
  if (code === 'commander.unknownOption') return unknownOption(quoted, words, command)
  const meant = meantValue(code, words)
  if (meant !== undefined) return new HlaError('usage', text, { hint: meant })
  const sentence = `${text.charAt(0).toLowerCase()}${text.slice(1)}`
  return new HlaError('usage', sentence, { hint: `Run ${fullName(command)} --help for all options.` })
}

/** `within` is the command whose subcommands `names` are. */
export function unknownCommand(asked: string, names: readonly string[], within = 'hla'): HlaError {
  const removed = removedCommand(`${within} ${asked}`)
  if (removed !== undefined) return removed
  const usual = usualCommand(within, asked)
  if (usual !== undefined) return new HlaError('usage', `unknown command "${asked}"`, { hint: usual })
  return new HlaError('usage', `unknown command "${asked}"`, {
    hint: adviceOn(asked) ?? `${didYouMean(closest(asked, names, 1))}Run ${within} --help for all commands.`,
  })
}

function unknownOption(option: string, words: readonly string[], command: Command): HlaError {
  if (option === '-g') return typingsAreArguments(fullName(command), words)
  const known = everyOptionIn(command).flatMap(({ long }) => (long === undefined ? [] : [long.slice(2)]))
  const asked = option.replace(/^--?/, '').replace(/=.*$/, '')
  const removed = removedOption(asked, `--${asked}`)
  if (removed !== undefined) return removed
  const usual = usualOption(option, words, known)
  if (usual !== undefined) return new HlaError('usage', `unknown option "${option}"`, { hint: usual })
  const shown = everyOptionIn(command).flatMap(({ long, hidden }) => (hidden ? [] : (long?.slice(2) ?? [])))
  const near = option.startsWith('--') ? closest(asked, [...shown, 'help'], 1).map((name) => `--${name}`) : []
  if (known.includes(asked)) return new HlaError('usage', `${option} goes after "${fullName(command)}"`)
  return new HlaError('usage', `unknown option "${option}"`, {
    hint: `${didYouMean(near)}Run ${fullName(command)} --help for all options.`,
  })
}

/** Of a value or an operand that is none, the line that was meant. */
function meantValue(code: string, words: readonly string[]): Advice | undefined {
  const [name = '', ...args] = words
  if (code === 'commander.invalidArgument') {
    // -f is the format of results
    const at = args.findIndex(
      (word, place) => /^(?:-f|--format)$/.test(args[place - 1] ?? '') && existsSync(word),
    )
    return at < 0
      ? undefined
      : advice`a file is read with -i: ${command(name, { args: args.with(at - 1, '-i') })}`
  }
  if (code !== 'commander.excessArguments') return undefined
  const [operand = ''] = args.filter((word) => !word.startsWith('-'))
  if (name === 'serve' && /^\d{2,5}$/.test(operand))
    return advice`did you mean ${command(name, { args: ['--port', ...args] })}?`
  if (name !== 'pipe' || operand.includes('*')) return undefined
  return [`requests are read from standard input: `, { shell: `hla pipe < ${shellWord(operand)}` }]
}

function didYouMean([near]: readonly string[]): string {
  return near === undefined ? '' : `Did you mean "${near}"?   `
}

/** `-g` gives py-ard its typing. */
function typingsAreArguments(command: string, words: readonly string[]): HlaError {
  const typing = words[words.indexOf('-g') + 1] ?? 'A*01:01'
  return new HlaError(
    'usage',
    `-g names GL-string columns of a table. Typings are arguments: ${command} '${typing}'`,
  )
}

/** The innermost command that the words name. */
function findCommand(words: readonly string[], program: Command): Command {
  const outer = program.commands.find((command) => command.name() === words[0]) ?? program
  return outer.commands.find((command) => words.slice(1).includes(command.name())) ?? outer
}

function listNames(command: Command): string[] {
  return command.commands.map((one) => one.name())
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}
