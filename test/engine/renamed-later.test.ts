/** The warning about names that a later release spells differently. */
import { describe, expect, test } from 'vitest'
import { renamedLater } from '../../src/engine/lift/renamed-later.ts'
import { publishedHistory } from '../support/history.ts'
import { hasShared } from '../support/shared.ts'

describe.skipIf(!hasShared)('renamedLater', () => {
  test.for([
    ['A*01:01:01:01', '3.29.0', []],
    ['A*01:04N', '3.29.0', ['A*01:04N is called A*01:04:01:01N in 3.58.0']],
    ['HLA-A*30:100+A*01:01', '3.29.0', ['HLA-A*30:100 is called A*30:02:12 in 3.58.0']],
    ['A*01:01', '3.29.0', []], // an abbreviation: in no list
    ['A*01:04:01:01N', '3.58.0', []], // the latest release has no later one
  ] as const)('%s in %s', ([given, release, expected]) => {
    expect(renamedLater(publishedHistory(), given, release).map(({ message }) => message)).toEqual(expected)
  })
})
