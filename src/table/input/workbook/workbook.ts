/** A sheet of a workbook as a text table: rows keep their line numbers, cells are separated by commas. */
import { HlaError, assured } from '../../../errors.ts'
import { type NumberFormat, type SheetTexts, builtInFormat, parseFormat } from './cell-text.ts'
import { readSharedStrings } from './shared-strings.ts'
import { type SheetRow, columnLetters, readSheet } from './sheet-rows.ts'
import { type ZipParts, damagedWorkbook, openParts } from './zip-parts.ts'
import { unquoteField } from '../split-row.ts'
import { readWholeXml } from '../xml-events.ts'
import { recognizeShape, type TypingShape } from '../../words/typing-shape.ts'

export interface Workbook {
  /** Name of the sheet that is read. */
  readonly sheet: string
  /** Names of other sheets that are not empty. */
  readonly others: readonly string[]
  readonly lines: () => AsyncGenerator<Buffer>
  /** Row in the sheet of a line that was read. */
  readonly rowAt: (line: number) => number
  /** `Sheet1!C7`; `column` is that of the table, from 0; undefined for the whole row. */
  readonly address: (row: number, column: number | undefined) => string
}

export interface WorkbookRequest {
  /** File name, for messages. */
  readonly name: string
  /** Omit for the first visible sheet with typings, or without any, the first that is not empty. */
  readonly sheet: string | undefined
}

/** Maximum bytes of a sheet's XML: a million rows of 50 columns take 3 GB. */
const MAX_SHEET_BYTES = 4 * 1024 ** 3

/** @throws {HlaError} io — not a readable workbook; usage — no such sheet */
export async function openWorkbook(bytes: Buffer, { name, sheet }: WorkbookRequest): Promise<Workbook> {
  const parts = await openParts(bytes, name)
  const list = await listSheets(parts, name)
  const formats = await readFormats(parts, list.styles, name)
  const sharedStrings = await readSharedStrings(parts, list.sharedStrings, name)
  const texts: SheetTexts = { name, sharedStrings, formats, isFrom1904: list.isFrom1904 }
  const filled = await filledSheets(parts, list.sheets, texts)
  const chosen =
    sheet === undefined ? await firstSheet(parts, filled, texts) : findSheet(list.sheets, name, sheet)
  const rows = rowLines(readSheet(parts.read(chosen.path, MAX_SHEET_BYTES), texts), name)
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

/** XML size in bytes from which a sheet is not empty; one with formats only is smaller. */
const MAX_EMPTY_SHEET_BYTES = 16 * 1024 ** 2
/** Maximum number of sheets examined for content. */
const MAX_SHEETS = 100

async function filledSheets(
  parts: ZipParts,
  sheets: readonly SheetPlace[],
  texts: SheetTexts,
): Promise<SheetPlace[]> {
  const filled: SheetPlace[] = []
  for (const one of sheets.slice(0, MAX_SHEETS)) if (await hasRows(parts, one, texts)) filled.push(one)
  return filled
}

async function hasRows(parts: ZipParts, { path }: SheetPlace, texts: SheetTexts): Promise<boolean> {
  if (parts.size(path) > MAX_EMPTY_SHEET_BYTES) return true
  for await (const rows of readSheet(parts.read(path, MAX_EMPTY_SHEET_BYTES), texts)) return rows.length > 0
  return false
}

/** @throws {HlaError} io — all sheets are empty */
async function firstSheet(
  parts: ZipParts,
  filled: readonly SheetPlace[],
  texts: SheetTexts,
): Promise<SheetPlace> {
  const shown = filled.filter(({ isHidden }) => !isHidden)
  if (shown.length > 1) for (const one of shown) if (await holdsTypings(parts, one, texts)) return one
  const first = shown[0] ?? filled[0]
  if (first !== undefined) return first
  const { name } = texts
  throw new HlaError('io', `${name} contains no table: its sheets are empty`, { offending: name })
}

/** Rows examined for typings; a title may precede the table. */
const MAX_ROWS = 200
/** Shapes that a cover sheet lacks; digits are excluded, since a year would count as an antigen. */
const OF_TYPINGS: readonly TypingShape[] = ['named', 'fields', 'antigen', 'phenotype']

async function holdsTypings(parts: ZipParts, { path }: SheetPlace, texts: SheetTexts): Promise<boolean> {
  let left = MAX_ROWS
  for await (const rows of readSheet(parts.read(path, MAX_SHEET_BYTES), texts)) {
    for (const { cells } of rows.slice(0, left))
      if (cells.some(({ text }) => OF_TYPINGS.includes(recognizeShape(text)))) return true
    left -= rows.length
    if (left <= 0) return false
  }
  return false
}

/** @throws {HlaError} usage — no sheet of that name */
function findSheet(sheets: readonly SheetPlace[], name: string, sheet: string): SheetPlace {
  const found = sheets.find((one) => one.name === sheet)
  if (found !== undefined) return found
  const names = sheets.map((one) => one.name)
  throw new HlaError('usage', `no sheet ${JSON.stringify(sheet)} in ${name}`, {
    offending: sheet,
    suggestions: names,
    hint: `Sheets: ${names.join(', ')}`,
  })
}

/** `'My sheet'!C7`, as in formulas. */
function quotedSheet(name: string): string {
  return /^[A-Za-z_][\w.]*$/.test(name) ? name : `'${name.replaceAll("'", "''")}'`
}

interface RowLines {
  /** Readable once. */
  readonly lines: () => AsyncGenerator<Buffer>
  /** Row of a line that was read. */
  readonly rowAt: (line: number) => number
  /** Number of the first non-empty column. */
  readonly firstColumn: () => number
}

/** Rows and cells examined for the table's position and width. */
const LOOKED_AT_ROWS = 1000
const LOOKED_AT_CELLS = 200_000
/** Characters of one piece. */
const PIECE = 64 * 1024

const QUOTING = { delimiter: ',', quote: '"' }

/** `name`: that of the file, for messages. */
function rowLines(blocks: AsyncGenerator<SheetRow[]>, name: string): RowLines {
  const shifts = lineShifts()
  let first = 0
  let width = 0
  let next = 1
  const lineFor = ({ number, cells }: SheetRow): string => {
    let text = ''
    let column = first + 1
    for (const cell of cells) {
      if (cell.column <= first)
        throw damagedWorkbook(name, `row ${number} has a cell left of the column where the table begins`)
      text += ','.repeat(cell.column - column)
      column = cell.column
      text += assured(unquoteField(cell.text, QUOTING), 'a sheet has quotes')
    }
    text += ','.repeat(Math.max(0, first + width - column))
    const empty = number - next
    next = number + 1
    shifts.passed(number, text)
    // empty rows are not in the sheet's file
    return `${'\n'.repeat(empty)}${text}\n`
  }
  return {
    async *lines() {
      const begin = await takeFirst(blocks)
      const columns = (at: number) => begin.flatMap(({ cells }) => cells.at(at)?.column ?? [])
      first = columns(0).reduce((least, column) => Math.min(least, column - 1), Infinity)
      width = columns(-1).reduce((most, column) => Math.max(most, column - first), 1)
      for await (const rows of behind(begin, blocks)) {
        let text = ''
        for (const row of rows) {
          text += lineFor(row)
          if (text.length < PIECE) continue
          yield Buffer.from(text)
          text = ''
        }
        if (text !== '') yield Buffer.from(text)
      }
    },
    rowAt: (line) => shifts.rowAt(line),
    firstColumn: () => first + 1,
  }
}

async function takeFirst(blocks: AsyncGenerator<SheetRow[]>): Promise<SheetRow[]> {
  const rows: SheetRow[] = []
  let cells = 0
  while (rows.length < LOOKED_AT_ROWS && cells < LOOKED_AT_CELLS) {
    const next = await blocks.next()
    if (next.done === true) break
    rows.push(...next.value)
    cells += next.value.reduce((sum, row) => sum + row.cells.length, 0)
  }
  return rows
}

async function* behind(begin: SheetRow[], blocks: AsyncGenerator<SheetRow[]>): AsyncGenerator<SheetRow[]> {
  yield begin
  yield* blocks
}

/** Shifts of lines against rows, caused by line ends in cells. */
function lineShifts() {
  const lines: number[] = []
  const moved: number[] = []
  return {
    passed(row: number, text: string) {
      if (!text.includes('\n')) return
      const before = moved.at(-1) ?? 0
      // the row itself begins after the shift of the rows before it
      lines.push(row + before + 1)
      moved.push(before + text.split('\n').length - 1)
    },
    rowAt(line: number): number {
      let [low, high] = [0, lines.length]
      while (low < high) {
        const middle = (low + high) >>> 1
        if (assured(lines[middle], 'a search stays inside') <= line) low = middle + 1
        else high = middle
      }
      return line - (moved[low - 1] ?? 0)
    },
  }
}

/** Format of each style, by its number; `path`: that of the part, if it exists. @throws {HlaError} io */
async function readFormats(
  parts: ZipParts,
  path: string | undefined,
  name: string,
): Promise<readonly NumberFormat[]> {
  if (path === undefined) return []
  const own = new Map<number, NumberFormat>()
  const formats: NumberFormat[] = []
  let isInCells = false
  await readWholeXml(parts.read(path, MAX_SMALL_PART_BYTES), name, {
    open(element, attributes) {
      if (element === 'numFmt')
        own.set(Number(attributes.get('numFmtId')), parseFormat(attributes.get('formatCode') ?? ''))
      if (element === 'cellXfs') isInCells = true
      if (element !== 'xf' || !isInCells) return
      const id = Number(attributes.get('numFmtId') ?? 0)
      formats.push(own.get(id) ?? builtInFormat(id))
    },
    close(element) {
      if (element === 'cellXfs') isInCells = false
    },
  })
  return formats
}

interface SheetPlace {
  readonly name: string
  readonly path: string
  readonly isHidden: boolean
}

interface SheetList {
  /** Sheets with cells, in workbook order. */
  readonly sheets: readonly SheetPlace[]
  readonly sharedStrings: string | undefined
  readonly styles: string | undefined
  /** True when days count from 1904, as in early Macintosh programs. */
  readonly isFrom1904: boolean
}

/** Maximum bytes of a part that only describes others. */
const MAX_SMALL_PART_BYTES = 16 * 1024 ** 2

/** @throws {HlaError} io — not a readable workbook */
async function listSheets(parts: ZipParts, name: string): Promise<SheetList> {
  const [main] = (await readRelations(parts, '', name)).filter(({ type }) => type === 'officeDocument')
  if (main === undefined) throw await refusal(parts, name)
  const related = await readRelations(parts, main.path, name)
  const found: { name: string; id: string; isHidden: boolean }[] = []
  let isFrom1904 = false
  await readWholeXml(parts.read(main.path, MAX_SMALL_PART_BYTES), name, {
    open(element, attributes) {
      if (element === 'workbookPr') isFrom1904 = /^(?:1|true)$/.test(attributes.get('date1904') ?? '')
      if (element !== 'sheet') return
      found.push({
        name: attributes.get('name') ?? '',
        id: attributes.get('id') ?? '',
        isHidden: /hidden/i.test(attributes.get('state') ?? ''),
      })
    },
  })
  const sheets = found.flatMap(({ name: title, id, isHidden }) => {
    const place = related.find((one) => one.id === id && one.type === 'worksheet')
    return place === undefined ? [] : [{ name: title, path: place.path, isHidden }]
  })
  if (sheets.length === 0) throw damagedWorkbook(name, 'it has no sheet of cells')
  const pathFor = (kind: string) => related.find(({ type }) => type === kind)?.path
  return { sheets, sharedStrings: pathFor('sharedStrings'), styles: pathFor('styles'), isFrom1904 }
}

/** Error for zip files that are not workbooks. */
async function refusal(parts: ZipParts, name: string): Promise<HlaError> {
  const isOpenDocument = parts.has('mimetype') && parts.has('content.xml')
  const what = isOpenDocument ? 'an OpenDocument file' : 'a zip file, and no workbook of cells (.xlsx)'
  return new HlaError('io', `${name} is ${what}`, {
    offending: name,
    hint: isOpenDocument
      ? 'save the sheet as .xlsx or CSV, with the typing columns formatted as text'
      : 'unpack it; a table is text, such as CSV, or a sheet of an .xlsx workbook',
  })
}

interface Relation {
  readonly id: string
  /** `worksheet`: last part of the URI of its type. */
  readonly type: string
  readonly path: string
}

/** Relations of the part at `path`, or of the whole document if it is empty. */
async function readRelations(parts: ZipParts, path: string, name: string): Promise<Relation[]> {
  const folder = path.slice(0, path.lastIndexOf('/') + 1)
  const relations: Relation[] = []
  const place = `${folder}_rels/${path.slice(folder.length)}.rels`
  await readWholeXml(parts.read(place, MAX_SMALL_PART_BYTES), name, {
    open(element, attributes) {
      if (element !== 'Relationship' || attributes.get('TargetMode') === 'External') return
      const target = resolvePath(folder, attributes.get('Target') ?? '')
      const type = (attributes.get('Type') ?? '').replace(/^.*\//, '')
      relations.push({ id: attributes.get('Id') ?? '', type, path: target })
    },
  })
  return relations
}

function resolvePath(folder: string, target: string): string {
  if (target.startsWith('/')) return target.slice(1)
  const steps: string[] = []
  for (const step of `${folder}${target}`.split('/')) {
    if (step === '..') steps.pop()
    else if (step !== '.') steps.push(step)
  }
  return steps.join('/')
}
