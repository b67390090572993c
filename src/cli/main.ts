/** The rim: arguments in, exit status out. Nothing else sets the exit status or catches what nobody expected. */
import { CommanderError } from 'commander'
import { HlaError, isHlaError, messageOf } from '../errors.ts'
import { packageVersion } from '../package-root.ts'
import { OPERATIONS } from '../operations/registry.ts'
import { closest } from './closest.ts'
import { EXIT, EXIT_OF_ERROR } from './exit-status.ts'
import { BrokenPipe, writeAll } from './io/stdout.ts'
import { formatError } from './messages.ts'
import { commandFirst } from './options.ts'
import { programOf } from './program.ts'
import { explainUsage } from './usage.ts'

/** `argv` as in `process.argv`. Sets `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = EXIT.ok
  const words = commandFirst(argv.slice(2))
  const [asked] = words
  const names = [...OPERATIONS.map(({ name }) => name), 'data', 'pipe', 'help']
  try {
    if (asked !== undefined && !asked.startsWith('-') && !names.includes(asked))
      throw unknownCommand(asked, names)
    const program = programOf(asked, (status) => (process.exitCode = status))
    program.configureOutput({
      writeOut: (text) => writeAll(1, text),
      writeErr: (text) => writeAll(2, text),
      outputError: () => {},
    })
    for (const command of program.commands) command.copyInheritedSettings(program)
    if (words.length === 0) showOverview(program)
    else await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = statusOf(error, words)
  }
}

function showOverview(program: ReturnType<typeof programOf>): void {
  program.outputHelp({ error: true })
  process.exitCode = EXIT.usage
}

function unknownCommand(asked: string, names: readonly string[]): HlaError {
  const [near] = closest(asked, names)
  const suggestion = near === undefined ? '' : `Did you mean "${near}"?   `
  return new HlaError('usage', `unknown command "${asked}"`, {
    hint: `${suggestion}Run hla --help for all commands.`,
  })
}

function statusOf(error: unknown, words: readonly string[]): number {
  if (error instanceof BrokenPipe) return EXIT.brokenPipe
  if (error instanceof CommanderError) {
    if (error.exitCode === 0) return EXIT.ok
    writeAll(2, formatError(explainUsage(error, words)))
    return EXIT.usage
  }
  if (isHlaError(error)) {
    writeAll(2, formatError(error))
    return EXIT_OF_ERROR[error.code]
  }
  return reportBug(error)
}

function reportBug(error: unknown): number {
  const where =
    process.env['HLA_DEBUG'] && error instanceof Error ? `\n${error.stack}` : '; HLA_DEBUG=1 shows where'
  writeAll(2, `hla: internal error in hla ${packageVersion()}: ${messageOf(error)}${where}\n`)
  return EXIT.bug
}
