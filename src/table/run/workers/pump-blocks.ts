/** Blocks of rows, converted the ordinary way: where time is limited, in turns. */
import { lineBehind } from '../../fast/convert-bytes.ts'
import type { TableRow } from '../../input/read-table.ts'
import type { OpenTable } from '../../plan/open-table.ts'
import type { Sink } from '../../../io/sink.ts'
import type { WorkingTime } from '../working-time.ts'

interface BlockPump {
  readonly table: Pick<OpenTable, 'dialect'>
  readonly sink: Sink
  readonly isWatched: boolean
  readonly time?: WorkingTime
  readonly passed: (line: number) => void
}

/** Waits before each block. */
export async function* prepared(
  blocks: AsyncIterable<TableRow[]>,
  prepare: (rows: readonly TableRow[]) => Promise<void>,
): AsyncGenerator<TableRow[]> {
  for await (const rows of blocks) {
    await prepare(rows)
    yield rows
  }
}

export async function pumpBlocks(
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
