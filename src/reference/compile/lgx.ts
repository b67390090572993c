/** Full name -> lgx name, for the serology tables, which are kept by lgx name (specification 7.1 and 1.7). */
import { cutFields } from '../../nomenclature/allele.ts'

export interface LgxTables {
  readonly lgx: ReadonlyMap<string, string>
  readonly pNotG: ReadonlyMap<string, string>
  readonly pNotGValues: ReadonlySet<string>
  readonly alleles: ReadonlySet<string>
}

/** Without the rescue through P groups ("ping"). */
export function plainLgx(name: string, { lgx }: LgxTables): string {
  return lgx.get(name) ?? cutFields(name, 2)
}

/** With it: alleles outside every G group take the name of their P group, and the answer is reduced once more. */
export function pingLgx(name: string, tables: LgxTables): string {
  const rescued = tables.pNotG.get(name)
  if (rescued !== undefined) return rescued
  const once = plainLgx(name, tables)
  if (once === name || tables.pNotGValues.has(once)) return once
  const twice = plainLgx(once, tables)
  return tables.alleles.has(twice) || tables.alleles.has(cutFields(twice, 2)) ? twice : once
}
