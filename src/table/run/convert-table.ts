/** Converts an opened table into its output file, with its report, its checkpoints and its progress.  [disk] */
import { existsSync } from 'node:fs'
import type { Checkpoint } from './checkpoint.ts'
import { fromByteText } from '../input/encoding.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { outputColumns } from '../plan/output-columns.ts'
import { openRowWriter, tableWriter } from '../output/row-writer.ts'
import { type Distinct, newTally, type Tally } from '../output/summary.ts'
import { longLayout } from '../output/long-layout.ts'
import { longRows } from '../output/long-rows.ts'
import type { Sink, SinkMark } from '../../io/sink.ts'
import { openCheckpoints } from './resume/checkpoints.ts'
import { removeState, type Resumption, type StateFiles, statePath } from './resume/resume.ts'
import { pumpTable, type TablePump } from './workers/pump-table.ts'
import { openFailures, orderedFailures } from './table-failures.ts'
import type { Progress, TableJob, ObservedRun } from './table-job.ts'
import type { TableWorkers } from './workers/worker-pool.ts'

export interface ConvertedTable {
  readonly tally: Tally
  readonly distinct: Distinct
  /** Name of the report of failures, when there is one. */
  readonly report: string | undefined
  readonly started: Date
  /** Nothing is gone on with any more. */
  readonly forget: () => void
}

export interface Course {
  readonly kept: StateFiles
  readonly resumption: Resumption | undefined
  readonly workerThreads: TableWorkers | undefined
  readonly before: Before
}

/** When all is converted, and nothing has its name. */
export interface Before {
  /** `identity` of the output, where it cannot be read again; what an earlier run had written. */
  readonly provenance: (
    counted: Counted,
    identity: ReturnType<Sink['identity']>,
    from: SinkMark | undefined,
  ) => Promise<Sink | undefined>
  /** All but the output have their names. */
  readonly named: (counted: Counted) => Promise<void>
}

export type Counted = Pick<ConvertedTable, 'tally' | 'distinct' | 'started'>

/** @throws {Interrupted}; and whatever reading, converting and writing throw */
export async function convertTable(
  job: TableJob,
  table: OpenTable,
  { kept, resumption, workerThreads, before }: Course,
): Promise<ConvertedTable> {
  const { earlier } = resumption ?? {}
  job.reporter.planned(table.plan)
  noteBeginning(job, kept, resumption)
  const opened = await openFiles(job, table, resumption)
  const files = { ...opened, sink: await shapedSink(opened.sink, job, table, earlier !== undefined) }
  const { tally, started, sink, failures } = files
  const checkpoints = openCheckpoints({ ...job, ...files, kept, resumption })
  const progress = makeProgress(job, { ...files, isWhole: table.input.workbook !== undefined }, earlier)
  const add: typeof failures.add = (failure) => {
    progress.clear()
    failures.add(failure)
  }
  const { made } = table.input
  made?.places.forget(earlier?.position.line ?? 0)
  const stopAtFirst = job.options.writing.onError === 'fail'
  const { tellBroken, ...telling } = orderedFailures(table, { tally, stopAtFirst, add })
  const passed: TablePump['passed'] = (position, { keys, isExact }) => {
    progress.passed()
    tellBroken(position.line)
    checkpoints.passed(position, () => (isExact ? [...keys()] : undefined))
  }
  try {
    const conversion = { ...(await makeCounting(table, job)), tally, ...telling }
    const course = { workerThreads, from: earlier, passed, unanswered: checkpoints.unanswered }
    const pump = { ...choosePump(job, table), ...course, conversion, sink }
    const distinct = await pumpTable(pump)
    progress.finish()
    const counted = { tally, distinct, started }
    const report = await checkpoints.finish({
      provenance: () => before.provenance(counted, sink.identity(), earlier?.provenance),
      named: () => before.named(counted),
    })
    return { ...counted, report, forget: checkpoints.forget }
  } catch (error) {
    progress.clear()
    throw await checkpoints.end(error)
  } finally {
    checkpoints.stop()
  }
}

/** Rows a person, or rows a typing. */
async function shapedSink(
  sink: Sink,
  { options: { writing } }: TableJob,
  table: OpenTable,
  isResumed: boolean,
): Promise<Sink> {
  const { plan, dialect } = table
  if (writing.format === 'arlequin') {
    const { arlequinSink } = await import('../output/population/arlequin-sink.ts')
    return arlequinSink(sink)
  }
  if (writing.shape !== 'long') return sink
  const columns = outputColumns(plan, writing)
  const layout = longLayout(plan, writing, columns)
  const header = tableWriter(plan, dialect, writing, columns)
  const isHeaderAlways = plan.headerLines.length > 0
  return longRows(sink, { layout, dialect, writing, header, isHeaderAlways, isResumed })
}

/** New ones, or those of an earlier run as they were at its checkpoint. */
async function openFiles(
  { output, report, operation, filePort, reporter }: TableJob,
  { dialect, input }: OpenTable,
  resumption: Resumption | undefined,
) {
  const encode = (text: string) => fromByteText(text, dialect.encoding)
  const { earlier } = resumption ?? {}
  const isMarked = resumption !== undefined
  const sink = await filePort.sink(output, { encode, from: earlier?.output, isMarked })
  try {
    const failures = await openFailures(filePort, report, reporter, {
      earlier,
      isMarked,
      withFiles: input.made?.hasFiles ?? false,
      withPaths: input.made?.hasPaths ?? false,
    })
    const { tally = newTally(operation.cells.kinds), started = new Date() } = earlier ?? {}
    return { sink, failures, tally, started, bytesRead: input.bytesRead }
  } catch (error) {
    // what an earlier run left is still to be gone on with
    await (earlier === undefined ? sink.abandon() : sink.keep())
    throw error
  }
}

function makeProgress(
  { reporter, source }: TableJob,
  { tally, bytesRead, isWhole }: Pick<ObservedRun, 'tally' | 'bytesRead'> & { readonly isWhole: boolean },
  earlier: Checkpoint | undefined,
): Progress {
  const begun = { rows: tally.rows, bytes: earlier?.identity.input.read ?? 0 }
  // a workbook is read whole before the first row
  return reporter.progress({ tally, bytesRead, bytes: isWhole ? undefined : source.size, begun })
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

/** A state that is not gone on from is of no use, and would be wrong, once its output is begun anew. */
export function noteBeginning(
  { filePort, checkpoints, output, reporter }: TableJob,
  kept: StateFiles,
  resumption: Resumption | undefined,
): void {
  if (resumption?.earlier !== undefined)
    return reporter.begun({ kind: 'resumed', rows: resumption.earlier.tally.rows })
  if (output === '-') return
  const place = { output, isRemote: filePort.isRemote(output) }
  if (checkpoints?.isResumed === true) reporter.begun({ kind: 'nothing-to-resume', ...place })
  else if (existsSync(statePath(kept.output))) reporter.begun({ kind: 'dropped', ...place })
  removeState(kept)
}
