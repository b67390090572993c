/** Pool of workers that convert blocks; answers are awaited in the order of the blocks.  [threads] */
import type { Worker } from 'node:worker_threads'
import { threadOptions } from '../../../package-root.ts'
import { keepThreadsSmall, SMALL_HEAP } from '../../../io/heap.ts'
import type { WorkerScript } from '../table-job.ts'
import type { Block } from './shared-blocks.ts'
import {
  claimBlock,
  type BlockDone,
  type BlockMessage,
  reviveError,
  type WorkerAnswer,
  type WorkerData,
  type WorkerTask,
} from './worker-messages.ts'

/** Workers that can open their data while the table is examined. */
export interface TableWorkers {
  readonly count: number
  readonly pool: (task: WorkerTask) => Promise<WorkerPool>
  readonly close: () => Promise<void>
}

export interface WorkerPool {
  /** undefined when all workers are busy, or not ready. The worker owns the block until it answers. */
  readonly convert: (block: Block, isCounting: boolean) => HandedBlock | undefined
}

export interface HandedBlock {
  /** Never settles when the block was taken back. */
  readonly done: Promise<BlockDone>
  /** Takes the block back; false when a worker has begun it. */
  readonly takeBack: () => boolean
}

interface PendingBlock {
  readonly resolve: (done: BlockDone) => void
  readonly reject: (error: Error) => void
}

interface PoolWorker {
  readonly worker: Worker
  readonly waiting: PendingBlock[]
  readonly ready: Int32Array
  failure: Error | undefined
}

/** Blocks queued per worker, enough while the main thread converts one, reads and writes. */
const AHEAD = 8

export interface PoolRequest {
  readonly count: number
  readonly script: WorkerScript
  readonly data: Omit<WorkerData, 'ready'>
}

/** `isEarly`: start at once, which delays the first rows; else at first use. */
export function tableWorkers(asked: PoolRequest, isEarly: boolean): TableWorkers {
  let started = isEarly ? startWorkers(asked) : undefined
  return {
    count: asked.count,
    async pool(task) {
      const workers = await (started ??= startWorkers(asked))
      for (const { worker } of workers) worker.postMessage(task, [])
      return { convert: (block, isCounting) => convert(workers, block, isCounting) }
    },
    async close() {
      await Promise.all(((await started) ?? []).map(({ worker }) => worker.terminate()))
    },
  }
}

async function startWorkers({ count, script, data }: PoolRequest): Promise<PoolWorker[]> {
  const { Worker } = await import('node:worker_threads')
  keepThreadsSmall()
  return Array.from({ length: count }, () => {
    const workerData: WorkerData = { ...data, ready: new SharedArrayBuffer(4) }
    const worker = new Worker(script.file, {
      ...threadOptions(script),
      workerData,
      resourceLimits: SMALL_HEAP,
    })
    return listen(worker, new Int32Array(workerData.ready))
  })
}

function convert(
  workers: readonly PoolWorker[],
  { bytes, length, room }: Block,
  isCounting: boolean,
): HandedBlock | undefined {
  const failed = workers.find(({ failure }) => failure !== undefined)
  if (failed?.failure !== undefined) throw failed.failure
  const chosen = leastBusy(workers)
  if (chosen === undefined) return undefined
  const done = new Promise<BlockDone>((resolve, reject) => chosen.waiting.push({ resolve, reject }))
  // an error is reported in the order of the blocks
  done.catch(() => undefined)
  const begun = new SharedArrayBuffer(4)
  chosen.worker.postMessage({ bytes, length, room, isCounting, begun } satisfies BlockMessage, [])
  return { done, takeBack: () => claimBlock(begun) }
}

function leastBusy(workers: readonly PoolWorker[]): PoolWorker | undefined {
  let chosen: PoolWorker | undefined
  for (const one of workers) {
    const isReady = Atomics.load(one.ready, 0) === 1
    if (isReady && one.waiting.length < (chosen?.waiting.length ?? AHEAD)) chosen = one
  }
  return chosen
}

/** A worker answers in order of request. */
function listen(worker: Worker, ready: Int32Array): PoolWorker {
  const started: PoolWorker = { worker, waiting: [], ready, failure: undefined }
  worker.on('message', (answer: WorkerAnswer) => {
    const first = started.waiting.shift()
    if ('error' in answer) first?.reject(reviveError(answer.error))
    else if (answer.done !== undefined) first?.resolve(answer.done)
  })
  const fail = (error: Error) => {
    started.failure ??= error
    for (const { reject } of started.waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('a worker ended')))
  return started
}
