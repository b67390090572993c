/** The first question of a kind opens files: the service asks it itself, before anybody waits for an answer. */
import { isHlaError } from '../errors.ts'
import type { Served } from './current.ts'
import { EXAMPLES } from './openapi/openapi-examples.ts'

/** Whatever the release answers. */
export function warmUp(served: Served): Served {
  for (const [operation, { input }] of EXAMPLES) {
    try {
      served.executor.execute(operation, input)
    } catch (error) {
      // an example may ask for what this release has not
      if (!isHlaError(error)) throw error
    }
  }
  return served
}
