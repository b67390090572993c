/** Table mode of redux: a table in, the same table with its reductions out. */
import { answersOf } from '../../batch/answers.ts'
import { type Conversion, convertRows, isTooMany, tooMany } from '../../batch/convert.ts'
import { fromByteText } from '../../batch/encoding.ts'
import { layoutFor } from '../../batch/layouts.ts'
import { nameFactsOf } from '../../batch/name-facts.ts'
import { outputColumns } from '../../batch/output-columns.ts'
import { planText } from '../../batch/plan-text.ts'
import { rowWriter } from '../../batch/row-writer.ts'
import { summaryRecord } from '../../batch/summary.ts'
import { newTally } from '../../batch/tally.ts'
import type { ReadRequest, WriteRequest } from '../../batch/table-request.ts'
import type { Leniency } from '../../engine/accept.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { localExecutor } from '../../operations/executor.ts'
import type { Knowledge } from '../../operations/knowledge.ts'
import type { TableOptions } from '../commands/table-options.ts'
import { EXIT } from '../exit-status.ts'
import { intoSink, type Sink } from '../io/sink.ts'
import { writeAll } from '../io/stdout.ts'
import type { Talk } from '../talk.ts'
import { type OpenTable, openTable } from './open-table.ts'
import { openFailures } from './table-failures.ts'
import { type MaxErrors, parseMaxErrors, parseSummary, readRequest, writeRequest } from './table-requests.ts'
import { noteReadings, tellSummary } from './table-talk.ts'
import { writeProvenance } from './write-provenance.ts'

export interface TableRun {
  /** `-` is standard input. */
  readonly file: string
  readonly output: string
  readonly options: TableOptions
  readonly knowledge: Knowledge
  readonly methods: readonly string[]
  /** The properties of every question besides typing and method. */
  readonly question: Readonly<Record<string, unknown>>
  readonly accept: readonly Leniency[]
  readonly quiet: boolean
  readonly talk: Talk
}

/** The exit status. */
export async function runTable(run: TableRun): Promise<number> {
  const { options, knowledge, file } = run
  const started = new Date()
  const layout = layoutFor(options.layout, file)
  const reading = readRequest(options, layout, run.accept)
  const writing = writeRequest(options, run.methods)
  const summary = parseSummary(options.summary)
  const provenance = provenanceFile(run)
  const maxErrors = parseMaxErrors(options.maxErrors)
  const table = await openTable(file, reading, layout, nameFactsOf(knowledge.release))
  const output = outputColumns(table.plan, writing)
  if (options.plan) {
    const { compression } = table.input
    const release = knowledge.release.facts.label
    const context = { dialect: table.dialect, compression, release, request: writing, output }
    writeAll(1, planText(table.plan, context))
    return EXIT.ok
  }
  const conversion = await convert(run, table, { reading, writing, maxErrors })
  const { tally, distinct } = conversion
  const record = summaryRecord(tally, distinct)
  const status = tally.statuses.error > 0 && !options.exitZero ? EXIT.no : EXIT.ok
  if (provenance !== undefined) {
    const { plan, input } = table
    const identity = { name: input.name, ...input.identity() }
    const facts = { reading, writing, engine: run.question, plan, input: identity, summary: record, started }
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
}

async function convert(run: TableRun, table: OpenTable, { reading, writing, maxErrors }: Requests) {
  const { options, knowledge } = run
  const { plan, dialect } = table
  const answers = answersOf({
    executor: localExecutor(knowledge),
    methods: writing.methods,
    input: run.question,
    release: knowledge.release.facts.label,
  })
  const writer = rowWriter(plan, dialect, writing, outputColumns(plan, writing))
  const failures = await openFailures(plan.header.table, options.errors, run.output)
  const tally = newTally()
  const conversion = (sink: Sink): Conversion => ({
    plan,
    dialect,
    answers,
    writer,
    tally,
    ragged: reading.ragged,
    stopAtFirst: writing.onError === 'fail',
    maxErrors,
    write: (text) => sink.write(text),
    failed: failures.add,
  })
  noteReadings(run, plan)
  const encode = (text: string) => fromByteText(text, dialect.encoding)
  try {
    await intoSink(run.output, (sink) => pump(table, conversion(sink), sink, run.output === '-'), encode)
  } catch (error) {
    // what made us give up stands in the report
    if (isHlaError(error) && error.code === 'too-many-failures') failures.finish()
    else failures.abandon()
    throw error
  }
  return { tally, distinct: answers.distinct(), report: failures.finish() }
}

/** Rows in, rows out, a block at a time; writing waits for its reader. Whoever reads along gets each block at once. */
async function pump(table: OpenTable, conversion: Conversion, sink: Sink, isWatched: boolean): Promise<void> {
  const { maxErrors, tally, writer, plan } = conversion
  if (plan.headerRow === undefined) sink.write(writer.head)
  for await (const rows of table.blocks()) {
    convertRows(rows, conversion)
    if (isWatched) sink.flush()
  }
  if (maxErrors !== undefined && isTooMany(tally, maxErrors, true)) throw tooMany(tally)
  sink.finish()
}

function provenanceFile({ options, output }: TableRun): string | undefined {
  const { provenance } = options
  if (provenance === undefined) return undefined
  if (output === '-') throw new HlaError('usage', '--provenance needs an output file', { hint: '-o FILE' })
  return provenance === true ? `${output}.hla.json` : provenance
}
