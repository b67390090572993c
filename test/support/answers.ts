/** What an engine says to one input, as a text that can be compared. */
import type { Engine } from '../../src/engine/engine.ts'
import type { Method } from '../../src/engine/reduce/methods.ts'
import { redux } from '../../src/engine/redux.ts'
import { isHlaError } from '../../src/errors.ts'

/** The answer, or `error …` with the code. */
export function answerOf(engine: Engine, glString: string, method: Method): string {
  try {
    return redux(engine, glString, method).text
  } catch (error) {
    if (isHlaError(error)) return `error ${error.code}`
    throw error
  }
}

/** All that the starter set may say where the full release says something else. */
export const NOT_HELD = 'error starter'
