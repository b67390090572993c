/** The counts of all workers, whichever is asked: a worker asks the first process, which asks them all.  [network] */
import cluster, { type Worker } from 'node:cluster'
import type { Snapshot } from '../../../service/metrics.ts'

/** What is said between the first process and its workers about metrics. */
type Message =
  /** By a worker: give me those of all. By the first process: give me yours. */
  | { readonly hla: 'metrics?'; readonly id: number }
  /** A worker's own; or those of all. */
  | { readonly hla: 'metrics'; readonly id: number; readonly snapshots: readonly Snapshot[] }

/** A worker that does not answer by then is left out: ms. */
const PATIENCE = 1000

/** In the first process. */
export function passMetrics(workers: () => readonly Worker[]): void {
  const rounds = new Map<number, (snapshots: readonly Snapshot[]) => void>()
  let count = 0
  cluster.on('message', (asker, message: Message) => {
    if (message.hla === 'metrics') return rounds.get(message.id)?.(message.snapshots)
    if (message.hla !== 'metrics?') return
    const id = (count += 1)
    const asked = workers().filter((worker) => worker.isConnected())
    const gathered: Snapshot[] = []
    const finish = () => {
      clearTimeout(late)
      if (!rounds.delete(id) || !asker.isConnected()) return
      const snapshots = gathered.toSorted((one, other) => one.worker - other.worker)
      asker.send({ hla: 'metrics', id: message.id, snapshots } satisfies Message)
    }
    const late = setTimeout(finish, PATIENCE)
    rounds.set(id, (snapshots) => {
      gathered.push(...snapshots)
      if (gathered.length === asked.length) finish()
    })
    for (const worker of asked) worker.send({ hla: 'metrics?', id } satisfies Message)
  })
}

/** In a worker: gives its own when asked. What it gives back asks for those of all. */
export function gatherMetrics(own: () => Snapshot): () => Promise<readonly Snapshot[]> {
  const waiting = new Map<number, (snapshots: readonly Snapshot[]) => void>()
  let count = 0
  const say = (message: Message) => process.connected && process.send?.(message)
  process.on('message', (message: Message) => {
    if (message.hla === 'metrics?') say({ hla: 'metrics', id: message.id, snapshots: [own()] })
    if (message.hla !== 'metrics') return
    waiting.get(message.id)?.(message.snapshots)
    waiting.delete(message.id)
  })
  return () =>
    new Promise((resolve) => {
      const id = (count += 1)
      waiting.set(id, resolve)
      say({ hla: 'metrics?', id })
      // the first process is gone: better one than none
      setTimeout(() => waiting.delete(id) && resolve([own()]), PATIENCE * 2)
    })
}
