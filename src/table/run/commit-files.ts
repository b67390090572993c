/** The files of a run get their names together, the output last; none is left of an incomplete run.  [disk] */
import { writeFileSync } from 'node:fs'
import { isHlaError } from '../../errors.ts'
import { addErrorPath, writeAtomically } from '../../io/atomic-write.ts'
import { type FileIdentity, fileIdentity } from '../../io/file-identity.ts'
import { onInterrupt } from '../../io/interrupt.ts'
import { isDevice } from '../../io/part-file.ts'
import type { Sink } from '../../io/sink.ts'
import { packageVersion } from '../../package-root.ts'
import { type DataFacts, type ProvenanceFacts, provenanceText } from '../output/provenance.ts'
import type { Failures } from './table-failures.ts'
import type { TableJob } from './table-job.ts'

export interface RunFiles {
  readonly sink: Sink
  readonly failures: Failures
}

/**
 * Writes the provenance of a complete output. Returns a completed sink for a provenance in a store; undefined for a local
 * file, which has its name.
 */
export type WriteProvenance = (output: FileIdentity, report?: FileIdentity) => Promise<Sink | undefined>

/** Returns the name of the report of failures, if any. Omit `provenance` to write none. */
export type Commit = (provenance?: WriteProvenance) => Promise<string | undefined>

type Place = Pick<TableJob, 'output' | 'filePort'>

/**
 * `open` adds each file to the list as it opens it. `run` calls `commit` at its end.
 * @throws errors of opening and running
 */
export async function withFiles<T>(
  place: Place,
  open: (opened: Pick<Sink, 'abandon'>[]) => Promise<RunFiles>,
  run: (files: RunFiles, commit: Commit) => Promise<T>,
): Promise<T> {
  const opened: Pick<Sink, 'abandon'>[] = []
  // from before the first file is opened, so that a signal leaves no part of one
  const stop = onInterrupt(() => abandonAll(opened))
  let files: RunFiles | undefined
  try {
    const { failures, sink } = (files = await open(opened))
    return await run({ failures, sink }, (actions) =>
      commitFiles({ ...place, failures, sink }, opened, actions),
    )
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
  { output, filePort, sink, failures }: Place & RunFiles,
  opened: Pick<Sink, 'abandon'>[],
  provenance: WriteProvenance | undefined,
): Promise<string | undefined> {
  // operations that can fail precede the first rename
  await sink.complete()
  await failures.complete()
  // an output that cannot be read back gets its provenance before its name
  const identity = sink.identity()
  const before = identity && (await provenance?.({ name: output, ...identity }))
  if (before !== undefined) opened.push(before)
  const report = await failures.finish()
  await before?.finish()
  await sink.finish()
  // nothing is incomplete any more
  opened.length = 0
  if (provenance === undefined || identity !== undefined) return report
  const isReportHere = report !== undefined && !filePort.isRemote(report)
  const ofReport = isReportHere ? await fileIdentity(report) : undefined
  await (await provenance(await fileIdentity(output), ofReport))?.finish()
  return report
}

/** Local files are removed synchronously. */
function abandonAll(opened: readonly Pick<Sink, 'abandon'>[]): Promise<unknown> | undefined {
  const ends = opened.map((one) => one.abandon()).filter((end) => end !== undefined)
  return ends.length === 0 ? undefined : Promise.all(ends)
}

type RunFacts = Omit<ProvenanceFacts, keyof DataFacts | 'program' | 'node' | 'ended'>

/** Returns a completed sink for a file in a store. A local file is written at once. */
export async function writeProvenance(
  { file, answering, filePort }: Pick<TableJob, 'answering' | 'filePort'> & { readonly file: string },
  facts: RunFacts,
): Promise<Sink | undefined> {
  const text = provenanceText({
    ...(await answering.dataFacts()),
    program: packageVersion(),
    node: process.versions.node,
    ...facts,
    ended: new Date(),
  })
  if (filePort.isRemote(file)) {
    const sink = await filePort.sink(file)
    sink.write(text)
    await sink.complete()
    return sink
  }
  // a device is written to; a rename would replace it
  if (isDevice(file)) addErrorPath(file, () => writeFileSync(file, text))
  else writeAtomically(file, text)
  return undefined
}
