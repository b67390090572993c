/** Asks about typings found in a table, and writes down the answers that are no. */
import type { OperationRequest } from '../../../operations/operation-request.ts'
import { type Comparison, countFailure, countReasons } from '../../../table/cells/comparison.ts'
import { PLAIN_NAME, endsTable } from '../../../table/cells/answers.ts'
import type { FoundTyping } from '../../../table/cells/distinct-typings.ts'
import type { Failure } from '../../../table/output/failure-report.ts'
import type { DiffReason } from '../../../engine/explain/diff.ts'
import { isHlaError } from '../../../errors.ts'
import { type Executor, readyExecutor } from '../../../operations/executor.ts'
import type { Operation } from '../../../operations/operation.ts'
import type { AnswerRecord } from '../records.ts'
import type { OperationQuestion } from '../run-operation.ts'

export interface CompareRun {
  readonly operation: Operation
  readonly executor: Executor
  /** One a method. */
  readonly compared: readonly { readonly question: OperationQuestion; readonly comparison: Comparison }[]
  readonly differs: (answer: AnswerRecord) => void
  readonly failed: (failure: Failure) => void
}

export async function compareTypings(
  found: readonly (FoundTyping | Failure)[],
  run: CompareRun,
): Promise<void> {
  const typings = found.filter((one) => 'glString' in one)
  const questions = () =>
    typings.flatMap((typing) => run.compared.map(({ question }) => makeAsked(typing, question, run)))
  const executor = await readyExecutor(run.executor, questions)
  for (const one of found) {
    if ('glString' in one) compareOne(one, { ...run, executor })
    else fail(one, run)
  }
}

function makeAsked(
  { glString }: Pick<FoundTyping, 'glString'>,
  { input }: OperationQuestion,
  { operation }: CompareRun,
): OperationRequest {
  return { operation: operation.name, input: { ...input, [operation.subject ?? '']: glString } }
}

/** What cannot be asked by one method cannot be by another. */
function fail(failure: Failure, { compared, failed }: CompareRun): void {
  failed(failure)
  for (const { comparison } of compared) countFailure(comparison, failure.error.code)
}

function compareOne(typing: FoundTyping, run: CompareRun): void {
  const { operation, compared, differs, failed } = run
  for (const { question, comparison } of compared) {
    try {
      const json = answerTo(typing, question, run)
      countReasons(comparison, json.reasons)
      if (json.reasons.length === 0) continue
      const text = operation.toText(json as never)
      const cells = operation.table?.row(json as never)
      differs({ input: typing.glString, method: question.method, text, json, cells, error: undefined })
    } catch (error) {
      const askPlainName = () => answerTo({ glString: PLAIN_NAME }, question, run)
      if (!isHlaError(error) || endsTable(error, askPlainName)) throw error
      failed({ ...typing, error })
      countFailure(comparison, error.code)
    }
  }
}

type Output = AnswerRecord['json'] & { readonly reasons: readonly DiffReason[] }

function answerTo(
  typing: Pick<FoundTyping, 'glString'>,
  question: OperationQuestion,
  run: CompareRun,
): Output {
  const { operation, input } = makeAsked(typing, question, run)
  // of the only operation that compares
  return run.executor.execute(operation, input) as Output
}
