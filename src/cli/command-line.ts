/** Reads a command line: the command first, its alias resolved, a missing command guessed. */
import { isAlias, withoutAlias } from '../options/command-aliases.ts'
import { isTopic, type TopicName } from '../manual/topic-names.ts'
import { commandNames } from './commands/programs.ts'
import { commandFirst } from './options/options.ts'
import { withPyardConfig } from './run/arguments.ts'

export interface CommandLine {
  /** The command first; empty for none. */
  readonly words: readonly string[]
  /** The command was guessed. */
  readonly isGuess: boolean
  /** `hla help …` */
  readonly isHelp: boolean
  /** `tables` in `hla help tables` */
  readonly topic?: TopicName | undefined
}

/** `typed` excludes node and script. @throws {HlaError} usage; errors of a settings file of py-ard */
export async function readCommandLine(typed: readonly string[]): Promise<CommandLine> {
  const ordered = commandFirst(typed, isCommandOrAlias)
  const guess = await guessLine(typed, ordered)
  const [verb, ...rest] = guess ?? ordered
  const isHelp = verb === 'help'
  // `hla help data install` is `hla data install --help`
  const words = isHelp ? [...rest, '--help'] : (guess ?? ordered)
  return {
    words: await withPyardConfig(withoutAlias(words)),
    isGuess: guess !== undefined,
    isHelp,
    topic: isHelp && isTopic(rest[0]) ? rest[0] : undefined,
  }
}

/**
 * Guesses the intended command line for one without a command, or with py-ard's `-g`; undefined when no guess is
 * needed.
 */
async function guessLine(
  typed: readonly string[],
  [name]: readonly string[],
): Promise<readonly string[] | undefined> {
  if (name === undefined || (typed.length === 1 && ['--help', '-h'].includes(name))) return undefined
  // -g names columns of a table; in py-ard it takes a typing
  if (isCommandOrAlias(name) && !typed.some((word) => /^(?:-g|--gl)(?:=|$)/.test(word))) return undefined
  const { guessCommand } = await import('./guess/command.ts')
  return guessCommand(typed, isCommandOrAlias)
}

function isCommandOrAlias(word: string): boolean {
  return commandNames().includes(word) || isAlias(word)
}
