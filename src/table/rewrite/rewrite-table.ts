/** A table in another format, cell by cell. */
import { NO_DELIMITER } from '../input/dialect.ts'
import { type CellSource, type CellTable, openCells, type TextRow } from './read-cells.ts'
import { delimitedRows, jsonRows, type RowText } from './text-rows.ts'

/** By their endings. */
export const CELL_FORMATS = ['csv', 'tsv', 'xlsx', 'jsonl'] as const
export type CellFormat = (typeof CELL_FORMATS)[number]

const DELIMITERS: Readonly<Record<string, string>> = { csv: ',', tsv: '\t' }

/** Bytes in the format that they have come as they are, but for a workbook. @throws {HlaError} it is not one table, or cannot be written so */
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

/** Reads all of it. @throws {HlaError} it is not one table */
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
