/** `Allelelist.NNNN.txt`: accession number and name of every allele of a release. */
import { readDataLines } from './lines.ts'

export interface AlleleListRow {
  /** `HLA00001` */
  readonly accession: string
  readonly name: string
}

export function parseAlleleList(text: string): AlleleListRow[] {
  const rows: AlleleListRow[] = []
  for (const { text: line } of readDataLines(text)) {
    const [accession, name] = line.split(',')
    if (accession !== undefined && name !== undefined && accession !== 'AlleleID')
      rows.push({ accession, name })
  }
  return rows
}
