/** Converts an opened table into its output file, with its report, its checkpoints and its progress.  [disk] */
import { existsSync } from 'node:fs'
import type { Checkpoint } from '../../batch/checkpoint.ts'
import { fromByteText } from '../../batch/encoding.ts'
import type { OpenTable } from '../../batch/open-table.ts'
import { outputColumns } from '../../batch/output-columns.ts'
import { rowWriter } from '../../batch/row-writer.ts'
import type { Distinct } from '../../batch/summary.ts'
import { newTally, type Tally } from '../../batch/tally.ts'
import { isStored } from '../io/door.ts'
import type { Sink } from '../io/sink.ts'
import { openCheckpoints } from './checkpoints.ts'
import { openProgress, type Progress, type Watched } from './progress.ts'
import { pumpTable, type TablePump } from './pump-table.ts'
import { removeState, type Resumption, statePath } from './resume.ts'
import type { Requests, TableRun } from './run-table.ts'
import { openFailures } from './table-failures.ts'
import { noteReadings } from './table-talk.ts'
import type { WorkerCrew } from './worker-pool.ts'

export interface Converted {
  readonly tally: Tally
  readonly distinct: Distinct
  /** Name of the report of failures, when there is one. */
  readonly report: string | undefined
  readonly started: Date
}

export interface Course {
  readonly resumption: Resumption | undefined
  readonly crew: WorkerCrew | undefined
  /** All is converted, and the output has no name yet; its identity where it cannot be read again. */
  readonly beforeEnd: (converted: Converted, identity: ReturnType<Sink['identity']>) => Promise<void>
}

/** @throws {Interrupted}; and whatever reading, converting and writing throw */
export async function convertTable(
  run: TableRun,
  table: OpenTable,
  requests: Requests,
  { resumption, crew, beforeEnd }: Course,
): Promise<Converted> {
  const { earlier } = resumption ?? {}
  noteReadings(run, table.plan)
  noteBeginning(run, resumption)
  const files = await openFiles(run, table, earlier)
  const { tally, started, sink, failures } = files
  const checkpoints = openCheckpoints({ ...run, ...files, resumption })
  const progress = progressOf(run, files, earlier)
  const failed: typeof failures.add = (failure) => {
    progress.clear()
    failures.add(failure)
  }
  const passed: TablePump['passed'] = (position, { keys, isExact }) => {
    progress.passed()
    checkpoints.passed(position, () => (isExact ? [...keys] : undefined))
  }
  try {
    const conversion = { ...countingOf(table, requests), tally, failed }
    const pump = { ...pumpOf(run, table, requests), crew, conversion, sink, from: earlier, passed }
    const distinct = await pumpTable(pump)
    progress.finish()
    const report = await checkpoints.finish((name) =>
      beforeEnd({ tally, distinct, report: name, started }, sink.identity()),
    )
    return { tally, distinct, report, started }
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
  earlier: Checkpoint | undefined,
) {
  const { output, beside, options, operation, door } = run
  const encode = (text: string) => fromByteText(text, dialect.encoding)
  const place = { asked: options.errors, output, beside }
  const sink = await door.sink(output, { encode, from: earlier?.output })
  try {
    const failures = await openFailures(door, plan.header.table, place, earlier)
    const { tally = newTally(operation.cells.kinds), started = new Date() } = earlier ?? {}
    return { sink, failures, tally, started, bytesRead: input.bytesRead }
  } catch (error) {
    await sink.abandon()
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
function noteBeginning({ options, output, talk }: TableRun, resumption: Resumption | undefined): void {
  const say = (message: string) => talk.note({ level: 'note', code: 'resume', message })
  if (isStored(output)) return
  const path = statePath(output)
  if (resumption?.earlier !== undefined)
    say(`going on after ${resumption.earlier.tally.rows.toLocaleString('en-US')} rows`)
  else if (options.resume) say(`there is nothing to resume beside ${output}: it is begun anew`)
  else if (output !== '-' && existsSync(path))
    say(`an interrupted run of ${output} is dropped; --resume would have gone on with it`)
  if (resumption?.earlier === undefined && output !== '-') removeState(output)
}
