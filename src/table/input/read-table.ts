/** Rows of a table: csv-parse finds the ends of rows and fields; the text in between is kept unchanged. */
import { advice, option } from '../../advice.ts'
import { HlaError, isHlaError } from '../../errors.ts'
import { type Dialect, feedOf } from './dialect.ts'
import {
  MAX_ROW_BYTES,
  type ParsedRecord,
  type RecordCutter,
  feedByte,
  plainFields,
  recordCutter,
} from './record-cutter.ts'
import type { RowPlace } from './places.ts'
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
  /** Set for a row gathered from typing records; its line is that of the first. */
  readonly place?: RowPlace | undefined
}

/** A line, from `start` to `end` of a text; a quoted field may have further lines. */
export interface Line {
  readonly text: string
  start: number
  end: number
  /** Its number in the file. */
  line: number
}

/** Adds what the line stands for; false: it becomes a row. */
export type LineReader<T> = (line: Line, into: T[]) => boolean

/**
 * Blocks of rows, in order; their texts joined are the input. `bytes` are byte text, without a byte order mark.
 * @throws {HlaError} bad-quote — a quote is never closed; io — a row is too long; and errors of `bytes`
 */
export async function* readRows<T = TableRow>(
  bytes: AsyncIterable<Buffer>,
  dialect: Dialect,
  readLine?: LineReader<T | TableRow>,
): AsyncGenerator<(T | TableRow)[]> {
  const cutPreamble = preambleCutter(dialect)
  const cutter = rowCutter(dialect)
  const held = heldBytes()
  const progress = { line: 1 }
  const take = async (chunk: Buffer | undefined) => {
    const { lines, rest } = cutPreamble(chunk)
    const rows: (T | TableRow)[] = lines.map((text) => otherRow(text, progress))
    const whole = chunk === undefined ? held.take(rest) : held.enough(rest)
    const failure = whole && (await cutWhole(whole, rows, chunk === undefined))
    return { rows, failure }
  }
  /** Adds the rows that end in these bytes, and holds the rest; returns the error that ends the table. */
  const cutWhole = async (
    whole: Buffer,
    rows: (T | TableRow)[],
    isLast: boolean,
  ): Promise<HlaError | undefined> => {
    try {
      const next = await cutRows(whole, rows, { dialect, progress, readLine, cutter })
      const rest = whole.subarray(next)
      const last = isLast && rest.length > 0 ? cutter.cutLast(whole, next, progress) : undefined
      if (last !== undefined) rows.push(last.row)
      refuseEndless(rest, progress.line, dialect)
      held.keep(rest)
      return undefined
    } catch (error) {
      if (isHlaError(error)) return error
      throw error
    }
  }
  for await (const chunk of bytes) {
    for (let at = 0; at < chunk.length; at += PIECE) {
      const { rows, failure } = await take(chunk.subarray(at, at + PIECE))
      if (rows.length > 0) yield rows
      if (failure !== undefined) throw failure
    }
  }
  const { rows, failure } = await take(undefined)
  if (rows.length > 0) yield rows
  if (failure !== undefined) throw failure
}

/** Bytes of one block: rows of more live so long that the garbage collector copies them. */
const PIECE = 8 * 1024

interface Progress {
  /** Line of the next row. */
  line: number
}

function hasQuote(bytes: Buffer, { quote }: Pick<Dialect, 'quote'>): boolean {
  return quote !== undefined && bytes.includes(quote, 0, 'latin1')
}

interface RowCut<T> {
  readonly dialect: Dialect
  readonly progress: Progress
  readonly readLine: LineReader<T> | undefined
  readonly cutter: RowCutter
}

/** Adds the complete rows; returns the offset after them. */
async function cutRows<T>(
  whole: Buffer,
  rows: (T | TableRow)[],
  { dialect, progress, readLine, cutter }: RowCut<T | TableRow>,
): Promise<number> {
  const isQuoted = hasQuote(whole, dialect)
  if (isQuoted) await cutter.prepare()
  const feed = feedByte(dialect)
  const last = String.fromCharCode(feed)
  const next = whole.lastIndexOf(feed) + 1
  const text = whole.toString('latin1', 0, next)
  const line = { text, start: 0, end: 0, line: 0 }
  for (; line.start < next; line.start = line.end + 1) {
    line.end = text.indexOf(last, line.start)
    line.line = progress.line
    if (readLine?.(line, rows) === true) progress.line += 1
    else if (!isQuoted) rows.push(plainRow(text.slice(line.start, line.end), dialect, progress))
    else {
      const cut = cutter.cut(whole, line.start, progress)
      if (cut === undefined) return line.start
      rows.push(cut.row)
      line.end = cut.next - 1
    }
  }
  return next
}

/** Bytes of an incomplete row, scanned again only when doubled. */
function heldBytes() {
  let pieces: Buffer[] = []
  let [size, looked] = [0, 0]
  const take = (bytes: Buffer): Buffer => {
    const all = pieces.length === 0 ? bytes : Buffer.concat([...pieces, bytes])
    pieces = []
    size = 0
    return all
  }
  return {
    take,
    /** undefined when more bytes are needed. */
    enough(bytes: Buffer): Buffer | undefined {
      if (size + bytes.length >= Math.min(looked * 2, MAX_ROW_BYTES)) return take(bytes)
      pieces.push(bytes)
      size += bytes.length
      return undefined
    },
    keep(rest: Buffer): void {
      if (rest.length > 0) pieces.push(rest)
      size = rest.length
      looked = size
    },
  }
}

/** A row cut from bytes. */
export interface CutRow {
  readonly row: TableRow
  /** Offset of the next row. */
  readonly next: number
}

export interface RowCutter extends Pick<RecordCutter, 'isUnprepared' | 'prepare'> {
  /** The row at `start`; undefined when it is incomplete, or needs preparation. Moves `progress` to the line after it. */
  readonly cut: (bytes: Buffer, start: number, progress: Progress) => CutRow | undefined
  /** The last row of the table; undefined when it needs preparation. @throws {HlaError} bad-quote — a quote is open */
  readonly cutLast: (bytes: Buffer, start: number, progress: Progress) => CutRow | undefined
}

/** `look` is called before each row, since cutting one may take long. */
export function rowCutter(dialect: Dialect, look: () => void = () => undefined): RowCutter {
  const { plainLine, cut, cutLast, isUnprepared, prepare } = recordCutter(dialect)
  return {
    isUnprepared,
    prepare,
    cut(bytes, start, progress) {
      const plain = plainLine(bytes, start)
      if (plain !== undefined) {
        look()
        return { row: plainRow(plain.line, dialect, progress), next: plain.next }
      }
      if (isUnprepared(bytes, start)) return undefined
      look()
      const record = cutAt(progress.line, () => cut(bytes, start))
      return record && { row: makeRow(record, true, dialect, progress), next: record.next }
    },
    cutLast(bytes, start, progress) {
      refuseEndless(bytes.subarray(start), progress.line, dialect)
      if (isUnprepared(bytes, start)) return undefined
      look()
      const record = cutAt(progress.line, () => cutLast(bytes, start))
      if (record === undefined) throw neverClosed(progress.line)
      return { row: makeRow(record, false, dialect, progress), next: bytes.length }
    },
  }
}

/** @throws {HlaError} io — a row is too wide */
function cutAt<T>(line: number, cut: () => T): T {
  try {
    return cut()
  } catch (error) {
    if (!isHlaError(error)) throw error
    throw new HlaError(error.code, error.said, { line, hint: error.hint })
  }
}

/** Moves `progress` to the line after it. */
export function makeRow(
  { record, raw }: ParsedRecord,
  isEnded: boolean,
  dialect: Dialect,
  progress: Progress,
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

/** A line without quotes. @throws {HlaError} io — it is too wide */
function plainRow(line: string, dialect: Dialect, progress: Progress): TableRow {
  const { delimiter, comment } = dialect
  const end = dialect.eol === '\r' ? '\r' : line.endsWith('\r') ? '\r\n' : '\n'
  const body = end === '\r\n' ? line.slice(0, -1) : line
  const values = cutAt(progress.line, () => plainFields(body, delimiter))
  const isOther = body === '' || (comment !== undefined && body.startsWith(comment))
  const { line: at } = progress
  progress.line += 1
  const kind = isOther ? 'other' : 'row'
  return { line: at, kind, values, raws: values, eol: end, isMisquoted: false, place: undefined }
}

function lineEnd(raw: string, { eol }: Dialect): string {
  return eol === '\r' ? '\r' : raw.endsWith('\r') ? '\r\n' : '\n'
}

function linesIn(body: string, dialect: Dialect): number {
  const last = feedOf(dialect)
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
function preambleCutter(dialect: Dialect): (chunk: Buffer | undefined) => Cut {
  const { preamble, comment } = dialect
  let held = ''
  let left = preamble
  let isDone = preamble === 0 && comment === undefined
  const last = feedOf(dialect)
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

/** @throws {HlaError} bad-quote, io — an incomplete row exceeds the maximum length */
export function refuseEndless(rest: Buffer, line: number, dialect: Pick<Dialect, 'quote'>): void {
  if (rest.length <= MAX_ROW_BYTES) return
  if (hasQuote(rest, dialect)) throw neverClosed(line)
  const size = `${MAX_ROW_BYTES / 1024 ** 2} MiB`
  throw new HlaError('io', `a row of more than ${size} is too long for a table`, {
    line,
    hint: 'is the input a table, with one record a line?',
  })
}

export function neverClosed(line: number): HlaError {
  return new HlaError('bad-quote', 'a quoted field that starts there is never closed', {
    line,
    hint: advice`use ${option('quote', 'none')} if quotes are ordinary characters in this table`,
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
