/** All typing programs whose files are read, in the order they are tried. Pure. */
import { JSON_PROGRAMS } from './json-programs.ts'
import { LINE_PROGRAMS } from './line-programs.ts'
import { HIBAG, LONG_PROGRAMS } from './long-programs.ts'
import type { ProgramFormat } from './program-format.ts'

export const PROGRAMS: readonly ProgramFormat[] = [
  ...LONG_PROGRAMS,
  ...LINE_PROGRAMS,
  ...JSON_PROGRAMS,
  HIBAG,
]

/** Program that wrote the file; undefined for an unknown one. */
export function recognizeProgram(lines: readonly string[]): ProgramFormat | undefined {
  return PROGRAMS.find(({ isWrittenBy }) => isWrittenBy(lines))
}
