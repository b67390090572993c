/** Compares each distinct typing of a table between two releases; the output lists those that differ. */
import {
  type Comparison,
  compareTypings,
  comparisonText,
  newComparison,
  typingFinder,
} from '../../../table/run/compare-typings.ts'
import type { SettlingFacts } from '../../../table/cells/name-facts.ts'
import { type Operation, tableColumns } from '../../../operations/operation.ts'
import { withSink } from '../../../io/sink.ts'
import { tell } from '../../../io/stdout.ts'
import { chooseFormatter } from '../../../operations/answers/records.ts'
import { readTypedRows } from '../../../table/run/read-rows.ts'
import { type OpenSide, openSide, tellTables } from './open-side.ts'
import { type TableCommand, makeTableRun } from './table-command.ts'
import { openFailures } from '../../../table/run/table-failures.ts'
import { failuresShown } from './report/table-reporter.ts'

/**
 * Returns the exit status, which is "no" when some differ or fail.
 * @throws {HlaError} unknown-release, and as reading does
 */
export async function compareTable(command: TableCommand<Operation>): Promise<number> {
  const { questions, answering } = command
  const { files, accept } = makeTableRun(command)
  const { from_release, to_release } = questions[0]?.input ?? {}
  // from the arguments
  const [from, to] = [answering.factsOf(String(from_release)), answering.factsOf(String(to_release))]
  const file = await openSide({ ...command, answering: { ...answering, facts: from } }, accept, files[0] ?? '-', 0) // prettier-ignore
  const release = `${from.label} to ${to.label}`
  const { isPlanOnly, status } = tellTables(command, [file], { release, isNamed: false })
  if (isPlanOnly) return status(false)
  const comparisons = await compare(command, file, from)
  return status(comparisons.some(({ differ, failures }) => differ > 0 || failures.size > 0))
}

/** Output with typings: nothing else identifies the answers. */
const RECORDS = { withInput: true, withMethod: true, isList: true }

/** `facts` are those of the release whose names the table contains. */
async function compare(
  command: TableCommand<Operation>,
  file: OpenSide,
  facts: SettlingFacts,
): Promise<Comparison[]> {
  const { options, operation, questions, answering } = command
  const finder = typingFinder(facts.label)
  const compared = questions.map((question) => ({ question, comparison: newComparison() }))
  const columns = tableColumns(operation, questions[0]?.input ?? {})
  const formatter = await chooseFormatter({ format: options.format, ...RECORDS, columns })
  const report = options.errors === undefined ? undefined : { file: options.errors, isAsked: true }
  const failures = await openFailures(command.filePort, report, failuresShown(file.table.plan.header.table))
  const isSummary = options.summary === true
  try {
    await withSink(await command.filePort.sink(options.output), async (sink) => {
      const differs = (answer: Parameters<typeof formatter.record>[0][number]) => {
        if (!isSummary) sink.write(formatter.record([answer]))
      }
      if (!isSummary) sink.write(formatter.head)
      const run = { operation, executor: answering.executor, compared, differs }
      for await (const rows of readTypedRows(file, facts, failures.add)) {
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
