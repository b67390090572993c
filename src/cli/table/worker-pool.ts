/** Workers that convert blocks, each in turn; their answers are awaited in the order of the blocks.  [threads] */
import type { Worker } from 'node:worker_threads'
import { packagePath } from '../../package-root.ts'
import { WORKER_WORD } from '../worker-word.ts'
import { type BlockAnswer, type BlockDone, errorOf, type WorkerTask } from './worker-messages.ts'

export interface WorkerPool {
  readonly size: number
  /** The bytes stay the worker's until it has answered. */
  readonly convert: (bytes: Buffer, isCounting: boolean) => Promise<BlockDone>
  readonly close: () => Promise<void>
}

interface Waiting {
  readonly resolve: (done: BlockDone) => void
  readonly reject: (error: Error) => void
}

export async function workerPool(jobs: number, task: WorkerTask): Promise<WorkerPool> {
  const { Worker } = await import('node:worker_threads')
  const workers = Array.from({ length: jobs }, () => {
    const worker = new Worker(packagePath('bin/hla.cjs'), { argv: [WORKER_WORD], workerData: task })
    return { worker, waiting: listen(worker) }
  })
  let next = 0
  return {
    size: jobs,
    convert(bytes, isCounting) {
      const chosen = workers[next++ % jobs]
      if (chosen === undefined) throw new Error('no worker')
      const promise = new Promise<BlockDone>((resolve, reject) => chosen.waiting.push({ resolve, reject }))
      // whoever waits for an earlier block hears of it in its turn
      promise.catch(() => undefined)
      chosen.worker.postMessage({ bytes: sharedOf(bytes), length: bytes.length, isCounting }, [])
      return promise
    },
    async close() {
      await Promise.all(workers.map(({ worker }) => worker.terminate()))
    },
  }
}

/** A worker answers in the order it was asked. */
function listen(worker: Worker): Waiting[] {
  const waiting: Waiting[] = []
  worker.on('message', (answer: BlockAnswer) => {
    const first = waiting.shift()
    if ('done' in answer) first?.resolve(answer.done)
    else first?.reject(errorOf(answer.error))
  })
  const fail = (error: Error) => {
    for (const { reject } of waiting.splice(0)) reject(error)
  }
  worker.on('error', fail)
  worker.on('exit', () => fail(new Error('a worker ended')))
  return waiting
}

/** Blocks are made on shared memory, from its begin. */
function sharedOf({ buffer }: Buffer): SharedArrayBuffer {
  if (buffer instanceof SharedArrayBuffer) return buffer
  throw new Error('a block must lie in shared memory')
}
