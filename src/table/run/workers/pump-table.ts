/** Converts a table block by block; writing waits for its reader. Every block is flushed when the output is watched. */
import { divideMemory } from '../../../engine/memory.ts'
import type { AnswerRequest } from '../../cells/answers.ts'
import { type Conversion, convertRows, isTooMany, tooMany } from '../convert.ts'
import { convertBytes, convertWhole, lineBehind } from '../../rows/convert-bytes.ts'
import type { DistinctCells } from '../../rows/distinct.ts'
import { type RowConverter, rowConverter } from '../../rows/row-converter.ts'
import { isWide } from '../../input/encoding.ts'
import type { OpenTable } from '../../plan/open-table.ts'
import type { OutputColumns } from '../../plan/output-columns.ts'
import { isBodyRow } from '../../plan/plan.ts'
import { type TableRow, countBytes } from '../../input/read-table.ts'
import { type Distinct, addTally, newTally } from '../../output/summary.ts'
import type { WriteRequest } from '../../plan/table-request.ts'
import type { Sink } from '../../../io/sink.ts'
import type { TableLimits } from '../table-job.ts'
import { type GrowthWatch, watchGrowth } from '../large-output.ts'
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
  /** Conversion without questions and output. */
  readonly conversion: Omit<Conversion, 'answers' | 'write'>
  readonly sink: Sink
  readonly isWatched: boolean
  readonly limits?: TableLimits | undefined
  /** undefined for a single thread. */
  readonly workerThreads: TableWorkers | undefined
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
  const threads = (pump.workerThreads?.count ?? 0) + 1
  const { memory } = pump.answers.executor
  if (memory !== undefined) divideMemory(memory, threads)
  const atOnce = threads * (limits?.atOnce ?? 1)
  const converter = rowConverter({ ...pump, plan, dialect, threads: atOnce, turn: time }, given)
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
  const run = { chunks, dialect, line, converter, conversion, write, ready, passed }
  // blocks for other threads must end in line feeds
  if (pump.workerThreads === undefined || dialect.eol === '\r') {
    refuseLines(await convertBytes({ ...run, ...(time && { inTurn: time.inTurn }) }), limits)
  } else await fanOut({ ...run, threads, ...(await startThreads(pump, pump.workerThreads)) })
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

/** Converts a table made of typing records, in this thread. */
async function convertGathered({ pump, converter, head, write, passed, size }: GatheredRun): Promise<void> {
  const { table, sink, time } = pump
  let [line, at] = [1, head.length]
  for await (const rows of table.blocks()) {
    keepNewSpaceSmall()
    await sink.ready()
    size.read(countBytes(rows))
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

/** Rows before those with typings, which the byte scan cannot distinguish. */
function readHeadRows({ first, plan }: OpenTable): readonly TableRow[] {
  const at = first.findIndex((row) => isBodyRow(row, plan))
  return at < 0 ? first : first.slice(0, at)
}

/** Starts the threads; this thread is one of them. */
async function startThreads(
  { conversion, answers, writing, table }: TablePump,
  workerThreads: TableWorkers,
): Promise<{ readonly pool: WorkerPool; readonly convert: BlockConverter }> {
  const { plan, ragged } = conversion
  const { operation, inputs } = answers
  const memory = { threads: workerThreads.count + 1 }
  const asked = { dialect: table.dialect, writing, ragged, ...memory, operation: operation.name, inputs }
  const pool = await workerThreads.pool({ ...asked, plan: withoutFacts(plan) })
  return { pool, convert: await blockConverter(plan, asked, answers) }
}

interface FanOut {
  readonly chunks: AsyncIterable<Buffer>
  readonly dialect: Dialect
  /** Line of the first row. */
  readonly line: number
  readonly pool: WorkerPool
  /** Number of threads, this one included. */
  readonly threads: number
  /** Converts in this thread while workers start, and when all are busy. */
  readonly convert: BlockConverter
  /** For blocks that begin inside a quoted field, which only this thread knows. */
  readonly converter: RowConverter
  readonly conversion: Conversion
  readonly write: (bytes: Buffer) => void
  /** Awaited before more is written. */
  readonly ready: () => Promise<void> | undefined
  /** Called after each block with the line of the next row. */
  readonly passed: (line: number) => void
}

/** Maximum bytes per thread of blocks in flight, and of their output, which waits for earlier blocks. */
const MAX_IN_FLIGHT = 4 * 1024 * 1024
/** Maximum number of blocks per thread; a block takes its full memory even if nearly empty. */
const MAX_BLOCKS = 8

async function fanOut(run: FanOut): Promise<void> {
  const { pool, converter, threads } = run
  const source = sharedBlocks(run.chunks)
  const state: FanOutState = { line: run.line, taken: 0, carried: Buffer.alloc(0), waiting: [] }
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
    // the first rows must appear at once: a worker's answer is only received when this thread is idle
    const handed = state.taken === 0 ? undefined : pool.convert(block, converter.distinct.isExact)
    if (handed !== undefined) sent.push(waitingFor(block, handed))
    else {
      sent.push(convertHere(run, block))
      await settleDone()
    }
    while (sent.length > threads * MAX_BLOCKS || sumSizes(sent) > threads * MAX_IN_FLIGHT) await settle()
  }
  takeBack(run, sent)
  while (sent.length > 0) await settle()
  const tail = Buffer.concat([state.carried, ...state.waiting, source.tail()])
  if (tail.length > 0) await convertWhole({ ...run, isLast: true }, [tail], state.line)
}

/** A block in flight. */
interface Sent {
  readonly block: Block
  readonly done: Promise<BlockResult>
  readonly takeBack: () => boolean
  result: BlockResult | undefined
}

function sumSizes(sent: readonly Sent[]): number {
  return sent.reduce((sum, { block, result }) => sum + block.length + (result?.output.length ?? 0), 0)
}

/** Converts here, from the end, the blocks no worker has begun; call when nothing more is read. */
function takeBack(run: FanOut, sent: readonly Sent[]): void {
  for (const one of sent.toReversed())
    if (one.result === undefined && one.takeBack()) one.result = convertHere(run, one.block).result
}

function waitingFor(block: Block, handed: HandedBlock): Sent {
  const done = handed.done.then((answer) => readBlockResult(answer, block)).catch(untouched)
  const sent: Sent = { block, done, takeBack: handed.takeBack, result: undefined }
  // an error is reported in the order of the blocks
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

/** An error that ends everything is met again in its turn, when its line is known. */
function untouched(error: unknown): BlockResult {
  if (!isHlaError(error)) throw error
  const nothing = { output: Buffer.alloc(0), used: 0, lines: 0, keys: new Float64Array(), failures: [] }
  return { ...nothing, isFull: true, isExact: true, tally: newTally() }
}

interface FanOutState {
  line: number
  /** Bytes of the blocks so far. */
  taken: number
  /** An incomplete row at the end of the last block. */
  carried: Buffer
  /** Bytes behind it; it is scanned again only when doubled. */
  waiting: Buffer[]
}

async function merge(run: FanOut, state: FanOutState, block: Block, result: BlockResult): Promise<void> {
  const { conversion, converter, write } = run
  const bytes = Buffer.from(block.bytes, 0, block.length)
  const convertRest = async (pieces: readonly Uint8Array[]) => {
    const passed = (line: number) => void (state.line = line)
    state.waiting = []
    state.carried = Buffer.from(await convertWhole({ ...run, passed }, pieces, state.line))
  }
  if (state.carried.length > 0) {
    const pieces = [...state.waiting, bytes]
    if (pieces.reduce((sum, { length }) => sum + length, 0) >= state.carried.length)
      return convertRest([state.carried, ...pieces])
    // the memory of the block is used again
    state.waiting.push(Buffer.from(bytes))
    return
  }
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
