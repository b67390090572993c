/**
 * Detects a blocked event loop: the primary process polls its workers, a single process reports to systemd.  [network]
 */
import { execFile } from 'node:child_process'
import cluster, { type Worker } from 'node:cluster'
import { tell } from '../io/stdout.ts'

type Message = { readonly hla: 'alive?' } | { readonly hla: 'alive' }

/** Interval of polls in ms, and number of missed replies after which a worker counts as hung. */
const EVERY = 2000
const MAX_MISSED = 5

/**
 * Runs in the primary process: kills a worker that does not reply, so that it is replaced. `isWatched` tells whether
 * it has started listening.
 */
export function watchWorkers(workers: () => readonly Worker[], isWatched: (worker: Worker) => boolean): void {
  // counts polls instead of time: while this process is paused, nothing is missed
  const missed = new Map<number, number>()
  cluster.on('message', (worker, { hla }: Message) => {
    if (hla === 'alive') missed.set(worker.id, 0)
  })
  cluster.on('exit', ({ id }) => missed.delete(id))
  setInterval(() => {
    for (const worker of workers().filter(isWatched)) {
      const count = missed.get(worker.id) ?? 0
      missed.set(worker.id, count + 1)
      if (count >= MAX_MISSED) {
        tell(`hla: warning: worker ${worker.id} has not answered for ${(EVERY * count) / 1000} s\n`)
        worker.process.kill('SIGKILL')
      } else if (worker.isConnected()) worker.send({ hla: 'alive?' } satisfies Message)
    }
  }, EVERY).unref()
}

/** Runs in a worker. */
export function answerWatchdog(): void {
  process.on('message', ({ hla }: Message) => {
    if (hla === 'alive?' && process.connected) process.send?.({ hla: 'alive' } satisfies Message)
  })
}

/**
 * Reports to systemd that the service listens, so that `systemctl start` returns (`Type=notify`), and again and again
 * that it runs: systemd restarts a silent process (`WatchdogSec=`). Uses `systemd-notify`, since Node lacks such
 * sockets.
 */
export function notifySystemd(env: NodeJS.ProcessEnv = process.env): void {
  if (env['NOTIFY_SOCKET'] === undefined) return
  let isTold = false
  const say = (message: string) =>
    execFile('systemd-notify', [message], (error) => {
      if (error !== null && !isTold) tell(`hla: warning: cannot notify systemd: ${error.message}\n`)
      isTold = error !== null
    })
  say('READY=1')
  const limit = Number(env['WATCHDOG_USEC']) / 1000
  if (limit > 0) setInterval(() => say('WATCHDOG=1'), limit / 3).unref()
}
