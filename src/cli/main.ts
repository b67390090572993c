/**
 * Entry point: reads the arguments and sets the exit status. No other module sets the exit status or catches
 * unexpected errors.
 */
import { type Command, CommanderError } from 'commander'
import { errorKind, errorReason, isHlaError } from '../errors.ts'
import { BrokenPipe, tell, writeAll } from '../io/stdout.ts'
import { visibleLine } from '../io/visible-text.ts'
import { versionLine } from '../package-root.ts'
import { isSystemError } from '../io/system-error.ts'
import { isTopic, TOPICS } from '../manual/topic-names.ts'
import { addActions } from './commands/dispatch.ts'
import { EXIT } from '../io/exit-status.ts'
import { formatError, reportBug } from './messages.ts'
import { isAlias, withoutAlias } from '../options/command-aliases.ts'
import { commandFirst } from './options/options.ts'
import { buildProgram, commandNames, isDeclaredLate } from './options/program.ts'
import { withPyardConfig } from './run/arguments.ts'
import {
  COMPLETE_WORD,
  DIGEST_WORD,
  LISTER_WORD,
  STORED_WORD,
  RULE_WORD,
  SERVICE_WORD,
  WORKER_WORD,
  WRITER_WORD,
} from './worker-word.ts'

export { heapFlags } from '../io/heap.ts'

/** `argv` as in `process.argv`. Sets `process.exitCode`. */
export async function main(argv: readonly string[]): Promise<void> {
  process.exitCode = EXIT.ok
  dropUndefined(process.env)
  if (argv[2] === WORKER_WORD) return (await import('./run/workers/table-worker.ts')).runTableWorker()
  if (argv[2] === WRITER_WORD) return (await import('../client/drive/cli/server/writer.ts')).runWriter()
  if (argv[2] === DIGEST_WORD)
    return (await import('../drive/persistence/contents/digest-threads.ts')).serveDigests()
  if (argv[2] === LISTER_WORD) return (await import('../drive/api/lists/lister.ts')).serveLists(argv[3] ?? '')
  if (argv[2] === RULE_WORD) return (await import('../client/drive/cli/rules/carry-out.ts')).serveRule()
  if (argv[2] === SERVICE_WORD) return (await import('./run/serve/service-thread.ts')).runServiceThread()
  if (argv[2] === STORED_WORD)
    return (await import('../client/drive/cli/tables/table-converter.ts')).runStoredTables()
  if (argv[2] === COMPLETE_WORD)
    return (await import('./run/completion/answer.ts')).answerShell(argv.slice(3))
  const typed = argv.slice(2)
  const first = commandFirst(typed, isCommandOrAlias)
  const meant = await meantBy(typed, first)
  const given = meant ?? first
  const [verb, page] = given
  // `tables` in `hla help tables`
  const topic = verb === 'help' && isTopic(page) ? page : undefined
  let words: readonly string[] = helpLast(given)
  try {
    // answered before the commands are declared
    if (typed.length === 1 && VERSION.includes(typed[0] ?? '')) return writeAll(1, `${versionLine()}\n`)
    words = await withPyardConfig(withoutAlias(words))
    const [asked] = words
    const program = await declaredProgram(words)
    addActions(program, { words, isGuess: meant !== undefined }, (status) => (process.exitCode = status))
    if (topic !== undefined) (await import('./run/manual/show.ts')).showTopic(topic)
    else if (asked !== undefined && !asked.startsWith('-') && !isCommand(asked))
      throw (await import('./options/usage.ts')).unknownCommand({
        within: verb === 'help' ? 'hla help' : 'hla',
        asked,
        // after `help`, topics count too
        names: [...commandNames(), ...(verb === 'help' ? Object.keys(TOPICS) : [])],
        rest: words.slice(1),
        typing: await (await import('./guess/command.ts')).meantTyping(asked),
      })
    else if (words.length === 0) {
      program.outputHelp({ error: true })
      process.exitCode = EXIT.usage
    } else await program.parseAsync(words, { from: 'user' })
  } catch (error) {
    process.exitCode = exitStatus(await explained(error, words))
  }
}

/**
 * Guesses the intended command line for one without a command, or with py-ard's `-g`; undefined when no guess is
 * needed.
 */
async function meantBy(
  typed: readonly string[],
  [asked]: readonly string[],
): Promise<readonly string[] | undefined> {
  if (asked === undefined || (typed.length === 1 && ASKED_ALONE.includes(asked))) return undefined
  // -g names columns of a table; in py-ard it takes a typing
  if (isCommandOrAlias(asked) && !typed.some((word) => /^(?:-g|--gl)(?:=|$)/.test(word))) return undefined
  const { meantCommand } = await import('./guess/command.ts')
  return meantCommand(typed, isCommandOrAlias)
}

const VERSION: readonly string[] = ['--version', '-V']

/** Words that need no guess when they are the only argument. */
const ASKED_ALONE: readonly string[] = ['--help', '-h', 'help', ...VERSION]

async function declaredProgram(words: readonly string[]): Promise<Command> {
  if (!isDeclaredLate(words[0])) return buildProgram(words, {}, true)
  return buildProgram(words, (await import('./options/declare/programs.ts')).DECLARATIONS)
}

function isCommandOrAlias(word: string): boolean {
  return isCommand(word) || isAlias(word)
}

function isCommand(word: string): boolean {
  return commandNames().includes(word)
}

/** `hla help data install` is `hla data install --help`. */
function helpLast(words: readonly string[]): string[] {
  const [first, ...rest] = words
  return first === 'help' ? [...rest, '--help'] : [...words]
}

/** An error of commander in this program's words; help that was printed, and any other error, unchanged. */
async function explained(error: unknown, words: readonly string[]): Promise<unknown> {
  if (!(error instanceof CommanderError)) return error
  if (error.exitCode === 0 || error.code === 'commander.help') return error
  return (await import('./options/usage.ts')).explainUsage(error, words)
}

function exitStatus(error: unknown): number {
  if (error instanceof BrokenPipe) return EXIT.brokenPipe
  if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.ok : EXIT.usage
  if (isHlaError(error)) {
    tell(formatError(error))
    return errorKind(error.code).exit
  }
  if (isSystemError(error)) {
    tell(
      `hla: error: ${error.path === undefined ? '' : `${visibleLine(error.path)}: `}${errorReason(error)}\n`,
    )
    return EXIT.io
  }
  return reportBug(error)
}

/**
 * Deletes `HLA_` variables that are empty, as scripts set them for "no value", and switches that are off:
 * `HLA_QUIET=0`.
 */
function dropUndefined(env: NodeJS.ProcessEnv): void {
  // other variables are not read
  for (const name of Object.keys(env).filter((one) => one.startsWith('HLA_'))) {
    const { [name]: value = '' } = env
    if (value === '' || (SWITCHES.has(name) && /^(?:0|false|no|off)$/i.test(value))) delete env[name]
  }
}

/** Variables of options without a value, plus HLA_DEBUG. */
const SWITCHES = new Set(['HLA_QUIET', 'HLA_DEBUG'])
