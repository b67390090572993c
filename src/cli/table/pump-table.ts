/** Rows in, rows out, a block at a time; writing waits for its reader. Whoever reads along gets each block at once. */
import { type AnswerRequest, answersOf } from '../../batch/answers.ts'
import { type Conversion, convertRows, isTooMany, tooMany } from '../../batch/convert.ts'
import { convertBytes } from '../../batch/fast/convert-bytes.ts'
import { fastConverter, isFast } from '../../batch/fast/fast-converter.ts'
import type { OpenTable } from '../../batch/open-table.ts'
import type { OutputColumns } from '../../batch/output-columns.ts'
import type { Row } from '../../batch/read-table.ts'
import type { Distinct } from '../../batch/summary.ts'
import type { WriteRequest } from '../../batch/table-request.ts'
import type { Sink } from '../io/sink.ts'
import { fanOut } from './fan-out.ts'
import { withoutFacts } from './worker-messages.ts'
import { type WorkerPool, workerPool } from './worker-pool.ts'

export interface TablePump {
  readonly table: OpenTable
  readonly writing: WriteRequest
  readonly output: OutputColumns
  readonly answers: AnswerRequest
  /** Without what it is asked and where it writes. */
  readonly conversion: Omit<Conversion, 'answers' | 'write'>
  readonly sink: Sink
  readonly isWatched: boolean
  /** 1: no workers. */
  readonly jobs: number
  /** How workers open what answers them. */
  readonly data: { readonly release: string; readonly dataDir: string | undefined }
}

/** @throws {HlaError} too-many-failures, and whatever reading and converting throw */
export async function pumpTable(pump: TablePump): Promise<Distinct> {
  const { sink, table, conversion } = pump
  const { maxErrors, tally, writer, plan } = conversion
  if (plan.headerRow === undefined) sink.write(writer.head)
  const distinct = isFast(table.dialect) ? await pumpBytes(pump) : await pumpRows(pump)
  if (maxErrors !== undefined && isTooMany(tally, maxErrors, true)) throw tooMany(tally)
  sink.finish()
  return distinct
}

async function pumpRows({ table, conversion, answers, sink, isWatched }: TablePump): Promise<Distinct> {
  const asked = answersOf(answers)
  const write = (text: string) => sink.write(text)
  for await (const rows of table.blocks()) {
    convertRows(rows, { ...conversion, answers: asked, write })
    if (isWatched) sink.flush()
  }
  return asked.distinct()
}

async function pumpBytes(pump: TablePump): Promise<Distinct> {
  const { table, conversion: given, sink, isWatched } = pump
  const { plan, dialect, first, rest } = table
  const converter = await fastConverter({ ...pump, plan, dialect }, given)
  const conversion = { ...given, answers: converter.answers, write: (text: string) => sink.write(text) }
  convertRows(first, conversion)
  if (isWatched) sink.flush()
  const write = (bytes: Buffer) => sink.writeBytes(bytes)
  const run = { chunks: rest(), dialect, line: linesBehind(first), converter, conversion, write }
  if (isAlone(pump)) await convertBytes(run)
  else await withWorkers(pump, (pool) => fanOut({ ...run, pool }))
  return converter.distinct.distinct()
}

/** To stop at one failure, all before it must be known. */
function isAlone({ jobs, conversion: { stopAtFirst, maxErrors } }: TablePump): boolean {
  return jobs <= 1 || stopAtFirst || maxErrors !== undefined
}

async function withWorkers(pump: TablePump, run: (pool: WorkerPool) => Promise<void>): Promise<void> {
  const { conversion, answers, writing, data, table } = pump
  const { plan, ragged } = conversion
  const task = {
    ...data,
    plan: withoutFacts(plan),
    dialect: table.dialect,
    writing,
    ragged,
    operation: answers.operation.name,
    inputs: answers.inputs,
  }
  const pool = await workerPool(pump.jobs, task)
  try {
    await run(pool)
  } finally {
    await pool.close()
  }
}

/** The line behind these rows. */
function linesBehind(rows: readonly Row[]): number {
  const last = rows.at(-1)
  if (last === undefined) return 1
  return last.line + (last.raws.join('').match(/\n/g)?.length ?? 0) + 1
}
