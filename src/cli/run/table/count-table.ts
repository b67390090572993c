/** hla count: alleles, genotypes or categories of a table, by locus and population. */
import type { Leniency } from '../../../engine/accept.ts'
import { advice, option } from '../../../advice.ts'
import { type Counted, type CountRow, newCounter } from '../../../engine/count.ts'
import { HlaError, isHlaError } from '../../../errors.ts'
import { counted } from '../../../format-count.ts'
import type { Sink } from '../../../io/sink.ts'
import { tell } from '../../../io/stdout.ts'
import { type CountAnswer, type CountColumns, countCells, countColumns, countQuestion, countRecord, readPossibilities } from '../../../operations/answers/counting.ts' // prettier-ignore
import { chooseFormatter } from '../../../operations/answers/records.ts'
import type { Operation } from '../../../operations/operation.ts'
import { readPersonRows, typingAnswers } from '../../../table/match/read-persons.ts'
import { pairFormat } from '../../options/table-options.ts'
import { openSide, type OpenSide, sideReading, tellTables } from './open-side.ts'
import { type Course, provenancePlace, runIntoFiles } from './run-files.ts'
import type { TableCommand } from './table-command.ts'

type Command = TableCommand<Operation>
type Asked = Pick<Command, 'options' | 'questions'>

/** Returns the exit status, which is "no" when a typing cannot be read. @throws {HlaError} as opening and reading do */
export async function countTableCommand(command: Command): Promise<number> {
  const { options } = command
  const request = readRequest(command)
  const provenance = await provenancePlace(command)
  const isHashed = provenance !== undefined
  const file = await openSide({ ...command, isHashed }, request.accept, request.file, 0)
  const { isPlanOnly, status } = tellTables(command, [file])
  if (isPlanOnly) return status(false)
  const column = populationColumn(file, options.by)
  const run = {
    files: [file],
    provenance,
    options: countOptions(command),
    status,
    bytesRead: () => file.table.input.bytesRead(),
  }
  const { exit, summary } = await runIntoFiles(command, run, async (course) => {
    const { rows, persons } = await countRows(command, { ...request, file, column }, course)
    course.finish()
    await writeRows(command, request.columns, { ...course, rows })
    return { persons, written: rows.length }
  })
  if (options.quiet !== true)
    tell(`hla: ${counted(summary.persons, 'person')}, ${counted(summary.written, 'row')} written\n`)
  return exit
}

/** Options that decide the output, as provenance records them. @throws {HlaError} usage */
export function countOptions(asked: Asked): object {
  const { options } = asked
  const { file, accept, input } = readRequest(asked)
  return {
    reading: sideReading(options, accept, file, 0),
    writing: { format: pairFormat(options), by: options.by },
    engine: { operation: 'count', ...input },
  }
}

interface Request {
  readonly of: Counted
  readonly columns: CountColumns
  readonly input: Readonly<Record<string, unknown>>
  readonly accept: readonly Leniency[]
}

/** @throws {HlaError} usage */
function readRequest({ options, questions }: Asked): Request & { readonly file: string } {
  const [question, another] = questions
  const input = question?.input ?? {}
  const [file = '-', second] = options.input ?? []
  if (another !== undefined) throw new HlaError('usage', 'counts have names of one method')
  if (second !== undefined)
    throw new HlaError('usage', 'one table is counted at a time', {
      hint: 'name a folder, or a pattern in quotes',
    })
  // the schema has checked the choice
  const of = (input['of'] ?? 'alleles') as Counted
  const withShare = input['share'] === true
  if (withShare && of === 'genotypes')
    throw new HlaError('usage', advice`genotypes have no shares: leave out ${option('share')}`)
  if (of !== 'categories' && input['catalogue'] !== undefined)
    throw new HlaError('usage', advice`${option('catalogue')} requires ${option('of', 'categories')}`)
  return {
    of,
    columns: { withPopulation: options.by !== undefined, withShare },
    input,
    // readLeniencies parsed it from the command line
    accept: (input['accept'] ?? []) as readonly Leniency[],
    file,
  }
}

/** @throws {HlaError} usage — no such column */
function populationColumn({ table: { plan }, name }: OpenSide, by: string | undefined): number | undefined {
  if (by === undefined) return undefined
  const { labels } = plan.header
  const at = labels.findIndex((label) => label === by)
  const loose = at >= 0 ? at : labels.findIndex((label) => label.toLowerCase() === by.toLowerCase())
  if (loose >= 0) return loose
  throw new HlaError('usage', `${name} has no column ${JSON.stringify(by)}`, {
    offending: by,
    hint: `its columns are ${labels.slice(0, 12).join(', ')}${labels.length > 12 ? ', …' : ''}`,
  })
}

interface Counting extends Request {
  readonly file: OpenSide
  readonly column: number | undefined
}

async function countRows(
  { answering }: Command,
  { file, column, columns, of, input }: Counting,
  { failed, passed }: Course,
): Promise<{ readonly rows: readonly CountRow[]; readonly persons: number }> {
  const answers = typingAnswers(
    answering.executor,
    (text) => countQuestion(text, input),
    // output of redux or cwd
    (output) => readPossibilities(of, output as CountAnswer),
  )
  const counter = newCounter({ of, resolve: answers.get })
  let rowCount = 0
  for await (const rows of readPersonRows(file, answering.facts, failed)) {
    await answers.learn(rows.flatMap(([, persons]) => persons))
    for (const [{ error, text, fail }, persons] of rows) {
      if (error !== undefined) fail(error)
      const population = column === undefined ? '' : text(column)
      for (const { loci } of persons)
        counter.add(
          population,
          new Map([...loci].map(([locus, { typed }]) => [locus, typed])),
          (locus, problem) => {
            if (!isHlaError(problem)) throw problem
            const { column: at = 0, value = '' } = loci.get(locus) ?? {}
            fail(problem, { column: at, locus, value })
          },
        )
    }
    passed((rowCount += rows.length))
  }
  return { rows: counter.rows(columns.withShare), persons: counter.persons() }
}

async function writeRows(
  { options, questions }: Command,
  columns: CountColumns,
  { sink, rows }: { readonly sink: Sink; readonly rows: readonly CountRow[] },
): Promise<void> {
  const formatter = await chooseFormatter({
    format: pairFormat(options),
    withInput: false,
    withMethod: questions.length > 1,
    columns: countColumns(columns),
    isList: true,
  })
  sink.write(formatter.head)
  for (const row of rows) {
    const json = countRecord(row, columns)
    const cells = countCells(json, columns)
    sink.write(
      formatter.record([
        { input: '', method: undefined, text: cells.join('\t'), json, cells, error: undefined },
      ]),
    )
  }
  sink.write(formatter.tail())
}
