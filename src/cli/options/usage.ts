/** Rewrites commander's usage errors in this program's words, with the correct command line.  [disk] */
import { existsSync } from 'node:fs'
import { type Command, CommanderError } from 'commander'
import { type Advice, advice, command } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { adviceOn } from '../../options/command-aliases.ts'
import { closest } from '../closest.ts'
import { pyardProgram } from '../guess/pyard.ts'
import type { Program } from './declare-command.ts'
import { rowOf } from './option-of.ts'
import { buildProgram } from './program.ts'

/** `words` are the command line, the command first; `programs` have their files. */
export function explainUsage(
  { code, message }: Pick<CommanderError, 'code' | 'message'>,
  words: readonly string[],
  programs: readonly Program[],
): HlaError {
  const target = findCommand(words, buildProgram(words, programs))
  const text = message.replace(/^error: /, '').replace(/\.$/, '')
  const quoted = /'([^']*)'/.exec(text)?.[1] ?? ''
  if (code === 'commander.unknownCommand')
    return unknownCommand({
      within: fullName(target),
      word: quoted,
      names: target.commands.map((inner) => inner.name()),
      rest: words.slice(words.indexOf(quoted) + 1),
      programs,
    })
  if (code === 'commander.unknownOption') return unknownOption(quoted, words, target, programs)
  if (code === 'commander.missingMandatoryOptionValue') {
    const [, option = ''] = /'(--[\w-]+)/.exec(text) ?? []
    const operands = operandsOf(words, target)
    // the value was given without its option: `token create anna@example.org`
    const line = operands.length === 1 ? words.flatMap((word) => (word === operands[0] ? [option, word] : [word])) : [] // prettier-ignore
    const advised = line.length === 0 ? undefined : typedLine(line, programs)
    if (advised !== undefined) return new HlaError('usage', `${option} is required`, { hint: advised })
  }
  if (code === 'commander.missingArgument') {
    const usage = `${fullName(target)} ${target.usage()}`
    return new HlaError('usage', text, { hint: `${usage}   ${fullName(target)} --help lists all options.` })
  }
  const sentence = `${text.charAt(0).toLowerCase()}${text.slice(1)}`
  return new HlaError('usage', sentence, { hint: `Run ${fullName(target)} --help for all options.` })
}

/** An unknown word, and its place in the line. */
interface UnknownWord {
  /** `hla`, `hla data` */
  readonly within: string
  readonly word: string
  /** Commands known there. */
  readonly names: readonly string[]
  /** Words behind it. */
  readonly rest: readonly string[]
  /** Command line with the word read as a typing. */
  readonly typing?: Advice | undefined
  readonly programs: readonly Program[]
}

export function unknownCommand({ within, word, names, rest, typing, programs }: UnknownWord): HlaError {
  const outer = within === 'hla help' ? 'hla' : within
  const pyard = within === 'hla' ? pyardProgram(word, rest) : undefined
  return new HlaError('usage', `unknown command "${word}"`, {
    hint:
      (pyard && (missingFile(pyard) ?? typedLine(pyard, programs))) ??
      adviceOn(word) ??
      typing ??
      // pyard-import installs a release
      (within === 'hla data' && word === 'import'
        ? typedLine(['data', 'install', ...rest], programs)
        : undefined) ??
      `${didYouMean(closest(word, names, 1))}Run ${outer} --help for all commands.`,
  })
}

function unknownOption(
  option: string,
  words: readonly string[],
  within: Command,
  programs: readonly Program[],
): HlaError {
  const { options } = within
  const name = nameOf(option)
  if (options.some(({ long }) => long === `--${name}`))
    return new HlaError('usage', `${option} goes after "${fullName(within)}"`)
  const names = options.flatMap(({ long, hidden }) => (hidden ? [] : (long?.slice(2) ?? [])))
  const near = option.startsWith('--')
    ? closest(name, [...names, 'help'], 1).map((other) => `--${other}`)
    : []
  return new HlaError('usage', `unknown option "${option}"`, {
    hint:
      synonymLine(words, within, programs) ??
      `${didYouMean(near)}Run ${fullName(within)} --help for all options.`,
  })
}

/** The line with hla's names of the options; undefined when it has none, or is not accepted either. */
function synonymLine(
  words: readonly string[],
  within: Command,
  programs: readonly Program[],
): Advice | undefined {
  const rows = within.options.map(rowOf)
  const names = new Set(rows.map(({ name }) => name))
  const respelled = words.map((word) => {
    if (!word.startsWith('--') || names.has(nameOf(word))) return word
    const row = rows.find(({ synonyms = [] }) => synonyms.includes(nameOf(word)))
    return row === undefined ? word : word.replace(/^--[^=]+/, `--${row.name}`)
  })
  return respelled.every((word, at) => word === words[at]) ? undefined : typedLine(respelled, programs)
}

function nameOf(option: string): string {
  return option.replace(/^--?/, '').replace(/=.*/s, '')
}

/** Says that the settings file of a line is missing: the line would fail on it. */
function missingFile(words: readonly string[]): string | undefined {
  const file = words[words.indexOf('--pyard-config') + 1]
  if (!words.includes('--pyard-config') || file === undefined || existsSync(file)) return undefined
  return `there is no file ${file}`
}

/** Suggests a line only if the parser accepts it. */
function typedLine(words: readonly string[], programs: readonly Program[]): Advice | undefined {
  const [name = '', ...args] = words
  return isAccepted(words, programs) ? advice`did you mean ${command(name, { args })}?` : undefined
}

function isAccepted(words: readonly string[], programs: readonly Program[]): boolean {
  // its topics are ours
  if (words[0] === 'help') return true
  try {
    buildProgram(words, programs).parse(words, { from: 'user' })
    return true
  } catch (error) {
    if (error instanceof CommanderError) return false
    throw error
  }
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

/** Words behind the command that are neither options nor look like their values. */
function operandsOf(words: readonly string[], target: Command): string[] {
  const names = fullName(target).split(' ').slice(1)
  return words
    .slice(names.length)
    .filter((word, at, rest) => !word.startsWith('-') && !(rest[at - 1] ?? '').startsWith('-'))
}

function fullName(target: Command): string {
  return target.parent === null ? target.name() : `${fullName(target.parent)} ${target.name()}`
}
