/** Errors about a leaf, with its text and its offset in the whole text. */
import { HlaError } from '../errors.ts'
import type { GlLeaf } from '../nomenclature/gl-string.ts'

export function locateError(error: HlaError, { text, start }: GlLeaf): HlaError {
  const { code, message, suggestions, hint, facts } = error
  return new HlaError(code, message, {
    offending: text,
    position: [start, start + text.length],
    suggestions,
    hint,
    facts,
    cause: error,
  })
}
