/** Reductions and refusals of an engine. */
import type { Engine } from '../../src/engine/engine.ts'
import { redux } from '../../src/engine/redux.ts'
import type { Method } from '../../src/engine/reduce/methods.ts'
import { type HlaError, isHlaError } from '../../src/errors.ts'

/** The answer, or `error` with its code. */
export function answerOf(engine: Engine, given: string, method: Method): string {
  try {
    return redux(engine, given, method).text
  } catch (error) {
    if (isHlaError(error)) return `error ${error.code}`
    throw error
  }
}

/** @throws if it is reduced */
export function refusalOf(engine: Engine, given: string, method: Method): HlaError {
  try {
    redux(engine, given, method)
  } catch (error) {
    if (isHlaError(error)) return error
    throw error
  }
  throw new Error(`${given} is reduced without an error`)
}
