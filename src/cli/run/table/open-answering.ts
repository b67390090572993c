/** Opens who answers the cells of a table, with what is special about it.  [disk, network] */
import type { Operation } from '../../../operations/operation.ts'
import { checkInstalled, checkReading, openKnowledge, noteAnsweringData } from '../open-knowledge.ts'
import { connect, probeReading } from '../open-executor.ts'
import type { GlobalOptions } from '../../options/options.ts'
import { readRemote } from '../../options/remote-options.ts'
import type { Reporter } from '../reporter.ts'
import { type Answering, localAnswering } from '../../../table/run/answering.ts'
import { remoteAnswering } from './remote-answering.ts'

export interface OpenAnswering {
  readonly answering: Answering
  /** Says what is special about who answers. */
  readonly noteData: () => void
  readonly close: () => Promise<void> | void
}

export interface CellQuestion {
  readonly operation: Operation
  readonly input: Readonly<Record<string, unknown>>
}

/** @throws {HlaError} unknown-release, no-data, bad-request; of a service: remote, pin, usage */
export async function openAnswering(
  options: GlobalOptions,
  reporter: Reporter,
  { operation, input }: CellQuestion,
): Promise<OpenAnswering> {
  const { release, dataDir, from, lift, expectData } = options
  const there = readRemote(options, release)
  if (there === undefined) {
    const opened = openKnowledge(release, dataDir)
    checkInstalled(expectData, opened.knowledge)
    checkReading({ from, lift }, opened.knowledge)
    const answering = localAnswering(opened.knowledge, { release, dataDir })
    return { answering, noteData: () => noteAnsweringData(opened, reporter), close: () => undefined }
  }
  const { remote, noteData } = await connect(there, expectData, reporter)
  try {
    await probeReading(remote.executor, operation, input)
    // are both releases there? an allele of every one
    if (operation.comparesTables === true)
      await remote.executor.execute(operation.name, { ...input, [operation.subject ?? '']: 'A*01:01' })
    return { answering: remoteAnswering(remote, there), noteData, close: remote.close }
  } catch (error) {
    await remote.close()
    throw error
  }
}
