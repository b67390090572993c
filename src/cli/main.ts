/**
 * Entry point: reads the arguments and answers with the exit status. No other module decides the exit status or catches
 * unexpected errors.
 */
import { CommanderError } from 'commander'
import { errorKind, errorReason, isHlaError } from '../errors.ts'
import { asRun, type Streams } from '../io/run.ts'
import { BrokenPipe, tell, writeOut } from '../io/stdout.ts'
import { visibleLine } from '../io/visible-text.ts'
import { versionLine } from '../package-root.ts'
import { isSystemError } from '../io/system-error.ts'
import { isTopic, TOPICS } from '../manual/topic-names.ts'
import { OPERATIONS } from '../operations/registry.ts'
import { addActions } from './commands/dispatch.ts'
import { commandNames, loadPrograms } from './commands/programs.ts'
import { EXIT } from '../io/exit-status.ts'
import { formatError, reportBug } from './messages.ts'
import { isAlias, withoutAlias } from '../options/command-aliases.ts'
import { commandFirst } from './options/options.ts'
import { buildProgram } from './options/program.ts'
import { withPyardConfig } from './run/arguments.ts'
import {
  COMPLETE_WORD,
  DIGEST_WORD,
  LISTER_WORD,
  STORED_WORD,
  RULE_WORD,
  SERVICE_WORD,
  WRITER_WORD,
} from './worker-word.ts'

export { heapFlags } from '../io/heap.ts'

/**
 * Carries out a command line; `argv` as in `process.argv`. With `streams`, it is one of several in this process.
 * @returns the exit status
 */
export async function main(argv: readonly string[], streams?: Streams): Promise<number> {
  const words = argv.slice(2)
  dropUndefined(process.env)
  if (streams !== undefined) return asRun(words, streams, () => carryOut(words))
  const part = PARTS.get(words[0] ?? '')
  if (part === undefined) return carryOut(words)
  await part(words.slice(1))
  return EXIT.ok
}

/** Threads and processes of the program, and shell completion: first word -> its work. */
const PARTS = new Map<string, (words: readonly string[]) => Promise<void>>([
  [WRITER_WORD, async () => (await import('../drive/serve/writer.ts')).runWriter()],
  [DIGEST_WORD, async () => (await import('../drive/persistence/contents/digest-threads.ts')).serveDigests()],
  [LISTER_WORD, async ([word = '']) => (await import('../drive/api/lists/lister.ts')).serveLists(word)],
  [RULE_WORD, async () => (await import('../drive/rules/rule-thread.ts')).runRuleThread()],
  [SERVICE_WORD, async () => (await import('./run/serve/service-thread.ts')).runServiceThread()],
  [STORED_WORD, async () => (await import('../drive/commands/tables/table-converter.ts')).runStoredTables()],
  [
    COMPLETE_WORD,
    async (words) => (await import('./run/completion/answer.ts')).answerShell(words, await loadPrograms()),
  ],
])

async function carryOut(typed: readonly string[]): Promise<number> {
  const first = commandFirst(typed, isCommandOrAlias)
  const guess = await guessLine(typed, first)
  const line = guess ?? first
  const [verb, page] = line
  // `tables` in `hla help tables`
  const topic = verb === 'help' && isTopic(page) ? page : undefined
  let words: readonly string[] = helpLast(line)
  let status: number = EXIT.ok
  try {
    // answered before the commands are declared
    if (typed.length === 1 && VERSION.includes(typed[0] ?? '')) {
      writeOut(`${versionLine()}\n`)
      return EXIT.ok
    }
    words = await withPyardConfig(withoutAlias(words))
    const [name] = words
    const program = buildProgram(words, isOperation(name) ? [] : await loadPrograms(name ?? ''), true)
    addActions(program, { words, isGuess: guess !== undefined }, (exit) => (status = exit))
    if (topic !== undefined) (await import('./run/manual/show.ts')).showTopic(topic, await loadPrograms())
    else if (name !== undefined && !name.startsWith('-') && !isCommand(name))
      throw (await import('./options/usage.ts')).unknownCommand({
        within: verb === 'help' ? 'hla help' : 'hla',
        asked: name,
        // after `help`, topics count too
        names: [...commandNames(), ...(verb === 'help' ? Object.keys(TOPICS) : [])],
        rest: words.slice(1),
        typing: await (await import('./guess/command.ts')).meantTyping(name),
        programs: await loadPrograms(),
      })
    else if (words.length === 0) {
      program.outputHelp({ error: true })
      return EXIT.usage
    } else await program.parseAsync(words, { from: 'user' })
    return status
  } catch (error) {
    return exitStatus(await explained(error, words))
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
  if (name === undefined || (typed.length === 1 && ASKED_ALONE.includes(name))) return undefined
  // -g names columns of a table; in py-ard it takes a typing
  if (isCommandOrAlias(name) && !typed.some((word) => /^(?:-g|--gl)(?:=|$)/.test(word))) return undefined
  const { meantCommand } = await import('./guess/command.ts')
  return meantCommand(typed, isCommandOrAlias)
}

const VERSION: readonly string[] = ['--version', '-V']

/** Words that need no guess when they are the only argument. */
const ASKED_ALONE: readonly string[] = ['--help', '-h', 'help', ...VERSION]

function isCommandOrAlias(word: string): boolean {
  return isCommand(word) || isAlias(word)
}

function isCommand(word: string): boolean {
  return commandNames().includes(word)
}

function isOperation(word: string | undefined): boolean {
  return OPERATIONS.some(({ name }) => name === word)
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
  return (await import('./options/usage.ts')).explainUsage(error, words, await loadPrograms())
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
