/** A conversion by several threads: blocks go out in turn and come back in order, so that nothing depends on how many there are. */
import { type BlockDone, type BlockResult, reviveError } from './worker-messages.ts'
import type { Conversion } from '../convert.ts'
import type { Dialect } from '../../input/dialect.ts'
import type { Failure } from '../../output/failure-report.ts'
import { convertWhole } from '../../fast/convert-bytes.ts'
import type { FastConverter } from '../../fast/fast-converter.ts'
import { addTally, newTally } from '../../output/summary.ts'
import type { BlockConverter } from './block-converter.ts'
import { isHlaError } from '../../../errors.ts'
import { type Block, sharedBlocks } from './shared-blocks.ts'
import type { HandedBlock, WorkerPool } from './worker-pool.ts'

export interface FanOut {
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

export async function fanOut(run: FanOut): Promise<void> {
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
