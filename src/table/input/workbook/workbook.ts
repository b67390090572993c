/** A sheet of a workbook as a table of text: rows stand in the lines that they have in the sheet, cells are separated by commas. */
import { HlaError } from '../../../errors.ts'
import { rowLines } from './row-lines.ts'
import type { SheetTexts } from './cell-text.ts'
import { readSharedStrings } from './shared-strings.ts'
import { listSheets, type SheetPlace } from './sheet-list.ts'
import { columnLetters, readSheet } from './sheet-rows.ts'
import { readFormats } from './styles.ts'
import { openParts, type ZipParts } from './zip-parts.ts'

export interface Workbook {
  /** The sheet that is read. */
  readonly sheet: string
  /** Other sheets with something in them. */
  readonly others: readonly string[]
  readonly lines: () => AsyncGenerator<Buffer>
  /** The row that a line which was read has in the sheet. */
  readonly rowAt: (line: number) => number
  /** `Sheet1!C7`; `column` is that of the table, from 0 on; undefined: the row. */
  readonly address: (row: number, column: number | undefined) => string
}

export interface WorkbookRequest {
  /** Of the file, for messages. */
  readonly name: string
  /** undefined: the first that is shown and has something in it. */
  readonly sheet: string | undefined
}

/** Of the XML of one sheet: a million rows of 50 columns take 3 GB. */
const MOST_OF_SHEET = 4 * 1024 ** 3

/** @throws {HlaError} io — it is no workbook that can be read; usage — no such sheet */
export async function openWorkbook(bytes: Buffer, { name, sheet }: WorkbookRequest): Promise<Workbook> {
  const parts = await openParts(bytes, name)
  const list = await listSheets(parts, name)
  const formats = await readFormats(parts, list.styles, name)
  const sharedStrings = await readSharedStrings(parts, list.sharedStrings, name)
  const texts: SheetTexts = { name, sharedStrings, formats, isFrom1904: list.isFrom1904 }
  const filled = await filledSheets(parts, list.sheets, texts)
  const chosen = chooseSheet(list.sheets, filled, { name, sheet })
  const rows = rowLines(readSheet(parts.read(chosen.path, MOST_OF_SHEET), texts), name)
  return {
    sheet: chosen.name,
    others: filled.flatMap((one) => (one === chosen ? [] : [one.name])),
    lines: () => rows.lines(),
    rowAt: (line) => rows.rowAt(line),
    address(row, column) {
      const place = column === undefined ? `${row}:${row}` : columnLetters(column + rows.firstColumn()) + row
      return `${quotedSheet(chosen.name)}!${place}`
    },
  }
}

/** Bytes of the XML of a sheet that has something in it: one of formats alone is smaller. */
const MOST_WITHOUT_ROWS = 16 * 1024 ** 2
/** Sheets that are looked at for something in them. */
const MOST_SHEETS = 100

async function filledSheets(
  parts: ZipParts,
  sheets: readonly SheetPlace[],
  texts: SheetTexts,
): Promise<SheetPlace[]> {
  const filled: SheetPlace[] = []
  for (const one of sheets.slice(0, MOST_SHEETS)) if (await hasRows(parts, one, texts)) filled.push(one)
  return filled
}

async function hasRows(parts: ZipParts, { path }: SheetPlace, texts: SheetTexts): Promise<boolean> {
  if (parts.size(path) > MOST_WITHOUT_ROWS) return true
  for await (const rows of readSheet(parts.read(path, MOST_WITHOUT_ROWS), texts)) return rows.length > 0
  return false
}

function chooseSheet(
  sheets: readonly SheetPlace[],
  filled: readonly SheetPlace[],
  { name, sheet }: WorkbookRequest,
): SheetPlace {
  if (sheet === undefined) {
    const first = filled.find(({ isHidden }) => !isHidden) ?? filled[0]
    if (first !== undefined) return first
    throw new HlaError('io', `${name} contains no table: its sheets are empty`, { offending: name })
  }
  const found = sheets.find((one) => one.name === sheet)
  if (found !== undefined) return found
  const names = sheets.map((one) => one.name)
  throw new HlaError('usage', `no sheet ${JSON.stringify(sheet)} in ${name}`, {
    offending: sheet,
    suggestions: names,
    hint: `Sheets: ${names.join(', ')}`,
  })
}

/** `'My sheet'!C7`, as formulas have it. */
function quotedSheet(name: string): string {
  return /^[A-Za-z_][\w.]*$/.test(name) ? name : `'${name.replaceAll("'", "''")}'`
}
