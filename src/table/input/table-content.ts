/** Whether text is a table or a list with a typing a line: by how it begins, never by what its file is called. Pure. */
import { type Dialect, firstLines, NO_DELIMITER, sniffDialect } from './dialect.ts'
import { splitRow } from './split-row.ts'
import { readLocusHeader } from '../plan/locus-header.ts'
import { recognizeShape } from '../plan/typing-shape.ts'

/**
 * `sample` is the beginning of a file, unpacked. A list has no columns; a genotype with spaces around its operators
 * has none either, so spaces separate columns only where the header or the number of fields says so.
 */
export function isTableContent(name: string, sample: Buffer): boolean {
  const dialect = sniffDialect(name, sample, {})
  if (dialect.delimiter === NO_DELIMITER) return false
  const rows = wholeLines(sample, dialect).map((line) => cellsIn(line, dialect))
  const [header = [], ...body] = rows
  const isRegular = rows.filter(({ length }) => length === header.length).length >= MOST * rows.length
  if (header.length < 2 || !isRegular) return false
  if (namesLoci(header) && !body.some(namesLoci)) return true
  if (dialect.delimiter === ' ') return header.length >= MANY && !rows.flat().some(touchesOperator)
  return rows.length > 1 || (header.some(isName) && !header.every(isName))
}

/** Share of lines with the number of fields that the first has. */
const MOST = 0.9
/** Fields between spaces that are columns, and not a typing with spaces in it. */
const MANY = 4

/** Without empty ones, and without a last one that may be cut. */
function wholeLines(sample: Buffer, dialect: Dialect): string[] {
  const lines = firstLines(sample, dialect)
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines
  return whole.filter((line) => line.trim() !== '')
}

function cellsIn(line: string, { delimiter, quote }: Dialect): string[] {
  const { raws } = splitRow(line, 0, { delimiter, quote })
  return raws.map((raw) => raw.replace(/^"|"$/g, '').trim())
}

function namesLoci(cells: readonly string[]): boolean {
  return cells.filter((cell) => readLocusHeader(cell).length > 0).length > 1
}

function isName(cell: string): boolean {
  return ['named', 'fields'].includes(recognizeShape(cell))
}

function touchesOperator(cell: string): boolean {
  return /^[\^|+~/]|[\^|+~/]$/.test(cell)
}
