/** Names that begin with something, held to a search through all. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexNames } from '../../../src/engine/suggest/release-names.ts'
import { smallRelease } from '../../support/small-release.ts'

test('withPrefix gives every allele that begins so, in the order of the release, and no other', () => {
  const release = smallRelease()
  const names = indexNames(release)
  const all = Array.from({ length: release.size }, (_, id) => id)
    .filter((id) => release.isKind('allele', id))
    .map((id) => release.nameOf(id))
  const beginning = fc
    .tuple(fc.constantFrom(...all), fc.nat(16))
    .map(([name, length]) => name.slice(0, length))
  const prefix = fc.oneof(beginning, fc.constantFrom('A*18', 'A*18:', 'ZZ*', 'C*', '', '*', ':'))
  fc.assert(
    fc.property(prefix, (one) => {
      expect([...names.withPrefix(one)]).toEqual(all.filter((name) => name.startsWith(one)))
    }),
    { numRuns: 300 },
  )
})
