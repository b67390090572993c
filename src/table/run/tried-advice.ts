/**
 * Advice on columns and cells, printed only after it was tried (`tried-error.ts`): options of a plan are typed again on
 * the first rows, with those that were given; options of cells are tried on the first failed ones.
 */
import { advice, type Advice, option, type OptionAdvice } from '../../advice.ts'
import { LENIENCIES, type Leniency } from '../../engine/accept.ts'
import { assured, type HlaError, isHlaError } from '../../errors.ts'
import { counted } from '../../format-count.ts'
import { type AnswerRequest, makeAnswers } from '../answers/answers.ts'
import { outcomeOf, type Retry } from '../tried-error.ts'
import type { Failure } from '../output/failure-report.ts'
import { columnSelector, type UnreadColumns } from '../plan/recognition/unread-text.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'

/** The plan with those options for unread columns that read them, or exclude them. */
export async function triedPlan(plan: TablePlan, retry: Retry<TablePlan> | undefined): Promise<TablePlan> {
  const advised = plan.unread.flatMap(({ option: one }) => (one.value === undefined ? [] : [one]))
  if (advised.length === 0) return plan
  const outcome = async (typed: readonly OptionAdvice[]) => retry && outcomeOf(retry, typed)
  const together = await outcome(advised)
  const unread: UnreadColumns[] = []
  for (const one of plan.unread) {
    const own = one.option.value === undefined ? undefined : [one.option]
    const changes =
      own === undefined || changesUnread(together, one) || changesUnread(await outcome(own), one)
    unread.push(changes ? one : { ...one, option: { option: one.option.option } })
  }
  return { ...plan, unread }
}

function changesUnread(outcome: TablePlan | HlaError | undefined, { columns }: UnreadColumns): boolean {
  return (
    outcome !== undefined &&
    !isHlaError(outcome) &&
    !outcome.unread.some((one) => one.columns.some((at) => columns.includes(at)))
  )
}

/** Distinct failed cells that are tried. */
const MAX_TRIED = 100

interface TriedCell {
  readonly text: string
  readonly column: number
  readonly group: PlannedGroup
}

export interface CellTrials {
  readonly saw: (failure: Failure) => void
  /** One for all failed cells; none where no option reads any of them. */
  readonly advice: () => Promise<readonly CellAdvice[]>
}

export interface CellAdvice {
  readonly code: string
  readonly message: Advice
}

export function cellTrials(plan: TablePlan, request: AnswerRequest): CellTrials {
  const cells = new Map<string, TriedCell>()
  const groups = new Map(
    plan.groups.flatMap((group) => group.columns.map((at) => [plan.header.labels[at] ?? '', { group, column: at, seen: new Set<string>() }] as const)), // prettier-ignore
  )
  return {
    saw({ column: label, value }) {
      if (cells.size >= MAX_TRIED) return
      const found = groups.get(label)
      if (found === undefined || found.seen.has(value)) return
      found.seen.add(value)
      const { group, column } = found
      cells.set(`${group.contextKey} ${value}`, { text: value, group, column })
    },
    async advice() {
      if (cells.size === 0) return []
      const all = [...cells.values()]
      try {
        const lenient = 'accept' in request.operation.input.properties ? await triedLeniencies(all, request) : undefined // prettier-ignore
        const loci = await triedGl(all, plan, request)
        return [
          ...(lenient === undefined ? [] : [{ code: 'accept', message: lenient }]),
          ...(loci === undefined ? [] : [{ code: 'several-loci', message: loci }]),
        ]
      } catch (error) {
        // the results are complete: a service that no longer answers costs the advice alone
        if (isHlaError(error)) return []
        throw error
      }
    },
  }
}

/** Columns of a locus whose cells name several: `-g`, which reads each name by its own. */
async function triedGl(
  cells: readonly TriedCell[],
  plan: TablePlan,
  request: AnswerRequest,
): Promise<Advice | undefined> {
  const several = cells.filter(({ text, group }) => group.locus !== undefined && /[~^]/.test(text))
  if (several.length === 0 || plan.source !== undefined) return undefined
  const read = await answered(several, request, ({ context, contextKey, ...group }) => ({
    ...group,
    locus: undefined,
    context: { ...context, locus: undefined, joined: undefined },
    contextKey: `${contextKey} several`,
  }))
  const [first] = read
  if (first === undefined) return undefined
  const columns = [...new Set(read.map(({ column }) => columnSelector(column, plan.header)))].join(',')
  return advice`${option('gl', columns)} reads ${String(read.length)} of ${triedText(cells)}, such as ${first.text}`
}

function triedText(cells: readonly TriedCell[]): string {
  return cells.length < MAX_TRIED
    ? counted(cells.length, 'distinct failed typing')
    : `the first ${MAX_TRIED} distinct failed typings`
}

/** Leniencies that read failed cells, as the table would read them with these. */
async function triedLeniencies(
  cells: readonly TriedCell[],
  request: AnswerRequest,
): Promise<Advice | undefined> {
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
  return advice`${option('accept', named.join(','))} reads ${String(read.length)} of ${triedText(cells)}, such as ${first.text}`
}

/** The cells that have an answer with these leniencies, or those that have none. */
async function readBy(
  accept: readonly Leniency[],
  cells: readonly TriedCell[],
  request: AnswerRequest,
  isRead = true,
): Promise<readonly TriedCell[]> {
  const inputs = request.inputs.map((input) => ({ ...input, accept }))
  const read = await answered(cells, { ...request, inputs }, (group) => ({
    ...group,
    context: { ...group.context, accept },
  }))
  return isRead ? read : cells.filter((one) => !read.includes(one))
}

/** The cells that have an answer in another group. */
async function answered(
  cells: readonly TriedCell[],
  request: AnswerRequest,
  regroup: (group: PlannedGroup) => PlannedGroup,
): Promise<readonly TriedCell[]> {
  const executor = request.executor.withoutAdvice ?? request.executor
  const answers = makeAnswers({ ...request, executor })
  const asked = cells.map(({ text, group }) => ({ value: text, group: regroup(group) }))
  await answers.ahead?.prepare(asked)
  return cells.filter((_, at) => {
    const { value, group } = assured(asked[at], 'a question for each cell')
    return answers.of(value, group).status !== 'error'
  })
}
