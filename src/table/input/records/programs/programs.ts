/** All typing programs whose files are read, in the order they are tried. Pure. */
import { ARCAS_HLA } from './arcas-hla.ts'
import { HIBAG } from './hibag.ts'
import { HISAT_GENOTYPE } from './hisat-genotype.ts'
import { HLA_FOREST } from './hla-forest.ts'
import { HLA_HD } from './hla-hd.ts'
import { HLA_MINER } from './hla-miner.ts'
import { LONG_PROGRAMS } from './long-programs.ts'
import { POLYSOLVER } from './polysolver.ts'
import { SPEC_HLA } from './spec-hla.ts'
import { T1K } from './t1k.ts'
import { X_HLA } from './x-hla.ts'
import type { ProgramFormat } from './line-records.ts'

export const PROGRAMS: readonly ProgramFormat[] = [
  ...LONG_PROGRAMS,
  HLA_HD,
  T1K,
  POLYSOLVER,
  SPEC_HLA,
  HLA_MINER,
  HISAT_GENOTYPE,
  HLA_FOREST,
  ARCAS_HLA,
  X_HLA,
  HIBAG,
]

/** Program that wrote the file; undefined for an unknown one. */
export function recognizeProgram(lines: readonly string[]): ProgramFormat | undefined {
  return PROGRAMS.find(({ isWrittenBy }) => isWrittenBy(lines))
}
