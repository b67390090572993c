/** Names from before April 2010, which had no colons: what they may be today (specification 1.11). */
import { canHaveOldNames, readLocus } from '../../nomenclature/allele.ts'
import { respellings } from '../../nomenclature/version2.ts'

/** Old names that no rule respells, and what each is today: a table of the release. */
export type OldNames = Readonly<Record<string, string>>

/** The likeliest first: by the exceptions, else by the rules; none for a name of today's form. Whether there is such an allele is not asked. */
export function presentSpellings(name: string, oldNames: OldNames): readonly string[] {
  if (!name.includes('*') || name.includes(':') || !canHaveOldNames(readLocus(name))) return []
  const exception = oldNames[name]
  return (exception === undefined ? respellings(name) : [exception]).filter((one) => one !== name)
}
