/** hla count: alleles, genotypes or categories of a table, by locus and population. */
import type { Leniency } from '../../../engine/accept.ts'
import { advice, option } from '../../../advice.ts'
import { type Counted, type CountRow, newCounter, type Possibilities } from '../../../engine/count.ts'
import { endsRun, HlaError, isHlaError } from '../../../errors.ts'
import { counted } from '../../../format-count.ts'
import { EXIT } from '../../../io/exit-status.ts'
import type { Sink } from '../../../io/sink.ts'
import { tell, writeOut } from '../../../io/stdout.ts'
import { type CountAnswer, type CountColumns, countCells, countColumns, countQuestion, countRecord, readPossibilities } from '../../../operations/answers/counting.ts' // prettier-ignore
import { chooseFormatter } from '../../../operations/answers/records.ts'
import { readyExecutor } from '../../../operations/executor.ts'
import type { Operation } from '../../../operations/operation.ts'
import { cellText, type PersonRow, readRows, typingsOf } from '../../../table/match/read-persons.ts'
import type { Failure } from '../../../table/output/failure-report.ts'
import { newTally } from '../../../table/output/summary.ts'
import { undecidedDigits } from '../../../table/plan/open-table.ts'
import { tableNotes } from '../../../table/plan/recognition/table-notes.ts'
import { type RunFiles, withFiles } from '../../../table/run/commit-files.ts'
import { pairFormat } from '../../options/table-options.ts'
import { openSide, type OpenSide, sideReading } from './open-side.ts'
import { openProgress } from './report/progress.ts'
import { nameFiles, openOutputs, provenancePlace } from './run-files.ts'
import { comparisonPlan, type TableCommand } from './table-command.ts'

type Command = TableCommand<Operation>
type Asked = Pick<Command, 'options' | 'questions'>

/** Returns the exit status, which is "no" when a typing cannot be read. @throws {HlaError} as opening and reading do */
export async function countTableCommand(command: Command): Promise<number> {
  const { options, answering, reporter } = command
  const request = readRequest(command)
  const provenance = await provenancePlace(command)
  const isHashed = provenance !== undefined
  const file = await openSide({ ...command, isHashed }, request.accept, request.file, 0)
  command.noteData()
  const { table, reading, name } = file
  const refusal = undecidedDigits(table.plan, reading)
  if (options.plan === true) writeOut(comparisonPlan(table, command, answering.facts.label))
  if (refusal !== undefined) throw refusal
  const isLeft = options.strictColumns === true && table.plan.unread.length > 0
  if (options.plan === true) return isLeft ? EXIT.no : EXIT.ok
  for (const note of tableNotes(table.plan)) reporter.note({ ...note, message: `${name}: ${note.message}` })
  const column = populationColumn(file, options.by)
  const started = new Date()
  const status = (failed: number) => (isLeft || (failed > 0 && options.exitZero !== true) ? EXIT.no : EXIT.ok)
  const ended = await withFiles(
    (opened) => openOutputs(command, [file], opened),
    async (files, commit) => {
      const summary = await countInto(command, { ...request, file, column }, files)
      const exit = status(summary.failed)
      await nameFiles(command, [file], commit, {
        provenance,
        options: countOptions(command),
        summary,
        started,
        exit,
      })
      return { ...summary, exit }
    },
  )
  if (options.quiet !== true)
    tell(`hla: ${counted(ended.persons, 'person')}, ${counted(ended.written, 'row')} written\n`)
  return ended.exit
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

interface Summary {
  readonly persons: number
  readonly written: number
  readonly failed: number
}

async function countInto(
  command: Command,
  counting: Counting,
  { sink, failures }: RunFiles,
): Promise<Summary> {
  const { options } = command
  const tally = newTally()
  const watched = { tally, bytesRead: () => counting.file.table.input.bytesRead(), bytes: undefined }
  const progress = openProgress(options.progress, options.quiet ?? false, watched)
  let failed = 0
  const addFailure = (failure: Failure) => {
    failed += 1
    progress.clear()
    failures.add(failure)
  }
  const passed = (rows: number) => {
    tally.rows = rows
    progress.passed()
  }
  try {
    const { rows, persons } = await countRows(command, counting, { failed: addFailure, passed })
    progress.finish()
    await writeRows(command, counting.columns, { sink, rows })
    return { persons, written: rows.length, failed }
  } catch (error) {
    progress.clear()
    throw error
  }
}

interface Receiver {
  readonly failed: (failure: Failure) => void
  /** Called with the number of rows so far. */
  readonly passed: (rows: number) => void
}

async function countRows(
  { answering }: Command,
  { file, column, columns, of, input }: Counting,
  receiver: Receiver,
): Promise<{ readonly rows: readonly CountRow[]; readonly persons: number }> {
  const known = new Map<string, Possibilities | HlaError>()
  const counter = newCounter({
    of,
    resolve(text) {
      const found = known.get(text)
      if (found === undefined) throw new Error(`${text} was not asked`)
      if (found instanceof HlaError) throw found
      return found
    },
  })
  const learn = async (persons: readonly PersonRow[]) => {
    const texts = [...typingsOf(persons)].filter((text) => !known.has(text))
    const questions = texts.map((text) => countQuestion(text, input))
    // output of redux or cwd
    const ready = await readyExecutor(answering.executor, () => questions)
    for (const [at, { operation, input: asked }] of questions.entries())
      known.set(
        texts[at] ?? '',
        answered(() => readPossibilities(of, ready.execute(operation, asked) as CountAnswer)),
      )
  }
  await readRows(file, { ...receiver, facts: answering.facts, learn }, ({ row, error, persons }, failAt) => {
    if (error !== undefined) return failAt(error)
    const population = column === undefined ? '' : cellText(row, column, file.table).trim()
    for (const { loci } of persons)
      counter.add(
        population,
        new Map([...loci].map(([locus, { typed }]) => [locus, typed])),
        (locus, problem) => {
          if (!isHlaError(problem)) throw problem
          const { column: at = 0, value = '' } = loci.get(locus) ?? {}
          failAt(problem, { column: at, locus, value })
        },
      )
  })
  return { rows: counter.rows(columns.withShare), persons: counter.persons() }
}

function answered(answer: () => Possibilities): Possibilities | HlaError {
  try {
    return answer()
  } catch (error) {
    if (!isHlaError(error) || endsRun(error)) throw error
    return error
  }
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
