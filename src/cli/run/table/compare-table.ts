/** Compares each distinct typing of a table between two releases; the output lists those that differ. */
import {
  type Comparison,
  compareTypings,
  comparisonText,
  newComparison,
} from '../../../table/run/comparison.ts'
import { typingFinder } from '../../../table/run/distinct-typings.ts'
import { readTableInput } from '../../../table/input/input.ts'
import { layoutFor } from '../../../table/plan/layouts.ts'
import { type OpenTable, openTable, undecidedDigits } from '../../../table/plan/open-table.ts'
import { type SettlingFacts, settleFacts } from '../../../table/cells/name-facts.ts'
import type { ReadRequest } from '../../../table/plan/table-request.ts'
import { readRequest } from '../../../table/plan/raw-table-options.ts'
import { type Operation, tableColumns } from '../../../operations/operation.ts'
import { EXIT } from '../../../io/exit-status.ts'
import { withSink } from '../../../io/sink.ts'
import { tell, writeOut } from '../../../io/stdout.ts'
import { chooseFormatter } from '../../../operations/answers/records.ts'
import { type TableCommand, comparisonPlan, makeTableRun } from './table-command.ts'
import { shapeInput, shapeRequest } from '../../../table/run/open-input.ts'
import { openFailures, placeFailures } from '../../../table/run/table-failures.ts'
import type { Failure } from '../../../table/output/failure-report.ts'
import { tableNotes } from '../../../table/plan/recognition/table-notes.ts'
import { failuresShown } from './report/table-reporter.ts'

/**
 * Returns the exit status, which is "no" when some differ or fail.
 * @throws {HlaError} unknown-release, and as reading does
 */
export async function compareTable(command: TableCommand<Operation>): Promise<number> {
  const { questions, answering, reporter } = command
  const { files, options, accept } = makeTableRun(command)
  const { from_release, to_release } = questions[0]?.input ?? {}
  // from the arguments
  const [from, to] = [answering.factsOf(String(from_release)), answering.factsOf(String(to_release))]
  const { name, title, bytes } = await command.filePort.source(files[0] ?? '-')
  const layout = layoutFor(options.inputFormat, title)
  const reading = readRequest(options, layout, accept)
  const input = await shapeInput(
    await readTableInput(name, bytes(), { sheet: reading.sheet, dialect: reading.dialect }),
    shapeRequest(reading, layout, from.loci),
  )
  const table = await openTable(input, reading, layout, from)
  const isLeft = options.strictColumns === true && table.plan.unread.length > 0
  const refusal = undecidedDigits(table.plan, reading)
  command.noteData()
  if (options.plan === true) writeOut(comparisonPlan(table, command, `${from.label} to ${to.label}`))
  if (refusal !== undefined) throw refusal
  if (options.plan === true) return isLeft ? EXIT.no : EXIT.ok
  for (const note of tableNotes(table.plan)) reporter.note(note)
  const comparisons = await compare(command, table, reading, from)
  const isNo = comparisons.some(({ differ, failures }) => differ > 0 || failures.size > 0)
  return isLeft || (isNo && options.exitZero !== true) ? EXIT.no : EXIT.ok
}

/** Output with typings: nothing else identifies the answers. */
const RECORDS = { withInput: true, withMethod: true, isList: true }

/** `facts` are those of the release whose names the table contains. */
async function compare(
  command: TableCommand<Operation>,
  table: OpenTable,
  { ragged }: ReadRequest,
  facts: SettlingFacts,
): Promise<Comparison[]> {
  const { options, operation, questions, answering } = command
  const { plan, dialect, blocks } = table
  const finder = typingFinder({ plan, dialect, ragged, release: facts.label })
  const compared = questions.map((question) => ({ question, comparison: newComparison() }))
  const columns = tableColumns(operation, questions[0]?.input ?? {})
  const formatter = await chooseFormatter({ format: options.format, ...RECORDS, columns })
  const report = options.errors === undefined ? undefined : { file: options.errors, isAsked: true }
  const failures = await openFailures(command.filePort, report, failuresShown(plan.header.table))
  const placed = placeFailures(table)
  const isSummary = options.summary === true
  const failed = (failure: Failure) => failures.add(placed(failure))
  try {
    await withSink(await command.filePort.sink(options.output), async (sink) => {
      const differs = (answer: Parameters<typeof formatter.record>[0][number]) => {
        if (!isSummary) sink.write(formatter.record([answer]))
      }
      if (!isSummary) sink.write(formatter.head)
      const run = { operation, executor: answering.executor, compared, differs, failed }
      for await (const rows of blocks()) {
        if (facts.settle !== undefined) await settleFacts(facts, () => finder.peek(rows))
        await compareTypings(finder.take(rows), run)
        sink.flush()
        await sink.ready()
      }
      const lines = compared.map(({ question: { method }, comparison }) => {
        const text = comparisonText(comparison, finder.isExact())
        return compared.length > 1 ? `${method ?? ''}: ${text}\n` : `${text}\n`
      })
      if (isSummary) sink.write(lines.join(''))
      else {
        sink.write(formatter.tail())
        if (options.quiet !== true) tell(lines.map((line) => `hla: ${line}`).join(''))
      }
      await sink.finish()
    })
  } catch (error) {
    await failures.abandon()
    throw error
  }
  await failures.finish()
  return compared.map(({ comparison }) => comparison)
}
