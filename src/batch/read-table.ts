/** Rows of a table: csv-parse says where rows and fields begin and end; the text between is kept as it was. */
import type { Options, Parser } from 'csv-parse'
import { HlaError, isHlaError } from '../errors.ts'
import type { Dialect } from './dialect.ts'
import { toByteText } from './encoding.ts'
import { splitRow } from './split-row.ts'

/** All texts are byte text. */
export interface Row {
  /** Line of its first character in the file, 1-based. */
  readonly line: number
  /** `other`: a line of the preamble, a comment or an empty line, to be passed through. */
  readonly kind: 'row' | 'other'
  readonly values: readonly string[]
  /** The fields as they stand in the file. */
  readonly raws: readonly string[]
  readonly eol: string
  readonly isMisquoted: boolean
}

/** A row longer than this is a quote that was never closed. */
export const LONGEST_ROW = 64 * 1024 * 1024

/** Blocks of rows, in order; joined, their texts are the input without its byte order mark.
 * From another line on, neither mark nor preamble are looked for.
 * @throws {HlaError} bad-quote — a quote is never closed; and whatever `chunks` throws */
export async function* readRows(
  chunks: AsyncIterable<Buffer>,
  dialect: Dialect,
  line = 1,
): AsyncGenerator<Row[]> {
  const cutter = preambleCutter(line === 1 ? dialect : { ...dialect, preamble: 0, comment: undefined })
  const parser = await openParser(dialect)
  const progress: Progress = { line, failure: undefined, lastByte: 0 }
  parser.on('error', (error) => (progress.failure = error))
  const write = (chunk: Buffer | undefined) => {
    const { lines, rest } = cutter(chunk)
    if (rest.length > 0) parser.write(rest)
    progress.lastByte = rest.at(-1) ?? progress.lastByte
    return lines.map((line) => otherRow(line, progress))
  }
  for await (const chunk of toByteText(chunks, line === 1 ? dialect : { ...dialect, bom: 0 })) {
    const rows = write(chunk)
    for (const record of taken(parser)) rows.push(rowOf(record, true, dialect, progress))
    if (rows.length > 0) yield rows
    if (progress.failure !== undefined) throw readError(progress)
  }
  const rows = write(undefined)
  const records = await lastOf(parser, progress)
  // before a field that is never closed, all rows have their ends
  const isEnded = progress.failure !== undefined || progress.lastByte === (dialect.eol === '\r' ? CR : LF)
  for (const [at, record] of records.entries()) {
    rows.push(rowOf(record, isEnded || at < records.length - 1, dialect, progress))
  }
  if (rows.length > 0) yield rows
  if (progress.failure !== undefined) throw readError(progress)
}

const CR = 13
const LF = 10

interface Progress {
  /** The line the next row begins at. */
  line: number
  failure: Error | undefined
  /** The last that was parsed. */
  lastByte: number
}

async function openParser(dialect: Dialect): Promise<Parser> {
  const { Parser } = await import('csv-parse')
  return new Parser(optionsOf(dialect))
}

/** Of csv-parse. */
export function optionsOf({ delimiter, quote, eol }: Dialect): Options {
  return {
    delimiter,
    // misplaced quotes are judged by row, in splitRow
    relax_quotes: true,
    quote: quote ?? false,
    escape: quote ?? false,
    raw: true,
    relax_column_count: true,
    max_record_size: LONGEST_ROW,
    encoding: 'latin1',
    record_delimiter: eol === '\r' ? ['\r'] : ['\r\n', '\n'],
  }
}

interface ParsedRecord {
  readonly record: readonly string[]
  readonly raw: string
}

/** Writing parses at once; what it gave is taken before more is written, so nothing piles up. */
function taken(parser: Parser): ParsedRecord[] {
  const records: ParsedRecord[] = []
  for (;;) {
    // with `raw`, records come as these pairs
    const next = parser.read() as ParsedRecord | null
    if (next === null) return records
    records.push(next)
  }
}

async function lastOf(parser: Parser, progress: Progress): Promise<ParsedRecord[]> {
  const records: ParsedRecord[] = []
  if (progress.failure !== undefined) return records
  const take = () => void records.push(...taken(parser))
  await new Promise<void>((resolve) => {
    parser.on('readable', take)
    parser.on('end', resolve)
    parser.on('error', () => resolve())
    parser.end()
    take()
  })
  return records
}

/** Moves `progress` to the line behind it. */
export function rowOf(
  { record, raw }: ParsedRecord,
  isEnded: boolean,
  dialect: Dialect,
  progress: Pick<Progress, 'line'>,
): Row {
  const eol = isEnded ? endOf(raw, dialect) : ''
  // of CRLF csv-parse gives the first character only
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

function endOf(raw: string, { eol }: Dialect): string {
  return eol === '\r' ? '\r' : raw.endsWith('\r') ? '\r\n' : '\n'
}

function linesIn(body: string, { eol }: Dialect): number {
  const last = eol === '\r' ? '\r' : '\n'
  let count = 0
  for (let at = body.indexOf(last); at >= 0; at = body.indexOf(last, at + 1)) count += 1
  return count
}

function otherRow(text: string, progress: Progress): Row {
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

/** Lines before the table are not rows: they are taken off before anything is parsed. */
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
      if (chunk !== undefined && end < 0 && (isWanted || held.length < LONGEST_COMMENT)) break
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

const LONGEST_COMMENT = 1024

function readError({ line, failure }: Progress): Error {
  if (failure === undefined || isHlaError(failure)) return failure ?? new Error('no failure')
  const { code } = failure as { code?: string }
  if (code !== 'CSV_QUOTE_NOT_CLOSED' && code !== 'CSV_MAX_RECORD_SIZE') return failure
  return neverClosed(line, failure)
}

export function neverClosed(line: number, cause?: Error): HlaError {
  return new HlaError('bad-quote', `line ${line}: a quoted field that starts there is never closed`, {
    hint: '--quote none if quotes have no meaning in this table',
    cause,
  })
}
