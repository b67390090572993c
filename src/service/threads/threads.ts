/** Pool of threads for long work: a crash or hang affects only its own request.  [disk] */
import { Worker } from 'node:worker_threads'
import { HlaError } from '../../errors.ts'
import { type ThreadEntry, threadOptions } from '../../package-root.ts'
import { readErrorRecord } from '../../operations/error-record.ts'
import type { FromThread, PiecedAnswer, ToThread } from './serve-thread.ts'

/** Script that calls `serveThread`, with the data to open. */
export interface ThreadScript extends ThreadEntry {
  readonly workerData: unknown
}

export interface Threads<Request, Answer extends PiecedAnswer> {
  /**
   * Returns undefined when the thread has other data.
   * @throws {HlaError} errors of the request; limits exceeded (`readLossReason`)
   */
  ask(request: Request, dataId: string): Promise<Answer | undefined>
  /** Call after the data changed: later requests get new threads. */
  renew(): void
  /** Ends all threads and their work. */
  close(): Promise<void>
}

/** Heap limit of one thread in MiB: beyond it only its request fails. */
export const THREAD_HEAP = 192

export interface ThreadLimits {
  /** Heap of one thread in MiB. */
  readonly heap: number
  /** Time in ms for each reply of a thread. */
  readonly patience: number
}

/** A step of normal work takes a few ms. */
const STANDARD: ThreadLimits = { heap: THREAD_HEAP, patience: 60_000 }

/** `what` is in messages: `table`. `count` is the maximum number of threads, and so of requests in work. */
export function startThreads<Request, Answer extends PiecedAnswer>(
  script: ThreadScript,
  what: string,
  count: number,
  limits = STANDARD,
): Threads<Request, Answer> {
  const pool = threadPool(script, what, count, limits)
  return {
    async ask(request, dataId) {
      const thread = await pool.take()
      const giveBack = () => pool.giveBack(thread)
      try {
        // the thread runs this program, whose answers to such requests have this type
        if ((await thread.dataId) === dataId) return (await thread.ask(request, giveBack)) as Answer
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
function threadPool(script: ThreadScript, what: string, count: number, limits: ThreadLimits) {
  const all = new Set<Thread>()
  const idle: Thread[] = []
  const waiting: (() => void)[] = []
  let isClosed = false
  const start = () => {
    const forget = () => {
      all.delete(thread)
      const at = idle.indexOf(thread)
      if (at >= 0) idle.splice(at, 1)
      waiting.shift()?.()
    }
    const thread = new Thread(startWorker(script, limits), { ...limits, what }, forget)
    all.add(thread)
    return thread
  }
  return {
    async take(): Promise<Thread> {
      for (;;) {
        if (isClosed) throw lossError('end', { ...limits, what })
        const thread = idle.pop() ?? (all.size < count ? start() : undefined)
        if (thread !== undefined) return thread
        await new Promise<void>((free) => waiting.push(free))
      }
    },
    giveBack(thread: Thread): void {
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

function startWorker({ workerData, ...entry }: ThreadScript, { heap }: ThreadLimits): Worker {
  const resourceLimits = { maxOldGenerationSizeMb: heap }
  return new Worker(entry.file, { ...threadOptions(entry), workerData, resourceLimits })
}

/**
 * Reasons for the end of a request other than its content: out of memory, a step that took too long, end of the
 * service.
 */
export type LossReason = 'memory' | 'time' | 'end'

class ThreadLost extends Error {
  override readonly name = 'ThreadLost'
  readonly reason: LossReason

  constructor(reason: LossReason) {
    super(`a thread ended: ${reason}`)
    this.reason = reason
  }
}

/** Reason for a lost thread; undefined for another error. */
export function readLossReason(error: unknown): LossReason | undefined {
  return error instanceof HlaError && error.cause instanceof ThreadLost ? error.cause.reason : undefined
}

interface AwaitedMessage {
  readonly resolve: (message: FromThread) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

interface ThreadFacts extends ThreadLimits {
  readonly what: string
}

class Thread {
  readonly dataId: Promise<string>
  /** The thread ends after its current request. */
  isOld = false
  readonly #worker: Worker
  readonly #facts: ThreadFacts
  /** Awaited message; there is at most one. */
  #awaited: AwaitedMessage | undefined
  /** Why the thread ended, or is ending: the answer to every later request. */
  #lossError: Error | undefined

  constructor(worker: Worker, facts: ThreadFacts, gone: () => void) {
    this.#worker = worker
    this.#facts = facts
    const fail = (error: Error) => {
      this.#lossError ??= error
      gone()
      this.#settle()?.reject(this.#lossError)
    }
    worker.on('message', (message: FromThread) => this.#settle()?.resolve(message))
    worker.on('error', (error: NodeJS.ErrnoException) =>
      fail(error.code === 'ERR_WORKER_OUT_OF_MEMORY' ? lossError('memory', facts) : error),
    )
    worker.on('exit', () => fail(lossError('end', facts)))
    this.dataId = this.#nextMessage().then((first) => {
      if (first.kind === 'data') return first.dataId
      throw errorIn(first, facts.what)
    })
    // may reject before anything awaits it
    this.dataId.catch(() => undefined)
  }

  /** `over` is called once, when the answer has been read or abandoned. */
  async ask(request: unknown, over: () => void): Promise<PiecedAnswer> {
    const reply = await this.#request({ kind: 'begin', request })
    if (reply.kind !== 'begun') throw errorIn(reply, this.#facts.what)
    const body = this.#pieces(over)
    // an unstarted generator does not notice when it is abandoned
    await body.next()
    return { ...reply.head, body }
  }

  terminate(reason: LossReason = 'end'): Promise<number> {
    this.#lossError ??= lossError(reason, this.#facts)
    return this.#worker.terminate()
  }

  async *#pieces(over: () => void): AsyncGenerator<Uint8Array> {
    try {
      yield new Uint8Array()
      for (;;) {
        const next = await this.#request({ kind: 'next' })
        if (next.kind !== 'piece') throw errorIn(next, this.#facts.what)
        if (next.bytes === undefined) return
        yield next.bytes
      }
    } finally {
      if (this.#lossError === undefined) this.#worker.postMessage({ kind: 'end' } satisfies ToThread, [])
      over()
    }
  }

  #request(message: ToThread): Promise<FromThread> {
    // a thread that has ended sends no event that could settle the answer
    if (this.#lossError !== undefined) return Promise.reject(this.#lossError)
    const answer = this.#nextMessage()
    this.#worker.postMessage(message, [])
    return answer
  }

  #nextMessage(): Promise<FromThread> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.terminate('time'), this.#facts.patience)
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

function errorIn(message: FromThread, what: string): Error {
  if (message.kind === 'refused') return readErrorRecord(message.record, 'bad-request')
  const error = new Error(`the thread of a ${what} failed`)
  if (message.kind === 'failed') error.stack = message.stack
  return error
}

function lossError(reason: LossReason, { what, heap, patience }: ThreadFacts): HlaError {
  const messages: Readonly<Record<LossReason, string>> = {
    memory: `the ${what} takes more memory than the service sets aside for one (${heap} MiB)`,
    time: `a step of the ${what} takes more than ${patience / 1000} s`,
    end: `the service ended before it was ready with the ${what}`,
  }
  const hint = reason === 'end' ? 'ask again' : `the command line sets no such limit to a ${what}`
  return new HlaError('bad-request', messages[reason], { hint, cause: new ThreadLost(reason) })
}
