/**
 * Converts separate blocks of rows, in workers and in the main thread. Counts and lines of a block start at its
 * beginning.
 */
import type { BlockResult, WorkerTask } from './worker-messages.ts'
import type { AnswerRequest } from '../../cells/answers.ts'
import type { Failure } from '../../output/failure-report.ts'
import { rowConverter } from '../../rows/row-converter.ts'
import { newTally, takeTally } from '../../output/summary.ts'
import { outputColumns } from '../../plan/output-columns.ts'
import type { TablePlan } from '../../plan/plan.ts'
import { openRowWriter } from '../../output/row-writer.ts'
import type { Block } from './shared-blocks.ts'

/** `isCounting`: distinct cells are still counted. */
export type BlockConverter = (block: Block, isCounting: boolean) => BlockResult

export async function blockConverter(
  plan: TablePlan,
  { dialect, writing, ragged, threads }: Pick<WorkerTask, 'dialect' | 'writing' | 'ragged' | 'threads'>,
  answers: AnswerRequest,
): Promise<BlockConverter> {
  const output = outputColumns(plan, writing)
  const tally = newTally()
  let failures: Failure[] = []
  let broken = 0
  const counting = {
    plan,
    dialect,
    writer: await openRowWriter(plan, dialect, writing, output),
    tally,
    ragged,
    stopAtFirst: false,
    maxErrors: undefined,
    failed(failure: Failure) {
      failures.push(failure)
      if (BROKEN.has(failure.error.code)) broken += 1
    },
  }
  const turn = {
    get isOver() {
      return broken > MAX_BROKEN
    },
    look: () => undefined,
  }
  const request = { plan, dialect, writing, output, answers, threads, turn }
  const converter = rowConverter(request, counting)
  await converter.prepare()
  return ({ bytes, length, room }, isCounting) => {
    converter.restart(isCounting, room)
    failures = []
    broken = 0
    takeTally(tally)
    const { output: written, used, line, isFull } = converter.convert([Buffer.from(bytes, 0, length)], 1)
    const { keys, isExact } = converter.distinct
    const counts = { tally: takeTally(tally), failures, keys: keys(), isExact }
    return { output: written, used, isFull, lines: line - 1, ...counts }
  }
}

/**
 * Broken rows after which a block is left to the main thread: it begins inside a quoted field, which only that thread
 * knows, and each line of the field would be an error.
 */
const MAX_BROKEN = 1000
const BROKEN: ReadonlySet<string> = new Set(['ragged-row', 'bad-quote'])
