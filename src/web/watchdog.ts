/** Notices a process whose event loop does not answer: the first process asks its workers, systemd is told by whoever runs alone.  [network] */
import { execFile } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { tell } from '../io/stdout.ts'

type Message = { readonly hla: 'alive?' } | { readonly hla: 'alive' }

/** ms between two questions, and how many without an answer mean that there will be none. */
const EVERY = 2000
const MOST_MISSED = 5

/** In the first process: a worker that does not answer is killed, and so replaced. `isWatched`: it has begun to answer. */
export function watchWorkers(workers: () => readonly Worker[], isWatched: (worker: Worker) => boolean): void {
  // counted, not timed: while this process does not run, nobody misses anything
  const missed = new Map<number, number>()
  cluster.on('message', (worker, { hla }: Message) => {
    if (hla === 'alive') missed.set(worker.id, 0)
  })
  cluster.on('exit', ({ id }) => missed.delete(id))
  setInterval(() => {
    for (const worker of workers().filter(isWatched)) {
      const count = missed.get(worker.id) ?? 0
      missed.set(worker.id, count + 1)
      if (count >= MOST_MISSED) {
        tell(`hla: warning: worker ${worker.id} has not answered for ${(EVERY * count) / 1000} s\n`)
        worker.process.kill('SIGKILL')
      } else if (worker.isConnected()) worker.send({ hla: 'alive?' } satisfies Message)
    }
  }, EVERY).unref()
}

/** In a worker. */
export function answerWatch(): void {
  process.on('message', ({ hla }: Message) => {
    if (hla === 'alive?' && process.connected) process.send?.({ hla: 'alive' } satisfies Message)
  })
}

/** `WatchdogSec=` of a unit: it restarts a process that does not say that it runs. Node has no such sockets: `systemd-notify` does. */
export function tellSystemd(env: NodeJS.ProcessEnv = process.env): void {
  const limit = Number(env['WATCHDOG_USEC']) / 1000
  if (!(limit > 0) || env['NOTIFY_SOCKET'] === undefined) return
  let isTold = false
  const say = () =>
    execFile('systemd-notify', ['WATCHDOG=1'], (error) => {
      if (error !== null && !isTold)
        tell(`hla: warning: systemd cannot be told that this runs: ${error.message}\n`)
      isTold = error !== null
    })
  say()
  setInterval(say, limit / 3).unref()
}
