/** Difference between two spellings of one allele. */
import type { LiftStatus } from './lifted.ts'

/** All six expression letters of the nomenclature (Marsh et al. 2010), not only those in the reduction files. */
export const SUFFIXES = ['N', 'L', 'S', 'Q', 'C', 'A'] as const

export function compareLifted(before: string, after: string): LiftStatus {
  if (before === after) return 'same'
  const old = splitSuffix(before)
  const now = splitSuffix(after)
  if (old.stem === now.stem) return 'suffix'
  return old.letter === now.letter && now.stem.startsWith(`${old.stem}:`) ? 'extended' : 'renamed'
}

/** `A*24:329Q` is `A*24:329` and `Q`. */
export function splitSuffix(name: string): { stem: string; letter: string } {
  const stem = name.replace(/(?<=\d)[NLSQCA]$/, '')
  return { stem, letter: name.slice(stem.length) }
}
