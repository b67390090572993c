/** Converts an opened table into its output file, with report and progress. */
import { fromByteText } from '../input/encoding.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { outputColumns } from '../plan/output-columns.ts'
import { openRowWriter } from '../output/row-writer.ts'
import { advice } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { Failure } from '../output/failure-report.ts'
import { countBroken, type Distinct, newTally, type Tally } from '../output/summary.ts'
import type { Sink } from '../../io/sink.ts'
import { openOutputCommit } from './output-commit.ts'
import { pumpTable, type TablePump } from './workers/pump-table.ts'
import { openFailures, orderedFailures } from './table-failures.ts'
import type { Progress, TableJob } from './table-job.ts'
import type { TableWorkers } from './workers/worker-pool.ts'

export interface ConvertedTable {
  readonly tally: Tally
  readonly distinct: Distinct
  /** Name of the report of failures, if one was written. */
  readonly report: string | undefined
  readonly started: Date
}

/** Actions after all rows are converted, before the output has its final name. */
export interface FinalActions {
  /** `identity`: that of the output, when it cannot be read back. */
  readonly provenance: (
    counted: ConversionCounts,
    identity: ReturnType<Sink['identity']>,
  ) => Promise<Sink | undefined>
  /** Called when all files but the output have their names. */
  readonly named: (counted: ConversionCounts) => Promise<void>
}

export type ConversionCounts = Pick<ConvertedTable, 'tally' | 'distinct' | 'started'>

/** @throws errors of reading, converting and writing */
export async function convertTable(
  job: TableJob,
  table: OpenTable,
  workerThreads: TableWorkers | undefined,
  before: FinalActions,
): Promise<ConvertedTable> {
  job.reporter.planned(table.plan)
  const opened = await openFiles(job, table)
  const { failures } = opened
  const sink = await shapedSink(opened.sink, job)
  const [tally, started] = [newTally(job.operation.cells.kinds), new Date()]
  const ending = openOutputCommit({ sink, failures, isUnbroken: job.isUnbroken })
  const progress = makeProgress(job, table, tally)
  const add: typeof failures.add = (failure) => {
    progress.clear()
    failures.add(failure)
  }
  const stopAtFirst = job.options.writing.onError === 'fail'
  const { tellBroken, ...telling } = orderedFailures(table, { tally, stopAtFirst, add })
  const passed: TablePump['passed'] = (line) => {
    progress.passed()
    tellBroken(line)
  }
  try {
    const conversion = { ...(await makeCounting(table, job)), tally, ...telling }
    const pump = { ...choosePump(job, table), workerThreads, passed, conversion, sink }
    const distinct = await pumpTable(pump)
    progress.finish()
    tellLost(table, { tally, stopAtFirst, add })
    const counted = { tally, distinct, started }
    const report = await ending.finish({
      provenance: () => before.provenance(counted, sink.identity()),
      named: () => before.named(counted),
    })
    return { ...counted, report }
  } catch (error) {
    progress.clear()
    await ending.abandon(error)
    throw error
  } finally {
    ending.stop()
  }
}

/** Reports files that could not be read. @throws {HlaError} bad-record — with `stopAtFirst` */
function tellLost(
  { input }: OpenTable,
  { tally, stopAtFirst, add }: { tally: Tally; stopAtFirst: boolean; add: (failure: Failure) => void },
): void {
  for (const { name, line, error } of input.made?.facts.lost ?? []) {
    if (stopAtFirst) throw new HlaError(error.code, advice`${name}: ${error.said}`, { cause: error })
    countBroken(tally, error.code)
    add({ row: 0, line, id: '', column: '', locus: '', value: '', error, file: name })
  }
}

/** Sink for Arlequin, which needs the number of samples first; unchanged for other formats. */
async function shapedSink(sink: Sink, { options: { writing } }: TableJob): Promise<Sink> {
  if (writing.format !== 'arlequin') return sink
  const { arlequinSink } = await import('../output/population/arlequin-sink.ts')
  return arlequinSink(sink)
}

async function openFiles({ output, report, filePort, reporter }: TableJob, { dialect, input }: OpenTable) {
  const encode = (text: string) => fromByteText(text, dialect.encoding)
  const sink = await filePort.sink(output, { encode })
  try {
    const failures = await openFailures(filePort, report, reporter, {
      withFiles: input.made?.hasFiles ?? false,
      withPaths: input.made?.hasPaths ?? false,
    })
    return { sink, failures }
  } catch (error) {
    await sink.abandon()
    throw error
  }
}

function makeProgress({ reporter, source }: TableJob, { input }: OpenTable, tally: Tally): Progress {
  const { bytesRead, workbook } = input
  // a workbook is read completely before the first row
  return reporter.progress({ tally, bytesRead, bytes: workbook === undefined ? source.size : undefined })
}

function choosePump(
  { operation, inputs, output, answering, options: { writing }, limits }: TableJob,
  table: OpenTable,
) {
  const { executor, facts } = answering
  const answers = {
    executor,
    operation,
    inputs,
    width: writing.width,
    release: facts.label,
  }
  const columns = outputColumns(table.plan, writing)
  return { table, writing, output: columns, answers, isWatched: output === '-', limits }
}

async function makeCounting({ plan, dialect }: OpenTable, { options, maxErrors }: TableJob) {
  const { reading, writing } = options
  const writer = await openRowWriter(plan, dialect, writing, outputColumns(plan, writing))
  const stopAtFirst = writing.onError === 'fail'
  return { plan, dialect, writer, ragged: reading.ragged, stopAtFirst, maxErrors }
}
