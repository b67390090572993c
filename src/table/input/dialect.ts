/** Form of a table: delimiter, quotes, line ends, header, encoding; detected by its name and first bytes. Pure. */
import { HlaError } from '../../errors.ts'
import { fileEnding } from '../../io/file-ending.ts'
import { type EncodingOption, type DetectedEncoding, detectEncoding, fromByteText } from './encoding.ts'
import { countPreamble, linesBeforeLoci } from './preamble.ts'
import type { Quoting } from './split-row.ts'

export interface Dialect extends Quoting, DetectedEncoding {
  readonly lazyQuotes: boolean
  /** Number of lines before the header, copied unchanged. */
  readonly preamble: number
  /** True when its first line, `sep=;`, names the delimiter. */
  readonly isNamed?: boolean
  /** Rows that begin with it are copied unchanged. */
  readonly comment: string | undefined
  readonly eol: string
}

export interface DialectHints {
  readonly delimiter?: string | undefined
  readonly quote?: string | undefined
  readonly lazyQuotes?: boolean | undefined
  /** undefined: detected by content. */
  readonly preamble?: number | undefined
  /** false: the first row is data; `find`: the first line that names loci is the header, whatever is above it. */
  readonly header?: boolean | 'find' | undefined
  readonly comment?: string | undefined
  readonly encoding?: EncodingOption | undefined
}

const DELIMITER_NAMES: ReadonlyMap<string, string> = new Map([
  ['tab', '\t'], ['pipe', '|'], ['space', ' '], ['comma', ','], ['semicolon', ';'], ['colon', ':'], ['percent', '%'],
  ['\\t', '\t'],
]) // prettier-ignore

/** Character that ends a line: a line feed, unless all lines end in carriage returns. */
export function feedOf({ eol }: Pick<Dialect, 'eol'>): string {
  return eol === '\r' ? '\r' : '\n'
}

/** Delimiter of a table with one column. */
export const NO_DELIMITER = '\u001f'

/** Delimiter of written columns: the requested one, or that of the table. */
export function outDelimiter(
  { delimiter }: Quoting,
  request: { readonly delimiter?: string | undefined } = {},
): string {
  return request.delimiter ?? (delimiter === NO_DELIMITER ? '\t' : delimiter)
}

const TITLES: ReadonlyMap<string, string> = new Map([
  ['\t', 'tab-separated'], [',', 'comma-separated'], [' ', 'space-separated'], ['|', 'pipe-separated'],
  [NO_DELIMITER, 'one column'],
]) // prettier-ignore

export function delimiterTitle(delimiter: string): string {
  return TITLES.get(delimiter) ?? `${delimiter}-separated`
}

/** @throws {HlaError} usage — not one character */
export function parseDelimiter(text: string): string {
  const one = DELIMITER_NAMES.get(text) ?? text
  // eslint-disable-next-line no-control-regex
  if (/^[\u0001-\u007f]$/.test(one) && !/[\r\n"]/.test(one)) return one
  const known = 'auto , tab ; : % pipe space'
  throw new HlaError(
    'usage',
    `a delimiter must be one character or one of ${known}, not ${JSON.stringify(text)}`,
  )
}

/**
 * Candidates by content, likelier first: `:` occurs in typings and `|` in GL Strings, so these must be requested;
 * spaces come last.
 */
const CANDIDATES = ['\t', ',', ';', '%', ' ']
/** Ending of a file's name -> its delimiter, then others that it allows. */
const BY_ENDING: ReadonlyMap<string, readonly string[]> = new Map([
  ['csv', [',', ';']],
  ['tsv', ['\t']],
  ['tab', ['\t']],
  ['psv', ['|']],
])

/** Delimiters that the ending of a file's name allows, the usual one first; none for other endings. */
export function delimitersOf(name: string): readonly string[] {
  return BY_ENDING.get(fileEnding(name)) ?? []
}

export function sniffDialect(name: string, sample: Buffer, hints: DialectHints): Dialect {
  const detected = detectEncoding(sample, hints.encoding ?? 'auto')
  const text = sampleText(sample, detected)
  const eol = findEol(text)
  const named = namedDelimiter(text)
  const { comment, quote } = hints
  const all = splitLines(text, eol)
  const top = all.slice(0, MAX_LINES)
  const mayStand = named === undefined && hints.header !== false && comment === undefined
  const found = () => (mayStand ? countPreamble(top, hints.delimiter) : 0)
  const counted = hints.preamble ?? (named === undefined ? found() : 1)
  const lines = sampleLines(all, counted)
  const told = comment === undefined ? lines : lines.filter((line) => !line.startsWith(comment))
  const delimiter = hints.delimiter ?? named ?? sniffDelimiter(name, told)
  const isSought = hints.header === 'find' && hints.preamble === undefined
  const preamble = isSought ? linesBeforeLoci(top, delimiter) : counted
  return {
    ...detected,
    delimiter,
    quote: quote === 'none' ? undefined : (quote ?? '"'),
    lazyQuotes: hints.lazyQuotes ?? false,
    preamble,
    ...(named === undefined ? {} : { isNamed: true }),
    comment,
    eol,
  }
}

/** Delimiter named in a first line `sep=;`, as spreadsheets read it. */
function namedDelimiter(text: string): string | undefined {
  return /^"?sep=([^\r\n"])"?[\r\n]/i.exec(text.slice(0, 10))?.[1]
}

/** That line with another delimiter; undefined for any other line. */
export function delimiterLine(line: string, delimiter: string): string | undefined {
  const [, before, behind] = /^("?sep=)[^\r\n"]("?)$/i.exec(line) ?? []
  return before === undefined ? undefined : `${before}${delimiter}${behind}`
}

/** First lines of the table, empty ones included, without line ends. */
export function firstLines(sample: Buffer, dialect: Dialect, most = MAX_LINES): string[] {
  return splitLines(sampleText(sample, dialect), dialect.eol).slice(0, most)
}

function sampleText(sample: Buffer, { encoding, bom }: DetectedEncoding): string {
  const bytes = sample.subarray(bom)
  if (encoding === 'utf8' || encoding === 'latin1') return bytes.toString('latin1')
  const decoder = new TextDecoder(encoding === 'utf16le' ? 'utf-16le' : 'utf-16be')
  return fromByteText(Buffer.from(decoder.decode(bytes), 'utf8').toString('latin1'), 'utf8').toString(
    'latin1',
  )
}

function findEol(text: string): string {
  const at = text.search(/[\r\n]/)
  if (at < 0) return '\n'
  // a lone carriage return ends lines only in a table without line feeds
  if (text[at] === '\n' || text.includes('\n')) return text[text.indexOf('\n') - 1] === '\r' ? '\r\n' : '\n'
  return '\r'
}

/** Maximum number of lines examined. */
const MAX_LINES = 100

/** Lines after the preamble that are not empty; the last, possibly incomplete, is left out. */
function sampleLines(lines: readonly string[], preamble: number): string[] {
  const whole = lines.length > preamble + 1 ? lines.slice(preamble, -1) : lines.slice(preamble)
  return whole.filter((line) => line.trim() !== '').slice(0, MAX_LINES)
}

/** Splits lines as the parser does: a carriage return before a line feed belongs to the line end in every table. */
function splitLines(text: string, eol: string): string[] {
  return eol === '\r' ? text.split('\r') : text.split('\n').map((line) => line.replace(/\r$/, ''))
}

function sniffDelimiter(name: string, lines: readonly string[]): string {
  const [first = ''] = lines
  const [byEnding] = delimitersOf(name)
  if (byEnding !== undefined && first.includes(byEnding)) return byEnding
  const regular =
    CANDIDATES.find((candidate) => candidate !== ' ' && isRegular(candidate, lines)) ??
    (isPiped(lines) ? '|' : CANDIDATES.find((candidate) => isRegular(candidate, lines))) ??
    CANDIDATES.find((candidate) => isShortHeader(candidate, lines))
  const inHeader = CANDIDATES.find((one) => one !== ' ' && first.includes(one))
  // the ending .csv counts little when the first line has three or more columns by another delimiter
  const isPlain = inHeader !== undefined && withoutQuoted(first).split(inHeader).length > 2
  return regular ?? (isPlain ? inHeader : (byEnding ?? inHeader)) ?? NO_DELIMITER
}

/** True when `|` separates three or more names that are not typings, and as many cells in the other lines. */
function isPiped(lines: readonly string[]): boolean {
  const [first = ''] = lines
  return (
    lines.length > 1 &&
    first.split('|').length > 2 &&
    /[A-Za-z]/.test(first) &&
    !/\*\d|:/.test(first) &&
    isRegular('|', lines)
  )
}

/** True for the same number in nine of ten lines. */
function isRegular(delimiter: string, lines: readonly string[]): boolean {
  const counts = lines.map((line) => withoutQuoted(line).split(delimiter).length - 1)
  const [first = 0] = counts
  return first > 0 && counts.filter((count) => count === first).length >= 0.9 * counts.length
}

/** True for a header of R's write.table, which does not name the column of row names. */
function isShortHeader(delimiter: string, [first = '', ...rest]: readonly string[]): boolean {
  const [count, common] = [first, rest[0] ?? ''].map((line) => withoutQuoted(line).split(delimiter).length)
  return count !== undefined && count > 1 && common === count + 1 && isRegular(delimiter, rest)
}

function withoutQuoted(line: string): string {
  return line.includes('"') ? line.replace(/"(?:[^"]|"")*"/g, '') : line
}
