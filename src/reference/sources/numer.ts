/** Published list of multiple allele codes, in either form: text -> (code, expansion) rows. */
import { HlaError } from '../../errors.ts'
import { MAX_CODE_LETTERS } from '../mac/code-key.ts'

export interface PublishedList extends NumerSource {
  /** Form of the list: `alpha.v3.txt` has a column before the code. */
  readonly name: 'numer.v3.txt' | 'alpha.v3.txt'
}

export interface NumerSource {
  /** `'YYYY-MM-DD'`. */
  readonly date: string
  /** In file order; iterable more than once. A malformed row throws when it is reached. */
  readonly codes: Iterable<readonly [code: string, expansion: string]>
}

/**
 * Source: numer.v3.txt inside https://hml.nmdp.org/mac/files/numer.v3.zip, or alpha.v3.txt inside alpha.v3.zip beside
 * it, whose first column has a star before codes bound to first fields.
 * @throws {HlaError} lfs-pointer, truncated-file, bad-release-file
 */
export function parseNumer(text: string): PublishedList {
  if (text.startsWith('version https://git-lfs')) {
    throw new HlaError('lfs-pointer', 'the list of codes is a git-lfs pointer, not the file', {
      hint: 'run "git lfs pull" there, or download the file',
    })
  }
  const { date, end } = readHeader(text)
  requireLastLineFeed(text)
  const name = matchAt(ALPHA_START, text, end) === null ? 'numer.v3.txt' : 'alpha.v3.txt'
  return { date, name, codes: { [Symbol.iterator]: () => readRows(text, end, name) } }
}

/**
 * Date of a list, given only its beginning.
 * @throws {HlaError} bad-release-file
 */
export function readNumerDate(start: string): string {
  return readHeader(start).date
}

const UPDATED = /"?LAST UPDATED:[ \t]*([0-9/-]+)[ \t]*"?/iy
const COLUMNS = /(?:\*[ \t]+)?CODE[ \t]+SUBTYPE[ \t]*/iy
const LINE_END = /[ \t]*\r?\n/y

const GENERIC = '[0-9]+[A-Z]*'
const SPECIFIC = '[0-9]+(?::[0-9]+)+[A-Z]*'
const MEMBERS = `${GENERIC}(?:/${GENERIC})*|${SPECIFIC}(?:/${SPECIFIC})*`
const ROW = `([A-Z]{1,${MAX_CODE_LETTERS}})\t(${MEMBERS})\r?\n`
/** Beginning of a row of alpha.v3.txt. */
const STAR = String.raw`[* ]?\t`
const ALPHA_START = new RegExp(STAR, 'y')

// lists differ in the order and number of their header lines: each line is recognised by its words
function readHeader(text: string): { date: string; end: number } {
  let date = ''
  // byte order mark, decoded or not
  let end = /^(?:\uFEFF|\xEF\xBB\xBF)/.exec(text)?.[0].length ?? 0
  for (;;) {
    const updated = matchAt(UPDATED, text, end)
    if (updated?.[1] !== undefined) date = isoDate(updated[1], () => lineAt(text, end))
    const heading = updated ?? matchAt(COLUMNS, text, end)
    const start = end + (heading?.[0].length ?? 0)
    const lineEnd = matchAt(LINE_END, text, start)
    if (lineEnd === null) break
    end = start + lineEnd[0].length
  }
  if (date === '') {
    throw new HlaError('bad-release-file', 'the list of codes does not begin with a "LAST UPDATED" line', {
      offending: lineAt(text, 0).text,
      facts: { line: '1' },
    })
  }
  return { date, end }
}

/** Published dates are American: month, day, year of two or four digits. */
function isoDate(written: string, where: () => Line): string {
  const american = /^(\d{1,2})\/(\d{1,2})\/(\d{4}|\d{2})$/.exec(written)
  const [, month = '', day = '', year = ''] = american ?? []
  const iso =
    american === null
      ? written
      : `${year.padStart(4, '20')}-${month.padStart(2, '0')}-${day.padStart(2, '0')}`
  const time = Date.parse(iso)
  // Date carries 30 February over to March, and reads other forms: they do not round-trip
  if (Number.isNaN(time) || new Date(time).toISOString().slice(0, 10) !== iso) {
    throw badLine(where(), 'has a date that is not month/day/year')
  }
  return iso
}

function requireLastLineFeed(text: string): void {
  if (text.endsWith('\n')) return
  const { number, text: offending } = lineAt(text, text.lastIndexOf('\n') + 1)
  throw new HlaError('truncated-file', `the list of codes stops inside line ${number}`, {
    offending,
    facts: { line: String(number) },
    hint: 'get the file again',
  })
}

function* readRows(
  text: string,
  start: number,
  name: PublishedList['name'],
): Generator<readonly [string, string]> {
  const row = new RegExp(name === 'alpha.v3.txt' ? STAR + ROW : ROW, 'y')
  row.lastIndex = start
  for (let at = start; at < text.length; at = row.lastIndex) {
    const match = row.exec(text)
    if (match?.[1] !== undefined && match[2] !== undefined) yield [match[1], match[2]]
    else row.lastIndex = skipBlankLine(text, at)
  }
  if (start >= text.length)
    throw new HlaError('truncated-file', 'the list of codes has a header and no codes')
}

function skipBlankLine(text: string, at: number): number {
  const blank = matchAt(LINE_END, text, at)
  if (blank === null)
    throw badLine(lineAt(text, at), 'is not a code, a tab and a list like 01/02 or 25:01/26:01')
  return at + blank[0].length
}

interface Line {
  readonly number: number
  readonly text: string
}

function lineAt(text: string, at: number): Line {
  const number = text.slice(0, at).split('\n').length
  const [line = ''] = text.slice(at, at + 200).split(/\r?\n/, 1)
  return { number, text: line }
}

function badLine(line: Line, what: string): HlaError {
  return new HlaError('bad-release-file', `line ${line.number} of the list of codes ${what}`, {
    offending: line.text,
    facts: { line: String(line.number) },
  })
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}
