/** Parts of errors in a table: their place, and the input at fault. */
import { type Advice, advice } from '../advice.ts'
import { HlaError } from '../errors.ts'

/** The same error with its place before the message. */
export function errorAt(place: Advice, error: HlaError): HlaError {
  const { code, said, offending, suggestions, hint } = error
  return new HlaError(code, advice`${place}: ${said}`, { offending, suggestions, hint, cause: error })
}

/** Beginning of an input's text, for messages that quote it. */
export function quoted(text: string, most = 60): string {
  return JSON.stringify(text.slice(0, most))
}
