/** Comparison of a table's distinct typings: counts, and their summary line. */
import type { DiffReason } from '../../engine/explain/diff.ts'
import type { OperationQuestion } from '../../operations/operation-question.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import { PLAIN_NAME, endsTable } from '../answers/answers.ts'
import type { FoundTyping } from './distinct-typings.ts'
import { isHlaError } from '../../errors.ts'
import { type Executor, readyExecutor } from '../../operations/executor.ts'
import type { Operation } from '../../operations/operation.ts'
import type { AnswerRecord } from '../../operations/answers/records.ts'
import { formatCount } from '../../format-count.ts'

export interface Comparison {
  typings: number
  differ: number
  readonly reasons: Map<DiffReason, number>
  /** Cells and rows that could not be compared, by error code; each distinct one counts once. */
  readonly failures: Map<string, number>
}

export function newComparison(): Comparison {
  return { typings: 0, differ: 0, reasons: new Map(), failures: new Map() }
}

export function countReasons(comparison: Comparison, reasons: readonly DiffReason[]): void {
  comparison.typings += 1
  if (reasons.length > 0) comparison.differ += 1
  for (const reason of reasons) comparison.reasons.set(reason, (comparison.reasons.get(reason) ?? 0) + 1)
}

export function countFailure({ failures }: Comparison, code: string): void {
  failures.set(code, (failures.get(code) ?? 0) + 1)
}

/** Reasons shown even with a count of 0. */
const ALWAYS: readonly (readonly [DiffReason, string])[] = [
  ['gained', 'gained alleles'],
  ['lost', 'lost'],
  ['renamed', 'renamed'],
]

/** `81 distinct typings: 62 same members, 19 differ (19 gained alleles, 0 lost, 0 renamed)` */
export function comparisonText({ typings, differ, reasons, failures }: Comparison, isExact: boolean): string {
  const rare = [...reasons].filter(([reason]) => ALWAYS.every(([always]) => always !== reason))
  const why = [
    ...ALWAYS.map(([reason, words]) => `${formatCount(reasons.get(reason) ?? 0)} ${words}`),
    ...rare.map(([reason, count]) => `${formatCount(count)} ${reason}`),
  ]
  const failed = [...failures.values()].reduce((sum, count) => sum + count, 0)
  const codes = [...failures]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([code, count]) => `${formatCount(count)} ${code}`)
  const tail = failed === 0 ? '' : `, ${formatCount(failed)} failed (${codes.join(', ')})`
  const which = isExact ? 'distinct typing' : 'typing'
  const total = typings + failed
  return `${formatCount(total)} ${which}${total === 1 ? '' : 's'}: ${formatCount(typings - differ)} same members, ${formatCount(differ)} differ (${why.join(', ')})${tail}`
}

interface CompareRun {
  readonly operation: Operation
  readonly executor: Executor
  /** One a method. */
  readonly compared: readonly { readonly question: OperationQuestion; readonly comparison: Comparison }[]
  readonly differs: (answer: AnswerRecord) => void
}

export async function compareTypings(found: readonly FoundTyping[], run: CompareRun): Promise<void> {
  const questions = () =>
    found.flatMap((one) =>
      'error' in one ? [] : run.compared.map(({ question }) => makeAsked(one.glString, question, run)),
    )
  const executor = await readyExecutor(run.executor, questions)
  for (const one of found) {
    if (!('error' in one)) compareOne(one, { ...run, executor })
    else {
      one.fail(one.error)
      // no other method could ask it either
      for (const { comparison } of run.compared) countFailure(comparison, one.error.code)
    }
  }
}

function makeAsked(
  glString: string,
  { input }: OperationQuestion,
  { operation }: CompareRun,
): OperationRequest {
  return { operation: operation.name, input: { ...input, [operation.subject ?? '']: glString } }
}

function compareOne(
  { glString, fail }: Extract<FoundTyping, { readonly glString: string }>,
  run: CompareRun,
): void {
  const { operation, compared, differs } = run
  for (const { question, comparison } of compared) {
    try {
      const json = answerTo(glString, question, run)
      countReasons(comparison, json.reasons)
      if (json.reasons.length === 0) continue
      const text = operation.toText(json as never)
      const cells = operation.table?.row(json as never, question.input as never)
      differs({ input: glString, method: question.method, text, json, cells, error: undefined })
    } catch (error) {
      if (!isHlaError(error) || endsTable(error, () => answerTo(PLAIN_NAME, question, run))) throw error
      fail(error)
      countFailure(comparison, error.code)
    }
  }
}

type Output = AnswerRecord['json'] & { readonly reasons: readonly DiffReason[] }

function answerTo(glString: string, question: OperationQuestion, run: CompareRun): Output {
  const { operation, input } = makeAsked(glString, question, run)
  // of the only operation that compares
  return run.executor.execute(operation, input) as Output
}
