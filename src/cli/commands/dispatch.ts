/** Connects declared commands to what they do. */
import type { Command } from 'commander'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import { assured, HlaError } from '../../errors.ts'
import { runOf } from '../options/declare-command.ts'
import { applySettings, namingSource, noteNamedRelease } from '../run/settings.ts'
import { runOperationCommand } from './operation.ts'
import { loadPrograms, PROGRAMS } from './programs.ts'

/**
 * Attaches actions to the commands of a program. `words` are the command line; `isGuess` marks a corrected one. Passes
 * the exit status to `done`.
 */
export function addActions(
  program: Command,
  line: { readonly words: readonly string[]; readonly isGuess: boolean },
  done: (status: number) => void,
): void {
  for (const [command, path] of leaves(program)) {
    const operation = path.length === 1 ? OPERATIONS.find(({ name }) => name === path[0]) : undefined
    const run = async (...given: unknown[]) => {
      refuseEmptyOptions(command)
      refuseEmptyArguments(command, given, operation)
      const settings = PROGRAMS.find(({ name }) => name === path[0])?.settings
      if (operation !== undefined || settings === 'applied') await applySettings(command, loadPrograms)
      if (operation !== undefined) await noteNamedRelease(command)
      if (operation !== undefined) return done(await runOperationCommand(command, operation, given, line))
      // arguments first, then the options and the command
      const texts = given.slice(0, command.registeredArguments.length).flat()
      const words = texts.filter((text) => typeof text === 'string')
      const work = assured(runOf(command), 'a command that is no group does something')
      // commander has parsed the values that the type of the options declares
      done(await work(words, command.optsWithGlobals() as never, loadPrograms))
    }
    command.action((...given: unknown[]) => namingSource(command, () => run(...given)))
  }
}

/** Leaf commands with their paths. */
function leaves(
  command: Command,
  path: readonly string[] = [],
): (readonly [Command, path: readonly string[]])[] {
  if (command.commands.length === 0) return [[command, path]]
  return command.commands.flatMap((one) => leaves(one, [...path, one.name()]))
}

/**
 * Refuses empty arguments, which scripts pass for unset variables. An empty typing is answered as a typing, and
 * `hla config set` may set an empty text.
 * @throws {HlaError} usage
 */
function refuseEmptyArguments(
  command: Command,
  given: readonly unknown[],
  operation: Operation | undefined,
): void {
  if (command.parent?.name() === 'config') return
  for (const [at, argument] of command.registeredArguments.entries()) {
    if (operation !== undefined && operation.leading?.includes(argument.name()) !== true) continue
    if (![given[at]].flat().includes('')) continue
    throw new HlaError('usage', `the argument ${argument.name()} is empty`, {
      hint: 'a variable of the script may be unset',
    })
  }
}

/** Options that accept an empty text. */
const MAY_BE_EMPTY: ReadonlySet<string> = new Set(['drb3', 'drb4', 'drb5'])

/**
 * Refuses empty values: `--remote "$URL"` with an unset variable would answer from local data.
 * @throws {HlaError} usage
 */
function refuseEmptyOptions(command: Command): void {
  for (const option of command.options) {
    const name = option.attributeName()
    if (command.getOptionValueSource(name) !== 'cli' || MAY_BE_EMPTY.has(name)) continue
    const texts: readonly unknown[] = [command.getOptionValue(name) as unknown].flat()
    // an empty text parses to an empty list
    if (texts.length > 0 && !texts.includes('')) continue
    const flag = option.long ?? option.flags
    throw new HlaError('usage', `${flag} is empty`, {
      offending: flag,
      hint: `leave ${flag} out, or give it a value: a variable of the script may be unset`,
    })
  }
}
