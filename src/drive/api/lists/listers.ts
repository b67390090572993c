/**
 * Pool of processes that make lists while the service answers other requests. A SQLite statement cannot be
 * interrupted from this thread, but a process can be killed at any time (docs/adr/store.md#lists-and-searches).
 * [process, clock]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { type SentError, decodeError } from '../../persistence/writer/writer-messages.ts'
import { type Caller, StorageFailure } from '../../contract/failure.ts'
import type { MethodId } from '../../contract/methods.ts'
import type { ParameterValues } from '../../contract/parameter.ts'

export interface Listers {
  /** Resolves with the list. Rejects with a StorageFailure: the operation failed, it took too long, or too many lists are waiting. */
  readonly ask: (asked: ListRequest, gone?: AbortSignal) => Promise<ListMade>
  readonly close: () => Promise<void>
}

/** Script that calls `serveLists`, and its arguments. */
export type ListerEntry = readonly [string, ...string[]]

export interface ListersOptions {
  readonly entry: ListerEntry
  /** Maximum ms per list. */
  readonly patience: () => number
  /** ms without a list after which the processes end; default `PROCESSES.idle`. */
  readonly idle?: number
  readonly warn: (text: string) => void
}

interface Job {
  readonly asked: ListRequest
  readonly resolve: (made: ListMade) => void
  readonly reject: (error: Error) => void
  /** Process that makes it, or made it until it was slow; undefined before. */
  lister: Lister | undefined
}

interface Lister {
  readonly child: ChildProcess
  isReady: boolean
  job: Job | undefined
  isSlow: boolean
  timers: NodeJS.Timeout[]
}

/** Starts processes with the first list, so that a service without lists has none. */
export function startListers(options: ListersOptions): Listers {
  const pool: Pool = {
    ...options,
    listers: new Set(),
    waiting: [],
    slowUsers: new Map(),
    isClosed: false,
    idling: undefined,
  }
  return {
    ask: (asked, gone) =>
      new Promise((resolve, reject) => {
        // no process would take it
        if (pool.isClosed) return reject(notMade())
        if (isFull(pool.waiting, asked.caller.user)) return reject(tooMany())
        const job: Job = { asked, resolve, reject, lister: undefined }
        gone?.addEventListener('abort', () => leave(pool, job), { once: true })
        pool.waiting.push(job)
        clearTimeout(pool.idling)
        return startNext(pool)
      }),
    async close() {
      pool.isClosed = true
      clearTimeout(pool.idling)
      for (const { reject } of pool.waiting.splice(0)) reject(notMade())
      await Promise.all([...pool.listers].map(ended))
    },
  }
}

function isFull(waiting: readonly Job[], user: number): boolean {
  const own = waiting.filter(({ asked }) => asked.caller.user === user)
  return waiting.length >= PROCESSES.mostWaiting || own.length >= PROCESSES.mostWaitingOfUser
}

interface Pool extends ListersOptions {
  readonly listers: Set<Lister>
  readonly waiting: Job[]
  /** User -> time until which the user's lists count as slow: ms since 1970. */
  readonly slowUsers: Map<number, number>
  isClosed: boolean
  idling: NodeJS.Timeout | undefined
}

/** Ends the processes after a while without lists: the next list starts them again. */
function endWhenIdle(pool: Pool): void {
  clearTimeout(pool.idling)
  pool.idling = setTimeout(() => {
    if (pool.waiting.length > 0 || [...pool.listers].some(({ job }) => job !== undefined)) return
    for (const { child } of pool.listers) child.kill('SIGKILL')
    pool.listers.clear()
  }, pool.idle ?? PROCESSES.idle).unref()
}

/** Number of processes for quick lists; slow ones alone would leave the others waiting for ever. */
function quickListers({ listers }: Pool): number {
  return [...listers].filter(({ isSlow }) => !isSlow).length
}

/** Replaces a slow process at once, so that the next request need not wait for a start. */
function fill(pool: Pool): void {
  while (!pool.isClosed && quickListers(pool) < PROCESSES.mostQuick) start(pool)
}

function start(pool: Pool): void {
  const [first, ...words] = pool.entry
  const child = fork(first, words, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    // a single-file executable reads no Node options from its arguments
    env: {
      ...process.env,
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --max-old-space-size=${PROCESSES.memory}`.trim(),
    },
  })
  const lister: Lister = { child, isReady: false, job: undefined, isSlow: false, timers: [] }
  pool.listers.add(lister)
  child.on('message', (message: FromLister) => {
    if (message === 'ready') lister.isReady = true
    else settle(lister, message)
    startNext(pool)
    endWhenIdle(pool)
  })
  const isOver = (why: string) => {
    if (!pool.listers.delete(lister)) return
    const { job } = lister
    stopTimers(lister)
    if (!pool.isClosed && job !== undefined) pool.warn(`a process for lists and searches ended: ${why}`)
    job?.reject(notMade())
    if (lister.isReady) fill(pool)
    // a process that fails at start is started again with the next request
    else if (quickListers(pool) === 0) for (const one of pool.waiting.splice(0)) one.reject(notMade())
    startNext(pool)
  }
  child.on('error', ({ message }) => isOver(message))
  child.on('exit', (status, signal) => isOver(`${signal ?? status}`))
}

function settle(lister: Lister, message: Exclude<FromLister, 'ready'>): void {
  const { job } = lister
  lister.job = undefined
  stopTimers(lister)
  if ('made' in message) job?.resolve(message.made)
  else job?.reject(decodeError(message.error))
}

/** Starts every waiting job for which a process is free, in order. */
function startNext(pool: Pool): void {
  if (pool.waiting.length > 0 && quickListers(pool) === 0) fill(pool)
  for (let at = 0; at < pool.waiting.length;) {
    const job = pool.waiting[at]
    const lister = job && listerFor(pool, job)
    if (job === undefined || lister === undefined) {
      at += 1
      continue
    }
    pool.waiting.splice(at, 1)
    startJob(pool, job, lister)
  }
}

/** Makes one list per user at a time, so that no user occupies all processes. */
function listerFor(pool: Pool, { asked: { caller } }: Job): Lister | undefined {
  const all = [...pool.listers]
  if (all.some(({ job }) => job?.asked.caller.user === caller.user)) return undefined
  const free = all.filter(({ isReady, job }) => isReady && job === undefined)
  const quick = free.find(({ isSlow }) => !isSlow)
  if (!isSlowUser(pool, caller.user)) return quick
  const isRoom = all.filter(({ isSlow }) => isSlow).length < PROCESSES.mostSlow
  return free.find(({ isSlow }) => isSlow) ?? (isRoom ? quick : undefined)
}

function isSlowUser({ slowUsers }: Pool, user: number): boolean {
  const until = slowUsers.get(user)
  if (until === undefined) return false
  if (until > Date.now()) return true
  slowUsers.delete(user)
  return false
}

function startJob(pool: Pool, job: Job, lister: Lister): void {
  const { user } = job.asked.caller
  const patience = pool.patience()
  job.lister = lister
  lister.job = job
  if (isSlowUser(pool, user) && !lister.isSlow) slowDown(pool, lister)
  const timeOf = (ms: number, then: () => void) => lister.timers.push(setTimeout(then, ms))
  if (!lister.isSlow) timeOf(PROCESSES.quick, () => isNotQuick(pool, lister, job))
  timeOf(patience, () => {
    stopLister(pool, lister)
    job.reject(tooLong(job.asked, patience))
  })
  lister.child.send(job.asked)
}

/** The job continues in a process marked slow, or restarts when a slow slot is free. */
function isNotQuick(pool: Pool, lister: Lister, job: Job): void {
  pool.slowUsers.set(job.asked.caller.user, Date.now() + SLOW_USER_MS)
  const slow = [...pool.listers].filter(({ isSlow }) => isSlow)
  const idle = slow.find((one) => one.job === undefined)
  if (slow.length >= PROCESSES.mostSlow && idle !== undefined) stopLister(pool, idle)
  if (slow.length < PROCESSES.mostSlow || idle !== undefined) slowDown(pool, lister)
  else {
    lister.job = undefined
    pool.waiting.push(job)
    stopLister(pool, lister)
  }
  startNext(pool)
}

/** Marks a process slow for good, because its priority cannot be raised again. */
function slowDown(pool: Pool, lister: Lister): void {
  lister.isSlow = true
  const { pid } = lister.child
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // the process has just ended
  }
  fill(pool)
}

/** Drops a job whose client has disconnected. */
function leave(pool: Pool, job: Job): void {
  const at = pool.waiting.indexOf(job)
  if (at >= 0) pool.waiting.splice(at, 1)
  // a quick job ends before another could start
  if (job.lister?.isSlow === true && job.lister.job === job) stopLister(pool, job.lister)
  job.reject(notMade())
}

function stopLister(pool: Pool, lister: Lister): void {
  stopTimers(lister)
  pool.listers.delete(lister)
  lister.child.kill('SIGKILL')
  fill(pool)
  startNext(pool)
}

function ended({ child, timers, job }: Lister): Promise<unknown> {
  for (const timer of timers) clearTimeout(timer)
  job?.reject(notMade())
  const isOver = new Promise((resolve) => child.once('exit', resolve))
  child.kill('SIGKILL')
  return child.exitCode === null && child.signalCode === null ? isOver : Promise.resolve()
}

function stopTimers(lister: Lister): void {
  for (const timer of lister.timers.splice(0)) clearTimeout(timer)
}

/** `patience`: ms after which the process was killed. */
function tooLong({ parameters: { q } }: ListRequest, patience: number): StorageFailure {
  const what = q === undefined ? 'list' : 'search'
  const text = `The ${what} took too long and was stopped after ${patience / 1000} seconds. Request fewer items, or use fewer conditions.`
  return new StorageFailure(400, 'invalid', text, q === undefined ? {} : { location: 'q' })
}

function notMade(): StorageFailure {
  return new StorageFailure(503, 'backendError', 'The list or search failed; try again.', { retryAfter: 1 })
}

function tooMany(): StorageFailure {
  return new StorageFailure(503, 'backendError', 'Too many lists and searches are running; try again.', {
    retryAfter: 1,
  })
}

/** Limits for lists that the service makes itself between other requests; all must hold. */
export const LIGHT = {
  /** Items the store ever had: reading and sorting all takes about 10 ms. */
  items: 5000,
  /** Shared drives of the store: the rights of each are read. */
  drives: 50,
  page: 100,
  /** Maximum characters of a query. */
  query: 500,
  /** Maximum cost of a query per item: two look-ups in other tables. */
  cost: 17,
  orders: 2,
  /** ms of lists per turn of the event loop, after which other requests are answered. */
  turn: 30,
  /** ms: after a longer list a process makes the user's lists for a while. */
  surprising: 20,
} as const

/** Limits for lists made in processes. The operator sets the maximum time: `list-milliseconds`. */
const PROCESSES = {
  /** ms: most lists take a tenth of it; a longer one is slow. */
  quick: 75,
  /** Concurrent lists of different users: slow ones, and ones not yet known to be slow. */
  mostSlow: 2,
  mostQuick: 2,
  mostWaiting: 1000,
  mostWaitingOfUser: 100,
  /** MB of the JavaScript heap. */
  memory: 256,
  /** ms; two processes take some 25 MB, and start within a third of a second. */
  idle: 60_000,
} as const

/** ms during which a user is treated as slow after a slow list. */
export const SLOW_USER_MS = 10_000

export interface ListRequest {
  readonly method: MethodId
  readonly caller: Caller
  readonly path: Readonly<Record<string, string>>
  readonly parameters: ParameterValues
  readonly query: Readonly<Record<string, unknown>>
  /** URL of the request below `base`. */
  readonly url: string
  readonly base: string
}

export interface ListMade {
  readonly etag: string | undefined
  /** JSON. */
  readonly text: string
}

export type FromLister = 'ready' | { readonly made: ListMade } | { readonly error: SentError }
