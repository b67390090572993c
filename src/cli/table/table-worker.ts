/** A worker: blocks of rows in, the same rows converted out. Opens the release itself.  [disk, threads] */
import type { MessagePort } from 'node:worker_threads'
import type { Failure } from '../../batch/failure-report.ts'
import { fastConverter } from '../../batch/fast/fast-converter.ts'
import { takeTally } from '../../batch/fast/merge-tally.ts'
import { nameFactsOf } from '../../batch/name-facts.ts'
import { outputColumns } from '../../batch/output-columns.ts'
import { rowWriter } from '../../batch/row-writer.ts'
import { newTally } from '../../batch/tally.ts'
import { localExecutor } from '../../operations/executor.ts'
import { cellOperationNamed } from '../../operations/registry.ts'
import { openKnowledge } from '../open-knowledge.ts'
import { type BlockAnswer, type BlockMessage, plainError, type WorkerTask } from './worker-messages.ts'

export async function runTableWorker(): Promise<void> {
  const { parentPort, workerData } = await import('node:worker_threads')
  if (parentPort === null) return
  // given by worker-pool.ts
  const convert = await openWorker(workerData as WorkerTask)
  parentPort.on('message', (message: BlockMessage) => answer(message, convert, parentPort))
}

type Convert = (message: BlockMessage) => BlockAnswer

function answer(message: BlockMessage, convert: Convert, port: MessagePort): void {
  let answered: BlockAnswer
  try {
    answered = convert(message)
  } catch (error) {
    answered = { error: plainError(error) }
  }
  port.postMessage(answered, 'done' in answered ? [answered.done.output] : [])
}

async function openWorker(task: WorkerTask): Promise<Convert> {
  const { release, dataDir, dialect, writing, ragged, operation, inputs } = task
  const { knowledge } = openKnowledge(release, dataDir)
  const facts = nameFactsOf(knowledge.release)
  const groups = task.plan.groups.map((group) => ({ ...group, context: { ...group.context, facts } }))
  const plan = { ...task.plan, groups }
  const output = outputColumns(plan, writing)
  const tally = newTally()
  let failures: Failure[] = []
  const counting = {
    plan,
    dialect,
    writer: rowWriter(plan, dialect, writing, output),
    tally,
    ragged,
    stopAtFirst: false,
    maxErrors: undefined,
    failed: (failure: Failure) => void failures.push(failure),
  }
  const { label } = knowledge.release.facts
  const answers = {
    executor: localExecutor(knowledge),
    operation: cellOperationNamed(operation),
    inputs,
    width: writing.width,
    release: label,
  }
  const converter = await fastConverter({ plan, dialect, writing, output, answers }, counting)
  return ({ bytes, length, isCounting }) => {
    converter.restart(isCounting)
    failures = []
    takeTally(tally)
    const { output: written, used, line } = converter.convert(Buffer.from(bytes, 0, length), 1)
    const counts = {
      tally: takeTally(tally),
      failures: failures.map((one) => ({ ...one, error: plainError(one.error) })),
    }
    const { keys, isExact } = converter.distinct
    // a copy of its own, to be handed over
    const out = { output: new Uint8Array(written).buffer, length: written.length }
    return { done: { ...out, ...counts, used, lines: line - 1, keys: [...keys], isExact } }
  }
}
