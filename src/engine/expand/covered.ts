/** Alleles and names that a name stands for. */
import type { Release } from '../../reference/release.ts'
import type { Engine } from '../engine.ts'

/** Expands a member such as `B*44:23N` to the alleles with that letter below `B*44:23`. */
export function withoutShortNull(name: string, { release, options }: Engine): readonly string[] {
  const alleles = options.off.includes('null') ? undefined : release.listOf('shortNull', name)
  return alleles ?? [name]
}

/** Members of a group, alleles below a short name, or the allele itself. */
export function coveredAlleles(name: string, release: Release): readonly string[] {
  return release.listOf('groupMembers', name) ?? release.listOf('who', name) ?? [name]
}

/** True for an allele that is not expressed; an absent gene (`NNNN`) is none. */
export function isNull(allele: string): boolean {
  return /\dN$/.test(allele)
}
