/** Errors about a leaf, with its text and its offset in the whole text. */
import { type HlaError, withDetails } from '../errors.ts'
import type { GlLeaf } from '../nomenclature/gl-string.ts'

export function locateError(error: HlaError, { text, start }: GlLeaf): HlaError {
  return withDetails(error, { offending: text, position: [start, start + text.length] })
}
