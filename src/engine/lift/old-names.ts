/** The present spelling of names from before April 2010 (specification 1.11). */
import { HlaError } from '../../errors.ts'
import { hasPrefix, PREFIX, withoutPrefix } from '../../nomenclature/allele.ts'
import { respellVersion2 } from '../../nomenclature/version2.ts'
import type { Engine } from '../engine.ts'

/**
 * By the exceptions, else by the rules; the text itself when none applies. Whether such an allele exists is not asked.
 * @throws {HlaError} bad-syntax — not one `*`
 */
export function presentSpellingOf({ release }: Engine, name: string): string {
  const bare = withoutPrefix(name)
  if (bare.split('*').length !== 2) {
    const message = 'an old name is a locus, one "*" and digits'
    throw new HlaError('bad-syntax', message, { offending: name, position: [0, name.length] })
  }
  const respelled = release.facts.oldNames[bare] ?? respellVersion2(bare)
  return hasPrefix(name) ? PREFIX + respelled : respelled
}
