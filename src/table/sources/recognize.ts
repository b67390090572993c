/**
 * Kind of a text by its beginning, never by its name: a list with one typing per line, a wide table with one person per
 * row, or content for the readers of documents and long tables, which are not loaded for this decision. Pure.
 */
import { COLUMN_LOCI, readLocusName } from '../words/locus-header.ts'
import { type Dialect, NO_DELIMITER, firstLines } from '../input/dialect.ts'
import { beginsDocument, namesLoci, cellsOf } from '../input/preamble.ts'
import { isLocusName, isWideHeader } from './long-columns.ts'
import type { TableInput } from '../plan/table-input.ts'
import type { ProgramFormat } from './programs/program-format.ts'
import { recognizeProgram } from './programs/programs.ts'
import type { RecordRequest } from '../plan/table-request.ts'
import { readBeginning } from '../input/arrange.ts'
import { looksNamed } from '../words/typing-shape.ts'

export interface Recognized {
  /** True when the table is converted as it is; false when the record readers must decide. */
  readonly isPlain: boolean
  readonly isWide: boolean
  readonly mayBeDocument: boolean
  /** Program that wrote the file. */
  readonly program: ProgramFormat | undefined
}

/** With a format, or columns that were named, the content decides nothing. */
export function recognizeContent(
  { sample, dialect, lines }: Pick<TableInput, 'sample' | 'dialect' | 'lines'>,
  said: {
    readonly records: RecordRequest | undefined
    readonly isTold: boolean
    /** Loci of the release. */
    readonly loci: readonly string[]
  },
): Recognized {
  const { format = 'auto', sample: person, locus, alleles } = said.records ?? {}
  const isSaid = format !== 'auto' || said.isTold
  if (isSaid) return { ...NOTHING, isPlain: format === 'table' || format === 'auto' }
  const document = mayBeDocument(lines)
  const program = recognizeProgram(lines)
  const isWide = isWideBeginning(lines.slice(dialect.preamble), dialect)
  const isLongTold = [person, locus, alleles].some((one) => one !== undefined)
  const isPlain = () => isWide || (!isLongTold && !mayNameLoci(firstLines(sample, dialect, Infinity), dialect, said.loci)) // prettier-ignore
  const isOther = document || program !== undefined
  return { isPlain: !isOther && isPlain(), isWide, mayBeDocument: document, program }
}

const NOTHING = { isWide: false, mayBeDocument: false, program: undefined }

/** True when rows may name loci, each in one of its cells. */
function mayNameLoci(lines: readonly string[], dialect: Dialect, loci: readonly string[]): boolean {
  const known = new Set<string>([...COLUMN_LOCI, ...loci])
  const isKnown = (name: string) => known.has(name)
  const namesLocus = (cell: string) =>
    !OF_TYPINGS.test(cell) && (isLocusName(cell) || readLocusName(cell, isKnown) !== undefined)
  return lines.some((line) => cellsOf(line, dialect.delimiter).some(namesLocus))
}

/** `lines`: from the header on. */
function isWideBeginning(lines: readonly string[], dialect: Dialect): boolean {
  return isWideHeader(cellsOf(lines[0] ?? '', dialect.delimiter)) || holdGlStrings(lines)
}

/** Beginning of XML and JSON; a line without a word may precede it. */
function mayBeDocument(lines: readonly string[]): boolean {
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
  const { dialect, lines } = readBeginning(name, sample, {})
  if (dialect.delimiter === NO_DELIMITER) return false
  const rows = wholeLines(lines.slice(dialect.preamble)).map((line) => cellsOf(line, dialect.delimiter))
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
function wholeLines(lines: readonly string[]): string[] {
  const whole = lines.length > 1 ? lines.slice(0, -1) : lines
  return whole.filter((line) => line.trim() !== '')
}

function touchesOperator(cell: string): boolean {
  return /^[\^|+~/]|[\^|+~/]$/.test(cell)
}
