/** Runs the command that a command line names. */
import { type Command, CommanderError } from 'commander'
import { assured, HlaError } from '../../errors.ts'
import { EXIT } from '../../io/exit-status.ts'
import { TOPICS } from '../../manual/topic-names.ts'
import type { Operation } from '../../operations/operation.ts'
import { OPERATIONS } from '../../operations/registry.ts'
import type { CommandLine } from '../command-line.ts'
import { workOf } from '../options/declare-command.ts'
import { buildProgram } from '../options/program.ts'
import { applySettings, namingSource, noteNamedRelease } from '../run/settings.ts'
import { runOperationCommand } from './operation.ts'
import { commandNames, loadPrograms, PROGRAMS } from './programs.ts'

/**
 * Returns the exit status; prints help, or a topic of the manual, where the line asks for it.
 * @throws {HlaError} usage — an unknown command or option; any error of the command
 */
export async function runCommand(line: CommandLine): Promise<number> {
  const { words, topic } = line
  const [name] = words
  if (topic !== undefined) {
    const { showTopic } = await import('../run/manual/show.ts')
    showTopic(topic, await loadPrograms())
    return EXIT.ok
  }
  if (name !== undefined && !name.startsWith('-') && !commandNames().includes(name))
    throw await unknownName(line, name)
  const isOperation = OPERATIONS.some((operation) => operation.name === name)
  const program = buildProgram(words, isOperation ? [] : await loadPrograms(name ?? ''), true)
  if (name === undefined) {
    program.outputHelp({ error: true })
    return EXIT.usage
  }
  let status: number = EXIT.ok
  addActions(program, line, (exit) => (status = exit))
  try {
    await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    const isUsage = error instanceof CommanderError && error.exitCode !== 0 && error.code !== 'commander.help'
    if (!isUsage) throw error
    // commander's message in the words of this program
    throw (await import('../options/usage.ts')).explainUsage(error, words, await loadPrograms())
  }
  return status
}

async function unknownName({ words, isHelp }: CommandLine, name: string): Promise<HlaError> {
  const { unknownCommand } = await import('../options/usage.ts')
  const { guessTyping } = await import('../guess/command.ts')
  return unknownCommand({
    within: isHelp ? 'hla help' : 'hla',
    word: name,
    // after `help`, topics count too
    names: [...commandNames(), ...(isHelp ? Object.keys(TOPICS) : [])],
    rest: words.slice(1),
    typing: await guessTyping(name),
    programs: await loadPrograms(),
  })
}

/** Attaches actions to the commands of a program. Passes the exit status to `done`. */
function addActions(program: Command, line: CommandLine, done: (status: number) => void): void {
  for (const [command, path] of leaves(program)) {
    const operation = path.length === 1 ? OPERATIONS.find(({ name }) => name === path[0]) : undefined
    const run = async (...values: unknown[]) => {
      refuseEmptyOptions(command)
      refuseEmptyArguments(command, values, operation)
      const settings = PROGRAMS.find(({ name }) => name === path[0])?.settings
      if (operation !== undefined || settings === 'applied') await applySettings(command, loadPrograms)
      if (operation !== undefined) await noteNamedRelease(command)
      if (operation !== undefined) return done(await runOperationCommand(command, operation, values, line))
      // commander passes the arguments first, then the options and the command
      const parameters = [
        ...values.slice(0, command.registeredArguments.length),
        command.optsWithGlobals(),
        loadPrograms,
      ]
      const work = assured(workOf(command), 'a command that is no group does something')
      // parsed by the declarations from which WorkOf has its types
      done((await work(...(parameters as never[]))) ?? EXIT.ok)
    }
    command.action((...values: unknown[]) => namingSource(command, () => run(...values)))
  }
}

/** Leaf commands with their paths. */
function leaves(
  command: Command,
  path: readonly string[] = [],
): (readonly [Command, path: readonly string[]])[] {
  if (command.commands.length === 0) return [[command, path]]
  return command.commands.flatMap((inner) => leaves(inner, [...path, inner.name()]))
}

/**
 * Refuses empty arguments, which scripts pass for unset variables. An empty typing is answered as a typing, and
 * `hla config set` may set an empty text.
 * @throws {HlaError} usage
 */
function refuseEmptyArguments(
  command: Command,
  values: readonly unknown[],
  operation: Operation | undefined,
): void {
  if (command.parent?.name() === 'config') return
  for (const [at, argument] of command.registeredArguments.entries()) {
    if (operation !== undefined && operation.leading?.includes(argument.name()) !== true) continue
    if (![values[at]].flat().includes('')) continue
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
