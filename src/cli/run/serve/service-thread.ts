/** Thread of `hla serve`: opens the data of the service, converts tables and answers large questions. */
import { programThread } from '../../../package-root.ts'
import { makeServed } from '../../../service/current.ts'
import { answerLarge, isLargeQuestion } from '../../../service/questions/large-questions.ts'
import { answerTable, type TableRequest } from '../../../service/table/table-answer.ts'
import { serveThread } from '../../../service/threads/serve-thread.ts'
import type { ThreadScript } from '../../../service/threads/threads.ts'
import type { ServeOptions } from '../../options/serve-options.ts'
import { openKnowledge } from '../open-knowledge.ts'
import { SERVICE_WORD } from '../../worker-word.ts'

type ThreadData = Pick<ServeOptions, 'release' | 'dataDir' | 'maxAlleles'>

export function serviceThread({ release, dataDir, maxAlleles }: ThreadData): ThreadScript {
  const workerData: ThreadData = { release, maxAlleles, ...(dataDir === undefined ? {} : { dataDir }) }
  return { ...programThread(SERVICE_WORD), workerData }
}

/** Does nothing in the main thread. */
export async function runServiceThread(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  const { release, dataDir, maxAlleles } = workerData as ThreadData
  const served = makeServed(openKnowledge(release, dataDir).knowledge, maxAlleles)
  serveThread(parentPort, served.dataId, async (request) =>
    isLargeQuestion(request)
      ? answerLarge(request, served)
      : // messages come from the same program, so the cast is safe
        answerTable(request as TableRequest, served),
  )
}
