/**
 * Processes that make lists, so that the service answers others meanwhile. SQLite has no way to interrupt a statement from here,
 * while a process can be ended at any moment (docs/adr/store.md#lists-and-searches).  [process, clock]
 */
import { type ChildProcess, fork } from 'node:child_process'
import { constants, setPriority } from 'node:os'
import { type SentError, revivedError } from '../../persistence/writer/writer-messages.ts'
import { type Caller, StorageFailure } from '../../contract/failure.ts'
import type { MethodId } from '../../contract/methods.ts'
import type { ParameterValues } from '../../contract/parameter.ts'

export interface Listers {
  /** Resolves with what was made. Rejects with a StorageFailure: what the operation refuses; it takes too long; there are too many. */
  readonly ask: (asked: ListRequest, gone?: AbortSignal) => Promise<ListMade>
  readonly close: () => Promise<void>
}

/** A script that calls `serveLists`. */
/** Its first word, and those behind it. */
export type ListerEntry = readonly [string, ...string[]]

export interface ListersOptions {
  readonly entry: ListerEntry
  /** ms that a list may take. */
  readonly patience: () => number
  readonly warn: (text: string) => void
}

interface Job {
  readonly asked: ListRequest
  readonly resolve: (made: ListMade) => void
  readonly reject: (error: Error) => void
  /** Undefined: it waits. */
  lister: Lister | undefined
}

interface Lister {
  readonly child: ChildProcess
  isReady: boolean
  job: Job | undefined
  isSlow: boolean
  timers: NodeJS.Timeout[]
}

/** The processes start with the first list: a service that makes none has none. */
export function startListers(options: ListersOptions): Listers {
  const pool: Pool = {
    ...options,
    listers: new Set(),
    waiting: [],
    slowUsers: new Map(),
    isClosed: false,
  }
  return {
    ask: (asked, gone) =>
      new Promise((resolve, reject) => {
        if (isFull(pool.waiting, asked.caller.user)) return reject(tooMany())
        const job: Job = { asked, resolve, reject, lister: undefined }
        gone?.addEventListener('abort', () => leave(pool, job), { once: true })
        pool.waiting.push(job)
        return startNext(pool)
      }),
    async close() {
      pool.isClosed = true
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
  /** Until when their lists are taken for slow ones: ms. */
  readonly slowUsers: Map<number, number>
  isClosed: boolean
}

/** One that is slow is replaced at once, so that whoever comes next need not wait for the start of a process. */
function fill(pool: Pool): void {
  const slow = [...pool.listers].filter(({ isSlow }) => isSlow).length
  while (!pool.isClosed && pool.listers.size < slow + PROCESSES.mostQuick) start(pool)
}

function start(pool: Pool): void {
  const [first, ...words] = pool.entry
  const child = fork(first, words, {
    serialization: 'advanced',
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    execArgv: [],
    // a program that is a single file takes no options of Node from its words
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
  })
  const isOver = (why: string) => {
    if (!pool.listers.delete(lister)) return
    const { job } = lister
    stopTimers(lister)
    if (!pool.isClosed && job !== undefined) pool.warn(`a process that makes lists ended: ${why}`)
    job?.reject(notMade())
    if (lister.isReady) fill(pool)
    // one that cannot even begin is started again when somebody asks
    else if (pool.listers.size === 0) for (const one of pool.waiting.splice(0)) one.reject(notMade())
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
  else job?.reject(revivedError(message.error))
}

/** The first that may begin, as long as there is one. */
function startNext(pool: Pool): void {
  if (pool.waiting.length > 0 && pool.listers.size === 0) fill(pool)
  for (let at = 0; at < pool.waiting.length;) {
    const job = pool.waiting[at]
    const lister = job && listerFor(pool, job)
    if (job === undefined || lister === undefined) {
      at += 1
      continue
    }
    pool.waiting.splice(at, 1)
    begin(pool, job, lister)
  }
}

/** One list of a user is made at a time: no user takes all places. */
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

function begin(pool: Pool, job: Job, lister: Lister): void {
  const { user } = job.asked.caller
  const patience = pool.patience()
  job.lister = lister
  lister.job = job
  if (isSlowUser(pool, user) && !lister.isSlow) slowDown(pool, lister)
  const timeOf = (ms: number, then: () => void) => lister.timers.push(setTimeout(then, ms))
  if (!lister.isSlow) timeOf(PROCESSES.quick, () => isNotQuick(pool, lister, job))
  timeOf(patience, () => {
    end(pool, lister)
    job.reject(tooLong(job.asked, patience))
  })
  lister.child.send(job.asked)
}

/** It goes on as a slow one, or begins anew when there is a place for it. */
function isNotQuick(pool: Pool, lister: Lister, job: Job): void {
  pool.slowUsers.set(job.asked.caller.user, Date.now() + REMEMBERED)
  const slow = [...pool.listers].filter(({ isSlow }) => isSlow)
  const idle = slow.find((one) => one.job === undefined)
  if (slow.length >= PROCESSES.mostSlow && idle !== undefined) end(pool, idle)
  if (slow.length < PROCESSES.mostSlow || idle !== undefined) slowDown(pool, lister)
  else {
    lister.job = undefined
    job.lister = undefined
    pool.waiting.push(job)
    end(pool, lister)
  }
  startNext(pool)
}

/** For good: its priority cannot be raised again. */
function slowDown(pool: Pool, lister: Lister): void {
  lister.isSlow = true
  const { pid } = lister.child
  try {
    if (pid !== undefined) setPriority(pid, constants.priority.PRIORITY_BELOW_NORMAL)
  } catch {
    // it has just ended
  }
  fill(pool)
}

/** Whoever asked is gone. */
function leave(pool: Pool, job: Job): void {
  const at = pool.waiting.indexOf(job)
  if (at >= 0) pool.waiting.splice(at, 1)
  // one that is quick is done before another could begin
  if (job.lister?.isSlow === true && job.lister.job === job) end(pool, job.lister)
  job.reject(notMade())
}

function end(pool: Pool, lister: Lister): void {
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

/** It was ended after so many ms. */
function tooLong({ parameters: { q } }: ListRequest, patience: number): StorageFailure {
  const what = q === undefined ? 'list' : 'search'
  const text = `The ${what} takes too long: it was ended after ${patience / 1000} seconds. Ask for less, or for fewer tests.`
  return new StorageFailure(400, 'invalid', text, q === undefined ? {} : { location: 'q' })
}

function notMade(): StorageFailure {
  return new StorageFailure(503, 'backendError', 'The list could not be made.', { retryAfter: 1 })
}

function tooMany(): StorageFailure {
  return new StorageFailure(503, 'backendError', 'Too many lists are being made.', { retryAfter: 1 })
}

/** For what the service itself makes, between other requests: all must hold. */
export const LIGHT = {
  /** Items that the store ever had: all are looked at, and sorted, in about 10 ms. */
  items: 5000,
  page: 100,
  /** Characters of a search. */
  query: 500,
  /** Of a search, for one item: two looks into other tables. */
  cost: 17,
  orders: 2,
  /** In a turn of the event loop: then others are answered. */
  turn: 30,
  /** A user whose list took longer has it made in a process for a while. */
  surprising: 20,
} as const

/** For what is made in processes. How long one may take at most is the operator's: `list-milliseconds`. */
const PROCESSES = {
  /** Most lists are made in a tenth of it. What takes longer is slow. */
  quick: 75,
  /** So many are made beside each other, of different users: those that are slow, and those of which nobody knows yet. */
  mostSlow: 2,
  mostQuick: 2,
  mostWaiting: 1000,
  mostWaitingOfUser: 100,
  /** MB of JavaScript. */
  memory: 256,
} as const

/** For so long a user whose list took longer than it should has the next made elsewhere, or waits among the slow. */
export const REMEMBERED = 10_000

export interface ListRequest {
  readonly method: MethodId
  readonly caller: Caller
  readonly path: Readonly<Record<string, string>>
  readonly parameters: ParameterValues
  readonly query: Readonly<Record<string, unknown>>
  /** Of the request, below `base`. */
  readonly url: string
  readonly base: string
}

export interface ListMade {
  readonly etag: string | undefined
  /** JSON. */
  readonly text: string
}

export type FromLister = 'ready' | { readonly made: ListMade } | { readonly error: SentError }
