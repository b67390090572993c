/** Several processes that answer on one port: started, replaced when they die, told what this one is told.  [network] */
import cluster from 'node:cluster'
import type { Worker } from 'node:cluster'
import { constants } from 'node:os'
import { EXIT } from '../io/exit-status.ts'
import { tell } from '../io/stdout.ts'
import { programWords } from '../package-root.ts'
import { watchWorkers } from '../web/watchdog.ts'
import type { Snapshot } from './metrics.ts'

/** A worker that dies is replaced after so long: ms. */
const PAUSE = 1000

/** The exit status, when the last worker has ended. `patience`: ms a worker has for its last answers. */
export function runWorkers(
  count: number,
  announce: (port: number) => void,
  patience: number,
): Promise<number> {
  // a program that is a single file has no first word that names it
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
    // cluster gives null where its types have a text
    cluster.on('exit', (worker, code: number | null, signal: NodeJS.Signals | null) => {
      if (!state.isEnding) replace(worker, endOf(code, signal), state)
      if (state.isEnding && workers().length === 0) resolve(state.status)
    })
    onSignals(state, patience)
    passMetrics(workers)
    passStopped(workers)
    watchWorkers(workers, ({ id }) => state.listening.has(id))
    // what keeps one from answering keeps all: the others wait for the first
    cluster.fork()
  })
}

interface WorkerState {
  /** Workers that once answered. */
  readonly listening: Set<number>
  /** Those that began before a SIGHUP and may have read what was there before it. */
  readonly hungUp: Set<number>
  isEnding: boolean
  status: number
}

interface WorkerEnd {
  readonly status: number
  readonly text: string
}

/** As shells have it: the status of a process that a signal ended. */
const SIGNALLED = 128

/** What a signal ended is no fault of the program: the system takes a process that has too much memory. */
function endOf(code: number | null, signal: NodeJS.Signals | null): WorkerEnd {
  if (signal === null) return { status: code ?? EXIT.bug, text: `ended with status ${code}` }
  const memory = signal === 'SIGKILL' ? ', as it does for want of memory' : ''
  return {
    status: SIGNALLED + constants.signals[signal],
    text: `was killed by the system (${signal})${memory}`,
  }
}

/** A worker that never got as far as answering would not get there the next time. */
function replace(worker: Worker, { status, text }: WorkerEnd, state: WorkerState): void {
  if (state.listening.has(worker.id)) {
    tell(`hla: warning: worker ${worker.id} ${text}; another takes its place\n`)
    setTimeout(() => state.isEnding || cluster.fork(), PAUSE)
    return
  }
  if (status !== EXIT.bug && status > SIGNALLED) tell(`hla: error: worker ${worker.id} ${text}\n`)
  state.isEnding = true
  state.status = status
  for (const other of workers()) other.kill()
}

function onSignals(state: WorkerState, patience: number): void {
  const end = () => {
    state.isEnding = true
    for (const worker of workers()) worker.process.kill('SIGTERM')
    // a worker that hangs does not hear it
    setTimeout(
      () => workers().forEach((worker) => worker.process.kill('SIGKILL')),
      patience + PAUSE * 2,
    ).unref()
  }
  process.on('SIGTERM', end)
  process.on('SIGINT', end)
  // one that does not answer yet does not listen for signals either: it would end, and all with it
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

/** What is said between the first process and its workers about metrics. */
type MetricsMessage =
  /** By a worker: give me those of all. By the first process: give me yours. */
  | { readonly hla: 'metrics?'; readonly id: number }
  /** A worker's own; or those of all. */
  | { readonly hla: 'metrics'; readonly id: number; readonly snapshots: readonly Snapshot[] }

/** A worker that does not answer by then is left out: ms. */
const PATIENCE = 1000

/** In the first process. */
function passMetrics(workers: () => readonly Worker[]): void {
  const rounds = new Map<number, (snapshots: readonly Snapshot[]) => void>()
  let count = 0
  cluster.on('message', (asker, message: MetricsMessage) => {
    if (message.hla === 'metrics') return rounds.get(message.id)?.(message.snapshots)
    if (message.hla !== 'metrics?') return
    const id = (count += 1)
    const asked = workers().filter((worker) => worker.isConnected())
    const gathered: Snapshot[] = []
    const finish = () => {
      clearTimeout(late)
      if (!rounds.delete(id) || !asker.isConnected()) return
      const snapshots = gathered.toSorted((one, other) => one.worker - other.worker)
      asker.send({ hla: 'metrics', id: message.id, snapshots } satisfies MetricsMessage)
    }
    const late = setTimeout(finish, PATIENCE)
    rounds.set(id, (snapshots) => {
      gathered.push(...snapshots)
      if (gathered.length === asked.length) finish()
    })
    for (const worker of asked) worker.send({ hla: 'metrics?', id } satisfies MetricsMessage)
  })
}

/** In a worker: gives its own when asked. What it gives back asks for those of all. */
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
      // the first process is gone: better one than none
      setTimeout(() => waiting.delete(id) && resolve([own()]), PATIENCE * 2)
    })
}

interface StoppedMessage {
  /** By a worker: I listen no more. By the first process: nobody does. */
  readonly hla: 'stopped'
}

/** A worker that does not say so by then is not waited for: ms. */
const STOP_PATIENCE = 1000

/** In the first process. */
function passStopped(workers: () => readonly Worker[]): void {
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

/** In a worker that listens no more: until nobody does. */
export function othersStopped(): Promise<void> {
  return new Promise((resolve) => {
    process.on('message', ({ hla }: StoppedMessage) => hla === 'stopped' && resolve())
    setTimeout(resolve, STOP_PATIENCE)
    if (process.connected) process.send?.({ hla: 'stopped' } satisfies StoppedMessage)
    else resolve()
  })
}
