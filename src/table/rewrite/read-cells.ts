/** Any table as rows of text, whatever is in its cells: nothing of it is read as a typing. */
import { HlaError } from '../../errors.ts'
import { type Dialect, type DialectHints, sniffDialect } from '../input/dialect.ts'
import { toByteText } from '../input/encoding.ts'
import { OF_SHEETS, readTableInput, refuseDocument } from '../input/input.ts'
import { readRows, type TableRow } from '../input/read-table.ts'

export interface TextRow {
  /** Of its first character, from 1 on. */
  readonly line: number
  /** None: an empty line. */
  readonly cells: readonly string[]
}

export interface CellTable {
  readonly dialect: Dialect
  /** It stands in a sheet of a workbook. */
  readonly isWorkbook: boolean
  /** To be read once. @throws {HlaError} io, bad-quote, bad-encoding — at the line that is no row of text */
  readonly rows: () => AsyncGenerator<readonly TextRow[]>
  /** In place of its rows: as they came, but for a workbook. */
  readonly bytes: () => AsyncGenerator<Buffer>
}

/** Told of bytes that were read; throws when they are too many, or take too long. */
export type Pace = (bytes: number) => Promise<void>

export interface CellSource {
  /** Its ending says how it may be written. */
  readonly name: string
  readonly bytes: AsyncIterable<Buffer>
  readonly hints?: DialectHints
  readonly pace: Pace
}

/** @throws {HlaError} io — it is no table, or several */
export async function openCells({ name, bytes, hints = {}, pace }: CellSource): Promise<CellTable> {
  const input = await readTableInput(name, bytes)
  const { workbook } = input
  if (input.compression !== undefined) throw notOne(name, 'it is compressed')
  if (workbook !== undefined && workbook.others.length > 0) {
    const sheets = [workbook.sheet, ...workbook.others].map((sheet) => JSON.stringify(sheet)).join(', ')
    throw notOne(name, `it has several sheets with something in them: ${sheets}`)
  }
  refuseDocument(input.sample, name)
  const dialect = sniffDialect(name, input.sample, {
    ...(workbook === undefined ? hints : OF_SHEETS),
    header: false,
  })
  const chunks = () => paced(input.chunks(), pace)
  return {
    dialect,
    isWorkbook: workbook !== undefined,
    rows: () => readText(name, toByteText(chunks(), dialect), dialect),
    bytes: chunks,
  }
}

function notOne(name: string, why: string): HlaError {
  return new HlaError('io', `${name} is not one table: ${why}`, { offending: name })
}

async function* readText(
  name: string,
  bytes: AsyncIterable<Buffer>,
  dialect: Dialect,
): AsyncGenerator<readonly TextRow[]> {
  const decode = cellDecoder(dialect)
  let count = 0
  for await (const rows of readRows(bytes, dialect)) {
    const texts = rows.flatMap((row) => (isHint(row, dialect) ? [] : [textRow(row, decode)]))
    count += texts.filter(({ cells }) => cells.length > 0).length
    if (texts.length > 0) yield texts
  }
  if (count === 0) throw notOne(name, 'it is empty')
}

async function* paced(chunks: AsyncIterable<Buffer>, pace: Pace): AsyncGenerator<Buffer> {
  for await (const chunk of chunks) {
    await pace(chunk.length)
    yield chunk
  }
}

/** `sep=;` is about how the table is written. */
function isHint({ kind, line }: TableRow, { preamble }: Dialect): boolean {
  return kind === 'other' && line <= preamble
}

// eslint-disable-next-line no-control-regex
const NO_TEXT = /[\u0000-\u0008\u000e-\u001f]/

function textRow(row: TableRow, decode: (cell: string) => string): TextRow {
  const { line, kind, values, isMisquoted } = row
  if (isMisquoted)
    throw new HlaError('bad-quote', `line ${line}: a quote stands inside a field that has none around it`)
  if (kind === 'other') return { line, cells: [] }
  try {
    const cells = values.map(decode)
    if (cells.some((cell) => NO_TEXT.test(cell)))
      throw new HlaError('io', `line ${line}: there are signs that are no text`)
    return { line, cells }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new HlaError('bad-encoding', `line ${line}: there are bytes that are not UTF-8`, { cause: error })
  }
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** Inside, cells are bytes of UTF-8 or Latin-1. */
function cellDecoder({ encoding }: Dialect): (cell: string) => string {
  if (encoding === 'latin1') return (cell) => cell
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return (cell) => (ASCII.test(cell) ? cell : decoder.decode(Buffer.from(cell, 'latin1')))
}
