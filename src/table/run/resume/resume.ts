/** Whether a conversion can be resumed, and from where; which files here hold what that needs.  [disk] */
import { existsSync, readFileSync, renameSync, rmSync, statSync } from 'node:fs'
import { dirname } from 'node:path'
import { errorReason, HlaError } from '../../../errors.ts'
import { syncFolder, writeDurably } from '../../../io/atomic-write.ts'
import type { ByteInput, FilePort } from '../../../io/file-port.ts'
import { sumStart } from '../../../io/file-sum.ts'
import { namePart } from '../../../io/part-file.ts'
import type { SinkMark } from '../../../io/sink.ts'
import { type Checkpoint, findDifferences, readCheckpoint, type RunIdentity } from '../checkpoint.ts'
import type { CheckpointPace } from '../table-job.ts'

/** What can be resumed, by whom, and from where. */
export interface Resumption {
  readonly pace: CheckpointPace
  readonly identity: RunIdentity
  /** What goes on with this run. */
  readonly command: string
  /** What is resumed now; undefined: nothing. */
  readonly earlier: Checkpoint | undefined
}

interface Resumable {
  readonly source: Pick<ByteInput, 'identity'>
  readonly output: string
}

export function statePath(output: string): string {
  return `${output}.hla-state.json`
}

/** Complete or as it was before; its part has one name, so that a killed run leaves at most one. For this user alone. */
export function writeState(output: string, text: string): void {
  const path = statePath(output)
  try {
    writeDurably(namePart(path), text, 0o600)
    renameSync(namePart(path), path)
    syncFolder(dirname(path))
  } catch (cause) {
    throw new HlaError('io', `cannot write ${path}: ${errorReason(cause)}`, { offending: path, cause })
  }
}

/** What it speaks of goes after it: a state whose parts are missing would begin anew what is done. */
export function removeState({ output, copies }: StateFiles): void {
  const path = statePath(output)
  const all = [path, namePart(path), ...copies.map(namePart)]
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
  kept: StateFiles,
): Checkpoint | undefined {
  const path = statePath(kept.output)
  if (!existsSync(path)) return undefined
  const earlier = readCheckpoint(readFileSync(path, 'utf8'), path)
  const input = source.identity(earlier.identity.input.read)
  const differences = findDifferences(earlier.identity, { ...now, input })
  if (differences.length > 0)
    throw new HlaError('pin', `cannot resume ${output}: ${differences.join('; ')}`, {
      hint: 'without --resume the run starts anew',
    })
  const parts = findParts(earlier, kept)
  // a run that was killed while it gave its files their names
  if (!parts.every(([one]) => existsSync(namePart(one)))) return undefined
  for (const [one, part] of parts) checkPart(namePart(one), part)
  return earlier
}

/** What an earlier run left, by what it is named after. */
function findParts(
  earlier: Checkpoint,
  { output, report, provenance }: StateFiles,
): (readonly [string, SinkMark])[] {
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
  if (sum !== undefined && sumStart(path, length) !== sum)
    throw new HlaError('pin', `cannot resume: ${path} is not as it was written`, { hint })
}

/** The files here that hold what another run needs to go on with a conversion. */
export interface StateFiles {
  /** The state, and the part of the output, are named after it. */
  readonly output: string
  /** The parts of the others, where there are any. */
  readonly report: string | undefined
  readonly provenance: string | undefined
  /** Of what goes into a store: parts that get no other name, and go with the state. */
  readonly copies: readonly string[]
}

interface OutputFiles {
  readonly output: string
  readonly report: string | undefined
  readonly provenance: string | undefined
}

export async function findKept(
  filePort: FilePort,
  { output, report, provenance }: OutputFiles,
): Promise<StateFiles> {
  const here = (file: string | undefined) => (file === undefined ? undefined : filePort.here(file))
  const copies: string[] = []
  for (const file of [output, report, provenance])
    if (file !== undefined && filePort.isRemote(file)) copies.push(await filePort.here(file))
  return {
    output: await filePort.here(output),
    report: await here(report),
    provenance: await here(provenance),
    copies,
  }
}
