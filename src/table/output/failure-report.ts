/** The report of failures: one record a cell, as CSV, TSV or JSON Lines. Pure. */
import type { HlaError } from '../../errors.ts'
import { unquoteField } from '../input/split-row.ts'

export interface Failure {
  /** 1-based, without the header. */
  readonly row: number
  /** 1-based line of the file. */
  readonly line: number
  readonly id: string
  /** Empty: the whole row. */
  readonly column: string
  readonly locus: string
  readonly value: string
  readonly error: HlaError
}

export const REPORT_COLUMNS = [
  'row',
  'line',
  'id',
  'column',
  'locus',
  'value',
  'code',
  'message',
  'suggestion',
] as const

export interface ReportFormat {
  readonly head: string
  readonly record: (failure: Failure) => string
}

/** By the suffix of the file's name. */
export function reportFormat(file: string): ReportFormat {
  if (/\.jsonl?(\.gz)?$/i.test(file)) {
    return { head: '', record: (failure) => `${JSON.stringify(failureRecord(failure))}\n` }
  }
  const delimiter = /\.(tsv|tab)(\.gz)?$/i.test(file) ? '\t' : ','
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => unquoteField(cell, { delimiter, quote: '"' }) ?? '').join(delimiter)}\n`
  return {
    head: line(REPORT_COLUMNS),
    record: (failure) => line(Object.values(failureRecord(failure)).map(String)),
  }
}

/** Named as the columns are. */
export function failureRecord({
  row,
  line,
  id,
  column,
  locus,
  value,
  error,
}: Failure): Record<string, string | number> {
  const suggestion = error.suggestions.join(' ') || (error.hint?.split('\n')[0] ?? '')
  return { row, line, id, column, locus, value, code: error.code, message: error.message, suggestion }
}

/** `donors.csv:3:A_1: A*24:329 is not in … [renamed-allele]` */
export function failureText({ line, column, error }: Failure, table: string): string {
  const place = column === '' ? `${table}:${line}` : `${table}:${line}:${column}`
  const [hint] = error.code === 'unknown-allele' || error.hint === undefined ? [] : error.hint.split('\n')
  return `${place}: ${error.message}${hint === undefined ? '' : `; ${hint}`} [${error.code}]`
}
