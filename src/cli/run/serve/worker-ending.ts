/** Workers end together: none tells its clients to go before all have stopped listening, or those would come to another that is about to. [network] */
import cluster, { type Worker } from 'node:cluster'

interface Message {
  /** By a worker: I listen no more. By the first process: nobody does. */
  readonly hla: 'stopped'
}

/** A worker that does not say so by then is not waited for: ms. */
const PATIENCE = 1000

/** In the first process. */
export function passStopped(workers: () => readonly Worker[]): void {
  const stopped = new Set<number>()
  const isStopped = ({ id }: Worker) => stopped.has(id)
  const tellIfAll = () => {
    if (!workers().every(isStopped)) return
    for (const worker of workers())
      if (worker.isConnected()) worker.send({ hla: 'stopped' } satisfies Message)
  }
  cluster.on('message', (worker, { hla }: Message) => {
    if (hla !== 'stopped') return
    stopped.add(worker.id)
    tellIfAll()
  })
  cluster.on('exit', () => stopped.size > 0 && tellIfAll())
}

/** In a worker that listens no more: until nobody does. */
export function othersStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', ({ hla }: Message) => hla === 'stopped' && resolve())
    setTimeout(resolve, PATIENCE)
    if (process.connected) process.send?.({ hla: 'stopped' } satisfies Message)
    else resolve()
  })
}
