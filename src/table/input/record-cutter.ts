/** Cuts one record from bytes: lines with sound quotes here, all others by csv-parse. */
import { advice, option } from '../../advice.ts'
import type { Options } from 'csv-parse'
import type { parse as parseCsv } from 'csv-parse/sync'
import { assured, HlaError } from '../../errors.ts'
import type { Dialect } from './dialect.ts'
import { type Quoting, soundFields } from './split-row.ts'
import { formatCount } from '../../format-count.ts'

export interface ParsedRecord {
  readonly record: readonly string[]
  /** Includes the first character of its line end. */
  readonly raw: string
}

/** Maximum length of a row in bytes; a longer one has a quote that was never closed. */
export const MAX_ROW_BYTES = 64 * 1024 * 1024

/** Maximum fields per row: the widest tables with typings have some ten thousand markers in two columns each. */
const MAX_FIELDS = 50_000
/** Maximum separators of a row with quotes, which may contain some. */
const MAX_QUOTED = MAX_FIELDS * 20

/** Error without a line, which the caller adds. */
function tooWide(): HlaError {
  const most = formatCount(MAX_FIELDS)
  return new HlaError('io', `a row of more than ${most} fields is too long for a table`, {
    hint: advice`is this the right separator (${option('delimiter')})?`,
  })
}

/** True when `bytes` contain at least `most` separators. */
function hasSeparators(bytes: Buffer | string, delimiter: string, most: number): boolean {
  if (bytes.length < most) return false
  let count = 0
  const next = (at: number) =>
    typeof bytes === 'string' ? bytes.indexOf(delimiter, at) : bytes.indexOf(delimiter, at, 'latin1')
  for (let at = next(0); at >= 0; at = next(at + delimiter.length)) {
    count += 1
    if (count >= most) return true
  }
  return false
}

/** Options for csv-parse. */
export function cutterOptions({ delimiter, quote, eol }: Dialect): Options {
  return {
    delimiter,
    // splitRow judges misplaced quotes row by row
    relax_quotes: true,
    quote: quote ?? false,
    escape: quote ?? false,
    raw: true,
    relax_column_count: true,
    max_record_size: MAX_ROW_BYTES,
    encoding: 'latin1',
    record_delimiter: eol === '\r' ? ['\r'] : ['\r\n', '\n'],
  }
}

export interface CutRecord extends ParsedRecord {
  /** Offset of the next record. */
  readonly next: number
}

export interface RecordCutter {
  /** The line at `start`, without its end; undefined when it has quotes, or is incomplete. */
  readonly plainLine: (
    bytes: Buffer,
    start: number,
  ) => { readonly line: string; readonly next: number } | undefined
  /** Cuts the record with quotes at `start`, which must not be unprepared; undefined when it is incomplete. */
  readonly cut: (bytes: Buffer, start: number) => CutRecord | undefined
  /** The record from `start` to the end of the table; undefined when a quote is open. */
  readonly cutLast: (bytes: Buffer, start: number) => ParsedRecord | undefined
  /** True when the record at `start` needs csv-parse, which is not loaded. */
  readonly isUnprepared: (bytes: Buffer, start: number) => boolean
  /** Loads csv-parse, which few tables need. */
  readonly prepare: () => Promise<void>
}

export function recordCutter(dialect: Dialect): RecordCutter {
  let parse: typeof parseCsv | undefined
  const options = { ...cutterOptions(dialect), to: 1 }
  const feed = feedByte(dialect)
  const lineEnd = (bytes: Buffer, start: number) => {
    const at = bytes.indexOf(feed, start)
    return at < 0 ? bytes.length : at
  }
  const isQuoted = quoteFinder(dialect)
  const parser = () => assured(parse, 'quotes are prepared for')
  const isOurs = (bytes: Buffer, start: number, end = lineEnd(bytes, start)) =>
    !isQuoted(bytes, start, end) ||
    soundRecord(bytes, start, end, dialect) !== undefined ||
    recordEnd(bytes, start, dialect) !== undefined
  return {
    plainLine(bytes, start) {
      const end = lineEnd(bytes, start)
      if (end === bytes.length || isQuoted(bytes, start, end)) return undefined
      return { line: bytes.toString('latin1', start, end), next: end + 1 }
    },
    cut,
    cutLast(bytes, start) {
      const text = bytes.toString('latin1', start)
      const isPlain = !isQuoted(bytes, start, bytes.length)
      if (hasSeparators(text, dialect.delimiter, isPlain ? MAX_FIELDS : MAX_QUOTED)) throw tooWide()
      const record = isPlain ? text.split(dialect.delimiter) : soundFields(text, dialect)
      if (record === undefined && recordEnd(bytes, start, dialect) === OPEN) return undefined
      const parsed =
        record === undefined ? parseFirst(bytes.subarray(start), parser(), options) : { record, raw: text }
      if (parsed !== undefined && parsed.record.length > MAX_FIELDS) throw tooWide()
      return parsed
    },
    isUnprepared: (bytes, start) => parse === undefined && !isOurs(bytes, start),
    async prepare() {
      ;({ parse } = await import('csv-parse/sync'))
    },
  }

  function cut(bytes: Buffer, start: number): CutRecord | undefined {
    const end = lineEnd(bytes, start)
    if (!isQuoted(bytes, start, end)) return undefined
    if (hasSeparators(bytes.subarray(start, end), dialect.delimiter, MAX_QUOTED)) throw tooWide()
    const sound = soundRecord(bytes, start, end, dialect)
    if (sound !== undefined) return { ...wideEnough(sound), next: end + 1 }
    return cutLines(bytes, start, dialect, () => parseFirst(bytes.subarray(start), parser(), options))
  }
}

/** A record whose quoted fields have line breaks, or whose quotes are misplaced: `other` interprets these. */
function cutLines(
  bytes: Buffer,
  start: number,
  dialect: Dialect,
  other: () => ParsedRecord | undefined,
): CutRecord | undefined {
  const end = recordEnd(bytes, start, dialect)
  if (end === OPEN || end === bytes.length) return undefined
  const sound = end === undefined ? undefined : soundRecord(bytes, start, end, dialect)
  if (sound !== undefined && end !== undefined) return { ...wideEnough(sound), next: end + 1 }
  const parsed = other()
  if (parsed === undefined) return undefined
  const feed = feedByte(dialect)
  const next = start + parsed.raw.length
  const isCrLf = feed === LF && parsed.raw.endsWith('\r') && bytes[next] === LF
  if (!isCrLf && bytes[next - 1] !== feed) return undefined
  return { ...wideEnough(parsed), next: isCrLf ? next + 1 : next }
}

/** @throws {HlaError} io — too many fields */
function wideEnough(record: ParsedRecord): ParsedRecord {
  if (record.record.length > MAX_FIELDS) throw tooWide()
  return record
}

/** Searches a part in place: making a subarray takes longer than scanning a row. */
function quoteFinder(dialect: Dialect): (bytes: Buffer, start: number, end: number) => boolean {
  const quote = dialect.quote?.charCodeAt(0) ?? -1
  return (bytes, start, end) => {
    if (quote < 0) return false
    let at = start
    while (at < end && bytes[at] !== quote) at += 1
    return at < end
  }
}

/** Result of `recordEnd` when a quoted field has no end in the bytes. */
const OPEN = -1

/**
 * Offset of the line feed that ends the record at `start`, whose quoted fields may have line breaks; the number of bytes
 * when the record may go on; OPEN; undefined for a misplaced quote, which csv-parse then interprets. csv-parse takes
 * seconds for a field of megabytes, and reads it again each time that more of it has arrived.
 */
function recordEnd(bytes: Buffer, start: number, dialect: Dialect): number | undefined {
  const feed = feedByte(dialect)
  const delimiter = dialect.delimiter.charCodeAt(0)
  const quote = dialect.quote?.charCodeAt(0)
  const { length } = bytes
  for (let at = start; at < length; at += 1) {
    if (quote !== undefined && bytes[at] === quote) {
      at = closingQuote(bytes, at + 1, quote) + 1
      if (at === 0) return OPEN
      if (feed === LF && bytes[at] === CR) at += 1
      if (at >= length || bytes[at] === feed) return Math.min(at, length)
      if (bytes[at] !== delimiter) return undefined
      continue
    }
    while (at < length && bytes[at] !== delimiter && bytes[at] !== feed && bytes[at] !== quote) at += 1
    if (at === length || bytes[at] === feed) return at
    if (bytes[at] === quote) return undefined
  }
  return length
}

/** -1 when there is none; a doubled quote is text. */
function closingQuote(bytes: Buffer, start: number, quote: number): number {
  for (let at = start; ;) {
    const closing = bytes.indexOf(quote, at)
    if (closing < 0 || bytes[closing + 1] !== quote) return closing
    at = closing + 2
  }
}

/** First record; undefined when a quote is open, or the record is too long. */
function parseFirst(bytes: Buffer, parse: typeof parseCsv, options: Options): ParsedRecord | undefined {
  try {
    // with `raw`, records come as these pairs
    return (parse(bytes, options) as unknown as ParsedRecord[])[0]
  } catch (error) {
    const { code } = error as { code?: string }
    if (code === 'CSV_QUOTE_NOT_CLOSED' || code === 'CSV_MAX_RECORD_SIZE') return undefined
    throw error
  }
}

/** Fields of a line without quotes. @throws {HlaError} io — too many */
export function plainFields(line: string, delimiter: string): string[] {
  if (hasSeparators(line, delimiter, MAX_FIELDS)) throw tooWide()
  return line.split(delimiter)
}

/**
 * The line from `start` to its line feed at `end`; undefined when its quotes are not sound, or the line feed is
 * missing.
 */
function soundRecord(
  bytes: Buffer,
  start: number,
  end: number,
  dialect: Quoting & Pick<Dialect, 'eol'>,
): ParsedRecord | undefined {
  if (end === bytes.length) return undefined
  const line = bytes.toString('latin1', start, end) + (dialect.eol === '\r' ? '\r' : '')
  const record = soundFields(line.endsWith('\r') ? line.slice(0, -1) : line, dialect)
  return record && { record, raw: line.endsWith('\r') ? line : `${line}\n` }
}

/** Byte that ends a line: a line feed, unless all lines end in carriage returns. */
export function feedByte({ eol }: Pick<Dialect, 'eol'>): number {
  return eol === '\r' ? CR : LF
}

const [LF, CR] = [10, 13]
