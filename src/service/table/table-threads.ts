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

/** Starts threads on demand and reuses them: one client at a time uses a single thread. */
export function tableThreads<Request>({ workerData, ...entry }: TableThreadEntry): TableThreads<Request> {
  const all = new Set<Thread<Request>>()
  const idle: Thread<Request>[] = []
  const waiting: (() => void)[] = []
  const start = () => {
    const resourceLimits = { maxOldGenerationSizeMb: TABLE_HEAP }
    const worker = new Worker(entry.file, { ...threadOptions(entry), workerData, resourceLimits })
    const thread = new Thread<Request>(worker, () => {
      all.delete(thread)
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
      waiting.shift()?.()
    })
    all.add(thread)
    return thread
  }
  const take = async () => {
    for (;;) {
      const thread = idle.pop() ?? (all.size < MAX_TABLES ? start() : undefined)
      if (thread !== undefined) return thread
      await new Promise<void>((free) => waiting.push(free))
    }
  }
  const giveBack = (thread: Thread<Request>) => {
    if (!all.has(thread)) return
    if (thread.isOld) return void thread.terminate()
    idle.push(thread)
    waiting.shift()?.()
  }
  return {
    async convert(request, dataId) {
      const thread = await take()
      try {
        if ((await thread.dataId) === dataId) return await thread.convert(request, () => giveBack(thread))
      } catch (error) {
        giveBack(thread)
        throw error
      }
      giveBack(thread)
      return undefined
    },
    renew() {
      for (const thread of all) thread.isOld = true
      for (const thread of idle.splice(0)) void thread.terminate()
    },
    async close() {
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
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

interface PendingAnswer {
  readonly resolve: (message: FromTables) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

class Thread<Request> {
  readonly dataId: Promise<string>
  /** The thread ends after its current conversion. */
  isOld = false
  readonly #worker: Worker
  /** Pending request; there is at most one. */
  #waiting: PendingAnswer | undefined
  #reason: LossReason = 'end'

  constructor(worker: Worker, gone: () => void) {
    this.#worker = worker
    this.dataId = new Promise((resolve, reject) => {
      const fail = (error: Error) => {
        gone()
        this.#settle()?.reject(error)
        reject(error)
      }
      worker.on('message', (message: FromTables) => {
        if (message.kind === 'data') resolve(message.dataId)
        else this.#settle()?.resolve(message)
      })
      worker.on('error', (error: NodeJS.ErrnoException) =>
        fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? lost('memory') : error),
      )
      worker.on('exit', () => fail(lost(this.#reason)))
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

  terminate(): Promise<number> {
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
      this.#worker.postMessage({ kind: 'end' } satisfies ToTables, [])
      over()
    }
  }

  #ask(message: ToTables): Promise<FromTables> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        this.#reason = 'time'
        void this.terminate()
      }, PATIENCE)
      this.#waiting = { resolve, reject, timer }
      this.#worker.postMessage(message, [])
    })
  }

  #settle(): PendingAnswer | undefined {
    const waiting = this.#waiting
    this.#waiting = undefined
    clearTimeout(waiting?.timer)
    return waiting
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
