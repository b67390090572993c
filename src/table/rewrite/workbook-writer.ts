/**
 * Workbook (.xlsx) of one sheet with only text cells: a spreadsheet then makes no dates, times or numbers of names
 * (docs/adr/store.md#converted-tables).
 */
import { Readable } from 'node:stream'
import { HlaError } from '../../errors.ts'
import { columnLetters } from '../input/workbook/sheet-rows.ts'
import type { TextRow } from './read-cells.ts'
import { formatCount } from '../../format-count.ts'

/** Limits of spreadsheet programs; ECMA-376 has none. */
const MAX_ROWS = 1_048_576
const MAX_COLUMNS = 16_384
const MAX_CELL_LENGTH = 32_767

const HEAD = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>\n'
const MAIN = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const RELATIONS = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const PACKAGE = 'http://schemas.openxmlformats.org/package/2006'
const CONTENT = 'application/vnd.openxmlformats-officedocument.spreadsheetml'

/** Format number 49 is text; style 1 uses it. */
const PARTS: readonly (readonly [path: string, text: string])[] = [
  [
    '[Content_Types].xml',
    `<Types xmlns="${PACKAGE}/content-types"><Default Extension="rels" ContentType="application/vnd.openxmlformats-package.relationships+xml"/>` +
      `<Override PartName="/xl/workbook.xml" ContentType="${CONTENT}.sheet.main+xml"/>` +
      `<Override PartName="/xl/styles.xml" ContentType="${CONTENT}.styles+xml"/>` +
      `<Override PartName="/xl/worksheets/sheet1.xml" ContentType="${CONTENT}.worksheet+xml"/></Types>`,
  ],
  [
    '_rels/.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/officeDocument" Target="xl/workbook.xml"/></Relationships>`,
  ],
  [
    'xl/workbook.xml',
    `<workbook xmlns="${MAIN}" xmlns:r="${RELATIONS}"><sheets><sheet name="Table" sheetId="1" r:id="rId1"/></sheets></workbook>`,
  ],
  [
    'xl/_rels/workbook.xml.rels',
    `<Relationships xmlns="${PACKAGE}/relationships"><Relationship Id="rId1" Type="${RELATIONS}/worksheet" Target="worksheets/sheet1.xml"/>` +
      `<Relationship Id="rId2" Type="${RELATIONS}/styles" Target="styles.xml"/></Relationships>`,
  ],
  [
    'xl/styles.xml',
    `<styleSheet xmlns="${MAIN}"><fonts count="1"><font><sz val="11"/><name val="Calibri"/></font></fonts>` +
      '<fills count="2"><fill><patternFill patternType="none"/></fill><fill><patternFill patternType="gray125"/></fill></fills>' +
      '<borders count="1"><border><left/><right/><top/><bottom/><diagonal/></border></borders>' +
      '<cellStyleXfs count="1"><xf numFmtId="0" fontId="0" fillId="0" borderId="0"/></cellStyleXfs>' +
      '<cellXfs count="2"><xf numFmtId="0" fontId="0" fillId="0" borderId="0" xfId="0"/>' +
      '<xf numFmtId="49" fontId="0" fillId="0" borderId="0" xfId="0" applyNumberFormat="1"/></cellXfs></styleSheet>',
  ],
]

/** Fixed metadata: equal rows give equal bytes. */
const ENTRY = { mtime: new Date(1980, 0, 1), mode: 0o100644, forceDosTimestamp: true } as const

/** @throws {HlaError} bad-request — more than a sheet holds; and errors of `rows` */
export async function* workbookOf(rows: AsyncIterable<readonly TextRow[]>): AsyncGenerator<Uint8Array> {
  const { ZipFile } = await import('yazl')
  const zip = new ZipFile()
  for (const [path, text] of PARTS) zip.addBuffer(Buffer.from(HEAD + text), path, ENTRY)
  const sheet = Readable.from(sheetText(rows))
  // the library returns this type
  const bytes = zip.outputStream as Readable
  for (const source of [zip, sheet]) source.on('error', (error: Error) => bytes.destroy(error))
  zip.addReadStream(sheet, 'xl/worksheets/sheet1.xml', ENTRY)
  zip.end()
  try {
    yield* bytes as AsyncIterable<Uint8Array>
  } finally {
    // the reader has stopped
    sheet.destroy()
  }
}

async function* sheetText(rows: AsyncIterable<readonly TextRow[]>): AsyncGenerator<string> {
  // cells filled in later are text, too
  yield `${HEAD}<worksheet xmlns="${MAIN}"><cols><col min="1" max="${MAX_COLUMNS}" width="14" style="1"/></cols><sheetData>`
  let number = 0
  for await (const block of rows) {
    let text = ''
    for (const row of block) text += rowText(row, (number += 1))
    if (text !== '') yield text
  }
  yield '</sheetData></worksheet>'
}

function rowText({ cells }: TextRow, number: number): string {
  if (number > MAX_ROWS) throw tooMuch(`more than ${formatCount(MAX_ROWS)} rows`)
  if (cells.length > MAX_COLUMNS)
    throw tooMuch(`more than ${formatCount(MAX_COLUMNS)} columns in row ${number}`)
  const filled = cells.map((cell, at) => {
    if (cell.length > MAX_CELL_LENGTH)
      throw tooMuch(`a cell of more than ${formatCount(MAX_CELL_LENGTH)} characters in row ${number}`)
    if (cell === '') return ''
    return `<c r="${columnLetters(at + 1)}${number}" s="1" t="inlineStr"><is><t xml:space="preserve">${escaped(cell)}</t></is></c>`
  })
  const text = filled.join('')
  return text === '' ? '' : `<row r="${number}">${text}</row>`
}

function tooMuch(what: string): HlaError {
  return new HlaError('bad-request', `the table cannot be written as a workbook: it has ${what}`)
}

const SIGNS: ReadonlyMap<string, string> = new Map([
  ['&', '&amp;'],
  ['<', '&lt;'],
  ['>', '&gt;'],
])

/** A character that XML cannot contain is written by its number, and so is text that would be read as such a number. */
function escaped(cell: string): string {
  return (
    cell
      .replace(/_(?=x[0-9A-Fa-f]{4}_)/g, '_x005F_')
      // eslint-disable-next-line no-control-regex
      .replace(/[\u0000-\u0008\u000b-\u001f\ufffe\uffff]/g, named)
      .replace(/[&<>]/g, (sign) => SIGNS.get(sign) ?? sign)
  )
}

function named(sign: string): string {
  return `_x${sign.charCodeAt(0).toString(16).toUpperCase().padStart(4, '0')}_`
}
