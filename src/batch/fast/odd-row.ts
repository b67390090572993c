/** A row the scan cannot read, cut out and taken apart the ordinary way. */
import type { Dialect } from '../dialect.ts'
import { neverClosed, type Row, rowOf } from '../read-table.ts'
import { LONGEST_ROW, recordCutter } from '../record-cutter.ts'

export interface CutRow {
  readonly row: Row
  /** Where the next one begins. */
  readonly next: number
}

export type RowCutter = (bytes: Buffer, start: number, line: number) => CutRow | undefined

/** Cuts the row at `start`; undefined: it ends behind these bytes. */
export async function rowCutter(dialect: Dialect): Promise<RowCutter> {
  const cut = await recordCutter(dialect)
  return (bytes, start, line) => {
    const record = cut(bytes, start)
    return record && { row: rowOf(record, true, dialect, { line }), next: record.next }
  }
}

/** @throws {HlaError} bad-quote — more than the longest row has no end */
export function refuseEndless(held: number, line: number): void {
  if (held > LONGEST_ROW) throw neverClosed(line)
}
