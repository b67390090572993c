/** Rows with their results; all other fields are written unchanged. */
import type { CellAnswer } from '../answers/answers.ts'
import { formatGlStringCode } from '../../nomenclature/gl-string-code.ts'
import { type Dialect, delimiterLine } from '../input/dialect.ts'
import { encodeByteText } from '../input/encoding.ts'
import { formatDrbx } from './drbx-pair.ts'
import { longLayout, longRows } from './long-layout.ts'
import { type RowAnswers, formatGlString } from './gl-column.ts'
import { type OutputColumns, appendedNames } from '../plan/output-columns.ts'
import type { TablePlan } from '../plan/plan.ts'
import type { TableRow } from '../input/read-table.ts'
import type { RowWriter } from './written-row.ts'
import { byteOrderMark, chooseLineEnd, fieldText, outQuoting, withoutLoci } from './written-text.ts'
import type { Quoting } from '../input/split-row.ts'
import type { WriteRequest } from '../plan/table-request.ts'

/**
 * Opens the writer of a table, or of the format of --output-format, whose module is loaded on demand.
 * @throws {HlaError} usage — the table cannot be written so
 */
export async function openRowWriter(
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
  output: OutputColumns,
): Promise<RowWriter> {
  if (request.consensus !== undefined) {
    const { consensusWriter } = await import('./consensus/consensus-writer.ts')
    return consensusWriter(request.consensus, plan, dialect, request)
  }
  if (request.format === undefined) return tableWriter(plan, dialect, request, output)
  const { formatWriter } = await import('./population/population-writer.ts')
  return formatWriter(request.format, plan, dialect, request)
}

/** Writer for a table. @throws {HlaError} usage — rows of typings are requested, and a column holds whole GL Strings */
export function tableWriter(
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
  output: OutputColumns,
): RowWriter {
  const quoting = outQuoting(dialect, request)
  const text = (value: string) => fieldText(encodeByteText(value, dialect.encoding), quoting)
  const place = makePlacer(plan, request, output)
  const shown = resultWriter(request, text)
  const respelled = (raws: readonly string[], row: TableRow) =>
    quoting.delimiter === dialect.delimiter
      ? raws
      : raws.map((raw, at) => respell(raw, row.values[at] ?? '', quoting))
  const names = (row: TableRow | undefined, ofResult: (name: string) => string) =>
    row &&
    place(respelled(row.raws, row), {
      results: (column) => (output.results.get(column) ?? []).map(ofResult),
      source: (_, raw) => raw,
      appended: appendedNames(output, 'after').map(ofResult),
    })
  const lines = lineWriter(plan, dialect, request, { quoting, output })
  // names of results are in the lower line
  const header = lines.header(
    names(plan.upperRow, () => ''),
    names(plan.headerRow, text),
  )
  return {
    isJoining: output.gl.length > 0 || output.drbx.length > 0,
    pairing: output.drbx.length > 0 ? { secondBlank: request.secondBlank, method: 0 } : undefined,
    mark: byteOrderMark(dialect, request),
    ...header,
    other: (row) => otherLine(row, dialect, quoting) + chooseLineEnd(row, request),
    again: (row, line) => (line === '' ? '' : line.replace(/[\r\n]+$/, '') + chooseLineEnd(row, request)),
    row({ row, answers, errors }) {
      const raws = respelled(row.raws, row)
      const valueOf = (column: number) => () => sourceValue(row, column, quoting)
      const cells = place(padded(raws, plan.header.width), {
        results: (column) => request.results.map((_, at) => shown(answers.get(column), at, valueOf(column))),
        source: (column, raw) =>
          request.into === 'replace' ? shown(answers.get(column), 0, () => raw) : raw,
        appended: [...subjectCells(plan, answers, request, output), ...statusCells(errors, output)].map(text),
      })
      const isTyped = (column: number) => answers.get(column)?.error?.code === 'surplus-typing'
      return lines.row([...cells, ...raws.slice(plan.header.width)], row, isTyped)
    },
  }
}

interface LineWriter {
  /** Lines of the header, from their cells. */
  readonly header: (
    upper: readonly string[] | undefined,
    head: readonly string[] | undefined,
  ) => Pick<RowWriter, 'upper' | 'head'>
  readonly row: (cells: readonly string[], row: TableRow, isTyped: (column: number) => boolean) => string
}

/** One row per person, or with `--shape long` per typing. */
function lineWriter(
  plan: TablePlan,
  dialect: Dialect,
  request: WriteRequest,
  { quoting, output }: { readonly quoting: Quoting; readonly output: OutputColumns },
): LineWriter {
  const line = (cells: readonly string[] | undefined, row: TableRow | undefined) =>
    cells === undefined || row === undefined
      ? ''
      : cells.join(quoting.delimiter) + chooseLineEnd(row, request)
  if (request.shape !== 'long') {
    return {
      header: (upper, head) => ({ upper: line(upper, plan.upperRow), head: line(head, plan.headerRow) }),
      row: line,
    }
  }
  const long = longRows(longLayout(plan, request, output), quoting, dialect.encoding)
  return {
    // the lower line has the names of both lines
    header: (upper = [], head) => ({ upper: '', head: line(head && long.head(head, upper), plan.headerRow) }),
    row(cells, row, isTyped) {
      // the last row of a table may have no line end
      const end = chooseLineEnd(row, request) || dialect.eol
      return long
        .rows(cells, isTyped)
        .map((one) => one.join(quoting.delimiter) + end)
        .join('')
    },
  }
}

function otherLine({ raws, line }: TableRow, dialect: Dialect, { delimiter }: Quoting): string {
  const text = raws.join(dialect.delimiter)
  const told = line === 1 && dialect.preamble > 0 ? delimiterLine(text, delimiter) : undefined
  return told ?? text
}

interface Placed {
  readonly results: (column: number) => readonly string[]
  /** Content of the typing column itself. */
  readonly source: (column: number, raw: string) => string
  readonly appended: readonly string[]
}

/** Places results as `--into` says. */
function makePlacer(plan: TablePlan, { into, dropSource }: WriteRequest, { results }: OutputColumns) {
  const typed = new Set(plan.groups.flatMap(({ columns }) => columns))
  return (raws: readonly string[], { results: resultsOf, source, appended }: Placed): string[] => {
    const cells: string[] = []
    for (const [column, raw] of raws.entries()) {
      if (column >= plan.header.width) break
      if (!typed.has(column)) cells.push(raw)
      else if (!dropSource) cells.push(source(column, raw))
      if (into === 'after' && typed.has(column)) cells.push(...resultsOf(column))
    }
    if (into === 'append') for (const column of results.keys()) cells.push(...resultsOf(column))
    return [...cells, ...appended]
  }
}

/** Value of a cell, quoted only where needed. A row with misplaced quotes has fields, but no values. */
function sourceValue({ isMisquoted, raws, values }: TableRow, column: number, quoting: Quoting): string {
  return isMisquoted ? (raws[column] ?? '') : fieldText(values[column] ?? '', quoting)
}

/** A token is written as its source. An unreadable row has no answers; a failed cell may have a negative answer. */
function resultWriter({ onError, locusPrefix, width }: WriteRequest, text: (value: string) => string) {
  return (answer: CellAnswer | undefined, at: number, source: () => string): string => {
    const isFailed = answer === undefined || answer.status === 'error'
    // details follow the answer; an unchanged source is written only in its own place
    const place = () => (at % width === 0 ? source() : '')
    if (!isFailed && answer.status !== 'ok') return place()
    const result = answer?.results[at] ?? ''
    if (isFailed && result === '') return onError === 'keep' ? place() : ''
    return text(locusPrefix === 'bare' ? withoutLoci(result) : result)
  }
}

function subjectCells(
  plan: TablePlan,
  answers: RowAnswers,
  { secondBlank, glsc }: WriteRequest,
  { gl, drbx }: OutputColumns,
): string[] {
  if (gl.length + drbx.length === 0) return []
  const of = (subject: string) => plan.groups.filter((group) => group.subject === subject)
  const release = plan.groups[0]?.context.facts.label ?? ''
  const style = { secondBlank, method: 0 }
  const strings = gl.map(({ subject }) => {
    const glString = formatGlString(of(subject), answers, style)
    return glString === '' || !glsc ? glString : formatGlStringCode(release, glString)
  })
  return [...strings, ...drbx.flatMap(({ subject }) => formatDrbx(of(subject), answers, style))]
}

function statusCells(errors: readonly string[], { report }: OutputColumns): string[] {
  return report.length === 0 ? [] : [errors.length === 0 ? 'ok' : 'error', errors.join(';')]
}

function padded(raws: readonly string[], width: number): readonly string[] {
  return raws.length >= width ? raws : [...raws, ...Array.from({ length: width - raws.length }, () => '')]
}

/** A field rewritten for another delimiter. */
function respell(raw: string, value: string, quoting: Quoting): string {
  const isQuoted = quoting.quote !== undefined && raw.startsWith(quoting.quote)
  return isQuoted || !raw.includes(quoting.delimiter) ? raw : fieldText(value, quoting)
}
