/** The files of a run get their names together, the output last; none is left of an incomplete run. */
import { isHlaError } from '../../errors.ts'
import { onInterrupt } from '../../io/interrupt.ts'
import type { Sink } from '../../io/sink.ts'
import type { Failures } from './table-failures.ts'

export interface RunFiles {
  readonly sink: Sink
  readonly failures: Failures
}

/** Actions after everything is written, before the output has its final name. */
export interface FinalActions {
  /** `identity`: that of the output, when it cannot be read back. */
  readonly provenance: (identity: ReturnType<Sink['identity']>) => Promise<Sink | undefined>
  /** Called when all files but the output have their names. */
  readonly named: () => Promise<void>
}

/** Returns the name of the report of failures, if any. */
export type Commit = (before: FinalActions) => Promise<string | undefined>

/**
 * `open` adds each file to the list as it opens it. `run` calls `commit` at its end.
 * @throws errors of opening and running
 */
export async function withFiles<T>(
  open: (opened: Pick<Sink, 'abandon'>[]) => Promise<RunFiles>,
  run: (files: RunFiles, commit: Commit) => Promise<T>,
): Promise<T> {
  const opened: Pick<Sink, 'abandon'>[] = []
  // from before the first file is opened, so that a signal leaves no part of one
  const stop = onInterrupt(() => abandonAll(opened))
  let files: RunFiles | undefined
  try {
    const { failures, sink } = (files = await open(opened))
    return await run({ failures, sink }, (before) => commitFiles({ failures, sink }, opened, before))
  } catch (error) {
    // the report explains too many failures
    if (isHlaError(error) && error.code === 'too-many-failures') await files?.failures.finish()
    await abandonAll(opened)
    throw error
  } finally {
    stop()
  }
}

async function commitFiles(
  { sink, failures }: RunFiles,
  opened: Pick<Sink, 'abandon'>[],
  before: FinalActions,
): Promise<string | undefined> {
  // operations that can fail precede the first rename
  await sink.complete()
  await failures.complete()
  const provenance = await before.provenance(sink.identity())
  if (provenance !== undefined) opened.push(provenance)
  const report = await failures.finish()
  await provenance?.finish()
  await before.named()
  await sink.finish()
  return report
}

/** Local files are removed synchronously. */
function abandonAll(opened: readonly Pick<Sink, 'abandon'>[]): Promise<unknown> | undefined {
  const ends = opened.map((one) => one.abandon()).filter((end) => end !== undefined)
  return ends.length === 0 ? undefined : Promise.all(ends)
}
