/** The error a call throws, to be looked at. */
import { type HlaError, isHlaError } from '../../src/errors.ts'

/** undefined when nothing is thrown; a wrong program is thrown on. */
export function errorOf(call: () => unknown): HlaError | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
}
