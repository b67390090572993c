/** Converts a table block by block; writing waits for its reader. Every block is flushed when the output is watched. */
import type { AnswerRequest } from '../answers/answers.ts'
import { type Conversion, convertRows, isTooMany, tooMany } from '../rows/convert-rows.ts'
import { convertBytes, lineBehind } from '../rows/convert-bytes.ts'
import type { DistinctCells } from '../rows/distinct.ts'
import { type RowConverter, rowConverter } from '../rows/row-converter.ts'
import { isWide } from '../input/encoding.ts'
import type { OpenTable } from '../plan/open-table.ts'
import type { OutputColumns } from '../plan/output-columns.ts'
import { isBodyRow } from '../plan/plan.ts'
import { type TableRow, countBytes } from '../input/read-table.ts'
import type { Distinct } from '../output/summary.ts'
import type { WriteRequest } from '../plan/table-request.ts'
import type { Sink } from '../../io/sink.ts'
import type { TableLimits } from './table-job.ts'
import { type GrowthWatch, watchGrowth } from './large-output.ts'
import { type WorkingTime, workingTime } from './working-time.ts'
import { keepNewSpaceSmall } from '../../io/heap.ts'

export interface TablePump {
  readonly table: OpenTable
  readonly writing: WriteRequest
  readonly output: OutputColumns
  readonly answers: AnswerRequest
  /** Conversion without questions and output. */
  readonly conversion: Omit<Conversion, 'answers' | 'write'>
  readonly sink: Sink
  readonly isWatched: boolean
  readonly limits?: TableLimits | undefined
  /** Called after each block of rows is written, with the line of the next row. */
  readonly passed: (line: number) => void
  /** Called at most once. */
  readonly outgrown: () => void
}

/** @throws {HlaError} too-many-failures, and errors of reading, converting and `passed` */
export async function pumpTable(asked: TablePump): Promise<Distinct> {
  const pump: TimedPump = asked.limits === undefined ? asked : limitedPump(asked, asked.limits)
  const { sink, conversion } = pump
  const { maxErrors, tally, writer } = conversion
  sink.write(writer.mark)
  const distinct = await pumpBytes(pump)
  if (maxErrors !== undefined && isTooMany(tally, maxErrors, true)) throw tooMany(tally)
  return distinct.distinct()
}

/** `time`: set when it is limited. */
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

/** @throws {HlaError} the line exceeds the limit */
function refuseLines(line: number, limits: TableLimits | undefined): void {
  if (limits !== undefined && line - 1 > limits.lines.most) throw limits.lines.refusal()
}

async function pumpBytes(pump: TimedPump): Promise<DistinctCells> {
  const { table, conversion: given, sink, limits, time } = pump
  const { plan, dialect } = table
  const head = readHeadRows(table)
  const converter = rowConverter({ ...pump, plan, dialect, atOnce: limits?.atOnce, turn: time }, given)
  const { answers, persons } = converter
  const size = watchGrowth(pump.outgrown)
  const writeText = (text: string) => {
    sink.write(text)
    size.wrote(text.length)
  }
  const conversion = { ...given, answers, persons, write: writeText }
  const line = lineBehind(head, dialect)
  // shown with the first rows after it, so that a refused row leaves no output
  if (time === undefined) convertRows(head, conversion)
  else time.inTurn(() => convertRows(head, conversion))
  pump.passed(line)
  const passed = (next: number) => {
    keepNewSpaceSmall()
    pump.passed(next)
  }
  const write = (bytes: Buffer) => {
    size.wrote(bytes.length)
    if (!isWide(dialect.encoding)) return sink.writeBytes(bytes)
    // a sink encodes text, not bytes, and buffers it
    sink.write(bytes.toString('latin1'))
    sink.flush()
  }
  if (table.from === undefined) {
    await convertGathered({ pump, converter, head, write, passed, size })
    return converter.distinct
  }
  const bytes = counted(table.from(countBytes(head)), size)
  const isGathered = pump.answers.executor.ahead !== undefined && !pump.isWatched
  const chunks = paced(isGathered ? gathered(bytes) : bytes, sink, limits && PIECE)
  const ready = () => sink.ready()
  const run = { chunks, line, converter, write, ready, passed, ...(time && { inTurn: time.inTurn }) }
  refuseLines(await convertBytes(run), limits)
  return converter.distinct
}

interface GatheredRun {
  readonly pump: TimedPump
  readonly converter: RowConverter
  /** Rows before those with typings. */
  readonly head: readonly TableRow[]
  readonly write: (bytes: Buffer) => void
  readonly passed: (line: number) => void
  readonly size: GrowthWatch
}

/** Converts the rows of a source. */
async function convertGathered({ pump, converter, head, write, passed, size }: GatheredRun): Promise<void> {
  const { table, sink, time } = pump
  let [line, at] = [1, head.length]
  for await (const rows of table.blocks()) {
    keepNewSpaceSmall()
    await sink.ready()
    for (const { values } of rows) for (const value of values) size.read(value.length + 1)
    while (at < rows.length) {
      const convert = () => converter.convertGathered(rows, at)
      const { output, next } = time === undefined ? convert() : time.inTurn(convert)
      if (output.length > 0) write(output)
      passed(line + next)
      // a signal is heard between turns of the event loop
      await new Promise((turn) => setImmediate(turn))
      if (next < rows.length) await converter.prepare()
      await sink.ready()
      at = next
    }
    line += rows.length
    at = 0
  }
}

async function* counted(chunks: AsyncGenerator<Buffer>, size: GrowthWatch): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    size.read(chunk.length)
    yield chunk
  }
}

/** Bytes of known rows that take a millisecond. */
const PIECE = 64 * 1024

/** Limits reading to the sink's room, and pieces to `most` bytes. */
async function* paced(chunks: AsyncGenerator<Buffer>, sink: Sink, most = Infinity): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    for (let at = 0; at < chunk.length; at += most) {
      keepNewSpaceSmall()
      await sink.ready()
      yield chunk.subarray(at, at + most)
    }
  }
}

/** Bytes of one question about typings: some 20,000 rows. */
const MANY = 1024 * 1024

async function* gathered(chunks: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  let [pieces, size]: [Buffer[], number] = [[], 0]
  for await (const chunk of chunks) {
    pieces.push(chunk)
    size += chunk.length
    if (size < MANY) continue
    yield Buffer.concat(pieces)
    ;[pieces, size] = [[], 0]
  }
  if (size > 0) yield Buffer.concat(pieces)
}

/** Rows before those with typings, which the byte scan cannot distinguish. */
function readHeadRows({ first, plan }: OpenTable): readonly TableRow[] {
  const at = first.findIndex((row) => isBodyRow(row, plan))
  return at < 0 ? first : first.slice(0, at)
}
