/** Conversion of a table to another format, cell by cell. */
import { NO_DELIMITER } from '../input/dialect.ts'
import { type CellSource, type CellTable, type TextRow, openCells } from './read-cells.ts'
import { HlaError, assured } from '../../errors.ts'
import { unquoteField } from '../input/split-row.ts'

/** Formats by file ending. */
export const CELL_FORMATS = ['csv', 'tsv', 'xlsx', 'jsonl'] as const
export type CellFormat = (typeof CELL_FORMATS)[number]

const DELIMITERS: Readonly<Record<string, string>> = { csv: ',', tsv: '\t' }

/**
 * Bytes already in the format are copied, except those of a workbook.
 * @throws {HlaError} not a single table, or impossible in the format
 */
export async function* rewriteTable(source: CellSource, format: CellFormat): AsyncGenerator<Uint8Array> {
  const table = await openCells(source)
  if (isWrittenSo(table, format)) return yield* table.bytes()
  if (format === 'xlsx') {
    const { workbookOf } = await import('./workbook-writer.ts')
    return yield* workbookOf(table.rows())
  }
  const delimiter = DELIMITERS[format]
  yield* texts(table.rows(), delimiter === undefined ? jsonRows() : delimitedRows(delimiter))
}

/** Reads the whole table. @throws {HlaError} not a single table */
export async function checkCells(source: CellSource): Promise<void> {
  const table = await openCells(source)
  for await (const _ of table.rows()) continue
}

function isWrittenSo({ dialect, isWorkbook }: CellTable, format: CellFormat): boolean {
  const { delimiter, encoding, preamble } = dialect
  if (isWorkbook || delimiter === NO_DELIMITER || preamble > 0) return false
  return delimiter === DELIMITERS[format] && encoding === 'utf8'
}

async function* texts(rows: AsyncIterable<readonly TextRow[]>, rowText: RowText): AsyncGenerator<Uint8Array> {
  for await (const block of rows) {
    const text = block.map(rowText).join('')
    if (text !== '') yield Buffer.from(text)
  }
}

/** Text of a row, with its line end. */
type RowText = (row: TextRow) => string

function delimitedRows(delimiter: string): RowText {
  const quoting = { delimiter, quote: '"' }
  return ({ cells }) => `${cells.map((cell) => assured(unquoteField(cell, quoting), 'quotes are allowed')).join(delimiter)}\n` // prettier-ignore
}

/**
 * One object per row, with the names of the first row; lines without cells are left out.
 * @throws {HlaError} bad-request — a missing or repeated column name
 */
function jsonRows(): RowText {
  let names: readonly string[] | undefined
  return (row) => {
    const { cells, line } = row
    if (cells.length === 0) return ''
    if (names === undefined) {
      names = checkedNames(row)
      return ''
    }
    const unnamed = cells.findIndex((cell, at) => cell !== '' && at >= (names?.length ?? 0))
    if (unnamed >= 0) throw notJson(`line ${line} has a cell in column ${unnamed + 1}, which has no name`)
    const members = names.map((name, at) => `${JSON.stringify(name)}:${JSON.stringify(cells[at] ?? '')}`)
    return `{${members.join(',')}}\n`
  }
}

function checkedNames({ cells, line }: TextRow): readonly string[] {
  const seen = new Set<string>()
  for (const [at, name] of cells.entries()) {
    if (name === '') throw notJson(`line ${line}: column ${at + 1} has no name`)
    if (seen.has(name)) throw notJson(`line ${line}: two columns are named ${JSON.stringify(name)}`)
    seen.add(name)
  }
  return cells
}

function notJson(why: string): HlaError {
  return new HlaError('bad-request', `the table cannot be written as JSON Lines: ${why}`)
}
