/** The HATS column of rel_dna_ser.txt, published from 3.64.0 on (specification 7.3). */
import { readLocus, threeFields, twoFields } from '../../nomenclature/allele.ts'
import type { DnaSerologyRow } from '../sources/dna-serology.ts'

const LETTERS: Readonly<Record<string, string>> = {
  C: 'Cw', DRB1: 'DR', DRB3: 'DR', DRB4: 'DR', DRB5: 'DR', DQA1: 'DQA', DQA2: 'DQA', DQB1: 'DQ', DQB2: 'DQ',
  DPA1: 'DPA', DPA2: 'DPA', DPB1: 'DPB', DPB2: 'DPB',
} // prettier-ignore

/** Name -> antigen. Short names take the value of the last row below them. */
export function compileHats(rows: readonly DnaSerologyRow[]): Map<string, string> {
  const valued = rows.flatMap(({ allele, hats }) =>
    hats ? [[allele, hatsAntigen(allele, hats)] as const] : [],
  )
  const table = new Map(valued)
  for (const form of [twoFields, threeFields])
    for (const [allele, value] of valued) table.set(form(allele), value)
  return table
}

/** Published value with its antigen letters. */
export function hatsAntigen(allele: string, value: string): string {
  const locus = readLocus(allele)
  return /^[A-Za-z]/.test(value) ? value : (LETTERS[locus] ?? locus) + value
}
