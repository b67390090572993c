/** Conversions of tables in a thread of their own: started with the first, replaced when it dies, hangs, or has old data.  [disk] */
import { Worker } from 'node:worker_threads'
import { HlaError } from '../../errors.ts'
import { type ThreadEntry, threadOptions } from '../../package-root.ts'
import { readErrorRecord } from '../../operations/error-record.ts'
import type { TableAnswer } from './table-answer.ts'
import { TABLE_HEAP } from './table-share.ts'
import type { FromTables, ToTables } from './table-thread.ts'

/** A script that calls `serveTables`, and what it is told of the data that it opens. */
export interface TableThreadEntry extends ThreadEntry {
  readonly workerData: unknown
}

export interface TableThreads<Request> {
  /** undefined: its data are not those. @throws {HlaError} what is wrong with the table; that it takes too much */
  convert(request: Request, dataId: string): Promise<TableAnswer | undefined>
  /** There are other data: those who come from now on get a new thread. */
  renew(): void
  /** What is being converted is lost. */
  close(): Promise<void>
}

/** ms in which the thread says something to each question; a step of a sound table takes some milliseconds. */
const PATIENCE = 60_000

export function tableThreads<Request>({ workerData, ...entry }: TableThreadEntry): TableThreads<Request> {
  let current: Thread<Request> | undefined
  const all = new Set<Thread<Request>>()
  const start = () => {
    const resourceLimits = { maxOldGenerationSizeMb: TABLE_HEAP }
    const worker = new Worker(entry.file, { ...threadOptions(entry), workerData, resourceLimits })
    const thread = new Thread<Request>(worker, () => {
      all.delete(thread)
      if (current === thread) current = undefined
    })
    all.add(thread)
    return thread
  }
  return {
    async convert(request, dataId) {
      const thread = (current ??= start())
      return (await thread.dataId) === dataId ? thread.convert(request) : undefined
    },
    renew() {
      current?.retire()
      current = undefined
    },
    async close() {
      await Promise.all([...all].map((thread) => thread.terminate()))
    },
  }
}

interface Waiting {
  readonly resolve: (message: FromTables) => void
  readonly reject: (error: Error) => void
  readonly timer: NodeJS.Timeout
}

class Thread<Request> {
  readonly dataId: Promise<string>
  readonly #worker: Worker
  readonly #waiting = new Map<number, Waiting>()
  readonly #open = new Set<number>()
  #count = 0
  #isOld = false

  constructor(worker: Worker, gone: () => void) {
    this.#worker = worker
    const fail = (error: Error) => {
      gone()
      for (const [id, { reject }] of this.#waiting) {
        this.#settle(id)
        reject(error)
      }
    }
    this.dataId = new Promise((resolve, reject) => {
      worker.on('message', (message: FromTables) => {
        if (message.kind === 'data') return resolve(message.dataId)
        this.#settle(message.id)?.resolve(message)
      })
      worker.on('error', (error) => {
        fail(tooMuch(error))
        reject(error)
      })
      worker.on('exit', () => {
        const error = tooMuch(new Error('the thread of tables ended'))
        fail(error)
        reject(error)
      })
    })
    // it may fail before anybody asks
    this.dataId.catch(() => undefined)
  }

  async convert(request: Request): Promise<TableAnswer> {
    const id = (this.#count += 1)
    this.#open.add(id)
    try {
      const begun = await this.#ask({ kind: 'begin', id, request })
      if (begun.kind !== 'begun') throw errorIn(begun)
      return { ...begun.head, body: this.#pieces(id) }
    } catch (error) {
      this.#close(id)
      throw error
    }
  }

  /** Ends with its last conversion. */
  retire(): void {
    this.#isOld = true
    if (this.#open.size === 0) void this.#worker.terminate()
  }

  terminate(): Promise<number> {
    return this.#worker.terminate()
  }

  async *#pieces(id: number): AsyncGenerator<Uint8Array> {
    try {
      for (;;) {
        const next = await this.#ask({ kind: 'next', id })
        if (next.kind !== 'piece') throw errorIn(next)
        if (next.bytes === undefined) return
        yield next.bytes
      }
    } finally {
      this.#worker.postMessage({ kind: 'end', id } satisfies ToTables, [])
      this.#close(id)
    }
  }

  #ask(message: ToTables): Promise<FromTables> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => void this.terminate(), PATIENCE)
      this.#waiting.set(message.id, { resolve, reject, timer })
      this.#worker.postMessage(message, [])
    })
  }

  #settle(id: number): Waiting | undefined {
    const waiting = this.#waiting.get(id)
    this.#waiting.delete(id)
    clearTimeout(waiting?.timer)
    return waiting
  }

  #close(id: number): void {
    this.#open.delete(id)
    if (this.#isOld && this.#open.size === 0) void this.#worker.terminate()
  }
}

function errorIn(message: FromTables): Error {
  if (message.kind === 'refused') return readErrorRecord(message.record, 'bad-request')
  const error = new Error('a table could not be converted')
  if (message.kind === 'failed') error.stack = message.stack
  return error
}

function tooMuch(cause: Error): HlaError {
  return new HlaError('bad-request', 'the table takes more memory or time than the service sets aside', {
    hint: 'hla redux -i converts tables of any length',
    cause,
  })
}
