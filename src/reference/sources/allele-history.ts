/**
 * `Allelelist_history.txt`: one line per accession number, one column per release, `NA` where the release lacks the
 * allele.
 */
import { HlaError } from '../../errors.ts'
import { parseCodeRelease } from '../history/release-label.ts'
import { readDataLines } from './lines.ts'

export interface AlleleHistoryColumn {
  /** `3.58.0` */
  readonly release: string
  readonly rows: Iterable<readonly [accession: string, name: string]>
}

/** @throws {HlaError} bad-release-file — no line names the columns' releases */
export function parseAlleleHistory(text: string): AlleleHistoryColumn[] {
  let codes: readonly string[] | undefined
  const rows: string[][] = []
  for (const { text: line } of readDataLines(text)) {
    const cells = line.split(',')
    if (codes === undefined && isHeader(cells)) codes = cells.slice(1)
    else if (codes !== undefined) rows.push(shareRepeats(cells))
  }
  if (codes === undefined)
    throw new HlaError('bad-release-file', 'no line names the releases of the allele history')
  return codes.map((code, at) => ({ release: parseCodeRelease(code), rows: readColumn(rows, at + 1) }))
}

/** Recognises the header by its release numbers, not by its position. */
function isHeader(cells: readonly string[]): boolean {
  return cells.length > 1 && cells.slice(1).every((cell) => /^\d{3,}$/.test(cell.trim()))
}

function readColumn(
  rows: readonly (readonly string[])[],
  column: number,
): Iterable<readonly [string, string]> {
  return {
    *[Symbol.iterator]() {
      for (const cells of rows) {
        const accession = cells[0]
        const name = cells[column]
        if (accession !== undefined && name !== undefined && name !== '' && name !== 'NA')
          yield [accession, name]
      }
    },
  }
}

/** Most alleles keep their name for decades: sharing one string instead of sixty keeps the table at a few megabytes. */
function shareRepeats(cells: string[]): string[] {
  let last = ''
  return cells.map((cell) => {
    const name = cell.trim()
    if (name !== last) last = name
    return last
  })
}
