/** A conversion by several workers: blocks go out in turn and come back in order, so that nothing depends on how many there are. */
import type { Dialect } from '../../batch/dialect.ts'
import type { Conversion } from '../../batch/convert.ts'
import { convertTail } from '../../batch/fast/convert-bytes.ts'
import type { FastConverter } from '../../batch/fast/fast-converter.ts'
import { addTally } from '../../batch/fast/merge-tally.ts'
import { sharedBlocks } from './shared-blocks.ts'
import { type BlockDone, errorOf } from './worker-messages.ts'
import type { WorkerPool } from './worker-pool.ts'

export interface FanOut {
  readonly chunks: AsyncIterable<Buffer>
  readonly dialect: Dialect
  /** Of the first row. */
  readonly line: number
  readonly pool: WorkerPool
  /** For blocks that began inside a quoted field, which only this thread knows. */
  readonly converter: FastConverter
  readonly conversion: Conversion
  readonly write: (bytes: Buffer) => void
  /** After each block: bytes of `chunks` that were converted and written, and the line of the next row. */
  readonly passed: (used: number, line: number) => void
}

interface Sent {
  readonly block: Buffer
  readonly done: Promise<BlockDone>
}

/** Blocks under way, for each worker. */
const AHEAD = 2

export async function fanOut(run: FanOut): Promise<void> {
  const { pool, converter } = run
  const source = sharedBlocks(run.chunks)
  const state: State = { line: run.line, taken: 0, carried: Buffer.alloc(0) }
  const sent: Sent[] = []
  const settle = async () => {
    const first = sent.shift()
    if (first === undefined) return
    const done = await first.done
    state.taken += first.block.length
    merge(run, state, first.block, done)
    run.passed(state.taken - state.carried.length, state.line)
    source.release(first.block)
  }
  for await (const block of source.blocks()) {
    if (sent.length > pool.size * AHEAD) await settle()
    sent.push({ block, done: pool.convert(block, converter.distinct.isExact) })
  }
  while (sent.length > 0) await settle()
  await convertTail(Buffer.concat([state.carried, source.tail()]), state.line, run)
}

interface State {
  line: number
  /** Bytes of the blocks so far. */
  taken: number
  /** Rows that had no end in their block. */
  carried: Buffer
}

function merge(run: FanOut, state: State, block: Buffer, done: BlockDone): void {
  const { conversion, converter, write } = run
  if (state.carried.length > 0) {
    const { output, used, line } = converter.convert(Buffer.concat([state.carried, block]), state.line)
    state.carried = Buffer.concat([state.carried, block]).subarray(used)
    state.line = line
    if (output.length > 0) write(output)
    return
  }
  const { rows } = conversion.tally
  for (const { error, row, line, ...failure } of done.failures) {
    // only errors of the project are failures
    const rebuilt = errorOf(error) as Parameters<Conversion['failed']>[0]['error']
    conversion.failed({ ...failure, row: row + rows, line: line + state.line - 1, error: rebuilt })
  }
  addTally(conversion.tally, done.tally)
  converter.distinct.merge(done.keys, done.isExact)
  state.carried = Buffer.from(block.subarray(done.used))
  state.line += done.lines
  if (done.length > 0) write(Buffer.from(done.output, 0, done.length))
}
