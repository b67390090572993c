/** Report of failures: one record per cell, as CSV, TSV or JSON Lines. Pure. */
import { type Face, errorText, hintLine } from '../../operations/faces.ts'
import type { HlaError } from '../../errors.ts'
import { fileEnding } from '../../io/file-ending.ts'
import type { TableRow } from '../input/read-table.ts'
import { delimitersOf } from '../input/dialect.ts'
import { cellPlace } from '../input/places.ts'
import { unquoteField } from '../input/split-row.ts'

export interface Failure {
  /** 1-based, without the header; 0 for a file that gave no row. */
  readonly row: number
  /** 1-based line of the file. */
  readonly line: number
  readonly id: string
  /** Empty for the whole row. */
  readonly column: string
  readonly locus: string
  readonly value: string
  readonly error: HlaError
  /** File of that line, when several make one table. */
  readonly file?: string | undefined
  /** Path in a document. */
  readonly path?: string | undefined
}

/** Adds the place in the file of the records; a fault of a record replaces the error of reading its cell. */
export function inRecords(failure: Failure, { place }: Pick<TableRow, 'place'>, column?: number): Failure {
  if (place === undefined) return failure
  const { line, file, path, error = failure.error } = cellPlace(place, column)
  return { ...failure, line, file, path, error }
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

export interface MoreColumns {
  /** Include the file of each failure. */
  readonly withFiles?: boolean
  /** Include the path in a document. */
  readonly withPaths?: boolean
}

/** Format by the suffix of the file's name. */
export function reportFormat(
  file: string,
  { withFiles = false, withPaths = false }: MoreColumns = {},
  face: Face = 'command-line',
): ReportFormat {
  /** Typings that fail alike share their error. */
  const texts = new WeakMap<HlaError, ErrorTexts>()
  const recordOf = (failure: Failure) => {
    const { error } = failure
    const known = texts.get(error) ?? errorTexts(error, face)
    texts.set(error, known)
    const record = withTexts(failure, known)
    if (withFiles) record['file'] = failure.file ?? ''
    if (withPaths) record['path'] = failure.path ?? ''
    return record
  }
  const columns = [...REPORT_COLUMNS, ...(withFiles ? ['file'] : []), ...(withPaths ? ['path'] : [])]
  const { head, record } = recordLines(file, columns)
  return { head, record: (failure) => record(recordOf(failure)) }
}

/** Record with the columns' names. */
export function failureRecord(
  failure: Failure,
  face: Face = 'command-line',
): Record<string, string | number> {
  return withTexts(failure, errorTexts(failure.error, face))
}

interface ErrorTexts {
  readonly message: string
  readonly suggestion: string
}

function errorTexts(error: HlaError, face: Face): ErrorTexts {
  const suggestion = error.suggestions.join(' ') || (hintLine(error, face) ?? '')
  return { message: errorText(error, face), suggestion }
}

function withTexts(
  { row, line, id, column, locus, value, error }: Failure,
  { message, suggestion }: ErrorTexts,
): Record<string, string | number> {
  return { row, line, id, column, locus, value, code: error.code, message, suggestion }
}

/** `donors.csv:3:A_1: A*24:329 is not in … [renamed-allele]` */
export function failureText(failure: Failure, table: string): string {
  const { error } = failure
  const place = failurePlace(failure, table)
  const hint = error.code === 'unknown-allele' ? undefined : hintLine(error, 'command-line')
  return `${place}: ${errorText(error, 'command-line')}${hint === undefined ? '' : `; ${hint}`} [${error.code}]`
}

/** `donors.json:12:/donors[2]/hla/a/dna/field1:A_1` */
export function failurePlace({ line, column, file, path }: Failure, table: string): string {
  const name = file ?? table
  const at = path === undefined ? `${name}:${line}` : `${name}:${line}:${path}`
  return column === '' ? at : `${at}:${column}`
}

export interface RecordLines {
  readonly head: string
  /** Members in the order of the columns. */
  readonly record: (record: Readonly<Record<string, string | number>>) => string
}

/** Writer by the file's name: CSV, TSV or JSON Lines. */
export function recordLines(file: string, columns: readonly string[]): RecordLines {
  if (['json', 'jsonl'].includes(fileEnding(file))) {
    return { head: '', record: (record) => `${JSON.stringify(record)}\n` }
  }
  const [delimiter = ','] = delimitersOf(file)
  const line = (cells: readonly string[]) =>
    `${cells.map((cell) => unquoteField(cell, { delimiter, quote: '"' }) ?? '').join(delimiter)}\n`
  return { head: line(columns), record: (record) => line(Object.values(record).map(String)) }
}
