/** Alleles and names that a name stands for. */
import { countFields, twoFields } from '../../nomenclature/allele.ts'
import type { Release } from '../../reference/release.ts'
import type { Engine } from '../engine.ts'

/** Expands a member such as `B*44:23N` to the alleles with that letter below `B*44:23`. */
export function withoutShortNull(name: string, { release, options }: Engine): readonly string[] {
  const alleles = options.off.includes('null') ? undefined : release.listOf('shortNull', name)
  return alleles ?? [name]
}

/**
 * Members of a group, alleles below a short name, or the allele itself. An unlisted name without a letter, whose first
 * two fields only null alleles have, stands for these: `A*01:04:99`.
 */
export function coveredAlleles(name: string, release: Release): readonly string[] {
  const covered = release.listOf('groupMembers', name) ?? release.listOf('who', name)
  if (covered !== undefined || release.is('allele', name) || countFields(name) < 3 || !/\d$/.test(name))
    return covered ?? [name]
  const alleles = release.listOf('who', twoFields(name)) ?? []
  return alleles.length > 0 && alleles.every(isNull) ? alleles : [name]
}

/** True for an allele that is not expressed; an absent gene (`NNNN`) is none. */
export function isNull(allele: string): boolean {
  return /\dN$/.test(allele)
}
