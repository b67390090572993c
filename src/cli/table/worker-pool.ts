/** Workers that convert blocks, each in turn; their answers are awaited in the order of the blocks.  [threads] */
import type { Worker } from 'node:worker_threads'
import { packagePath } from '../../package-root.ts'
import { WORKER_WORD } from '../worker-word.ts'
import type { Block } from './shared-blocks.ts'
import {
  type BlockDone,
  type BlockMessage,
  errorOf,
  type WorkerAnswer,
  type WorkerTask,
} from './worker-messages.ts'

export interface WorkerPool {
  /** undefined: all workers have enough to do, or are not there yet. The block stays the worker's until it has answered. */
  readonly convert: (block: Block, isCounting: boolean) => Promise<BlockDone> | undefined
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly resolve: (done: BlockDone) => void
  readonly reject: (error: Error) => void
}

interface Started {
  readonly worker: Worker
  readonly waiting: Waiting[]
  isReady: boolean
  failure: Error | undefined
}

/** Blocks of one worker: one under way, and the next. */
const AHEAD = 2

export async function workerPool(count: number, task: WorkerTask): Promise<WorkerPool> {
  const { Worker } = await import('node:worker_threads')
  const workers = Array.from({ length: count }, () =>
    listen(new Worker(packagePath('bin/hla.cjs'), { argv: [WORKER_WORD], workerData: task })),
  )
  return {
    convert({ bytes, length, room }, isCounting) {
      const failed = workers.find(({ failure }) => failure !== undefined)
      if (failed?.failure !== undefined) throw failed.failure
      const chosen = idlest(workers)
      if (chosen === undefined) return undefined
      const promise = new Promise<BlockDone>((resolve, reject) => chosen.waiting.push({ resolve, reject }))
      // whoever waits for an earlier block hears of it in its turn
      promise.catch(() => undefined)
      chosen.worker.postMessage({ bytes, length, room, isCounting } satisfies BlockMessage, [])
      return promise
    },
    async close() {
      await Promise.all(workers.map(({ worker }) => worker.terminate()))
    },
  }
}

function idlest(workers: readonly Started[]): Started | undefined {
  let chosen: Started | undefined
  for (const one of workers) {
    const isFree = one.isReady && one.waiting.length < AHEAD
    if (isFree && one.waiting.length < (chosen?.waiting.length ?? AHEAD)) chosen = one
  }
  return chosen
}

/** A worker answers in the order it was asked. */
function listen(worker: Worker): Started {
  const started: Started = { worker, waiting: [], isReady: false, failure: undefined }
  worker.on('message', (answer: WorkerAnswer) => {
    if (answer === 'ready') {
      started.isReady = true
      return
    }
    const first = started.waiting.shift()
    if ('done' in answer) first?.resolve(answer.done)
    else first?.reject(errorOf(answer.error))
  })
  const fail = (error: Error) => {
    started.failure ??= error
    for (const { reject } of started.waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('a worker ended')))
  return started
}
