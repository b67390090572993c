/** Opens the source of answers for a table's cells, with its notes.  [disk, network] */
import { checkInstalled, openKnowledge, noteAnsweringData } from '../open-knowledge.ts'
import { connect } from '../open-executor.ts'
import type { GlobalOptions } from '../../options/options.ts'
import { readRemote } from '../../options/remote-options.ts'
import type { Reading } from '../../../reference/store/open-release.ts'
import type { Reporter } from '../reporter.ts'
import { type Answering, localAnswering } from '../../../table/run/table-job.ts'
import { remoteAnswering } from '../../../client/remote-answering.ts'

export interface OpenAnswering {
  readonly answering: Answering
  /** Notes anything unusual about the data or service. */
  readonly noteData: () => void
  readonly close: () => Promise<void> | void
}

/** @throws {HlaError} unknown-release, no-data; of a service: remote, pin, usage */
export async function openAnswering(
  options: GlobalOptions,
  reporter: Reporter,
  reading?: Reading,
): Promise<OpenAnswering> {
  const { release, dataDir, expectData } = options
  const there = readRemote(options, release)
  if (there === undefined) {
    const opened = openKnowledge(release, dataDir, reading)
    checkInstalled(expectData, opened.knowledge)
    const answering = localAnswering(opened.knowledge, { release, dataDir })
    return { answering, noteData: () => noteAnsweringData(opened, reporter), close: () => undefined }
  }
  const { remote, noteData } = await connect(there, expectData, reporter)
  try {
    return { answering: remoteAnswering(remote, there), noteData, close: remote.close }
  } catch (error) {
    await remote.close()
    throw error
  }
}
