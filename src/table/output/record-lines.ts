/** Records as lines of CSV, TSV or JSON, as the name of their file says. Pure. */
import { unquoteField } from '../input/split-row.ts'

export interface RecordLines {
  readonly head: string
  /** Its members in the order of the columns. */
  readonly record: (record: Readonly<Record<string, string | number>>) => string
}

export function recordLines(file: string, columns: readonly string[]): RecordLines {
  if (/\.jsonl?(\.gz)?$/i.test(file)) {
    return { head: '', record: (record) => `${JSON.stringify(record)}\n` }
  }
  const delimiter = /\.(tsv|tab)(\.gz)?$/i.test(file) ? '\t' : ','
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => unquoteField(cell, { delimiter, quote: '"' }) ?? '').join(delimiter)}\n`
  return { head: line(columns), record: (record) => line(Object.values(record).map(String)) }
}
