/**
 * Lines before the header of a table: titles, comments, rows about the data. Recognised by their form, never guessed.
 * Pure.
 */
import { isColumnLocus } from '../words/locus-header.ts'
import { looksTyped } from '../words/typing-shape.ts'

/** Maximum number of lines examined. */
const DEEPEST = 20
/** `|` occurs in GL Strings and `:` in typings; these delimiters must be requested. */
const SIGNS = ['\t', ';', ','] as const

/** Line, from 1, that names loci, when no line before or after it does, whatever its delimiter; undefined for none. */
export function findLaterHeader(lines: readonly string[]): number | undefined {
  const shown = lines.slice(0, DEEPEST)
  const isHeader = (line = '') => SIGNS.some((sign) => line.includes(sign) && namesLoci(cellsOf(line, sign)))
  const at = shown.findIndex(isHeader)
  return at < 1 || isHeader(shown[at + 1]) ? undefined : at + 1
}

/** Number of lines before the first that names two columns of loci, for layouts with such lines; 0 for none. */
export function linesBeforeLoci(lines: readonly string[], delimiter: string): number {
  return Math.max(
    0,
    lines.slice(0, DEEPEST).findIndex((line) => namesLoci(line.split(delimiter))),
  )
}

/**
 * Number of lines before the header; 0 when the first line may be the header, or it is unclear. `told`: requested
 * delimiter.
 */
export function countPreamble(lines: readonly string[], told: string | undefined): number {
  const shown = lines.slice(0, MAX_LINES)
  if (shown.length < 2 || beginsDocument(shown) || areUsual(shown, told)) return 0
  const sign = told ?? SIGNS.find((one) => commonWidth(shown, one) > 1)
  if (sign === undefined) return 0
  const width = commonWidth(shown, sign)
  const first = cellsOf(shown[0] ?? '', sign)
  if (width < 2 || (first.length === width && 2 * filled(first) > width && !isComment(shown[0]))) return 0
  const rows = shown.slice(0, DEEPEST).map((line) => cellsOf(line, sign))
  return beforeLoci(rows) ?? beforeBlock(rows, width)
}

const MAX_LINES = 100

/** True when the first line is as wide as lines below it and not a comment; most tables need no further look. */
function areUsual(lines: readonly string[], told: string | undefined): boolean {
  const [first = ''] = lines
  const sign = told ?? SIGNS.find((one) => first.includes(one))
  if (sign === undefined || isComment(first)) return false
  const cells = cellsOf(first, sign)
  const looked = [1, 2, lines.length >> 1, lines.length - 2].map((at) => lines[Math.max(1, at)] ?? first)
  return (
    cells.length > 1 &&
    2 * filled(cells) > cells.length &&
    looked.every((line) => countFields(line, sign) === cells.length)
  )
}

/** True for XML or JSON, some of whose lines look like rows. */
export function beginsDocument(lines: readonly string[]): boolean {
  const first = lines.find((line) => line.trim() !== '') ?? ''
  return /^\W*[<{[]|^\s*"\w+"\s*:/.test(first)
}

/** First line that names loci, when no line before it can be a header and the next one names none. */
function beforeLoci(rows: readonly (readonly string[])[]): number | undefined {
  const at = rows.findIndex(namesLoci)
  const [header = [], next = []] = rows.slice(Math.max(0, at))
  // a value may look like a locus; in a row of antigens every cell does
  if (at < 1 || 2 * countLoci(next) > countLoci(header)) return undefined
  return rows.slice(0, at).every((row) => isAbove(row, header)) ? at : undefined
}

/**
 * True for a line that cannot be the header of a table with these names: R omits one name, so one cell less does not
 * suffice.
 */
function isAbove(row: readonly string[], header: readonly string[]): boolean {
  const [count, most] = [filled(row), filled(header)]
  if (isComment(row[0]) || count === 0) return true
  if (row.some(looksTyped)) return false
  return isTitle(row) || count < most - 1 || (count < most && row.some((cell) => /\S \S/.test(cell)))
}

/** Number of titles and comments above two lines of equal width. */
function beforeBlock(rows: readonly (readonly string[])[], width: number): number {
  const mayBeTitle = (row: readonly string[]) => width > 2 && isTitle(row)
  const isOther = (row: readonly string[]) =>
    filled(row) === 0 || row[0]?.startsWith('##') === true || (isComment(row[0]) && row.length !== width) || mayBeTitle(row) // prettier-ignore
  const at = rows.findIndex((row) => !isOther(row))
  return at > 0 && rows[at]?.length === width && rows[at + 1]?.length === width ? at : 0
}

/** True for a single cell that is not the name of a locus above its two columns. */
function isTitle(row: readonly string[]): boolean {
  const [only = ''] = row.filter((cell) => cell !== '')
  return filled(row) === 1 && !isColumnLocus(only) && !looksTyped(only) && !/^sep=/i.test(only)
}

function isComment(text = ''): boolean {
  return text.startsWith('#')
}

export function namesLoci(cells: readonly string[]): boolean {
  return countLoci(cells) > 1
}

/** Number of names of typing columns. */
export function countLoci(cells: readonly string[]): number {
  return cells.filter(isColumnLocus).length
}

function filled(cells: readonly string[]): number {
  return cells.filter((cell) => cell !== '').length
}

/** Number of fields that most lines have; lines outside a table differ. */
function commonWidth(lines: readonly string[], sign: string): number {
  const counts = new Map<number, number>()
  for (const line of lines) {
    const length = countFields(line, sign)
    counts.set(length, (counts.get(length) ?? 0) + 1)
  }
  const [[width, count] = [0, 0]] = [...counts].sort((a, b) => b[1] - a[1] || b[0] - a[0])
  return 2 * count > lines.length - 1 ? width : 0
}

function countFields(line: string, sign: string): number {
  return (line.includes('"') ? cellsOf(line, sign) : line.split(sign)).length
}

/** Cells without quotes; a delimiter within quotes does not separate. */
export function cellsOf(line: string, sign: string): string[] {
  const bare = line.includes('"') ? line.replace(/"((?:[^"]|"")*)"/g, (_, text: string) => text.replaceAll(sign, ' ')) : line // prettier-ignore
  return bare.split(sign).map((cell) => cell.trim())
}
