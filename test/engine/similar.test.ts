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
import { smallMacs, smallRelease } from '../support/small-release.ts'
import { rounds } from '../support/rounds.ts'

describe('of a small release', () => {
  const engine = makeEngine(smallRelease(), smallMacs())
  const knowledge = makeKnowledge({ release: smallRelease(), mac: smallMacs() })

  test.for([
    ['A*43', undefined, ['A*43:01', 'A*43:02N', 'A*43:03']],
    ['A*43:', undefined, ['A*43:01', 'A*43:02N', 'A*43:03']],
    ['A*43:0', undefined, ['A*43:01', 'A*43:02N', 'A*43:03']],
    ['A*4', undefined, ['A*43:01', 'A*43:02N', 'A*43:03']],
    ['B*8', undefined, ['B*83:01']],
    ['H*01:01:01:0', undefined, ['H*01:01:01:01']],
    ['MICA*0', undefined, ['MICA*002:01', 'MICA*002:01:01']],
    ['hla-mica*002:', undefined, ['HLA-MICA*002:01', 'HLA-MICA*002:01:01']],
    ['A*01:A', undefined, ['A*01:AB', 'A*01:ABC']],
    ['HLA-A*01:A', undefined, ['HLA-A*01:AB', 'HLA-A*01:ABC']],
    ['A*01:A', 'mac', ['A*01:AB', 'A*01:ABC']],
    ['A*01:A', 'allele', []],
    ['A*43:', 'allele', ['A*43:01', 'A*43:02N', 'A*43:03']],
    // codes with first fields of their own belong to one of them
    ['A*43:', 'mac', ['A*43:AB', 'A*43:ABC', 'A*43:MN', 'A*43:NZZG']],
    ['A*69:', 'mac', ['A*69:AB', 'A*69:ABC', 'A*69:CFFGM', 'A*69:MN', 'A*69:NZZG']],
    ['A*43', 'mac', []],
    ['A*43:0', 'mac', []],
    ['A*43:01:A', 'mac', []],
    ['A*01:AB1', 'mac', []],
    ['A*01:01:A', undefined, []],
    ['ZZ*01:A', 'mac', []],
  ] as const)('%s of kind %s: %j', ([prefix, kind, names]) => {
    expect([...namesLike(engine, prefix, kind)]).toEqual(names)
  })

  test.for([
    ['A', [0, 1]],
    ['A*', [0, 2]],
    ['*01', [0, 3]],
    ['A**01', [0, 5]],
    ['HLA-', [4, 4]],
    ['HLA-A*', [4, 6]],
  ] as const)('%s has no locus and first field', ([prefix, position]) => {
    expect(errorOf(() => namesLike(engine, prefix))).toMatchObject({
      code: 'bad-syntax',
      message: 'a prefix needs a locus, "*" and the beginning of a first field',
      offending: prefix,
      position,
    })
  })

  test('kinds are alleles and codes; codes need their list', () => {
    expect(similarOperation.input.properties['kind']).toMatchObject({ enum: ['allele', 'mac'] })
    const bare = makeEngine(smallRelease())
    expect([...namesLike(bare, 'A*43:')]).toHaveLength(3)
    expect([...namesLike(bare, 'A*01:AB')]).toEqual([])
    expect(errorOf(() => [...namesLike(bare, 'A*01:AB', 'mac')])?.code).toBe('no-data')
  })

  test('an answer: listed, counted or limited', () => {
    expect(similarOperation.run({ prefix: 'A*43:', limit: 2 }, knowledge)).toEqual({
      prefix: 'A*43:',
      similar: ['A*43:01', 'A*43:02N'],
      count: 2,
      notes: [
        {
          level: 'note',
          code: 'limited',
          message: 'only the first 2 names are listed; limit 0 lists all',
        },
      ],
    })
    const all = { prefix: 'A*43:', similar: ['A*43:01', 'A*43:02N', 'A*43:03'], count: 3 }
    expect(similarOperation.run({ prefix: 'A*43:', limit: 3 }, knowledge)).toEqual(all)
    expect(similarOperation.run({ prefix: 'A*43:', limit: 0 }, knowledge)).toEqual(all)
    const counted = similarOperation.run({ prefix: 'A*43:', count: true }, knowledge)
    expect(counted).toEqual({ prefix: 'A*43:', count: 3 })
    expect([similarOperation.toText(all), similarOperation.toText(counted)]).toEqual([
      'A*43:01\nA*43:02N\nA*43:03',
      '3',
    ])
    expect([all, { prefix: 'x', count: 0 }].map((one) => similarOperation.isNegative?.(one))).toEqual([false, true]) // prettier-ignore
  })

  test('nothing that starts so: an error, or the number 0', () => {
    expect(errorOf(() => similarOperation.run({ prefix: 'A*99' }, knowledge))).toMatchObject({
      code: 'no-match',
      message: 'nothing in IPD-IMGT/HLA 3.58.0 starts with A*99',
      offending: 'A*99',
      position: [0, 4],
    })
    expect(similarOperation.run({ prefix: 'A*99', count: true }, knowledge)).toEqual({
      prefix: 'A*99',
      count: 0,
    })
  })

  test('a reply of another service is read where it is a list', () => {
    const read = (status: number, body: unknown, count?: boolean) =>
      similarOperation.http.fromReply?.({ status, body }, { prefix: 'A*43', count })
    expect(read(200, ['A*43:01', 'A*43:03'])).toEqual({
      prefix: 'A*43',
      similar: ['A*43:01', 'A*43:03'],
      count: 2,
    })
    expect(read(200, ['A*43:01', 'A*43:03'], true)).toEqual({ prefix: 'A*43', count: 2 })
    expect([read(404, ['A*43:01']), read(200, { count: 1 })]).toEqual([undefined, undefined])
    const toBody = similarOperation.http.toBody as (answer: object) => unknown
    expect([toBody({ prefix: 'x', similar: ['A'], count: 1 }), toBody({ prefix: 'x', count: 1 })]).toEqual([
      ['A'],
      { count: 1 },
    ])
  })
})

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
