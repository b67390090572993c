/** data/starter/alleles.tsv: one row per name with its answers. Text to rows and back. */
import { HlaError } from '../../errors.ts'
import { countFields } from '../../nomenclature/allele.ts'
import { readDataLines } from '../sources/lines.ts'

/** Header line; the file itself describes its columns. */
export const STARTER_COLUMNS = ['name', 'full', 'G', 'P', 'lgx', 'antigens', 'fullG', 'fullAntigens'] as const

export interface StarterRow {
  readonly name: string
  /** Lowest-numbered full name; for a short null (`A*01:04N`) all; empty when unknown. */
  readonly full: readonly string[]
  readonly g: readonly string[]
  /** '' when in no P group. */
  readonly p: string
  readonly lgx: string
  readonly antigens: readonly string[]
  /** G group and antigens of the full name. */
  readonly fullG: string
  readonly fullAntigens: readonly string[]
}

export type AnsweredRow = StarterRow & { readonly full: readonly [string, ...string[]] }

export function isAnswered(row: StarterRow): row is AnsweredRow {
  return row.full.length > 0
}

/** True for two-field names, which alone are in the catalogue; other rows are the full names of short nulls. */
export function isCatalogueName(name: string): boolean {
  return countFields(name) === 2
}

/** @throws {HlaError} bad-release-file — unexpected columns */
export function parseStarterRows(text: string): StarterRow[] {
  const [head, ...lines] = readDataLines(text)
  if (head?.text !== STARTER_COLUMNS.join('\t'))
    throw new HlaError('bad-release-file', 'the starter set has other columns than this version reads')
  return lines.map((line) => parseRow(line.text))
}

export function formatStarterRow(row: StarterRow): string {
  const sameG = row.g.length < 2 && (row.g[0] ?? '') === row.fullG
  const sameAntigens = row.antigens.join('/') === row.fullAntigens.join('/')
  const cells = [
    row.name,
    row.full.join('/'),
    row.g.join('/'),
    row.p,
    row.lgx,
    row.antigens.join('/'),
    sameG ? '' : row.fullG || NONE,
    sameAntigens ? '' : row.fullAntigens.join('/') || NONE,
  ]
  return cells.join('\t').trimEnd()
}

/** Explicit "none" in the last two columns, where an empty cell means "same as for the name". */
const NONE = '-'

function parseRow(line: string): StarterRow {
  const [name = '', full = '', g = '', p = '', lgx = '', antigens = '', fullG = '', fullAntigens = ''] =
    line.split('\t')
  return {
    name,
    full: splitCell(full),
    g: splitCell(g),
    p,
    lgx,
    antigens: splitCell(antigens),
    fullG: otherwise(fullG, g),
    fullAntigens: splitCell(otherwise(fullAntigens, antigens)),
  }
}

function otherwise(cell: string, same: string): string {
  return cell === NONE ? '' : cell || same
}

function splitCell(cell: string): string[] {
  return cell === '' ? [] : cell.split('/')
}
