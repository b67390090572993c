/** Rows of a table that is compared, matched or counted: each with its cells, and with reports of what cannot be read. */
import { advice, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { readCellParts } from '../answers/statements.ts'
import { type SettlingFacts, settleFacts } from '../cells/name-facts.ts'
import { readable } from '../input/encoding.ts'
import type { TableRow } from '../input/read-table.ts'
import { type Failure, inRecords } from '../output/failure-report.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { isBodyRow, type RowCell, readCells } from '../plan/plan.ts'
import { conversionError } from '../plan/row-error.ts'
import { inSheet } from './table-failures.ts'

export interface TypedFile {
  readonly name: string
  readonly table: OpenTable
  readonly ragged: 'error' | 'pad'
}

export interface TypedRow {
  /** 1-based, without the header. */
  readonly number: number
  /** Line of the file, or row of the sheet. */
  readonly line: number
  readonly id: string
  /** Why the row cannot be read; it then has no cells. */
  readonly error: HlaError | undefined
  readonly cells: readonly RowCell[]
  /** Decoded text of a column. */
  readonly text: (column: number) => string
  /** Reports a cell, or the whole row. */
  readonly fail: (error: HlaError, cell?: FailedCell) => void
}

/** `value`: that of the cell, or of all cells of a locus. */
type FailedCell = Pick<RowCell, 'column'> & Pick<Failure, 'locus' | 'value'>

/** @throws {HlaError} usage — no column names the persons */
export function requireIdColumn({ name, table }: TypedFile, effect = ''): void {
  if (table.plan.idColumn !== undefined) return
  throw new HlaError('usage', `${name} has no column that names persons${effect}`, {
    hint: advice`${option('id-column')} names it, and with a comma that of the second file`,
  })
}

/** Why a row is not read as a person. */
export function personError({ error, id }: TypedRow): HlaError | undefined {
  return error ?? (id === '' ? new HlaError('io', 'the row names no person') : undefined)
}

/** Yields the rows of each block. */
export async function* readTypedRows(
  { name, table, ragged }: TypedFile,
  facts: SettlingFacts,
  failed: (failure: Failure) => void,
): AsyncGenerator<readonly TypedRow[]> {
  const { plan, dialect, input } = table
  let count = 0
  const typedRow = (row: TableRow): TypedRow => {
    const number = (count += 1)
    const text = (column: number) => readable(row.values[column] ?? '', dialect.encoding).trim()
    const id = plan.idColumn === undefined ? '' : text(plan.idColumn)
    const fault = conversionError(row, { plan, dialect, ragged })
    return {
      number,
      line: input.workbook?.rowAt(row.line) ?? row.line,
      id,
      error: fault,
      cells: fault === undefined ? readCells(row, { plan, dialect }) : [],
      text,
      fail(error, { column: at, locus, value } = WHOLE_ROW) {
        const column = plan.header.labels[at] ?? ''
        const failure = { row: number, line: row.line, id, column, locus, value, error }
        const { file = name, ...rest } = inSheet(inRecords(failure, row, at), table)
        failed({ ...rest, file })
      },
    }
  }
  for await (const block of table.blocks()) {
    const rows = block.filter((row) => isBodyRow(row, plan)).map(typedRow)
    if (facts.settle !== undefined) await settleFacts(facts, () => peek(rows))
    yield rows
  }
}

const WHOLE_ROW: FailedCell = { column: -1, locus: '', value: '' }

/** Maximum number of distinct cells remembered. */
const MAX_KEPT = 200_000

/** Reads a distinct cell once, until `forget`. */
export function rememberCells<Read>(read: (cell: RowCell) => Read) {
  // first key: how a column is read; joining keys would cost time
  const known = new Map<string, Map<string, Read>>()
  let size = 0
  const forget = () => {
    known.clear()
    size = 0
  }
  return {
    forget,
    of(cell: RowCell): Read {
      const { value, group } = cell
      const found = known.get(group.contextKey)?.get(value)
      if (found !== undefined) return found
      if (size >= MAX_KEPT) forget()
      const made = read(cell)
      const alike = known.get(group.contextKey) ?? new Map<string, Read>()
      known.set(group.contextKey, alike.set(value, made))
      size += 1
      return made
    },
  }
}

/** Reads cells to find the facts that reading needs. */
function peek(rows: readonly TypedRow[]): void {
  for (const { value, group, error } of rows.flatMap(({ cells }) => cells))
    if (error === undefined) readCellParts(value, group)
}
