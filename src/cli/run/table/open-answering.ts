/** Opens the source of answers for a table's cells, with its notes.  [disk, network] */
import { openSource, type Source } from '../open-executor.ts'
import type { GlobalOptions } from '../../options/options.ts'
import type { Reading } from '../../../reference/store/open-release.ts'
import type { Reporter } from '../reporter.ts'
import { type Answering, localAnswering } from '../../../table/run/table-job.ts'
import { remoteAnswering } from '../../../remote/remote-answering.ts'

export interface OpenAnswering extends Pick<Source, 'noteData' | 'close'> {
  readonly answering: Answering
}

/** @throws {HlaError} as `openSource`; usage — of a service that cannot answer tables */
export async function openAnswering(
  options: GlobalOptions,
  reporter: Reporter,
  reading?: Reading,
): Promise<OpenAnswering> {
  const { from, noteData, close } = await openSource(options, reporter, reading)
  if ('knowledge' in from) return { answering: localAnswering(from.knowledge), noteData, close }
  try {
    return { answering: remoteAnswering(from.remote, from.service), noteData, close }
  } catch (error) {
    await close()
    throw error
  }
}
