/** Comparison of a table's distinct typings, each at its first occurrence: counts, and their summary line. */
import type { DiffReason } from '../../engine/explain/diff.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { formatCount } from '../../format-count.ts'
import type { AnswerRecord } from '../../operations/answers/records.ts'
import { type Executor, readyExecutor } from '../../operations/executor.ts'
import type { Operation } from '../../operations/operation.ts'
import type { OperationQuestion } from '../../operations/operation-question.ts'
import type { OperationRequest } from '../../operations/operation-request.ts'
import { PLAIN_NAME, endsTable } from '../answers/answers.ts'
import { readCell } from '../cells/cells.ts'
import type { PlannedGroup } from '../plan/plan.ts'
import type { TypedRow } from './read-rows.ts'

/** A typing, or why a cell or row has none; with its place. */
type FoundTyping = ({ readonly glString: string } | { readonly error: HlaError }) & {
  /** Reports the cell or row. */
  readonly fail: (error: HlaError) => void
}

interface TypingFinder {
  /** New distinct typings of the rows, in the order of the table. */
  readonly take: (rows: readonly TypedRow[]) => readonly FoundTyping[]
  /** false when memory ran out and some typings may have been found twice. */
  readonly isExact: () => boolean
}

/** `release`: that of the names in the table, `3.58.0`. */
export function typingFinder(release: string): TypingFinder {
  const seen = boundedSet()
  const foundIn = (row: TypedRow): readonly FoundTyping[] => {
    if (row.error !== undefined) return [{ error: row.error, fail: row.fail }]
    return row.cells
      .filter(({ group, value }) => seen.isNew(`${group.contextKey}\n${value}`))
      .map(({ group, column, value, error: unread }) => {
        const found = unread === undefined ? typingIn(value, group, release) : { error: unread }
        return { ...found, fail: (error: HlaError) => row.fail(error, { column, locus: group.locus ?? '', value }) } // prettier-ignore
      })
      .filter((found) => 'error' in found || (found.glString !== '' && seen.isNew(found.glString)))
  }
  return { take: (rows) => rows.flatMap(foundIn), isExact: seen.isExact }
}

/** Maximum number of texts remembered; only tables of whole GL Strings reach it. */
const MAX_KEPT = 1_000_000

function boundedSet() {
  const texts = new Set<string>()
  let isExact = true
  return {
    isExact: () => isExact,
    isNew(text: string): boolean {
      if (texts.has(text)) return false
      if (texts.size >= MAX_KEPT) {
        texts.clear()
        isExact = false
      }
      texts.add(text)
      return true
    },
  }
}

/** An empty `glString` for a cell without a typing. */
function typingIn(
  text: string,
  { context }: PlannedGroup,
  release: string,
): { glString: string } | { error: HlaError } {
  try {
    const read = readCell(text, context)
    if (read.kind === 'token') return { glString: '' }
    if (read.release === undefined || read.release === release) return { glString: read.glString }
    const message = `the names are of ${read.release}, but the comparison uses ${release}`
    return { error: new HlaError('unknown-allele', message, { offending: text }) }
  } catch (error) {
    if (isHlaError(error)) return { error }
    throw error
  }
}

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
