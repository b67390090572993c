/** `wmda/rel_dna_ser.txt`: the antigens of each allele. */
import { readDataLines } from './lines.ts'

export interface DnaSerologyRow {
  /** Full name, locus included. */
  readonly allele: string
  /** Antigen numbers: unambiguous, possible and assumed ones, as one list (the expert's column is not used). */
  readonly antigens: readonly string[]
  /** HATS column, published from 3.64.0 on; undefined in files without it. */
  readonly hats: string | undefined
}

export function parseDnaSerology(text: string): DnaSerologyRow[] {
  const rows: DnaSerologyRow[] = []
  for (const { text: line } of readDataLines(text)) {
    const columns = line.split(';')
    const [locus, allele, unambiguous = '', possible = '', assumed = ''] = columns
    if (!locus || !allele || columns.length < 6) continue
    const antigens = [unambiguous, ...possible.split('/'), ...assumed.split('/')].filter(isAntigenNumber)
    rows.push({ allele: locus + allele, antigens, hats: columns[6] })
  }
  return rows
}

/** `0` is a null allele, `?` one with an unknown antigen. */
function isAntigenNumber(text: string): boolean {
  return text !== '' && text !== '0' && text !== '?'
}
