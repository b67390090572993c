/** `wmda/hla_nom.txt`: every official name (public, confidential or deleted) and every antigen. */
import { readDataLines } from './lines.ts'

export interface Nomenclature {
  /** Alleles, public or confidential: `A*01:01:01:01`. */
  readonly inUse: ReadonlySet<string>
  readonly deleted: ReadonlySet<string>
  /** `A1`, `Cw3` */
  readonly antigens: ReadonlySet<string>
}

export function parseNomenclature(text: string): Nomenclature {
  const inUse = new Set<string>()
  const deleted = new Set<string>()
  const antigens = new Set<string>()
  for (const { text: row } of readDataLines(text)) {
    const [locus = '', name = '', , end = ''] = row.split(';')
    if (!locus.endsWith('*')) antigens.add(locus + name)
    else (end === '' ? inUse : deleted).add(locus + name)
  }
  return { inUse, deleted, antigens }
}
