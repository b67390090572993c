/** Blocks of rows, converted the ordinary way: where time is limited, in turns. */
import type { DistinctCells } from '../../fast/distinct.ts'
import { lineBehind } from '../../fast/convert-bytes.ts'
import { countBytes, type TableRow } from '../../input/read-table.ts'
import type { OpenTable } from '../../plan/open-table.ts'
import type { Sink } from '../../../io/sink.ts'
import type { TablePosition } from '../checkpoint.ts'
import type { WorkingTime } from '../working-time.ts'

interface BlockPump {
  readonly table: Pick<OpenTable, 'dialect'>
  readonly sink: Sink
  readonly isWatched: boolean
  readonly time?: WorkingTime
  readonly passed: (position: TablePosition, distinct: DistinctCells) => void
}

/** Waits before each block. */
export async function* prepared(
  blocks: AsyncIterable<TableRow[]>,
  prepare: (rows: readonly TableRow[]) => Promise<void>,
  unanswered: () => void,
): AsyncGenerator<TableRow[]> {
  for await (const rows of blocks) {
    try {
      await prepare(rows)
    } catch (error) {
      unanswered()
      throw error
    }
    yield rows
  }
}

interface BlockRun {
  readonly convert: (rows: readonly TableRow[]) => void
  readonly distinct: DistinctCells
  /** Of the first row. */
  readonly offset: number
}

export async function pumpBlocks(
  { sink, table, isWatched, time, passed }: BlockPump,
  blocks: AsyncIterable<TableRow[]>,
  { convert, distinct, offset: begin }: BlockRun,
): Promise<void> {
  let offset = begin
  for await (const rows of blocks) {
    for (let at = 0; at < rows.length;) {
      const done = time === undefined ? rows : rowsOfTurn(rows, at, time, convert)
      if (time === undefined) convert(rows)
      at += done.length
      if (isWatched) sink.flush()
      await sink.ready()
      offset += countBytes(done)
      passed({ offset, line: lineBehind(done, table.dialect) }, distinct)
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
