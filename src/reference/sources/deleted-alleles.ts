/** `Deleted_alleles.txt`: names that were given up, and what became of them, in the database's own words. */
import { readDataLines } from './lines.ts'

export interface DeletedAlleleRow {
  /** `HLA00965` */
  readonly accession: string
  /** As it was when it was given up: `A*0105N`, `A*02:01:08`. */
  readonly name: string
  /** `Sequence renamed A*24:329Q (October 2019)` */
  readonly description: string
}

/**
 * Both parts of the file, deleted names and changes of the expression letter, each with its own header line.
 * Descriptions hold commas and are not quoted: they are what follows the second comma.
 */
export function parseDeletedAlleles(text: string): DeletedAlleleRow[] {
  const rows: DeletedAlleleRow[] = []
  for (const { text: line } of readDataLines(text)) {
    const [, accession, name, description] = ROW.exec(line) ?? []
    if (accession === undefined || name === undefined || description === undefined) continue
    rows.push({ accession, name, description: description.trim() })
  }
  return rows
}

/** A header line has words where a row has an accession number and a name. */
const ROW = /^([A-Z]+\d+),([^,]+\*[^,]+),"?(.*?)"?$/
