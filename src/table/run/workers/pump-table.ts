/** Rows in, rows out, a block at a time; writing waits for its reader. Whoever reads along gets each block at once. */
import { divideMemory } from '../../../engine/memory.ts'
import type { AnswerRequest } from '../../cells/answers.ts'
import { type Conversion, convertRows, isTooMany, tooMany } from '../convert.ts'
import { convertBytes, convertWhole, lineBehind } from '../../fast/convert-bytes.ts'
import type { DistinctCells } from '../../fast/distinct.ts'
import { type FastConverter, fastConverter } from '../../fast/fast-converter.ts'
import { isWide } from '../../input/encoding.ts'
import { sharedTypingsMemory } from '../../fast/typing-reader.ts'
import type { OpenTable } from '../../plan/open-table.ts'
import type { OutputColumns } from '../../plan/output-columns.ts'
import { isOfHeader } from '../../plan/plan.ts'
import { type TableRow, countBytes, readRows } from '../../input/read-table.ts'
import { type Distinct, addTally, newTally } from '../../output/summary.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import type { Sink } from '../../../io/sink.ts'
import type { TableLimits } from '../table-job.ts'
import { type WorkingTime, workingTime } from '../working-time.ts'
import { type BlockConverter, blockConverter } from './block-converter.ts'
import { keepNewSpaceSmall } from '../../../io/heap.ts'
import { type BlockDone, type BlockResult, reviveError, withoutFacts } from './worker-messages.ts'
import type { HandedBlock, TableWorkers, WorkerPool } from './worker-pool.ts'
import type { Dialect } from '../../input/dialect.ts'
import type { Failure } from '../../output/failure-report.ts'
import { isHlaError } from '../../../errors.ts'
import { type Block, sharedBlocks } from './shared-blocks.ts'

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
  const { sink, conversion } = pump
  const { maxErrors, tally, writer } = conversion
  sink.write(writer.mark)
  const distinct = await pumpBytes(pump)
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

async function pumpBytes(pump: TimedPump): Promise<DistinctCells> {
  const { table, conversion: given, sink, limits, time } = pump
  const { plan, dialect } = table
  const head = readHeadRows(table)
  const threads = (pump.workerThreads?.count ?? 0) + 1
  const { memory } = pump.answers.executor
  if (memory !== undefined) divideMemory(memory, threads)
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
  const bytes = table.from(countBytes(head))
  const isGathered = pump.answers.executor.ahead !== undefined && !pump.isWatched
  const chunks = paced(isGathered ? gathered(bytes) : bytes, sink, limits && PIECE)
  const ready = () => sink.ready()
  const run = { chunks, dialect, line, converter, conversion, write, ready, passed }
  // blocks for other threads end in line feeds
  if (pump.workerThreads === undefined || dialect.eol === '\r') {
    const timed = time === undefined ? {} : { inTurn: time.inTurn, longest: LONGEST }
    const { line: behind, rest } = await convertBytes({ ...run, ...timed })
    refuseLines(behind, limits)
    const convert = (rows: readonly TableRow[]) => convertRows(rows, conversion)
    // what cuts rows as they come does not look twice at a long one
    if (rest !== undefined && time !== undefined)
      await pumpLongRows({ ...pump, time }, readRows(rest, dialect, behind), convert)
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

/** Bytes whose typings are asked about together: some 20,000 rows. */
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

async function pumpLongRows(
  { sink, table, isWatched, time, passed }: TimedPump & { readonly time: WorkingTime },
  blocks: AsyncIterable<TableRow[]>,
  convert: (rows: readonly TableRow[]) => void,
): Promise<void> {
  for await (const rows of blocks) {
    for (let at = 0; at < rows.length;) {
      const done = rowsOfTurn(rows, at, time, convert)
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

interface FanOut {
  readonly chunks: AsyncIterable<Buffer>
  readonly dialect: Dialect
  /** Of the first row. */
  readonly line: number
  readonly pool: WorkerPool
  /** Those of the pool and this one. */
  readonly threads: number
  /** This thread's part: while workers start, and when all have enough to do. */
  readonly convert: BlockConverter
  /** For blocks that began inside a quoted field, which only this thread knows. */
  readonly converter: FastConverter
  readonly conversion: Conversion
  readonly write: (bytes: Buffer) => void
  /** Waited for before more is written. */
  readonly ready: () => Promise<void> | undefined
  /** After each block: the line of the next row. */
  readonly passed: (line: number) => void
}

/** For each thread: bytes of blocks that are on their way, and of what they became, which waits for those before it. */
const MOST_IN_FLIGHT = 4 * 1024 * 1024
/** For each thread. A block has its memory, however little is in it. */
const MOST_BLOCKS = 8

async function fanOut(run: FanOut): Promise<void> {
  const { pool, converter, threads } = run
  const source = sharedBlocks(run.chunks)
  const state: FanOutState = { line: run.line, taken: 0, carried: Buffer.alloc(0) }
  const sent: Sent[] = []
  const settle = async () => {
    const first = sent.shift()
    if (first === undefined) return
    const { block } = first
    const result = first.result ?? (await first.done)
    state.taken += block.length
    await merge(run, state, block, result)
    run.passed(state.line)
    source.release(block, result.used === 0 ? 0 : result.output.length / result.used)
    await run.ready()
  }
  const settleDone = async () => {
    while (sent[0]?.result !== undefined) await settle()
  }
  for await (const block of source.blocks()) {
    await settleDone()
    // the first rows are seen at once: a worker's answer is heard only when this thread has nothing to do
    const handed = state.taken === 0 ? undefined : pool.convert(block, converter.distinct.isExact)
    if (handed !== undefined) sent.push(waitingFor(block, handed))
    else {
      sent.push(convertHere(run, block))
      await settleDone()
    }
    while (sent.length > threads * MOST_BLOCKS || sumSizes(sent) > threads * MOST_IN_FLIGHT) await settle()
  }
  takeBack(run, sent)
  while (sent.length > 0) await settle()
  const tail = Buffer.concat([state.carried, source.tail()])
  if (tail.length > 0) await convertWhole({ ...run, isLast: true }, [tail], state.line)
}

/** A block on its way. */
interface Sent {
  readonly block: Block
  readonly done: Promise<BlockResult>
  readonly takeBack: () => boolean
  result: BlockResult | undefined
}

function sumSizes(sent: readonly Sent[]): number {
  return sent.reduce((sum, { block, result }) => sum + block.length + (result?.output.length ?? 0), 0)
}

/** Nothing more is to be read: this thread does, from the end on, what no worker has begun. */
function takeBack(run: FanOut, sent: readonly Sent[]): void {
  for (const one of sent.toReversed())
    if (one.result === undefined && one.takeBack()) one.result = convertHere(run, one.block).result
}

function waitingFor(block: Block, handed: HandedBlock): Sent {
  const done = handed.done.then((answer) => readBlockResult(answer, block)).catch(untouched)
  const sent: Sent = { block, done, takeBack: handed.takeBack, result: undefined }
  // whoever waits for an earlier block hears of an error in its turn
  sent.done.then(
    (result) => (sent.result = result),
    () => undefined,
  )
  return sent
}

function readBlockResult({ length, apart, failures, ...rest }: BlockDone, { room }: Block): BlockResult {
  return {
    ...rest,
    output: apart === undefined ? Buffer.from(room, 0, length) : Buffer.from(apart, 0, length),
    // only errors of the project are failures
    failures: failures.map((one) => ({ ...one, error: reviveError(one.error) as Failure['error'] })),
  }
}

function convertHere({ convert, converter }: FanOut, block: Block): Sent {
  const result = convertOrNot(() => convert(block, converter.distinct.isExact))
  return { block, done: Promise.resolve(result), takeBack: () => false, result }
}

function convertOrNot(convert: () => BlockResult): BlockResult {
  try {
    return convert()
  } catch (error) {
    return untouched(error)
  }
}

/** A row that ends everything is met again in its turn, when its line is known. */
function untouched(error: unknown): BlockResult {
  if (!isHlaError(error)) throw error
  const nothing = { output: Buffer.alloc(0), used: 0, lines: 0, keys: new Float64Array(), failures: [] }
  return { ...nothing, isFull: true, isExact: true, tally: newTally() }
}

interface FanOutState {
  line: number
  /** Bytes of the blocks so far. */
  taken: number
  /** Rows that had no end in their block. */
  carried: Buffer
}

async function merge(run: FanOut, state: FanOutState, block: Block, result: BlockResult): Promise<void> {
  const { conversion, converter, write } = run
  const bytes = Buffer.from(block.bytes, 0, block.length)
  const convertRest = async (pieces: readonly Uint8Array[]) => {
    const passed = (line: number) => void (state.line = line)
    state.carried = Buffer.from(await convertWhole({ ...run, passed }, pieces, state.line))
  }
  if (state.carried.length > 0) return convertRest([state.carried, bytes])
  const { rows } = conversion.tally
  for (const { row, line, ...failure } of result.failures)
    conversion.failed({ ...failure, row: row + rows, line: line + state.line - 1 })
  addTally(conversion.tally, result.tally, state.line - 1)
  converter.distinct.merge(result.keys, result.isExact)
  state.line += result.lines
  if (result.output.length > 0) write(result.output)
  const rest = bytes.subarray(result.used)
  if (result.isFull) await convertRest([rest])
  else state.carried = Buffer.from(rest)
}
