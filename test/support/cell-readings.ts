/** Cells as the small release reads them. */
import { type CellContext, readCell } from '../../src/table/cells/cells.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { makeTokens } from '../../src/table/cells/tokens.ts'
import { isHlaError } from '../../src/errors.ts'
import { smallRelease } from './small-release.ts'

export const small = makeNameFacts(smallRelease())

export function context(locus: string | undefined, more: Partial<CellContext> = {}): CellContext {
  return { locus, digits: 'error', tokens: makeTokens({}), accept: [], facts: small, ...more }
}

/** The GL String, the status of a token in brackets, or `!` and the code of an error. */
export function read(text: string, at: CellContext): string {
  try {
    const reading = readCell(text, at)
    return reading.kind === 'token' ? `(${reading.status})` : reading.glString
  } catch (error) {
    if (isHlaError(error)) return `! ${error.code}`
    throw error
  }
}
