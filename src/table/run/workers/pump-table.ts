/** Rows in, rows out, a block at a time; writing waits for its reader. Whoever reads along gets each block at once. */
import { divideMemos } from '../../../engine/reduce/typing-memo.ts'
import { answersAhead, gathered } from '../../cells/answers-ahead.ts'
import { type AnswerRequest, type Answers, type CellAnswer, makeAnswers } from '../../cells/answers.ts'
import { type Conversion, convertRows, isTooMany, tooMany } from '../convert.ts'
import { convertBytes, lineBehind } from '../../fast/convert-bytes.ts'
import { contextKeys } from '../../fast/column-kinds.ts'
import { type DistinctCells, distinctCells } from '../../fast/distinct.ts'
import { countedAnswers, fastConverter, isFast } from '../../fast/fast-converter.ts'
import { isWide } from '../../input/encoding.ts'
import { sharedTypingsMemory } from '../../fast/memory/shared-typings.ts'
import type { OpenTable } from '../../plan/open-table.ts'
import type { OutputColumns } from '../../plan/output-columns.ts'
import { type TablePlan, isOfHeader } from '../../plan/plan.ts'
import { type TableRow, countBytes, readRows } from '../../input/read-table.ts'
import type { Distinct } from '../../output/summary.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import type { Sink } from '../../../io/sink.ts'
import type { TableLimits } from '../table-job.ts'
import { type WorkingTime, workingTime } from '../working-time.ts'
import { type BlockConverter, blockConverter } from './block-converter.ts'
import { fanOut } from './fan-out.ts'
import { keepNewSpaceSmall } from '../../../io/heap.ts'
import { withoutFacts } from './worker-messages.ts'
import type { TableWorkers, WorkerPool } from './worker-pool.ts'

export interface TablePump {
  readonly table: OpenTable
  readonly writing: WriteRequest
  readonly output: OutputColumns
  readonly answers: AnswerRequest
  /** Without what it is asked and where it writes. */
  readonly conversion: Omit<Conversion, 'answers' | 'write'>
  readonly sink: Sink
  readonly isWatched: boolean
  readonly limits?: TableLimits | undefined
  /** undefined: this thread is alone. */
  readonly workerThreads: TableWorkers | undefined
  /** Called after each block of rows is written, with the line of the next row. */
  readonly passed: (line: number) => void
}

/** @throws {HlaError} too-many-failures, and whatever reading, converting and `passed` throw */
export async function pumpTable(asked: TablePump): Promise<Distinct> {
  const pump: TimedPump = asked.limits === undefined ? asked : limitedPump(asked, asked.limits)
  const { sink, table, conversion } = pump
  const { maxErrors, tally, writer } = conversion
  sink.write(writer.mark)
  const isByteWise = isFast(table.dialect) && pump.answers.executor.ahead === undefined
  const distinct = isByteWise ? await pumpBytes(pump) : await pumpRows(pump)
  if (maxErrors !== undefined && isTooMany(tally, maxErrors, true)) throw tooMany(tally)
  return distinct.distinct()
}

/** `time`: where it is limited. */
interface TimedPump extends TablePump {
  readonly time?: WorkingTime
}

function limitedPump(pump: TablePump, limits: TableLimits): TimedPump {
  const time = workingTime(limits)
  const answers = { ...pump.answers, executor: time.limited(pump.answers.executor) }
  return {
    ...pump,
    time,
    answers,
    passed(line) {
      refuseLines(line, limits)
      pump.passed(line)
    },
  }
}

/** @throws {HlaError} so many stand before the line */
function refuseLines(line: number, limits: TableLimits | undefined): void {
  if (limits !== undefined && line - 1 > limits.lines.most) throw limits.lines.refusal()
}

async function pumpRows(pump: TimedPump): Promise<DistinctCells> {
  const { table, conversion, answers, sink, isWatched } = pump
  const distinct = distinctCells()
  const ahead = answers.executor.ahead && answersAhead({ ...conversion, answers })
  const counted =
    ahead === undefined
      ? countedOnce(conversion.plan, makeAnswers(answers), distinct)
      : countedAnswers(conversion.plan, ahead, distinct)
  const write = (text: string) => sink.write(text)
  const convert = (rows: readonly TableRow[]) => convertRows(rows, { ...conversion, answers: counted, write })
  const given = ahead === undefined || isWatched ? table.blocks() : gathered(table.blocks(), MANY)
  await pumpBlocks(pump, ahead === undefined ? given : prepared(given, ahead.prepare), convert)
  return distinct
}

/** Counts a cell when it gets an answer of its own: who looks it up again gets the same one. */
function countedOnce({ groups }: TablePlan, answers: Answers, distinct: DistinctCells): Answers {
  const keys = contextKeys(groups)
  const counted = new WeakSet<CellAnswer>()
  return {
    of(text, group) {
      const answer = answers.of(text, group)
      if (counted.has(answer)) return answer
      counted.add(answer)
      distinct.add(keys.indexOf(group.contextKey), text)
      return answer
    },
    distinct: distinct.distinct,
  }
}

/** Rows whose typings are asked about together. */
const MANY = 20_000

async function pumpBytes(pump: TimedPump): Promise<DistinctCells> {
  const { table, conversion: given, sink, limits, time } = pump
  const { plan, dialect } = table
  const head = readHeadRows(table)
  const threads = (pump.workerThreads?.count ?? 0) + 1
  divideMemos(threads)
  const atOnce = threads * (limits?.atOnce ?? 1)
  const converter = fastConverter({ ...pump, plan, dialect, threads: atOnce, turn: time }, given)
  const conversion = { ...given, answers: converter.answers, write: (text: string) => sink.write(text) }
  const line = lineBehind(head, dialect)
  // shown with the first rows behind it: one that is refused leaves nothing
  if (time === undefined) convertRows(head, conversion)
  else time.inTurn(() => convertRows(head, conversion))
  pump.passed(line)
  const passed = (next: number) => {
    keepNewSpaceSmall()
    pump.passed(next)
  }
  const write = (bytes: Buffer) => {
    if (!isWide(dialect.encoding)) return sink.writeBytes(bytes)
    // a sink encodes text, not bytes, and holds it back
    sink.write(bytes.toString('latin1'))
    sink.flush()
  }
  const chunks = paced(table.from(countBytes(head)), sink, limits && PIECE)
  const ready = () => sink.ready()
  const run = { chunks, dialect, line, converter, conversion, write, ready, passed }
  if (pump.workerThreads === undefined) {
    const timed = time === undefined ? {} : { inTurn: time.inTurn, longest: LONGEST }
    const { line: behind, rest } = await convertBytes({ ...run, ...timed })
    refuseLines(behind, limits)
    const convert = (rows: readonly TableRow[]) => convertRows(rows, conversion)
    // what cuts rows as they come does not look twice at a long one
    if (rest !== undefined) await pumpBlocks(pump, readRows(rest, dialect, behind), convert)
  } else await fanOut({ ...run, threads, ...(await startThreads(pump, pump.workerThreads)) })
  return converter.distinct
}

/** Bytes of rows that are known take a millisecond. */
const PIECE = 64 * 1024

/** Of a row. */
const LONGEST = 4 * PIECE

/** No more is read than the sink has room for, and no more is given at once than `most`. */
async function* paced(chunks: AsyncGenerator<Buffer>, sink: Sink, most = Infinity): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += most) {
      keepNewSpaceSmall()
      await sink.ready()
      yield chunk.subarray(at, at + most)
    }
  }
}

/** The rows before those with typings, which bytes alone do not tell apart. */
function readHeadRows({ first, plan }: OpenTable): readonly TableRow[] {
  const at = first.findIndex((row) => row.kind === 'row' && !isOfHeader(row, plan))
  return at < 0 ? first : first.slice(0, at)
}

/** This thread is one of those that convert. */
async function startThreads(
  { conversion, answers, writing, table }: TablePump,
  workerThreads: TableWorkers,
): Promise<{ readonly pool: WorkerPool; readonly convert: BlockConverter }> {
  const { plan, ragged } = conversion
  const { operation, inputs } = answers
  const memory = { shared: sharedTypingsMemory(), threads: workerThreads.count + 1 }
  const asked = { dialect: table.dialect, writing, ragged, ...memory, operation: operation.name, inputs }
  const pool = await workerThreads.pool({ ...asked, plan: withoutFacts(plan) })
  return { pool, convert: await blockConverter(plan, asked, answers) }
}

interface BlockPump {
  readonly table: Pick<OpenTable, 'dialect'>
  readonly sink: Sink
  readonly isWatched: boolean
  readonly time?: WorkingTime
  readonly passed: (line: number) => void
}

/** Waits before each block. */
async function* prepared(
  blocks: AsyncIterable<TableRow[]>,
  prepare: (rows: readonly TableRow[]) => Promise<void>,
): AsyncGenerator<TableRow[]> {
  for await (const rows of blocks) {
    await prepare(rows)
    yield rows
  }
}

async function pumpBlocks(
  { sink, table, isWatched, time, passed }: BlockPump,
  blocks: AsyncIterable<TableRow[]>,
  convert: (rows: readonly TableRow[]) => void,
): Promise<void> {
  for await (const rows of blocks) {
    for (let at = 0; at < rows.length;) {
      const done = time === undefined ? rows : rowsOfTurn(rows, at, time, convert)
      if (time === undefined) convert(rows)
      at += done.length
      if (isWatched) sink.flush()
      await sink.ready()
      passed(lineBehind(done, table.dialect))
    }
  }
}

/** Those from `at` on that one turn has time for, converted. */
function rowsOfTurn(
  rows: readonly TableRow[],
  at: number,
  time: WorkingTime,
  convert: (rows: readonly TableRow[]) => void,
): readonly TableRow[] {
  return time.inTurn(() => {
    let end = at
    do {
      convert(rows.slice(end, end + 1))
      end += 1
      time.look()
    } while (end < rows.length && !time.isOver)
    return rows.slice(at, end)
  })
}
