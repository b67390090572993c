/** Completes prefixes of names, on release 3.58.0. */
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { namesLike, type SimilarKind } from '../../src/engine/suggest/similar.ts'
import { compareNames } from '../../src/nomenclature/order.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { similarOperation } from '../../src/operations/questions/similar.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { rounds } from '../support/rounds.ts'

describe.skipIf(!hasShared)('namesLike', () => {
  const engine = () => makeEngine(realRelease('3580'), realMacs())
  const like = (prefix: string, kind?: SimilarKind) => [...namesLike(engine(), prefix, kind)]

  test.for([
    ['A*01:290', 'A*01:290N'],
    [
      'A*01:11',
      'A*01:11N/A*01:110/A*01:111/A*01:112/A*01:113/A*01:114/A*01:115/A*01:116/A*01:117/A*01:118/A*01:119',
    ],
    ['HLA-DPB1*1037', 'HLA-DPB1*1037:01'],
    ['a*01:290n', 'A*01:290N'],
    ['A*01:AB', 'A*01:AB/A*01:ABA/A*01:ABABW'],
    ['HLA-A*01:abab', 'HLA-A*01:ABABW'],
    ['A*%', ''],
    ['A*_1', ''],
    ['A*99:', ''],
    ['ZZ*01:AB', ''],
  ] as const)('%s finds %s', ([prefix, names]) => {
    expect(
      like(prefix)
        .slice(0, names.split('/').length === 3 ? 3 : undefined)
        .join('/'),
    ).toBe(names)
  })

  test('chooses alleles or codes when told to', () => {
    expect(like('A*01:2', 'mac')).toEqual([])
    expect(like('A*01:', 'mac').length).toBeGreaterThan(1000)
    expect(like('A*01:AB', 'allele')).toEqual([])
  })

  test.for(['A*', 'A', '', 'HLA-', 'HLA-A*', '*01', 'A**'])('%j is not a prefix', (prefix) => {
    expect(errorOf(() => like(prefix))?.code).toBe('bad-syntax')
  })

  test('finds the same as a look at every name', () => {
    const release = realRelease('3580')
    const names = Array.from({ length: release.size }, (_, id) => release.nameOf(id)).filter((name) =>
      release.is('allele', name),
    )
    const lengths = fc.integer({ min: 1, max: 8 })
    fc.assert(
      fc.property(fc.constantFrom(...names), lengths, (name, length) => {
        const prefix = name.slice(0, name.indexOf('*') + 1 + length)
        const found = like(prefix, 'allele')
        expect(found.toSorted()).toEqual(names.filter((one) => one.startsWith(prefix)).toSorted())
        expect(found).toEqual(found.toSorted(compareNames))
      }),
      { numRuns: rounds(60) },
    )
  })
})

describe.skipIf(!hasShared)('similarOperation', () => {
  const run = (input: Parameters<typeof similarOperation.run>[0]) =>
    similarOperation.run(input, makeKnowledge({ release: realRelease('3580'), mac: realMacs() }))

  test('lists, counts and stops', () => {
    expect(run({ prefix: 'A*01:01:0', count: true })).toEqual({ prefix: 'A*01:01:0', count: 129 })
    expect(run({ prefix: 'A*01:290' })).toEqual({ prefix: 'A*01:290', similar: ['A*01:290N'], count: 1 })
    const limited = run({ prefix: 'A*01:01:0', limit: 2 })
    expect(limited).toMatchObject({ count: 2, notes: [{ code: 'limited' }] })
    expect(similarOperation.toText(limited).split('\n')).toHaveLength(2)
  })

  test('says no', () => {
    expect(errorOf(() => run({ prefix: 'A*99:' }))).toMatchObject({ code: 'no-match', position: [0, 5] })
    const none = run({ prefix: 'A*99:', count: true })
    expect([similarOperation.toText(none), similarOperation.isNegative?.(none)]).toEqual(['0', true])
  })
})
