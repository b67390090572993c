/** Whether a conversion can be resumed, and from where.  [disk] */
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { type Checkpoint, differencesOf, readCheckpoint, type RunIdentity } from '../../batch/checkpoint.ts'
import { HlaError, reasonOf } from '../../errors.ts'
import type { TableOptions } from '../commands/table-options.ts'
import { syncFolder, writeDurably } from '../../reference/atomic-write.ts'
import { isStored, type Source } from '../io/door.ts'
import { isDevice, partOf } from '../io/part-file.ts'
import { shellWords } from '../shell-words.ts'
import { inputIdentity } from './input-identity.ts'

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
  readonly source: Pick<Source, 'name' | 'size'>
  readonly output: string
  readonly options: Pick<TableOptions, 'checkpoint' | 'resume' | 'errors'>
}

/** undefined: there are no checkpoints. @throws {HlaError} usage — they are asked for, and cannot be */
export function checkpointPace({ source, output, options }: Resumable): CheckpointPace | undefined {
  const { checkpoint, resume = false } = options
  const reason = whyNot(source, output)
  if (reason !== undefined && (resume || checkpoint !== undefined))
    throw new HlaError('usage', `${resume ? '--resume' : '--checkpoint'}: ${reason}`)
  if (reason !== undefined || checkpoint === 0) return undefined
  return checkpoint === undefined ? DEFAULT_PACE : { rows: checkpoint, pause: 0 }
}

function whyNot({ name, size }: Resumable['source'], output: string): string | undefined {
  if (isStored(output) || isStored(name)) return 'files of a file store are converted in one go'
  if (output === '-') return 'what went to standard output cannot be continued; -o names a file'
  if (isDevice(output)) return `what went to ${output} cannot be continued`
  if (name === 'stdin') return 'standard input cannot be read again; -i names a file'
  // what is not there is said when it is opened
  const isThere = statSync(name, { throwIfNoEntry: false }) !== undefined
  return isThere && size === undefined ? `${name} is no file that can be read again` : undefined
}

export function statePath(output: string): string {
  return `${output}.hla-state.json`
}

/** Complete or as it was before; its part has one name, so that a killed run leaves at most one. */
export function writeState(output: string, text: string): void {
  const path = statePath(output)
  try {
    writeDurably(partOf(path), text)
    renameSync(partOf(path), path)
    syncFolder(dirname(path))
  } catch (cause) {
    throw new HlaError('io', `cannot write ${path}: ${reasonOf(cause)}`, { offending: path, cause })
  }
}

export function removeState(output: string): void {
  const path = statePath(output)
  for (const one of [path, partOf(path)]) rmSync(one, { force: true })
}

/**
 * undefined: there is nothing to go on from.
 * @throws {HlaError} pin — something is no longer as it was
 */
export function findCheckpoint(
  { source, output }: Resumable,
  now: Omit<RunIdentity, 'input'>,
  report: string | undefined,
): Checkpoint | undefined {
  const path = statePath(output)
  if (!existsSync(path)) return undefined
  const kept = readCheckpoint(readFileSync(path, 'utf8'), path)
  const input = inputIdentity(source.name, kept.identity.input.read)
  const differences = differencesOf(kept.identity, { ...now, input })
  if (differences.length > 0)
    throw new HlaError('pin', `cannot resume ${output}: ${differences.join('; ')}`, {
      hint: 'without --resume it is begun anew',
    })
  // a run that was killed while it gave its files their names
  const parts = kept.report === undefined || report === undefined ? [output] : [output, report]
  if (!parts.every((one) => existsSync(partOf(one)))) return undefined
  checkPart(output, kept.output.length)
  if (report !== undefined && kept.report !== undefined) checkPart(report, kept.report.length)
  return kept
}

function checkPart(output: string, length: number): void {
  const found = statSync(partOf(output), { throwIfNoEntry: false })?.size ?? 0
  if (found >= length) return
  throw new HlaError('pin', `cannot resume: ${partOf(output)} has ${found} bytes, its state says ${length}`, {
    hint: 'without --resume it is begun anew',
  })
}

/** The command line of this run, with `--resume`. */
export function resumeCommand(argv: readonly string[]): string {
  if (argv.includes('--resume')) return shellWords(['hla', ...argv])
  const end = argv.includes('--') ? argv.indexOf('--') : argv.length
  return shellWords(['hla', ...argv.slice(0, end), '--resume', ...argv.slice(end)])
}
