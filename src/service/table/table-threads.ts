/** Pool of threads for table conversions: a crash or hang affects only its own conversion.  [disk] */
import { Worker } from 'node:worker_threads'
import { HlaError } from '../../errors.ts'
import { type ThreadEntry, threadOptions } from '../../package-root.ts'
import { readErrorRecord } from '../../operations/error-record.ts'
import type { TableAnswer } from './table-answer.ts'
import { MAX_TABLES, TABLE_HEAP } from './table-share.ts'
import type { FromTables, ToTables } from './table-thread.ts'

/** Script that calls `serveTables`, with the data to open. */
export interface TableThreadEntry extends ThreadEntry {
  readonly workerData: unknown
}

export interface TableThreads<Request> {
  /**
   * Returns undefined when the thread has other data.
   * @throws {HlaError} errors of the table; limits exceeded (`readLossReason`)
   */
  convert(request: Request, dataId: string): Promise<TableAnswer | undefined>
  /** Call after the data changed: later requests get new threads. */
  renew(): void
  /** Ends all threads and their conversions. */
  close(): Promise<void>
}

/** Time in ms for each reply of a thread; a step of a normal table takes a few ms. */
const PATIENCE = 60_000

export function tableThreads<Request>(entry: TableThreadEntry): TableThreads<Request> {
  const pool = threadPool<Request>(entry)
  return {
    async convert(request, dataId) {
      const thread = await pool.take()
      const giveBack = () => pool.giveBack(thread)
      try {
        if ((await thread.dataId) === dataId) return await thread.convert(request, giveBack)
      } catch (error) {
        giveBack()
        throw error
      }
      giveBack()
      return undefined
    },
    renew: () => pool.renew(),
    close: () => pool.close(),
  }
}

/** Starts threads on demand and reuses them: one client at a time uses a single thread. */
function threadPool<Request>(entry: TableThreadEntry) {
  const all = new Set<Thread<Request>>()
  const idle: Thread<Request>[] = []
  const waiting: (() => void)[] = []
  let isClosed = false
  const start = () => {
    const thread = new Thread<Request>(startWorker(entry), () => {
      all.delete(thread)
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
      waiting.shift()?.()
    })
    all.add(thread)
    return thread
  }
  return {
    async take(): Promise<Thread<Request>> {
      for (;;) {
        if (isClosed) throw lost('end')
        const thread = idle.pop() ?? (all.size < MAX_TABLES ? start() : undefined)
        if (thread !== undefined) return thread
        await new Promise<void>((free) => waiting.push(free))
      }
    },
    giveBack(thread: Thread<Request>): void {
      if (!all.has(thread)) return
      if (thread.isOld) return void thread.terminate()
      idle.push(thread)
      waiting.shift()?.()
    },
    renew(): void {
      for (const thread of all) thread.isOld = true
      for (const thread of idle.splice(0)) void thread.terminate()
    },
    async close(): Promise<void> {
      isClosed = true
      for (const free of waiting.splice(0)) free()
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
}

function startWorker({ workerData, ...entry }: TableThreadEntry): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: TABLE_HEAP }
  return new Worker(entry.file, { ...threadOptions(entry), workerData, resourceLimits })
}

/**
 * Reasons for the end of a conversion other than the table: out of memory, a step that took too long, end of the
 * service.
 */
export type LossReason = 'memory' | 'time' | 'end'

class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
  readonly reason: LossReason

  constructor(reason: LossReason) {
    super(`the thread of a table ended: ${reason}`)
    this.reason = reason
  }
}

/** Reason for a lost thread; undefined for another error. */
export function readLossReason(error: unknown): LossReason | undefined {
  return error instanceof HlaError && error.cause instanceof ThreadLost ? error.cause.reason : undefined
}

interface AwaitedMessage {
  readonly resolve: (message: FromTables) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

class Thread<Request> {
  readonly dataId: Promise<string>
  /** The thread ends after its current conversion. */
  isOld = false
  readonly #worker: Worker
  /** Awaited message; there is at most one. */
  #awaited: AwaitedMessage | undefined
  /** Why the thread ended, or is ending: the answer to every later request. */
  #lost: Error | undefined

  constructor(worker: Worker, gone: () => void) {
    this.#worker = worker
    const fail = (error: Error) => {
      this.#lost ??= error
      gone()
      this.#settle()?.reject(this.#lost)
    }
    worker.on('message', (message: FromTables) => this.#settle()?.resolve(message))
    worker.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? lost('memory') : error),
    )
    worker.on('exit', () => fail(lost('end')))
    this.dataId = this.#nextMessage().then((first) => {
      if (first.kind === 'data') return first.dataId
      throw errorIn(first)
    })
    // may reject before anything awaits it
    this.dataId.catch(() => undefined)
  }

  /** `over` is called once, when the answer has been read or abandoned. */
  async convert(request: Request, over: () => void): Promise<TableAnswer> {
    const begun = await this.#ask({ kind: 'begin', request })
    if (begun.kind !== 'begun') throw errorIn(begun)
    const body = this.#pieces(over)
    // an unstarted generator does not notice when it is abandoned
    await body.next()
    return { ...begun.head, body }
  }

  terminate(reason: LossReason = 'end'): Promise<number> {
    this.#lost ??= lost(reason)
    return this.#worker.terminate()
  }

  async *#pieces(over: () => void): AsyncGenerator<Uint8Array> {
    try {
      yield new Uint8Array()
      for (;;) {
        const next = await this.#ask({ kind: 'next' })
        if (next.kind !== 'piece') throw errorIn(next)
        if (next.bytes === undefined) return
        yield next.bytes
      }
    } finally {
      if (this.#lost === undefined) this.#worker.postMessage({ kind: 'end' } satisfies ToTables, [])
      over()
    }
  }

  #ask(message: ToTables): Promise<FromTables> {
    // a thread that has ended sends no event that could settle the answer
    if (this.#lost !== undefined) return Promise.reject(this.#lost)
    const answer = this.#nextMessage()
    this.#worker.postMessage(message, [])
    return answer
  }

  #nextMessage(): Promise<FromTables> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.terminate('time'), PATIENCE)
      this.#awaited = { resolve, reject, timer }
    })
  }

  #settle(): AwaitedMessage | undefined {
    const awaited = this.#awaited
    this.#awaited = undefined
    clearTimeout(awaited?.timer)
    return awaited
  }
}

function errorIn(message: FromTables): Error {
  if (message.kind === 'refused') return readErrorRecord(message.record, 'bad-request')
  const error = new Error('a table could not be converted')
  if (message.kind === 'failed') error.stack = message.stack
  return error
}

const LOST: Readonly<Record<LossReason, string>> = {
  memory: `the table takes more memory than the service sets aside for one (${TABLE_HEAP} MiB)`,
  time: `a step of the table takes more than ${PATIENCE / 1000} s`,
  end: 'the service ended while it converted the table',
}

function lost(reason: LossReason): HlaError {
  const hint = reason === 'end' ? 'ask again' : 'the command line converts tables of any length'
  return new HlaError('bad-request', LOST[reason], { hint, cause: new ThreadLost(reason) })
}
