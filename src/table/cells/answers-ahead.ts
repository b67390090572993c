/** Answers that cost a journey: all that rows will need is asked for together, before they are converted. */
import type { Executor } from '../../operations/executor.ts'
import { type Answers, answerCell, type AnswerRequest, type CellAnswer, cellQuestions } from './answers.ts'
import { conversionError } from '../run/convert.ts'
import type { Dialect } from '../input/dialect.ts'
import { isOfHeader, type PlannedGroup, type TablePlan } from '../plan/plan.ts'
import type { TableRow } from '../input/read-table.ts'
import { readCells, type RowCell } from './row-cells.ts'
import { settled } from './name-facts.ts'

export interface AnswersAhead extends Pick<Answers, 'of'> {
  /** Afterwards, the cells of these rows have their answers. */
  readonly prepare: (rows: readonly TableRow[]) => Promise<void>
}

export interface CellsAhead extends Pick<Answers, 'of'> {
  /** Afterwards, these cells have their answers. */
  readonly prepare: (cells: readonly AskedCell[]) => Promise<void>
}

export type AskedCell = Pick<RowCell, 'group' | 'value'>

export interface AheadRequest {
  readonly answers: AnswerRequest
  readonly plan: TablePlan
  readonly dialect: Dialect
  readonly ragged: 'error' | 'pad'
}

/** Characters of cells and answers that are kept, but for those of the rows in hand. */
const MOST_KEPT = 64 * 1024 * 1024

export function answersAhead(request: AheadRequest): AnswersAhead {
  const { of, prepare } = cellsAhead(request.answers)
  return { of, prepare: (rows) => prepare(rows.flatMap((row) => cellsIn(row, request))) }
}

export function cellsAhead(answers: AnswerRequest): CellsAhead {
  const known = new Map<string, CellAnswer>()
  let size = 0
  return {
    async prepare(all) {
      if (size > MOST_KEPT) {
        known.clear()
        size = 0
      }
      const cells = new Map<string, AskedCell>()
      for (const cell of all) {
        const key = typingKey(cell.value, cell.group)
        if (!known.has(key)) cells.set(key, cell)
      }
      const [first] = cells.values()
      if (first === undefined) return
      // facts are the same for all
      const questions = await settled(first.group.context.facts, () =>
        [...cells.values()].flatMap(({ value, group: of }) => cellQuestions(value, of, answers)),
      )
      const executor = await readyFor(answers.executor, questions)
      for (const [key, { value, group: of }] of cells) {
        const answer = answerCell(value, of, { ...answers, executor })
        known.set(key, answer)
        size += key.length + answer.results.join('').length
      }
    },
    of(text, group) {
      const answer = known.get(typingKey(text, group))
      if (answer === undefined) throw new Error('a cell that was not prepared')
      return answer
    },
  }
}

function typingKey(text: string, { contextKey }: PlannedGroup): string {
  return `${contextKey}\n${text}`
}

function cellsIn(row: TableRow, request: AheadRequest): readonly RowCell[] {
  if (row.kind === 'other' || isOfHeader(row, request.plan) || conversionError(row, request) !== undefined)
    return []
  return readCells(row, request)
}

function readyFor(executor: Executor, questions: Parameters<NonNullable<Executor['ahead']>>[0]) {
  return executor.ahead === undefined ? executor : executor.ahead(questions)
}

/** Rows in larger pieces, so that many are asked about together. */
export async function* gathered(blocks: AsyncIterable<TableRow[]>, most: number): AsyncGenerator<TableRow[]> {
  let rows: TableRow[] = []
  for await (const block of blocks) {
    rows.push(...block)
    if (rows.length < most) continue
    yield rows
    rows = []
  }
  if (rows.length > 0) yield rows
}
