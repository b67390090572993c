/** Table thread of `hla serve`: opens the data of the service and converts tables. */
import { programThread } from '../../../package-root.ts'
import { makeServed } from '../../../service/current.ts'
import { answerTable, type TableRequest } from '../../../service/table/table-answer.ts'
import { serveTables } from '../../../service/table/table-thread.ts'
import type { TableThreadEntry } from '../../../service/table/table-threads.ts'
import type { ServeOptions } from '../../options/declare/serve.ts'
import { openKnowledge } from '../open-knowledge.ts'
import { TABLE_WORD } from '../../worker-word.ts'

type ThreadData = Pick<ServeOptions, 'release' | 'dataDir' | 'maxAlleles'>

export function tableThread({ release, dataDir, maxAlleles }: ThreadData): TableThreadEntry {
  const workerData: ThreadData = { release, maxAlleles, ...(dataDir === undefined ? {} : { dataDir }) }
  return { ...programThread(TABLE_WORD), workerData }
}

/** Does nothing in the main thread. */
export async function runTableThread(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  const { release, dataDir, maxAlleles } = workerData as ThreadData
  const served = makeServed(openKnowledge(release, dataDir).knowledge, maxAlleles)
  // messages come from the same program, so the cast is safe
  serveTables(parentPort, served.dataId, (request) => answerTable(request as TableRequest, served))
}
