/** Rewrites commander's usage errors in this program's words, with the correct command line. */
import type { Command, CommanderError } from 'commander'
import { existsSync } from 'node:fs'
import { type Advice, advice, command, shellWord } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { adviceOn } from '../../options/command-aliases.ts'
import { closest } from '../../closest.ts'
import { everyOptionIn } from './declare/sparse-command.ts'
import { surplusOperand, type UnknownWord, usualCommand, usualOption } from './foreign-words.ts'

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
    return unknownCommand({
      within: fullName(command),
      asked: quoted,
      names: command.commands.map((one) => one.name()),
      rest: words.slice(words.indexOf(quoted) + 1),
    })
  if (code === 'commander.unknownOption') return unknownOption(quoted, words, command)
  const meant = meantValue(code, words)
  if (meant !== undefined) return new HlaError('usage', text, { hint: meant })
  if (code === 'commander.missingArgument') {
    const usage = `${fullName(command)} ${command.usage()}`
    return new HlaError('usage', text, { hint: `${usage}   ${fullName(command)} --help lists all options.` })
  }
  const sentence = `${text.charAt(0).toLowerCase()}${text.slice(1)}`
  return new HlaError('usage', sentence, { hint: `Run ${fullName(command)} --help for all options.` })
}

export function unknownCommand(unknown: UnknownWord): HlaError {
  const { within, asked, names } = unknown
  const outer = within === 'hla help' ? 'hla' : within
  return new HlaError('usage', `unknown command "${asked}"`, {
    hint:
      usualCommand(unknown) ??
      adviceOn(asked) ??
      `${didYouMean(closest(asked, names, 1))}Run ${outer} --help for all commands.`,
  })
}

function unknownOption(option: string, words: readonly string[], command: Command): HlaError {
  // -g takes a typing in py-ard
  const typing = words[words.indexOf('-g') + 1] ?? 'A*01:01'
  if (option === '-g')
    return new HlaError('usage', `-g names GL-string columns of a table. Typings are arguments: ${fullName(command)} '${typing}'`) // prettier-ignore
  const known = everyOptionIn(command).flatMap(({ long }) => (long === undefined ? [] : [long.slice(2)]))
  const asked = option.replace(/^--?/, '').replace(/=.*$/, '')
  const usual = usualOption(option, words, known)
  if (usual !== undefined) return new HlaError('usage', `unknown option "${option}"`, { hint: usual })
  const shown = everyOptionIn(command).flatMap(({ long, hidden }) => (hidden ? [] : (long?.slice(2) ?? [])))
  const near = option.startsWith('--') ? closest(asked, [...shown, 'help'], 1).map((name) => `--${name}`) : []
  if (known.includes(asked)) return new HlaError('usage', `${option} goes after "${fullName(command)}"`)
  return new HlaError('usage', `unknown option "${option}"`, {
    hint: `${didYouMean(near)}Run ${fullName(command)} --help for all options.`,
  })
}

/** Suggested command line for an invalid value or a surplus operand. */
function meantValue(code: string, words: readonly string[]): Advice | undefined {
  const [name = '', ...args] = words
  if (code === 'commander.invalidArgument') {
    // the value of -f is an existing file: -f is the format of results
    const at = args.findIndex(
      (word, place) => /^(?:-f|--format)$/.test(args[place - 1] ?? '') && existsSync(word),
    )
    return at < 0
      ? undefined
      : advice`to read a file, use -i: ${command(name, { args: args.with(at - 1, '-i') })}`
  }
  if (code !== 'commander.excessArguments') return undefined
  const surplus = surplusOperand(words)
  if (surplus !== undefined) return surplus
  const [operand = ''] = args.filter((word) => !word.startsWith('-'))
  if (name === 'serve' && /^\d{2,5}$/.test(operand))
    return advice`did you mean ${command(name, { args: ['--port', ...args] })}?`
  if (name !== 'pipe' || operand.includes('*')) return undefined
  return [`requests are read from standard input: `, { shell: `hla pipe < ${shellWord(operand)}` }]
}

function didYouMean([near]: readonly string[]): string {
  return near === undefined ? '' : `Did you mean "${near}"?   `
}

/** Innermost command named by the words. */
function findCommand(words: readonly string[], program: Command): Command {
  for (const [at, word] of words.entries()) {
    const inner = program.commands.find((command) => command.name() === word)
    if (inner !== undefined) return findCommand(words.slice(at + 1), inner)
  }
  return program
}

function fullName(command: Command): string {
  return command.parent === null ? command.name() : `${fullName(command.parent)} ${command.name()}`
}
