/** Codes both ways, on release 3.58.0 and the list of 12,527 codes. */
import { adviceText } from '../../src/operations/faces.ts'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../src/engine/engine.ts'
import { expandCode } from '../../src/engine/mac.ts'
import { parseMac } from '../../src/engine/expand/mac.ts'
import { lookUpCodes } from '../../src/engine/expand/mac-lookup.ts'
import { macOperation } from '../../src/operations/questions/mac.ts'
import { makeKnowledge } from '../../src/operations/knowledge.ts'
import { errorOf } from '../support/errors.ts'
import { realMacs, realRelease } from '../support/releases.ts'
import { hasShared } from '../support/shared.ts'
import { rounds } from '../support/rounds.ts'

const engine = () => makeEngine(realRelease('3580'), realMacs())

test.for([
  ['A*01:AB', { text: 'A*01:AB', family: 'A*01', code: 'AB' }],
  ['A*01:XX', undefined],
  ['A*01:AB1', undefined],
  ['A*01:1AB', undefined],
  ['A*01:', undefined],
  ['A*01:AB:01', undefined],
  ['AB', undefined],
] as const)('%s has the form of the code %j', ([text, mac]) => expect(parseMac(text)).toEqual(mac))

describe.skipIf(!hasShared)('expandCode', () => {
  test.for([
    ['A*01:AB', 'A*01:01/A*01:02'],
    ['HLA-A*01:BC', 'HLA-A*01:02/HLA-A*01:03'],
    ['A*69:CFFGM', 'A*32:15/A*69:01/A*69:02'],
    ['MICA*002:AB', 'MICA*002:01/MICA*002:02'],
  ] as const)('%s is %s', ([code, names]) => {
    expect(expandCode(engine(), code).names.join('/')).toBe(names)
  })

  test.for([
    ['B*15:XX', 'xx-not-mac', 'B*15:XX'],
    ['A*04:AB', 'mac-empty-expansion', 'A*04:AB'],
    ['A*32:CFFGM', 'mac-invalid-group', 'A*32:CFFGM'],
    ['HLA-A*01:BLAH', 'unknown-mac', 'HLA-A*01:BLAH'],
    ['A*01:01', 'unknown-mac', 'A*01:01'],
    ['ZZ*01:AB', 'unknown-locus', 'ZZ*01:AB'],
    ['A*01:AB+A*02:AB', 'not-a-single-allele', '+'],
    ['+A*01:AB', 'not-a-single-allele', '+'],
    ['A*:AB', 'bad-syntax', 'A*:AB'],
  ] as const)('%s is an error', ([code, error, offending]) => {
    expect(errorOf(() => expandCode(engine(), code))).toMatchObject({ code: error, offending })
  })

  test.for([
    ['A*01:CUWRB', true],
    ['A*01:DZZZZ', true],
    ['A*01:CUWQA', false],
    ['A*01:BLAH', false],
    ['A*01:ZZZZ', false],
    ['A*01:BLAHBLAH', false],
    ['A*01:Zzzzz', false],
  ] as const)('%s is newer than the list: %s', ([code, isNewer]) => {
    const error = errorOf(() => expandCode(engine(), code))
    expect(error?.code).toBe('unknown-mac')
    const after = 'it comes after CUWRA, the last code there, so it is newer than the list'
    expect(error?.message.includes(after)).toBe(isNewer)
    expect(adviceText(error?.hint, 'command-line')?.includes('hla data mac --check') ?? false).toBe(isNewer)
  })

  test('says how an XX code is expanded', () => {
    expect(adviceText(errorOf(() => expandCode(engine(), 'B*15:XX'))?.hint, 'command-line')).toBe(
      "use: hla mac --xx 'B*15:XX'   or   hla redux -m U2 'B*15:XX'",
    )
  })

  test('expands XX codes when asked to, and says what is known wrong about C*10', () => {
    expect(expandCode(engine(), 'HLA-A*43:XX', { xx: true }).names).toEqual([
      'HLA-A*43:01',
      'HLA-A*43:02N',
      'HLA-A*43:03',
    ])
    expect(expandCode(engine(), 'C*10:XX', { xx: true }).notes).toMatchObject([{ code: 'c10' }])
    expect(errorOf(() => expandCode(engine(), 'A*99:XX', { xx: true }))?.code).toBe('unknown-allele')
  })

  test('gives the definition when validity does not matter', () => {
    expect(expandCode(engine(), 'A*04:AB', { raw: true }).names).toEqual(['A*04:01', 'A*04:02'])
  })
})

describe.skipIf(!hasShared)('lookUpCodes', () => {
  test.for([
    ['A*01:02/A*01:01/A*01:03', 'A*01:MN'],
    ['HLA-A*01:01/HLA-A*01:02', 'HLA-A*01:AB'],
    ['A*01:01/A*01:02', 'A*01:AB'], // the shortest one, though ABC is first in the list
    ['A*01:02/A*01:01/A*01:02', 'A*01:AB'],
    ['C*04:27/C*04:105', 'C*04:NZZG'], // digits of unequal length
    ['A*32:15/A*69:01/A*69:02', 'A*69:CFFGM'],
  ] as const)('%s is %s', ([list, code]) => {
    expect(lookUpCodes(engine(), list).codes[0]).toBe(code)
  })

  test.for([
    ['A*01:01/B*01:02', 'mixed-loci', 'B*01:02', [8, 15]],
    ['A*01:01:01/A*01:02', 'no-mac', 'A*01:01:01', [0, 10]],
    ['A*01:01/A*01:AB', 'no-mac', 'A*01:AB', [8, 15]],
    ['A*01:01/02', 'bad-syntax', '02', [8, 10]],
    ['A*01:01', 'no-mac', 'A*01:01', [0, 7]],
    ['A*01:01+A*01:02', 'not-a-single-allele', '+', [7, 8]],
    ['ZZ*01:01/ZZ*01:02', 'unknown-locus', 'ZZ*01:01', [0, 8]],
    ['A1/A2', 'no-mac', 'A1', [0, 2]],
    ['', 'empty-part', '', [0, 0]],
  ] as const)('%s is an error', ([list, code, offending, position]) => {
    expect(errorOf(() => lookUpCodes(engine(), list))).toMatchObject({ code, offending, position })
  })

  test.for([
    ['A*01:01/A*01:01', 'stands for this allele'],
    ['A*01:01/A*01:997/A*01:01', 'stands for exactly these 2 alleles'],
  ] as const)('%s: no code %s', ([list, words]) => {
    expect(errorOf(() => lookUpCodes(engine(), list))?.message).toContain(words)
  })

  test('warns when none of the alleles exists', () => {
    const { codes, notes } = lookUpCodes(engine(), 'A*77:01/A*77:02')
    expect(codes[0]).toBe('A*77:AB')
    expect(notes).toMatchObject([{ level: 'warning', code: 'unknown-allele', position: [0, 7] }])
    expect(lookUpCodes(engine(), 'A*01:01/A*01:02').notes).toEqual([])
  })

  test('finds a code for what a code stands for, in any order', () => {
    const codes = [...realMacs().codesWithPrefix('C')].slice(0, 300)
    fc.assert(
      fc.property(fc.constantFrom(...codes), fc.infiniteStream(fc.nat()), (code, random) => {
        const { generic, members } = realMacs().expand(code) ?? { generic: true, members: [] }
        const names = members.map((member) => (generic ? `A*01:${member}` : `A*${member}`))
        const shuffled = names
          .map((name) => ({ name, key: random.next().value ?? 0 }))
          .sort((a, b) => a.key - b.key)
        const found = lookUpCodes(engine(), shuffled.map(({ name }) => name).join('/')).codes
        expect(found.map((one) => one.slice(one.indexOf(':') + 1))).toContain(code)
      }),
      { numRuns: rounds(50) },
    )
  })
})

describe.skipIf(!hasShared)('macOperation', () => {
  const knowledge = () => makeKnowledge({ release: realRelease('3580'), mac: realMacs() })

  test('chooses the direction by the form of the input', () => {
    expect(macOperation.run({ gl_string: 'A*01:AB' }, knowledge())).toEqual({
      mac: 'A*01:AB',
      gl_string: 'A*01:01/A*01:02',
      alleles: ['A*01:01', 'A*01:02'],
      direction: 'expand',
    })
    const found = macOperation.run({ gl_string: 'A*01:01/A*01:02', all_codes: true }, knowledge())
    expect(found).toMatchObject({
      mac: 'A*01:AB',
      gl_string: 'A*01:01/A*01:02',
      macs: ['A*01:AB', 'A*01:ABC'],
    })
    expect(macOperation.toText(found)).toBe('A*01:AB/A*01:ABC')
  })

  test('keeps to the direction it is given', () => {
    const lookup = () => macOperation.run({ gl_string: 'A*01:AB', direction: 'lookup' }, knowledge())
    expect(errorOf(lookup)?.code).toBe('no-mac')
    const expand = () => macOperation.run({ gl_string: 'A*01:01/A*01:02', direction: 'expand' }, knowledge())
    expect(errorOf(expand)?.code).toBe('not-a-single-allele')
  })
})
