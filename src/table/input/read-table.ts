/** Rows of a table: csv-parse finds the ends of rows and fields; the text in between is kept unchanged. */
import { advice, option } from '../../advice.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import type { Dialect } from './dialect.ts'
import { type RecordParser, recordParser } from './record-parser.ts'
import { MAX_ROW_BYTES, type ParsedRecord } from './record-cutter.ts'
import { splitRow } from './split-row.ts'

/** All texts are byte text. */
export interface TableRow {
  /** Line of its first character in the file, 1-based. */
  readonly line: number
  /** `other`: a line of the preamble, a comment or an empty line, copied unchanged. */
  readonly kind: 'row' | 'other'
  readonly values: readonly string[]
  /** Fields as written in the file. */
  readonly raws: readonly string[]
  readonly eol: string
  readonly isMisquoted: boolean
}

/**
 * Blocks of rows, in order; their texts joined are the input. `bytes` are byte text, without a byte order mark. From
 * another line on there is no preamble. `parser`: tests compare csv-parse alone with the faster parser.
 * @throws {HlaError} bad-quote — a quote is never closed; io — a row is too long; and errors of `bytes`
 */
export async function* readRows(
  bytes: AsyncIterable<Buffer>,
  dialect: Dialect,
  line = 1,
  parser: RecordParser = recordParser(dialect),
): AsyncGenerator<TableRow[]> {
  const cutter = preambleCutter(line === 1 ? dialect : { ...dialect, preamble: 0, comment: undefined })
  const progress: Progress = { line, lastByte: 0, isQuoted: false }
  const write = async (chunk: Buffer | undefined) => {
    const { lines, rest } = cutter(chunk)
    const rows = lines.map((line) => otherRow(line, progress))
    progress.lastByte = rest.at(-1) ?? progress.lastByte
    const records = await parser.write(rest)
    for (const record of records) rows.push(makeRow(record, true, dialect, progress))
    const isQuoted = hasQuote(records.length === 0 ? rest : rest.subarray(rest.lastIndexOf(LF) + 1), dialect)
    progress.isQuoted = isQuoted || (records.length === 0 && progress.isQuoted)
    return rows
  }
  for await (const chunk of bytes) {
    const rows = await write(chunk)
    if (rows.length > 0) yield rows
    refuseFailed(parser, progress)
  }
  const rows = await write(undefined)
  const records = await parser.end()
  // before a field that is never closed, all rows have their line ends
  const isEnded = parser.failure() !== undefined || progress.lastByte === (dialect.eol === '\r' ? CR : LF)
  for (const [at, record] of records.entries()) {
    rows.push(makeRow(record, isEnded || at < records.length - 1, dialect, progress))
  }
  if (rows.length > 0) yield rows
  refuseFailed(parser, progress)
}

const CR = 13
const LF = 10

interface Progress {
  /** Line of the next row. */
  line: number
  /** Last byte parsed. */
  lastByte: number
  /** True when the incomplete rest contains a quote. */
  isQuoted: boolean
}

function hasQuote(bytes: Buffer, { quote }: Pick<Dialect, 'quote'>): boolean {
  return quote !== undefined && bytes.includes(quote, 0, 'latin1')
}

/** Moves `progress` to the line after it. */
export function makeRow(
  { record, raw }: ParsedRecord,
  isEnded: boolean,
  dialect: Dialect,
  progress: Pick<Progress, 'line'>,
): TableRow {
  const eol = isEnded ? lineEnd(raw, dialect) : ''
  // csv-parse includes only the first character of CRLF
  const body = eol === '' ? raw : raw.slice(0, -1)
  const { raws, isMisquoted } = splitRow(body, record.length, dialect)
  const { line } = progress
  progress.line += 1 + linesIn(body, dialect)
  const isOther =
    (record.length === 1 && raws[0] === '') ||
    (dialect.comment !== undefined && body.startsWith(dialect.comment))
  return {
    line,
    kind: isOther ? 'other' : 'row',
    values: record,
    raws,
    eol,
    isMisquoted: isMisquoted && !dialect.lazyQuotes,
  }
}

function lineEnd(raw: string, { eol }: Dialect): string {
  return eol === '\r' ? '\r' : raw.endsWith('\r') ? '\r\n' : '\n'
}

function linesIn(body: string, { eol }: Dialect): number {
  const last = eol === '\r' ? '\r' : '\n'
  let count = 0
  for (let at = body.indexOf(last); at >= 0; at = body.indexOf(last, at + 1)) count += 1
  return count
}

function otherRow(text: string, progress: Progress): TableRow {
  const body = text.replace(/\r?\n$|\r$/, '')
  const line = progress.line
  progress.line += 1
  return {
    line,
    kind: 'other',
    values: [body],
    raws: [body],
    eol: text.slice(body.length),
    isMisquoted: false,
  }
}

interface Cut {
  readonly lines: readonly string[]
  readonly rest: Buffer
}

/** Removes lines before the table before parsing. */
function preambleCutter({ preamble, comment, eol }: Dialect): (chunk: Buffer | undefined) => Cut {
  let held = ''
  let left = preamble
  let isDone = preamble === 0 && comment === undefined
  const last = eol === '\r' ? '\r' : '\n'
  return (chunk) => {
    if (isDone) return { lines: [], rest: chunk ?? Buffer.alloc(0) }
    held += chunk?.toString('latin1') ?? ''
    const lines: string[] = []
    for (;;) {
      const isWanted = left > 0 || (comment !== undefined && held.startsWith(comment))
      const end = held.indexOf(last)
      if (chunk !== undefined && end < 0 && (isWanted || held.length < MAX_COMMENT_LENGTH)) break
      if (!isWanted || held === '') {
        isDone = true
        break
      }
      const cut = end < 0 ? held.length : end + 1
      lines.push(held.slice(0, cut))
      held = held.slice(cut)
      left -= 1
    }
    const rest = isDone ? Buffer.from(held, 'latin1') : Buffer.alloc(0)
    if (isDone) held = ''
    return { lines, rest }
  }
}

const MAX_COMMENT_LENGTH = 1024

function refuseFailed(parser: RecordParser, { line, isQuoted }: Progress): void {
  const failure = parser.failure()
  if (failure === undefined) return
  if (isHlaError(failure)) throw atLine(failure, line)
  const { code } = failure as { code?: string }
  if (code === 'CSV_QUOTE_NOT_CLOSED') throw neverClosed(line, failure)
  throw code === 'CSV_MAX_RECORD_SIZE' ? endless(line, isQuoted, failure) : failure
}

export function atLine({ code, said, hint }: HlaError, line: number): HlaError {
  return new HlaError(code, said, { line, hint })
}

/** @throws {HlaError} bad-quote, io — an incomplete row exceeds the maximum length */
export function refuseEndless(rest: Buffer, line: number, dialect: Pick<Dialect, 'quote'>): void {
  if (rest.length > MAX_ROW_BYTES) throw endless(line, hasQuote(rest, dialect))
}

function endless(line: number, isQuoted: boolean, cause?: Error): HlaError {
  if (isQuoted) return neverClosed(line, cause)
  const size = `${MAX_ROW_BYTES / 1024 ** 2} MiB`
  return new HlaError('io', `a row of more than ${size} is too long for a table`, {
    line,
    hint: 'is the input a table, with one record a line?',
    cause,
  })
}

export function neverClosed(line: number, cause?: Error): HlaError {
  return new HlaError('bad-quote', 'a quoted field that starts there is never closed', {
    line,
    hint: advice`use ${option('quote', 'none')} if quotes are ordinary characters in this table`,
    cause,
  })
}

/** Bytes of rows, as byte text. */
export function countBytes(rows: readonly TableRow[]): number {
  let sum = 0
  for (const { raws, eol } of rows) {
    // a delimiter precedes every field but the first
    sum += Math.max(0, raws.length - 1) + eol.length
    for (const raw of raws) sum += raw.length
  }
  return sum
}
