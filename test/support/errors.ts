/** The error that a call throws. */
import { type HlaError, isHlaError } from '../../src/errors.ts'

/** undefined if the call succeeds; errors other than HlaError are rethrown. */
export function errorOf(call: () => unknown): HlaError | undefined {
  try {
    call()
    return undefined
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
}
