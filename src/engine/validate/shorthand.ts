/** A leaf that leaves out its locus (`B*07:02/07:06`): what was meant, from the leaf before it. */
import { advice, clause, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { hasPrefix, readLocus, PREFIX, withoutPrefix } from '../../nomenclature/allele.ts'
import type { GlLeaf } from '../../nomenclature/gl-string.ts'

/** The error with the full name as suggestion; unchanged when the leaf is not fields alone behind a leaf with a locus. */
export function addLastLocus(error: HlaError, leaf: GlLeaf, last: GlLeaf | undefined): HlaError {
  const bare = withoutPrefix(last?.text ?? '')
  if (!bare.includes('*') || !/^\*?\d+(?::\d+)+[A-Z]?$/.test(leaf.text)) return error
  const prefix = hasPrefix(last?.text ?? '') ? PREFIX : ''
  const meant = `${prefix}${readLocus(bare)}*${leaf.text.replace('*', '')}`
  return new HlaError(error.code, error.message, {
    offending: error.offending,
    position: error.position,
    suggestions: [meant],
    hint: advice`every allele needs its locus; did you mean ${meant}?${clause` (${option('accept', 'shorthand')})`}`,
    cause: error,
  })
}
