/** Worker thread of a conversion: opens the release and converts blocks of rows.  [disk, threads] */
import { openKnowledge } from '../open-knowledge.ts'
import { convertBlocks } from '../../../table/run/workers/table-worker.ts'
import type { WorkerData } from '../../../table/run/workers/worker-messages.ts'

/** Does nothing in the main thread. */
export async function runTableWorker(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  // set by worker-pool.ts
  const { release, dataDir, ready } = workerData as WorkerData
  convertBlocks(parentPort, { ready }, openKnowledge(release, dataDir).knowledge)
}
