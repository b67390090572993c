/**
 * Kind of a text by its beginning, never by its name: a list with one typing per line, a wide table with one person per
 * row, or content for the readers of documents and long tables, which are not loaded for this decision. Pure.
 */
import { COLUMN_LOCI, readLocusName } from '../plan/locus-header.ts'
import { type Dialect, type DialectHints, NO_DELIMITER, firstLines, sniffDialect } from './dialect.ts'
import { beginsDocument, namesLoci, cellsOf } from './preamble.ts'
import { LOCUS_NAME, isWideHeader } from './records/long-columns.ts'
import { recognizeProgram } from './records/programs/programs.ts'
import type { RecordRequest } from './records/typing-record.ts'
import { arrangeTable } from './arrange.ts'
import { looksNamed } from '../plan/typing-shape.ts'

/** True when it is converted as it is; false when the record readers must decide. */
export function isPlainTable(
  { name, sample }: { readonly name: string; readonly sample: Buffer },
  said: {
    readonly records: RecordRequest | undefined
    readonly dialect: DialectHints
    readonly isTold: boolean
    /** Loci of the release. */
    readonly loci: readonly string[]
  },
): boolean {
  const { format = 'auto', sample: person, locus, alleles } = said.records ?? {}
  if (format !== 'auto') return format === 'table'
  if (said.isTold) return true
  const dialect = sniffDialect(name, sample, said.dialect)
  const lines = firstLines(sample, dialect)
  if (mayBeDocument(lines) || recognizeProgram(lines) !== undefined) return false
  if (isWideBeginning(lines.slice(dialect.preamble), dialect)) return true
  const isLongTold = [person, locus, alleles].some((one) => one !== undefined)
  return !isLongTold && !mayNameLoci(firstLines(sample, dialect, Infinity), dialect, said.loci)
}

/** True when rows may name loci, each in one of its cells. */
function mayNameLoci(lines: readonly string[], dialect: Dialect, loci: readonly string[]): boolean {
  const known = new Set<string>([...COLUMN_LOCI, ...loci])
  const isKnown = (name: string) => known.has(name)
  const namesLocus = (cell: string) =>
    !OF_TYPINGS.test(cell) && (LOCUS_NAME.test(cell) || readLocusName(cell, isKnown) !== undefined)
  return lines.some((line) => cellsOf(line, dialect.delimiter).some(namesLocus))
}

/** `lines`: from the header on. */
export function isWideBeginning(lines: readonly string[], dialect: Dialect): boolean {
  return isWideHeader(cellsOf(lines[0] ?? '', dialect.delimiter)) || holdGlStrings(lines)
}

/** Beginning of XML and JSON; a line without a word may precede it. */
export function mayBeDocument(lines: readonly string[]): boolean {
  return /^\W*$/.test(lines[0] ?? '') || beginsDocument(lines)
}

/** True for genotypes of several loci in every row: each row is a person. */
function holdGlStrings(lines: readonly string[]): boolean {
  const rows = lines.slice(1, MAX_ROWS).filter((line) => line !== '')
  return rows.length > 0 && rows.every((line) => JOINED_LOCI.test(line))
}

const MAX_ROWS = 20
/** Header cells that look like typings or numbers. */
const OF_TYPINGS = /:|^\d*$|\*\d/
const JOINED_LOCI = /[\dA-Z]\^(?:HLA-)?[A-Z][A-Z0-9]*\*\d/

/**
 * `sample` is the beginning of a file, unpacked. A list has no columns, nor does a genotype with spaces around its
 * operators; spaces therefore separate columns only where the header or the number of fields confirms it.
 */
export function isTableContent(name: string, sample: Buffer): boolean {
  const regular = arrangeTable(name, sample, {})
  const dialect = sniffDialect(name, regular.sample, {})
  if (dialect.delimiter === NO_DELIMITER) return false
  const rows = wholeLines(regular.sample, dialect).map((line) => cellsOf(line, dialect.delimiter))
  const [header = [], ...body] = rows
  const isRegular = rows.filter(({ length }) => length === header.length).length >= MIN_SHARE * rows.length
  if (header.length < 2) return false
  // a row may be short, and a footer is not a row
  const isSure = isRegular || dialect.delimiter !== ' '
  if (isSure && namesLoci(header) && !body.some(namesLoci)) return true
  if (!isRegular) return false
  if (dialect.delimiter === ' ') return header.length >= MANY && !rows.flat().some(touchesOperator)
  return rows.length > 1 || (header.some(looksNamed) && !header.every(looksNamed))
}

/** Share of lines with as many fields as the first. */
const MIN_SHARE = 0.9
/** Minimum number of space-separated fields that count as columns, not as a typing with spaces. */
const MANY = 4

/** Lines that are not empty; the last, possibly incomplete, is left out. */
function wholeLines(sample: Buffer, dialect: Dialect): string[] {
  const lines = firstLines(sample, dialect).slice(dialect.preamble)
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines
  return whole.filter((line) => line.trim() !== '')
}

function touchesOperator(cell: string): boolean {
  return /^[\^|+~/]|[\^|+~/]$/.test(cell)
}
