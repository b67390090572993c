/** Parts of names: fields, expression letters, prefix. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  countFields,
  cutFields,
  readExpression,
  firstField,
  hasPrefix,
  readLocus,
  threeFields,
  twoFields,
  withoutGroupLetter,
  withoutPrefix,
} from '../../src/nomenclature/allele.ts'

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
