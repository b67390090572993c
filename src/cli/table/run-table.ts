/** Table mode: a table in, the same table with an answer to each typing out. */
import { fromByteText } from '../../batch/encoding.ts'
import { openInput } from '../../batch/input.ts'
import { layoutFor } from '../../batch/layouts.ts'
import { nameFactsOf } from '../../batch/name-facts.ts'
import { type OpenTable, openTable } from '../../batch/open-table.ts'
import { outputColumns } from '../../batch/output-columns.ts'
import { planText } from '../../batch/plan-text.ts'
import { rowWriter } from '../../batch/row-writer.ts'
import { summaryRecord } from '../../batch/summary.ts'
import { newTally } from '../../batch/tally.ts'
import type { ReadRequest, WriteRequest } from '../../batch/table-request.ts'
import { readRequest, writeRequest } from '../../batch/table-wishes.ts'
import type { Leniency } from '../../engine/accept.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { localExecutor } from '../../operations/executor.ts'
import type { Knowledge } from '../../operations/knowledge.ts'
import type { CellOperation } from '../../operations/operation.ts'
import { parseReleaseNumber } from '../../reference/release-number.ts'
import type { TableOptions } from '../commands/table-options.ts'
import { EXIT } from '../exit-status.ts'
import { intoSink } from '../io/sink.ts'
import { writeAll } from '../io/stdout.ts'
import type { Talk } from '../talk.ts'
import { openFailures } from './table-failures.ts'
import { type MaxErrors, parseMaxErrors, parseSummary } from './table-requests.ts'
import { jobCount } from './job-count.ts'
import { pumpTable } from './pump-table.ts'
import { noteReadings, tellSummary } from './table-talk.ts'
import { writeProvenance } from './write-provenance.ts'

export interface TableRun {
  /** `-` is standard input. */
  readonly file: string
  readonly output: string
  readonly options: TableOptions
  readonly knowledge: Knowledge
  readonly operation: CellOperation
  /** What is asked about each typing: the properties of each question besides the typing. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly accept: readonly Leniency[]
  readonly quiet: boolean
  readonly talk: Talk
  /** How `knowledge` was opened. */
  readonly data: { readonly release: string; readonly dataDir: string | undefined }
}

/** The exit status. */
export async function runTable(run: TableRun): Promise<number> {
  const { options, knowledge, file } = run
  const started = new Date()
  const layout = layoutFor(options.layout, file)
  const reading = readRequest(options, layout, run.accept)
  const writing = writeRequest(options, ...resultColumns(run))
  const summary = parseSummary(options.summary)
  const provenance = provenanceFile(run)
  const maxErrors = parseMaxErrors(options.maxErrors)
  const jobs = jobCount(options.jobs, file)
  const table = await openTable(await openInput(file), reading, layout, nameFactsOf(knowledge.release))
  const output = outputColumns(table.plan, writing)
  if (options.plan) {
    const { compression } = table.input
    const asked = { operation: run.operation.name, release: releaseText(run) }
    const methods = run.operation.name === 'redux' ? writing.results : []
    const written = { request: writing, output }
    const context = { dialect: table.dialect, compression, ...asked, methods, written }
    writeAll(1, planText(table.plan, context))
    return EXIT.ok
  }
  const conversion = await convert(run, table, { reading, writing, maxErrors, jobs })
  const { tally, distinct } = conversion
  const record = summaryRecord(tally, distinct)
  const status = tally.statuses.error > 0 && !options.exitZero ? EXIT.no : EXIT.ok
  if (provenance !== undefined) {
    const { plan, input } = table
    const identity = { name: input.name, ...input.identity() }
    const { reduction_method: _, ...engine } = run.inputs[0] ?? {}
    const asked = { engine: { operation: run.operation.name, ...engine }, reading, writing }
    const facts = { ...asked, plan, input: identity, summary: record, started }
    await writeProvenance(provenance, run.output, knowledge, { ...facts, exit: status })
  }
  const wrote = [run.output === '-' ? undefined : run.output, conversion.report, provenance]
  tellSummary(run, {
    tally,
    distinct,
    record,
    choice: summary,
    wrote: wrote.filter((one) => one !== undefined),
  })
  return status
}

interface Requests {
  readonly reading: ReadRequest
  readonly writing: WriteRequest
  readonly maxErrors: MaxErrors | undefined
  readonly jobs: number
}

async function convert(run: TableRun, table: OpenTable, { reading, writing, maxErrors, jobs }: Requests) {
  const { options, knowledge } = run
  const { plan, dialect } = table
  const answers = {
    executor: localExecutor(knowledge),
    operation: run.operation,
    inputs: run.inputs,
    width: writing.width,
    release: knowledge.release.facts.label,
  }
  const output = outputColumns(plan, writing)
  const writer = rowWriter(plan, dialect, writing, output)
  const failures = await openFailures(plan.header.table, options.errors, run.output)
  const tally = newTally(run.operation.cells.kinds)
  const conversion = {
    plan,
    dialect,
    writer,
    tally,
    ragged: reading.ragged,
    stopAtFirst: writing.onError === 'fail',
    maxErrors,
    failed: failures.add,
  }
  noteReadings(run, plan)
  const encode = (text: string) => fromByteText(text, dialect.encoding)
  try {
    const isWatched = run.output === '-'
    const pump = { table, writing, output, answers, conversion, isWatched, jobs, data: run.data }
    const distinct = await intoSink(run.output, (sink) => pumpTable({ ...pump, sink }), encode)
    return { tally, distinct, report: failures.finish() }
  } catch (error) {
    // what made us give up stands in the report
    if (isHlaError(error) && error.code === 'too-many-failures') failures.finish()
    else failures.abandon()
    throw error
  }
}

/** The columns of all questions, and how many one of them fills. */
function resultColumns({ operation: { cells }, inputs, options }: TableRun): [string[], number] {
  // inputs are of the operation
  const names = inputs.map((input) => cells.columns(input as never, options.details === true))
  return [names.flat(), names[0]?.length ?? 1]
}

/** `3.58.0, names of 3.29.0` */
function releaseText({ inputs, knowledge }: TableRun): string {
  const { from, to, lift } = inputs[0] ?? {}
  const release = typeof to === 'string' ? parseReleaseNumber(to).label : knowledge.release.facts.label
  if (typeof from === 'string') return `${release}, names of ${parseReleaseNumber(from).label}`
  return lift === true ? `${release}, names of any release` : release
}

function provenanceFile({ options, output }: TableRun): string | undefined {
  const { provenance } = options
  if (provenance === undefined) return undefined
  if (output === '-') throw new HlaError('usage', '--provenance needs an output file', { hint: '-o FILE' })
  return provenance === true ? `${output}.hla.json` : provenance
}
