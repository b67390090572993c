/** Completes a leaf without its locus (`B*07:02/07:06`) from the leaf before it. */
import { advice, clause, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import { hasPrefix, readLocus, PREFIX, withoutPrefix } from '../../nomenclature/allele.ts'
import type { GlLeaf } from '../../nomenclature/gl-string.ts'
import type { Engine } from '../engine.ts'
import { isKnownName } from '../names.ts'

/**
 * Adds the full name as suggestion; returns the error unchanged unless the leaf consists of fields after a leaf with a
 * locus, which together are a name.
 */
export function addLastLocus(
  error: HlaError,
  leaf: GlLeaf,
  last: GlLeaf | undefined,
  engine: Engine,
): HlaError {
  const bare = withoutPrefix(last?.text ?? '')
  if (!bare.includes('*') || !/^\*?\d+(?::\d+)+[A-Z]?$/.test(leaf.text)) return error
  const name = `${readLocus(bare)}*${leaf.text.replace('*', '')}`
  if (!isKnownName(name, engine)) return error
  const meant = `${hasPrefix(last?.text ?? '') ? PREFIX : ''}${name}`
  return new HlaError(error.code, error.message, {
    offending: error.offending,
    position: error.position,
    suggestions: [meant],
    hint: advice`every allele needs its locus; did you mean ${meant}?${clause` (${option('accept', 'shorthand')})`}`,
    cause: error,
  })
}
