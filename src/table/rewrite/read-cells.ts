/** Any table as rows of text; no cell is read as a typing. */
import { HlaError } from '../../errors.ts'
import type { Dialect, DialectHints } from '../input/dialect.ts'
import { toByteText } from '../input/encoding.ts'
import { readTableInput, refuseDocument } from '../input/input.ts'
import { readRows, type TableRow } from '../input/read-table.ts'

export interface TextRow {
  /** Line of its first character, from 1. */
  readonly line: number
  /** Empty for an empty line. */
  readonly cells: readonly string[]
}

export interface CellTable {
  readonly dialect: Dialect
  /** True for a sheet of a workbook. */
  readonly isWorkbook: boolean
  /** Readable once. @throws {HlaError} io, bad-quote, bad-encoding — with the line that is not a row of text */
  readonly rows: () => AsyncGenerator<readonly TextRow[]>
  /** Alternative to `rows`: the original bytes; for a workbook, its text. */
  readonly bytes: () => AsyncGenerator<Buffer>
}

/** Called with the number of bytes read; throws when they are too many, or take too long. */
export type Pace = (bytes: number) => Promise<void>

export interface CellSource {
  /** File name, whose ending suggests the format. */
  readonly name: string
  readonly bytes: AsyncIterable<Buffer>
  readonly hints?: DialectHints
  readonly pace: Pace
}

/** @throws {HlaError} io — not a table, or several */
export async function openCells({ name, bytes, hints = {}, pace }: CellSource): Promise<CellTable> {
  const input = await readTableInput(name, bytes, { dialect: { ...hints, header: false }, isVerbatim: true })
  const { workbook, dialect } = input
  if (input.compression !== undefined) throw notOne(name, 'it is compressed')
  if (workbook !== undefined && workbook.others.length > 0) {
    const sheets = [workbook.sheet, ...workbook.others].map((sheet) => JSON.stringify(sheet)).join(', ')
    throw notOne(name, `it has several sheets with something in them: ${sheets}`)
  }
  refuseDocument(input.sample, name)
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

/** True for `sep=;`, which only describes the table's form. */
function isHint({ kind, line }: TableRow, { preamble }: Dialect): boolean {
  return kind === 'other' && line <= preamble
}

// eslint-disable-next-line no-control-regex
const NO_TEXT = /[\u0000-\u0008\u000e-\u001f]/

function textRow(row: TableRow, decode: (cell: string) => string): TextRow {
  const { line, kind, values, isMisquoted } = row
  if (isMisquoted) throw new HlaError('bad-quote', `line ${line}: a quote is inside an unquoted field`)
  if (kind === 'other') return { line, cells: [] }
  try {
    const cells = values.map(decode)
    if (cells.some((cell) => NO_TEXT.test(cell)))
      throw new HlaError('io', `line ${line}: it has characters that are not text`)
    return { line, cells }
  } catch (error) {
    if (!(error instanceof TypeError)) throw error
    throw new HlaError('bad-encoding', `line ${line}: it has bytes that are not UTF-8`, { cause: error })
  }
}

// eslint-disable-next-line no-control-regex
const ASCII = /^[\u0000-\u007f]*$/

/** Decoder of cells, which internally are bytes of UTF-8 or Latin-1. */
function cellDecoder({ encoding }: Dialect): (cell: string) => string {
  if (encoding === 'latin1') return (cell) => cell
  const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })
  return (cell) => (ASCII.test(cell) ? cell : decoder.decode(Buffer.from(cell, 'latin1')))
}
