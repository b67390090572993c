/** Worker: converts blocks of rows.  [threads] */
import type { MessagePort } from 'node:worker_threads'
import { divideMemory } from '../../../engine/memory.ts'
import { makeNameFacts } from '../../cells/name-facts.ts'
import { localExecutor } from '../../../operations/executor.ts'
import type { Knowledge } from '../../../operations/knowledge.ts'
import { cellOperationNamed } from '../../../operations/registry.ts'
import { type BlockConverter, blockConverter } from './block-converter.ts'
import {
  claimBlock,
  type BlockDone,
  type BlockMessage,
  plainError,
  type WorkerAnswer,
  type WorkerData,
  type WorkerTask,
} from './worker-messages.ts'

/** Runs until its parent ends. */
export function convertBlocks(
  port: MessagePort,
  { ready }: Pick<WorkerData, 'ready'>,
  knowledge: Knowledge,
): void {
  let convert: Promise<BlockConverter>
  port.on('message', (message: WorkerTask | BlockMessage) => {
    if ('plan' in message) {
      convert = openConverter(message, knowledge)
      void convert.then(() => Atomics.store(new Int32Array(ready), 0, 1))
    } else void convert.then((ready) => answer(message, ready, port))
  })
}

function openConverter(task: WorkerTask, knowledge: Knowledge): Promise<BlockConverter> {
  divideMemory(knowledge.memory, task.threads)
  const facts = makeNameFacts(knowledge.release)
  const groups = task.plan.groups.map((group) => ({ ...group, context: { ...group.context, facts } }))
  const answers = {
    executor: localExecutor(knowledge),
    operation: cellOperationNamed(task.operation),
    inputs: task.inputs,
    width: task.writing.width,
    release: knowledge.release.facts.label,
  }
  return blockConverter({ ...task.plan, groups }, task, answers)
}

function answer(message: BlockMessage, convert: BlockConverter, port: MessagePort): void {
  try {
    const done = claimBlock(message.begun) ? convertBlock(message, convert) : undefined
    port.postMessage({ done } satisfies WorkerAnswer, done?.apart === undefined ? [] : [done.apart])
  } catch (error) {
    port.postMessage({ error: plainError(error) } satisfies WorkerAnswer, [])
  }
}

/** The output is in the room of its block, or sent with the message. */
function convertBlock(message: BlockMessage, convert: BlockConverter): BlockDone {
  const { output, failures, ...rest } = convert(message, message.isCounting)
  return {
    ...rest,
    failures: failures.map((one) => ({ ...one, error: plainError(one.error) })),
    length: output.length,
    apart: output.buffer === message.room ? undefined : new Uint8Array(output).buffer,
  }
}
