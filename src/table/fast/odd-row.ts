/** A row the scan cannot read, cut out and taken apart the ordinary way. */
import type { Dialect } from '../input/dialect.ts'
import { isHlaError } from '../../errors.ts'
import { atLine, type TableRow, makeRow } from '../input/read-table.ts'
import { recordCutter } from '../input/record-cutter.ts'

export interface CutRow {
  readonly row: TableRow
  /** Where the next one begins. */
  readonly next: number
}

export type RowCutter = (bytes: Buffer, start: number, line: number) => CutRow | undefined

/** Cuts the row at `start`; undefined: it ends behind these bytes. */
export async function rowCutter(dialect: Dialect): Promise<RowCutter> {
  const cut = await recordCutter(dialect)
  return (bytes, start, line) => {
    const record = cutAt(line, () => cut(bytes, start))
    return record && { row: makeRow(record, true, dialect, { line }), next: record.next }
  }
}

/** @throws {HlaError} io — a row is too wide */
function cutAt<T>(line: number, cut: () => T): T {
  try {
    return cut()
  } catch (error) {
    throw isHlaError(error) ? atLine(error, line) : error
  }
}
