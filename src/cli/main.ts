/**
 * Entry point: settings of the environment, the command, its run, and the exit status. No other module decides the exit
 * status or catches unexpected errors.
 */
import { CommanderError } from 'commander'
import { errorKind, errorReason, isHlaError } from '../errors.ts'
import { EXIT } from '../io/exit-status.ts'
import { asRun, type Streams } from '../io/run.ts'
import { BrokenPipe, tell, writeOut } from '../io/stdout.ts'
import { isSystemError } from '../io/system-error.ts'
import { visibleLine } from '../io/visible-text.ts'
import { versionLine } from '../package-root.ts'
import { readCommandLine } from './command-line.ts'
import { runCommand } from './commands/dispatch.ts'
import { formatError, reportBug } from './messages.ts'
import { PARTS } from './parts.ts'

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

async function carryOut(words: readonly string[]): Promise<number> {
  try {
    // answered before a command is declared
    if (words.length === 1 && ['--version', '-V'].includes(words[0] ?? '')) {
      writeOut(`${versionLine()}\n`)
      return EXIT.ok
    }
    return await runCommand(await readCommandLine(words))
  } catch (error) {
    return exitStatus(error)
  }
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
  for (const name of Object.keys(env).filter((variable) => variable.startsWith('HLA_'))) {
    const { [name]: value = '' } = env
    if (value === '' || (SWITCHES.has(name) && /^(?:0|false|no|off)$/i.test(value))) delete env[name]
  }
}

/** Variables of options without a value, plus HLA_DEBUG. */
const SWITCHES = new Set(['HLA_QUIET', 'HLA_DEBUG'])
