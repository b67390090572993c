/** Whether a conversion can be resumed, and from where.  [disk] */
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import {
  type Checkpoint,
  differencesOf,
  readCheckpoint,
  type RunIdentity,
} from '../../../../table/run/checkpoint.ts'
import { HlaError, reasonOf } from '../../../../errors.ts'
import type { TableOptions } from '../../../options/table-options.ts'
import { syncFolder, writeDurably } from '../../../../io/atomic-write.ts'
import type { Door, Source } from '../../../../io/door.ts'
import { isDevice, partOf, sumOfStart } from '../../../../io/part-file.ts'
import type { SinkMark } from '../../../../io/sink.ts'
import { shellWords } from '../../shell-words.ts'
import type { Kept } from './kept.ts'

/** How often a checkpoint is due. */
export interface CheckpointPace {
  readonly rows: number
  /** Milliseconds: each waits for the disk. */
  readonly pause: number
}

const DEFAULT_PACE: CheckpointPace = { rows: 50_000, pause: 1000 }

/** What can be resumed, by whom, and from where. */
export interface Resumption {
  readonly pace: CheckpointPace
  readonly identity: RunIdentity
  /** What is resumed now; undefined: nothing. */
  readonly earlier: Checkpoint | undefined
}

export interface Resumable {
  readonly source: Pick<Source, 'name' | 'size' | 'identity'>
  readonly door: Pick<Door, 'isRemote'>
  readonly output: string
  /** Signals are the business of whoever runs it, and so is what is done again. */
  readonly isUnbroken?: boolean
  readonly options: Pick<TableOptions, 'checkpoint' | 'resume' | 'errors'>
}

/** undefined: there are no checkpoints. @throws {HlaError} usage — they are asked for, and cannot be */
export function checkpointPace({
  source,
  door,
  output,
  options,
  isUnbroken = false,
}: Resumable): CheckpointPace | undefined {
  const { checkpoint, resume = false } = options
  if (isUnbroken) return undefined
  const reason = whyNot(source, output, door)
  if (reason !== undefined && (resume || checkpoint !== undefined))
    throw new HlaError('usage', `${resume ? '--resume' : '--checkpoint'}: ${reason}`)
  if (reason !== undefined || checkpoint === 0) return undefined
  return checkpoint === undefined ? DEFAULT_PACE : { rows: checkpoint, pause: 0 }
}

function whyNot(
  { name, size }: Resumable['source'],
  output: string,
  { isRemote }: Resumable['door'],
): string | undefined {
  if (output === '-') return 'what went to standard output cannot be continued; -o names a file'
  if (!isRemote(output) && isDevice(output)) return `what went to ${output} cannot be continued`
  if (name === 'stdin') return 'standard input cannot be read again; -i names a file'
  if (isRemote(name)) return undefined
  // what is not there is said when it is opened
  const isThere = statSync(name, { throwIfNoEntry: false }) !== undefined
  return isThere && size === undefined ? `${name} is not a file that can be read again` : undefined
}

export function statePath(output: string): string {
  return `${output}.hla-state.json`
}

/** Complete or as it was before; its part has one name, so that a killed run leaves at most one. For this user alone. */
export function writeState(output: string, text: string): void {
  const path = statePath(output)
  try {
    writeDurably(partOf(path), text, 0o600)
    renameSync(partOf(path), path)
    syncFolder(dirname(path))
  } catch (cause) {
    throw new HlaError('io', `cannot write ${path}: ${reasonOf(cause)}`, { offending: path, cause })
  }
}

/** What it speaks of goes after it: a state whose parts are missing would begin anew what is done. */
export function removeState({ output, copies }: Kept): void {
  const path = statePath(output)
  const all = [path, partOf(path), ...copies.map(partOf)]
  // a folder that cannot be is a matter of whoever writes into it
  for (const one of all) if (existsSync(one)) rmSync(one, { force: true })
}

/**
 * undefined: there is nothing to go on from.
 * @throws {HlaError} pin — something is no longer as it was
 */
export function findCheckpoint(
  { source, output }: Resumable,
  now: Omit<RunIdentity, 'input'>,
  kept: Kept,
): Checkpoint | undefined {
  const path = statePath(kept.output)
  if (!existsSync(path)) return undefined
  const earlier = readCheckpoint(readFileSync(path, 'utf8'), path)
  const input = source.identity(earlier.identity.input.read)
  const differences = differencesOf(earlier.identity, { ...now, input })
  if (differences.length > 0)
    throw new HlaError('pin', `cannot resume ${output}: ${differences.join('; ')}`, {
      hint: 'without --resume the run starts anew',
    })
  const parts = partsOf(earlier, kept)
  // a run that was killed while it gave its files their names
  if (!parts.every(([one]) => existsSync(partOf(one)))) return undefined
  for (const [one, part] of parts) checkPart(partOf(one), part)
  return earlier
}

/** What an earlier run left, by what it is named after. */
function partsOf(earlier: Checkpoint, { output, report, provenance }: Kept): (readonly [string, SinkMark])[] {
  const parts = [
    [output, earlier.output],
    [report, earlier.report],
    [provenance, earlier.provenance],
  ] as const
  return parts.flatMap(([name, part]) =>
    name === undefined || part === undefined ? [] : [[name, part] as const],
  )
}

/** What is gone on with is believed: the whole of it is read. */
function checkPart(path: string, { length, sum }: SinkMark): void {
  const found = statSync(path).size
  const hint = 'without --resume the run starts anew'
  if (found < length) {
    const message = `cannot resume: ${path} has ${found} bytes, but its state file says ${length}`
    throw new HlaError('pin', message, { hint })
  }
  if (sum !== undefined && sumOfStart(path, length) !== sum)
    throw new HlaError('pin', `cannot resume: ${path} is not as it was written`, { hint })
}

/** The command line of this run, with `--resume`. */
export function resumeCommand(argv: readonly string[]): string {
  if (argv.includes('--resume')) return shellWords(['hla', ...argv])
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return shellWords(['hla', ...argv.slice(0, end), '--resume', ...argv.slice(end)])
}
