/** Parts of names: fields, expression letters, prefix. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  couldBeListed,
  countFields,
  cutFields,
  readExpression,
  firstField,
  hasPrefix,
  insertStar,
  isGrouped,
  isAccession,
  isNumbered,
  readLocus,
  threeFields,
  twoFields,
  withoutGroupLetter,
  withoutPrefix,
} from '../../src/nomenclature/allele.ts'
import { publishedCodes, publishedList } from '../support/history.ts'
import { isInSample } from '../support/rounds.ts'
import { hasShared } from '../support/shared.ts'

test.for([
  ['A*01:01:01:01', 'A*01', 'A*01:01', 'A*01:01:01'],
  ['A*01:04:01:01N', 'A*01', 'A*01:04', 'A*01:04:01'],
  ['A*01:11N', 'A*01', 'A*01:11N', 'A*01:11N'],
  ['A*01:52:01N', 'A*01', 'A*01:52', 'A*01:52:01N'],
  ['A*01:01:01G', 'A*01', 'A*01:01', 'A*01:01:01'],
  ['A*01:02P', 'A*01', 'A*01:02', 'A*01:02'],
  ['MICA*002', 'MICA*002', 'MICA*002', 'MICA*002'],
] as const)('%s: %s, %s, %s', ([name, first, two, three]) => {
  expect([firstField(name), twoFields(name), threeFields(name)]).toEqual([first, two, three])
})

test.for([
  ['A*01:01', ''],
  ['A*01:04N', 'N'],
  ['A*24:02:01:02L', 'L'],
  ['B*44:02:01:02S', 'S'],
  ['A*01:01:01Q', 'Q'],
  ['A*01:01C', ''],
  ['A*01:01:01G', ''],
] as const)('the expression letter of %s is "%s"', ([name, letter]) => {
  expect(readExpression(name)).toBe(letter)
})

test.for([
  ['A*01:01', 'A'],
  ['DRB1*15', 'DRB1'],
  ['A2', 'A2'],
  ['A*01*01', 'A'],
  ['*01:01', ''],
] as const)('the locus of %s is %s', ([name, locus]) => {
  expect(readLocus(name)).toBe(locus)
})

describe('the prefix', () => {
  test.for([
    ['HLA-A*01:01', 'A*01:01'],
    ['HLA-', ''],
    ['HLA-HLA-A*01:01', 'HLA-A*01:01'],
    ['hla-A*01:01', 'hla-A*01:01'],
    ['HLAA*01:01', 'HLAA*01:01'],
  ] as const)('%s without it is %s', ([name, bare]) => {
    expect(withoutPrefix(name)).toBe(bare)
    expect(hasPrefix(name)).toBe(name !== bare)
  })
})

test.for([
  ['HLA00001', true],
  ['HLA123456', true],
  ['HLA0001', false],
  ['HLA1234567', false],
  ['xHLA00001', false],
  ['HLA00001x', false],
  ['hla00001', false],
] as const)('%s is an accession: %s', ([text, expected]) => expect(isAccession(text)).toBe(expected))

test.for([
  ['A*01', true],
  ['DRB1*15:01:01:01Q', true],
  ['xA*01', false],
  ['A*01:01x', false],
  ['A*01:01NN', false],
  ['A*', false],
  ['A*:01', false],
  ['A*01:', false],
  ['A*01:XX', false],
] as const)('%s is a name of numbers: %s', ([name, expected]) => expect(isNumbered(name)).toBe(expected))

test.for([
  ['DRB11501', 'DRB1*1501'],
  ['A-02:01', 'A*02:01'],
  ['DRA_01:01', 'DRA*01:01'],
  ['A02-01', 'A*02-01'],
  // no digit, or not at once
  ['Ax02', 'Ax02'],
  ['A-_02', 'A-_02'],
  ['X02:01', 'X02:01'],
  ['A02*01', 'A02*01'],
] as const)('%s with a star is %s', ([text, name]) => expect(insertStar(text)).toBe(name))

test('loci with G and P groups', () => {
  const grouped = 'A B C DMA DMB DOA DOB DPA1 DPB1 DQA1 DQB1 DRA DRB1 DRB3 DRB4 DRB5 E F G'.split(' ')
  expect([...grouped, 'DRB2', 'H', 'MICA', 'TAP1', ''].filter(isGrouped)).toEqual(grouped)
})

test('only G and P are letters of groups, and only one is taken', () => {
  expect(['A*01:01:01G', 'A*01:01P', 'A*01:01g', 'A*01:01GG'].map(withoutGroupLetter)).toEqual([
    'A*01:01:01',
    'A*01:01',
    'A*01:01g',
    'A*01:01G',
  ])
})

test('cutting to as many fields as there are changes nothing', () => {
  const field = fc.integer({ min: 1, max: 9999 }).map(String)
  fc.assert(
    fc.property(
      fc.array(field, { minLength: 1, maxLength: 4 }),
      fc.integer({ min: 1, max: 6 }),
      (fields, count) => {
        const name = `DRB1*${fields.join(':')}`
        expect(countFields(name)).toBe(fields.length)
        expect(cutFields(name, count)).toBe(`DRB1*${fields.slice(0, count).join(':')}`)
      },
    ),
  )
})

test('empty fields count, too', () => {
  expect([':01', 'A*01::02', 'A*'].map(countFields)).toEqual([2, 3, 1])
  expect([cutFields(':01', 1), cutFields('A*01::02', 2), cutFields('A*01:', 1)]).toEqual([
    '',
    'A*01:',
    'A*01',
  ])
})

describe('what a release could list', () => {
  test.for([
    ['A*01:01', true],
    ['A*02:1040', true],
    ['DPB1*1372:01:01:01', true],
    ['A*01:01:01:02N', true],
    ['MICA*001', true],
    ['HFE*001:01:01', true],
    // surplus and missing zeros
    ['A*02:01:0101', false],
    ['A*02:01:001', false],
    ['A*2:01', false],
    ['A*002:01', false],
    ['MICA*01:01', false],
    ['MICB*0001', false],
    // fields count from 1
    ['A*02:01:0Q', false],
    ['A*02:01:00', false],
    ['MICA*000', false],
    // too many digits or fields, or too few
    ['A*02:01:10000', false],
    ['A*02:01:1234567890123456789012', false],
    ['A*01:01:01:01:01', false],
    ['A*01', false],
    // other forms
    ['A*0101', false],
    ['A*01:01NQ', false],
    ['A*01:01:01G', false],
    ['A*01:AB', false],
    ['A2', false],
  ] as const)('%s: %s', ([name, expected]) => expect(couldBeListed(name)).toBe(expected))

  test.skipIf(!hasShared)('every name of every published list, and none with one zero more or less', () => {
    const codes = publishedCodes().filter((code) => code === '3580' || isInSample(code, 10))
    const all = [...new Set(codes.flatMap((code) => publishedList(code).map(([, name]) => name)))]
    expect(all.length).toBeGreaterThan(41_000)
    expect(all.filter((name) => !couldBeListed(name))).toEqual([])
    const more = all.flatMap((name) => eachField(name, (field) => `0${field}`))
    const less = all.flatMap((name) => eachField(name, (field) => field.replace(/^0/, '')))
    expect(more.length).toBeGreaterThan(100_000)
    expect(less.length).toBeGreaterThan(50_000)
    expect([...more, ...less].filter(couldBeListed)).toEqual([])
  })
})

/** The name with one field changed, for each that the change alters. */
function eachField(name: string, change: (field: string) => string): string[] {
  return [...name.matchAll(/(?<=[*:])\d+/g)].flatMap(({ 0: field, index }) =>
    change(field) === field ? [] : [name.slice(0, index) + change(field) + name.slice(index + field.length)],
  )
}
