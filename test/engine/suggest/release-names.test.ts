/** Names by prefix, compared with a linear search. */
import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { indexNames } from '../../../src/engine/suggest/release-names.ts'
import { smallRelease } from '../../support/small-release.ts'
import { rounds } from '../../support/rounds.ts'

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
    { numRuns: rounds(300) },
  )
})

test('a text in units is known exactly when it is as a text', () => {
  const release = smallRelease()
  const names = indexNames(release)
  const all = Array.from({ length: release.size }, (_, id) => release.nameOf(id))
  const makeUnits = (text: string) =>
    Uint16Array.from({ length: text.length }, (_, at) => text.charCodeAt(at))
  expect(all.map((name) => release.idOfText(makeUnits(name)))).toEqual([...all.keys()])
  const near = fc
    .tuple(fc.constantFrom(...all), fc.nat(16), fc.constantFrom('', '0', '1', '12', ':', 'N', 'é', 'Ā'))
    .map(([one, at, put]) => one.slice(0, at) + put + one.slice(at + 1))
  fc.assert(
    fc.property(fc.oneof(fc.constantFrom(...all), near, fc.string()), (text) => {
      expect(names.isKnownText(makeUnits(text))).toBe(names.isKnown(text))
      expect(release.idOfText(makeUnits(text))).toBe(release.idOf(text))
    }),
    { numRuns: rounds(300) },
  )
})
