/**
 * Leniencies that would read failed cells of a table. Each is tried on the first failed cells, as the table would read
 * them with it, and named only if a cell then has an answer.
 */
import { advice, type Advice, option } from '../../advice.ts'
import { LENIENCIES, type Leniency } from '../../engine/accept.ts'
import { counted } from '../../format-count.ts'
import { type AnswerRequest, answerCell } from '../cells/answers.ts'
import type { Failure } from '../output/failure-report.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'

/** Distinct failed cells that are tried. */
const MAX_TRIED = 100

interface TriedCell {
  readonly text: string
  readonly group: PlannedGroup
}

export interface LeniencyTrials {
  readonly saw: (failure: Failure) => void
  /** undefined when no leniency reads any of the cells, or a remote service answers. */
  readonly advice: () => Advice | undefined
}

export function leniencyTrials(plan: TablePlan, request: AnswerRequest): LeniencyTrials {
  const { operation, executor } = request
  const cells = new Map<string, TriedCell>()
  const groups = new Map(
    plan.groups.flatMap((group) => group.columns.map((at) => [plan.header.labels[at] ?? '', group] as const)),
  )
  const isAble = 'accept' in operation.input.properties && executor.ahead === undefined
  return {
    saw({ column, value }) {
      const group = groups.get(column)
      if (group === undefined || cells.size >= MAX_TRIED) return
      cells.set(`${group.contextKey} ${value}`, { text: value, group })
    },
    advice: () => (isAble ? tried([...cells.values()], request) : undefined),
  }
}

function tried(cells: readonly TriedCell[], request: AnswerRequest): Advice | undefined {
  const isRead = (accept: readonly Leniency[]) => (cell: TriedCell) => isAnswered(cell, accept, request)
  // what has an answer as it is failed for another reason, such as the format of the output
  const read = cells.filter((cell) => !isRead(cell.group.context.accept)(cell) && isRead(LENIENCIES)(cell))
  const [first] = read
  if (first === undefined) return undefined
  // rarest last: they are left out first
  let needed: readonly Leniency[] = LENIENCIES
  for (const one of LENIENCIES.toReversed()) {
    const fewer = needed.filter((other) => other !== one)
    if (read.every(isRead(fewer))) needed = fewer
  }
  const what =
    cells.length < MAX_TRIED
      ? counted(cells.length, 'distinct failed typing')
      : `the first ${MAX_TRIED} distinct failed typings`
  // the option replaces what was accepted
  const { accept } = first.group.context
  const named = LENIENCIES.filter((one) => accept.includes(one) || needed.includes(one))
  return advice`${option('accept', named.join(','))} reads ${String(read.length)} of ${what}, such as ${first.text}`
}

function isAnswered(
  { text, group }: TriedCell,
  accept: readonly Leniency[],
  request: AnswerRequest,
): boolean {
  const { executor, inputs } = request
  const context = { ...group.context, accept }
  const lenient = {
    ...request,
    executor: executor.withoutAdvice ?? executor,
    inputs: inputs.map((input) => ({ ...input, accept })),
  }
  return answerCell(text, { ...group, context }, lenient).status !== 'error'
}
