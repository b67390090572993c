/**
 * Leniencies that would read failed cells of a table. Each is tried on the first failed cells, as the table would read
 * them with it, and named only if a cell then has an answer.
 */
import { advice, type Advice, option } from '../../advice.ts'
import { LENIENCIES, type Leniency } from '../../engine/accept.ts'
import { assured, isHlaError } from '../../errors.ts'
import { counted } from '../../format-count.ts'
import { type AnswerRequest, makeAnswers } from '../cells/answers.ts'
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
  /** undefined when no leniency reads any of the cells. */
  readonly advice: () => Promise<Advice | undefined>
}

export function leniencyTrials(plan: TablePlan, request: AnswerRequest): LeniencyTrials {
  const cells = new Map<string, TriedCell>()
  const groups = new Map(
    plan.groups.flatMap((group) => group.columns.map((at) => [plan.header.labels[at] ?? '', group] as const)),
  )
  const isAble = 'accept' in request.operation.input.properties
  return {
    saw({ column, value }) {
      const group = groups.get(column)
      if (group === undefined || cells.size >= MAX_TRIED) return
      cells.set(`${group.contextKey} ${value}`, { text: value, group })
    },
    async advice() {
      if (!isAble || cells.size === 0) return undefined
      try {
        return await tried([...cells.values()], request)
      } catch (error) {
        // the results are complete: a service that no longer answers costs the advice alone
        if (isHlaError(error)) return undefined
        throw error
      }
    },
  }
}

async function tried(cells: readonly TriedCell[], request: AnswerRequest): Promise<Advice | undefined> {
  const accepted = cells[0]?.group.context.accept ?? []
  // what has an answer as it is failed for another reason, such as the format of the output
  const failing = await readBy(accepted, cells, request, false)
  const read = await readBy(LENIENCIES, failing, request)
  const [first] = read
  if (first === undefined) return undefined
  // rarest last: they are left out first
  let needed: readonly Leniency[] = LENIENCIES
  for (const one of LENIENCIES.toReversed()) {
    const fewer = needed.filter((other) => other !== one)
    if ((await readBy(fewer, read, request)).length === read.length) needed = fewer
  }
  // the option replaces what was accepted
  const named = LENIENCIES.filter((one) => accepted.includes(one) || needed.includes(one))
  const what =
    cells.length < MAX_TRIED
      ? counted(cells.length, 'distinct failed typing')
      : `the first ${MAX_TRIED} distinct failed typings`
  return advice`${option('accept', named.join(','))} reads ${String(read.length)} of ${what}, such as ${first.text}`
}

/** The cells that have an answer with these leniencies, or those that have none. */
async function readBy(
  accept: readonly Leniency[],
  cells: readonly TriedCell[],
  request: AnswerRequest,
  isRead = true,
): Promise<readonly TriedCell[]> {
  const { executor, inputs } = request
  const answers = makeAnswers({
    ...request,
    executor: executor.withoutAdvice ?? executor,
    inputs: inputs.map((input) => ({ ...input, accept })),
  })
  const asked = cells.map(({ text, group }) => ({
    value: text,
    group: { ...group, context: { ...group.context, accept } },
  }))
  await answers.ahead?.prepare(asked)
  return cells.filter((_, at) => {
    const { value, group } = assured(asked[at], 'a question for each cell')
    return (answers.of(value, group).status !== 'error') === isRead
  })
}
