/** The first question of a kind opens files: the service asks it itself, before anybody waits for an answer. */
import type { Served } from './current.ts'
import { EXAMPLES } from './openapi/openapi-examples.ts'

/** Whatever the release answers. */
export function warmUp(served: Served): Served {
  for (const [operation, { input }] of EXAMPLES) {
    try {
      served.executor.execute(operation, input)
    } catch {
      // what cannot be answered is said to whoever asks for it; all else is answered
    }
  }
  return served
}
