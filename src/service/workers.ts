/** Runs several processes on one port: starts them, replaces dead ones, and forwards signals.  [network] */
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { constants } from 'node:os'
import { EXIT } from '../io/exit-status.ts'
import { tell } from '../io/stdout.ts'
import { programWords } from '../package-root.ts'
import { watchWorkers } from '../web/watchdog.ts'
import type { Snapshot } from './metrics.ts'

/** Delay before a dead worker is replaced, in ms. */
const RESTART_DELAY_MS = 1000

/**
 * Resolves with the exit status after the last worker has ended. `patience` is the time in ms for a worker's last
 * answers.
 */
export function runWorkers(
  count: number,
  announce: (port: number) => void,
  patience: number,
): Promise<number> {
  // programWords covers the single-file program, whose command line names no script
  const [exec, ...args] = programWords(...process.argv.slice(2))
  cluster.setupPrimary({ exec, args })
  const state: WorkerState = { listening: new Set(), hungUp: new Set(), isEnding: false, status: EXIT.ok }
  return new Promise((resolve) => {
    cluster.on('listening', (worker, { port }) => {
      const isFirst = state.listening.size === 0
      state.listening.add(worker.id)
      if (state.hungUp.delete(worker.id)) worker.process.kill('SIGHUP')
      if (!isFirst) return
      announce(port)
      for (let started = 1; started < count; started += 1) cluster.fork()
    })
    // the types say string, but cluster passes null
    cluster.on('exit', (worker, code: number | null, signal: NodeJS.Signals | null) => {
      if (!state.isEnding) replace(worker, endOf(code, signal), state)
      if (state.isEnding && workers().length === 0) resolve(state.status)
    })
    onSignals(state, patience)
    passMetrics()
    passStopped()
    watchWorkers(workers, ({ id }) => state.listening.has(id))
    // starts a single worker first: an error that stops it would stop all
    cluster.fork()
  })
}

interface WorkerState {
  /** Workers that have listened. */
  readonly listening: Set<number>
  /** Workers started before a SIGHUP, which may have read outdated data. */
  readonly hungUp: Set<number>
  isEnding: boolean
  status: number
}

interface WorkerEnd {
  readonly status: number
  readonly text: string
}

/** Base of exit statuses for signals, as in shells. */
const SIGNALLED = 128

/** A signal is not a bug: the system kills a process that uses too much memory. */
function endOf(code: number | null, signal: NodeJS.Signals | null): WorkerEnd {
  if (signal === null) return { status: code ?? EXIT.bug, text: `ended with status ${code}` }
  const memory = signal === 'SIGKILL' ? ', often because memory ran out' : ''
  return {
    status: SIGNALLED + constants.signals[signal],
    text: `was killed by the system (${signal})${memory}`,
  }
}

/** Replaces a worker only if it has listened before: one that failed to start would fail again. */
function replace(worker: Worker, { status, text }: WorkerEnd, state: WorkerState): void {
  if (state.listening.has(worker.id)) {
    tell(`hla: warning: worker ${worker.id} ${text}; another takes its place\n`)
    setTimeout(() => state.isEnding || cluster.fork(), RESTART_DELAY_MS)
    return
  }
  if (status > SIGNALLED) tell(`hla: error: worker ${worker.id} ${text}\n`)
  state.isEnding = true
  state.status = status
  for (const other of workers()) other.kill()
}

function onSignals(state: WorkerState, patience: number): void {
  const end = () => {
    state.isEnding = true
    for (const worker of workers()) worker.process.kill('SIGTERM')
    // a hung worker ignores the signal
    setTimeout(
      () => workers().forEach((worker) => worker.process.kill('SIGKILL')),
      patience + RESTART_DELAY_MS * 2,
    ).unref()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // a worker that does not listen yet has no signal handler: SIGHUP would end it, and with it the service
  process.on('SIGHUP', () => {
    for (const worker of workers()) {
      if (state.listening.has(worker.id)) worker.process.kill('SIGHUP')
      else state.hungUp.add(worker.id)
    }
  })
}

function workers(): Worker[] {
  return Object.values(cluster.workers ?? {}).filter((worker) => worker !== undefined)
}

/** Metrics messages between the primary process and its workers. */
type MetricsMessage =
  /** From a worker: request for all counters. From the primary: request for the worker's own. */
  | { readonly hla: 'metrics?'; readonly id: number }
  /** A worker's own counters, or those of all. */
  | { readonly hla: 'metrics'; readonly id: number; readonly snapshots: readonly Snapshot[] }

/** Time in ms after which a worker without an answer is left out. */
const ANSWER_TIMEOUT_MS = 1000

/** Runs in the primary process. */
function passMetrics(): void {
  const rounds = new Map<number, (snapshots: readonly Snapshot[]) => void>()
  let count = 0
  cluster.on('message', (asker, message: MetricsMessage) => {
    if (message.hla === 'metrics') return rounds.get(message.id)?.(message.snapshots)
    if (message.hla !== 'metrics?') return
    const id = (count += 1)
    const connected = workers().filter((worker) => worker.isConnected())
    const received: Snapshot[] = []
    const finish = () => {
      clearTimeout(late)
      if (!rounds.delete(id) || !asker.isConnected()) return
      const snapshots = received.toSorted((one, other) => one.worker - other.worker)
      asker.send({ hla: 'metrics', id: message.id, snapshots } satisfies MetricsMessage)
    }
    const late = setTimeout(finish, ANSWER_TIMEOUT_MS)
    rounds.set(id, (snapshots) => {
      received.push(...snapshots)
      if (received.length === connected.length) finish()
    })
    for (const worker of connected) worker.send({ hla: 'metrics?', id } satisfies MetricsMessage)
  })
}

/** Runs in a worker: answers requests for its own counters. Returns a function that asks for those of all. */
export function gatherMetrics(own: () => Snapshot): () => Promise<readonly Snapshot[]> {
  const waiting = new Map<number, (snapshots: readonly Snapshot[]) => void>()
  let count = 0
  const say = (message: MetricsMessage) => process.connected && process.send?.(message)
  process.on('message', (message: MetricsMessage) => {
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
      // the primary process is gone: fall back to the own counters
      setTimeout(() => waiting.delete(id) && resolve([own()]), ANSWER_TIMEOUT_MS * 2)
    })
}

interface StoppedMessage {
  /** From a worker: it has stopped listening. From the primary: all workers have. */
  readonly hla: 'stopped'
}

/** Time in ms to wait for workers that do not confirm. */
const STOP_TIMEOUT_MS = 1000

/** Runs in the primary process. */
function passStopped(): void {
  const stopped = new Set<number>()
  const isStopped = ({ id }: Worker) => stopped.has(id)
  const tellIfAll = () => {
    if (!workers().every(isStopped)) return
    for (const worker of workers())
      if (worker.isConnected()) worker.send({ hla: 'stopped' } satisfies StoppedMessage)
  }
  cluster.on('message', (worker, { hla }: StoppedMessage) => {
    if (hla !== 'stopped') return
    stopped.add(worker.id)
    tellIfAll()
  })
  cluster.on('exit', () => stopped.size > 0 && tellIfAll())
}

/** Runs in a worker that has stopped listening: resolves when all have. */
export function awaitOtherWorkers(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', ({ hla }: StoppedMessage) => hla === 'stopped' && resolve())
    setTimeout(resolve, STOP_TIMEOUT_MS)
    if (process.connected) process.send?.({ hla: 'stopped' } satisfies StoppedMessage)
    else resolve()
  })
}
