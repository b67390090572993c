/** The usual table, a row a person, is told by its beginning before any reader of documents or long tables is loaded. Pure. */
import { readLocusName } from '../../plan/locus-header.ts'
import { COLUMN_LOCI } from '../../plan/locus-spellings.ts'
import { type Dialect, type DialectHints, firstLines, sniffDialect } from '../dialect.ts'
import { isWideHeader, LOCUS_NAME } from './long-columns.ts'
import { recognizeProgram } from './programs/programs.ts'
import type { RecordRequest } from './typing-record.ts'

/** Whether it is converted as it stands; false where its readers are to decide. */
export function isPlainTable(
  { name, sample }: { readonly name: string; readonly sample: Buffer },
  said: {
    readonly records: RecordRequest | undefined
    readonly dialect: DialectHints
    readonly isTold: boolean
    /** Of the release. */
    readonly loci: readonly string[]
  },
): boolean {
  const { format = 'auto', sample: person, locus, alleles } = said.records ?? {}
  if (format !== 'auto') return format === 'table'
  if (said.isTold) return true
  const dialect = sniffDialect(name, sample, said.dialect)
  const lines = firstLines(sample, dialect)
  if (mayBeDocument(lines) || recognizeProgram(lines) !== undefined) return false
  if (isWideBeginning(lines, dialect)) return true
  const isLongTold = [person, locus, alleles].some((one) => one !== undefined)
  return !isLongTold && !mayNameLoci(firstLines(sample, dialect, Infinity), dialect, said.loci)
}

/** Loci in rows are named in a cell of each. */
function mayNameLoci(lines: readonly string[], dialect: Dialect, loci: readonly string[]): boolean {
  const known = new Set<string>([...COLUMN_LOCI, ...loci])
  const isKnown = (name: string) => known.has(name)
  const namesLocus = (cell: string) =>
    !OF_TYPINGS.test(cell) && (LOCUS_NAME.test(cell) || readLocusName(cell, isKnown) !== undefined)
  return lines.some((line) => headerNames(line, dialect).some(namesLocus))
}

export function isWideBeginning(lines: readonly string[], dialect: Dialect): boolean {
  return isWideHeader(headerNames(lines[0] ?? '', dialect)) || holdGlStrings(lines)
}

/** How XML and JSON begin; an empty line may stand before. */
export function mayBeDocument([first = '']: readonly string[]): boolean {
  return /^\W*[<{[]|^\W*$|^\s*"\w+"\s*:/.test(first)
}

/** Genotypes of several loci in every row: a row is a person. */
function holdGlStrings(lines: readonly string[]): boolean {
  const rows = lines.slice(1, MOST_ROWS).filter((line) => line !== '')
  return rows.length > 0 && rows.every((line) => JOINED_LOCI.test(line))
}

const MOST_ROWS = 20
/** Or of numbers. */
const OF_TYPINGS = /:|^\d*$|\*\d/
const JOINED_LOCI = /[\dA-Z]\^(?:HLA-)?[A-Z][A-Z0-9]*\*\d/

function headerNames(line: string, { delimiter }: Dialect): string[] {
  return line.split(delimiter).map((name) => name.trim().replace(/^"|"$/g, ''))
}
