/** The engine's answer to one input, as comparable text. */
import type { Engine } from '../../src/engine/engine.ts'
import type { Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError } from '../../src/errors.ts'

/** The answer, or `error CODE`. */
export function answerOf(engine: Engine, glString: string, method: Method): string {
  try {
    return redux(engine, glString, method).text
  } catch (error) {
    if (isHlaError(error)) return `error ${error.code}`
    throw error
  }
}

/** The only answer of the starter set that may differ from the full release. */
export const NOT_HELD = 'error starter'
