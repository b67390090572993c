/** Converts an opened table into its output file, with its report, its checkpoints and its progress.  [disk] */
import type { TableRun } from './table-run.ts'
import { existsSync } from 'node:fs'
import type { Checkpoint } from '../../../table/run/checkpoint.ts'
import { fromByteText } from '../../../table/input/encoding.ts'
import type { OpenTable } from '../../../table/plan/open-table.ts'
import { outputColumns } from '../../../table/plan/output-columns.ts'
import { rowWriter } from '../../../table/output/row-writer.ts'
import type { Distinct } from '../../../table/output/summary.ts'
import { newTally, type Tally } from '../../../table/output/tally.ts'
import type { Sink, SinkMark } from '../../../io/sink.ts'
import { openCheckpoints } from './progress/checkpoints.ts'
import type { Kept } from './progress/kept.ts'
import { openProgress, type Progress, type Watched } from './progress/progress.ts'
import { pumpTable, type TablePump } from './workers/pump-table.ts'
import { removeState, type Resumption, statePath } from './progress/resume.ts'
import type { Requests } from './requests-of-run.ts'
import { openFailures } from './table-failures.ts'
import { noteReadings } from './table-talk.ts'
import type { WorkerCrew } from './workers/worker-pool.ts'

export interface Converted {
  readonly tally: Tally
  readonly distinct: Distinct
  /** Name of the report of failures, when there is one. */
  readonly report: string | undefined
  readonly started: Date
  /** Nothing is gone on with any more. */
  readonly forget: () => void
}

export interface Course {
  readonly kept: Kept
  readonly resumption: Resumption | undefined
  readonly crew: WorkerCrew | undefined
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

export type Counted = Pick<Converted, 'tally' | 'distinct' | 'started'>

/** @throws {Interrupted}; and whatever reading, converting and writing throw */
export async function convertTable(
  run: TableRun,
  table: OpenTable,
  requests: Requests,
  { kept, resumption, crew, before }: Course,
): Promise<Converted> {
  const { earlier } = resumption ?? {}
  noteReadings(run, table.plan)
  noteBeginning(run, kept, resumption)
  const files = await openFiles(run, table, resumption)
  const { tally, started, sink, failures } = files
  const checkpoints = openCheckpoints({ ...run, ...files, kept, resumption })
  const progress = progressOf(run, files, earlier)
  const failed: typeof failures.add = (failure) => {
    progress.clear()
    failures.add(failure)
  }
  const passed: TablePump['passed'] = (position, { keys, isExact }) => {
    progress.passed()
    checkpoints.passed(position, () => (isExact ? [...keys()] : undefined))
  }
  try {
    const conversion = { ...countingOf(table, requests), tally, failed }
    const course = { crew, from: earlier, passed, unanswered: checkpoints.unanswered }
    const pump = { ...pumpOf(run, table, requests), ...course, conversion, sink }
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

/** New ones, or those of an earlier run as they were at its checkpoint. */
async function openFiles(
  run: TableRun,
  { plan, dialect, input }: OpenTable,
  resumption: Resumption | undefined,
) {
  const { output, beside, options, operation, door } = run
  const encode = (text: string) => fromByteText(text, dialect.encoding)
  const place = { asked: options.errors, output, beside }
  const { earlier } = resumption ?? {}
  const isMarked = resumption !== undefined
  const sink = await door.sink(output, { encode, from: earlier?.output, isMarked })
  try {
    const failures = await openFailures(door, plan.header.table, place, { earlier, isMarked })
    const { tally = newTally(operation.cells.kinds), started = new Date() } = earlier ?? {}
    return { sink, failures, tally, started, bytesRead: input.bytesRead }
  } catch (error) {
    // what an earlier run left is still to be gone on with
    await (earlier === undefined ? sink.abandon() : sink.keep())
    throw error
  }
}

function progressOf(
  { options, quiet, source }: TableRun,
  { tally, bytesRead }: Pick<Watched, 'tally' | 'bytesRead'>,
  earlier: Checkpoint | undefined,
): Progress {
  const begun = { rows: tally.rows, bytes: earlier?.identity.input.read ?? 0 }
  return openProgress(options.progress, quiet, { tally, bytesRead, bytes: source.size, begun })
}

function pumpOf(run: TableRun, table: OpenTable, { options: { writing } }: Requests) {
  const { operation, inputs, output } = run
  const { executor, facts } = run.answering
  const answers = {
    executor,
    operation,
    inputs,
    width: writing.width,
    release: facts.label,
  }
  const columns = outputColumns(table.plan, writing)
  return { table, writing, output: columns, answers, isWatched: output === '-' }
}

function countingOf({ plan, dialect }: OpenTable, { options, maxErrors }: Requests) {
  const { reading, writing } = options
  const writer = rowWriter(plan, dialect, writing, outputColumns(plan, writing))
  const stopAtFirst = writing.onError === 'fail'
  return { plan, dialect, writer, ragged: reading.ragged, stopAtFirst, maxErrors }
}

/** A state that is not gone on from is of no use, and would be wrong, once its output is begun anew. */
function noteBeginning(
  { door, options, output, talk }: TableRun,
  kept: Kept,
  resumption: Resumption | undefined,
): void {
  const say = (message: string) => talk.note({ level: 'note', code: 'resume', message })
  if (resumption?.earlier !== undefined)
    return say(`going on after ${resumption.earlier.tally.rows.toLocaleString('en-US')} rows`)
  if (output === '-') return
  if (options.resume)
    say(`there is nothing to resume ${door.isRemote(output) ? 'of' : 'beside'} ${output}: it is begun anew`)
  else if (existsSync(statePath(kept.output)))
    say(`an interrupted run of ${output} is dropped; --resume would have gone on with it`)
  removeState(kept)
}
