/** The order of names, and of the parts of GL Strings. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import {
  compareNames,
  compareText,
  distinctParts,
  joinParts,
  parsePart,
  sortNames,
  sortParts,
} from '../../src/nomenclature/order.ts'

test.for([
  ['numbers, not digits', ['A*01:02', 'A*01:11', 'A*01:101']],
  ['a missing field is 0', ['A*01:01', 'A*01:01:01', 'A*01:01:01:01', 'A*01:01:02']],
  [
    'letters and loci only between equal numbers',
    ['A*01:01', 'A*01:01N', 'B*01:01', 'HLA-A*01:01', 'A*01:02'],
  ],
  ['first fields before loci', ['C*01:02', 'B*07:02', 'A*24:02']],
  ['antigens by number', ['Cw1', 'A2', 'B7', 'Cw10', 'A203']],
  ['first fields of loci with a number by text', ['DRB1*04', 'DRB1*15']],
  ['codes behind numbers', ['A*01:99', 'A*01:AB', 'A*01:XX']],
  ['… and so what is not all digits', ['B*01:02', 'A*01:99', 'A*01:01C', 'A*01:B01']],
  ['a letter before digits is no number', ['B*01:02', 'A*01:B01']],
  ['letters behind a locus that has one', ['DPB1*04:01N', 'DPB1*04:02']],
  ['antigens without a number last', ['A2', 'Cw10', 'A']],
  ['names without a colon before those with the same number', ['A1', 'A*01:99', 'A*01:AB', 'A2', 'A*02:01']],
  ['a missing field before loci', ['C*01:01', 'B*01:01:01', 'A*01:01:01:01']],
  ['a field that is no number is 0 behind the second', ['A*01:01:AB', 'B*01:01', 'A*01:01:01']],
  ['fields of any length', ['A*01:4094', 'A*01:4095', 'A*01:10000']],
  ['… in all places', ['A*5000:50000:5000:5000', 'A*5001:5000:5000:5000']],
  ['long fields before codes', ['B*01:4093', 'B*01:4094', 'B*01:4095', 'A*01:AB']],
  ['reduced names by their number', ['A*01:01ARS', 'A*01:02', 'A*01:02ARS']],
] as const)('%s', ([, names]) => {
  expect(sortNames([...names].reverse())).toEqual(names)
  expect([...names].reverse().sort(compareNames)).toEqual(names)
})

const field = fc.constantFrom('01', '02', '11', '101', 'AB', 'XX', '01N', '01G')
const name = fc
  .tuple(fc.constantFrom('A', 'DRB1', 'HLA-A', 'DQA1'), fc.array(field, { minLength: 1, maxLength: 4 }))
  .map(([locus, fields]) => `${locus}*${fields.join(':')}`)
const anyName = fc.oneof(
  name,
  fc.constantFrom('A1', 'A2', 'Cw10', 'DR8', 'DQ8', 'MICA*002', 'A*01ARS', '12', '3', ''),
)

test('the first is less, and equal names are equal', () => {
  expect(['A*01:02', 'A*01:01', 'A*01:00'].map((name) => Math.sign(compareNames('A*01:01', name)))).toEqual([
    -1, 0, 1,
  ])
  expect(['B*01:01', 'A*01:01'].map((name) => Math.sign(compareNames('A*01:01', name)))).toEqual([-1, 0])
  expect(['b', 'a', ''].map((text) => compareText('a', text))).toEqual([-1, 0, 1])
})

describe('the order is total', () => {
  test('of two different names one comes first', () => {
    fc.assert(
      fc.property(anyName, anyName, (a, b) => {
        expect(Math.sign(compareNames(a, b))).toBe(-Math.sign(compareNames(b, a)) || 0)
        expect(compareNames(a, b) === 0).toBe(a === b)
      }),
    )
  })

  test('it is transitive', () => {
    fc.assert(
      fc.property(anyName, anyName, anyName, (a, b, c) => {
        if (compareNames(a, b) <= 0 && compareNames(b, c) <= 0)
          expect(compareNames(a, c)).toBeLessThanOrEqual(0)
      }),
    )
  })

  test('sorting gives the same whatever the order before', () => {
    fc.assert(
      fc.property(fc.array(anyName), (names) => {
        expect(sortNames(names)).toEqual(sortNames([...names].reverse()))
      }),
    )
  })
})

describe('sortParts', () => {
  test.for([
    [['B*07:02', 'A*01:01'], 'A*01:01 B*07:02'],
    [['A*30:01/A*30:02', 'A*24:02', 'B*07:02'], 'A*30:01/A*30:02 B*07:02 A*24:02'],
    [['B*07:02', 'A*24:02+A*24:03', 'C*01:02'], 'A*24:02+A*24:03 C*01:02 B*07:02'],
    [['B*07:02', 'A*24:02/A*24:03'], 'A*24:02/A*24:03 B*07:02'],
    [['A*30:01', 'A*24:02/A*24:03'], 'A*24:02/A*24:03 A*30:01'],
    [['A*01:01/A*02:01', 'A*01:01'], 'A*01:01 A*01:01/A*02:01'],
    [['A*01:01', 'A*01:01'], 'A*01:01 A*01:01'],
    // an operator of each kind makes a part
    [
      ['B*08:01', 'A*30:01~A*30:02', 'B*07:02?B*07:05', 'A*24:02'],
      'A*30:01~A*30:02 B*07:02?B*07:05 B*08:01 A*24:02',
    ],
    [
      ['B*08:01', 'A*30:01^A*30:02', 'B*07:02|B*07:05', 'A*24:02'],
      'A*30:01^A*30:02 B*07:02|B*07:05 B*08:01 A*24:02',
    ],
    // no letter is an operator
    [['Ax24', 'Bx7'], 'Bx7 Ax24'],
    [[], ''],
  ] as const)('%j is %s', ([parts, sorted]) => {
    expect(sortParts(parts).join(' ')).toBe(sorted)
  })

  test('puts last what is to stand last', () => {
    const isA = (part: string) => part.startsWith('A')
    expect(sortParts(['B*07:02', 'A*01:01', 'C*07:02'], isA)).toEqual(['B*07:02', 'C*07:02', 'A*01:01'])
    const parts = ['DRBX*NNNN', 'DRB3*01:01', 'DRB3*02:02/DRB3*02:03']
    expect(sortParts(parts, (part) => part.endsWith('NNNN'))).toEqual([
      'DRB3*01:01',
      'DRB3*02:02/DRB3*02:03',
      'DRBX*NNNN',
    ])
  })

  test('keeps every part, and does not look at how they were given', () => {
    const part = fc.array(anyName, { minLength: 1, maxLength: 2 }).map((names) => names.join('+'))
    fc.assert(
      fc.property(fc.array(part), (parts) => {
        const sorted = sortParts(parts)
        expect([...sorted].sort(compareText)).toEqual([...parts].sort(compareText))
        expect(sortParts([...parts].reverse())).toEqual(sorted)
      }),
    )
  })
})

test('distinct parts are those of the names, in their order, in a short list as in a long one', () => {
  const parts = new Map<string, ReturnType<typeof parsePart>>()
  const partOf = (text: string) => {
    const part = parts.get(text) ?? parsePart(text)
    parts.set(text, part)
    return part
  }
  fc.assert(
    fc.property(fc.array(anyName), fc.boolean(), (names, isLong) => {
      const texts = isLong
        ? [...names, ...names, ...Array.from({ length: 70 }, (_, at) => `A*01:${at}`)]
        : names
      const distinct = distinctParts(texts.map(partOf)).map(({ text }) => text)
      expect(distinct).toEqual(sortNames(new Set(texts)))
      expect(joinParts(distinct.map(partOf))).toBe(distinct.join('/'))
    }),
  )
})
