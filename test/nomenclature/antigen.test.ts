/** Names of antigens, without a release. */
import { describe, expect, test } from 'vitest'
import {
  findDrb345,
  formatWhoSpelling,
  isNamedIn2026,
  nameAntigen,
  otherSpelling,
  parseAntigen,
  parseWhoSpelling,
  readNameLocus,
} from '../../src/nomenclature/antigen.ts'

test.for([
  ['A23', 'A', '23'],
  ['A23(9)', 'A', '23'],
  ['Cw9(w3)', 'Cw', '9'],
  ['DR5202', 'DR', '5202'],
] as const)('%s is %s and %s', ([text, letters, number]) => {
  expect(parseAntigen(text)).toEqual({ letters, number })
})

test.for(['xA23', 'A23x', 'A23(9)x', 'A23(x)', '23', 'A', 'Aw', 'A*23', 'a23', ''])(
  '%j is not an antigen',
  (text) => expect(parseAntigen(text)).toBeUndefined(),
)

describe('a split with its broad antigen', () => {
  test.for([
    ['A23(9)', { split: 'A23', broad: 'A9' }],
    ['Cw9(w3)', { split: 'Cw9', broad: 'Cw3' }],
    ['DR11(5)', { split: 'DR11', broad: 'DR5' }],
  ] as const)('%s', ([text, antigens]) => {
    expect(parseWhoSpelling(text)).toEqual(antigens)
    expect(formatWhoSpelling(antigens)).toBe(text)
  })

  test.for(['A23', 'xA23(9)', 'A23(9)x', '23(9)', 'A(9)', 'A23()'])('%s is none', (text) =>
    expect(parseWhoSpelling(text)).toBeUndefined(),
  )
})

test.for([
  ['DR51', 'DRB5'],
  ['DR52', 'DRB3'],
  ['DR53', 'DRB4'],
  ['DR5202', 'DRB3'],
  ['DR5', undefined],
  ['DR54', undefined],
  ['DR520', undefined],
  ['DR52021', undefined],
  ['xDR52', undefined],
] as const)('the locus of %s beside DRB1 is %s', ([antigen, locus]) => {
  expect(findDrb345(antigen)).toBe(locus)
})

test.for([
  ['A203', 'A0203'],
  ['A0203', 'A203'],
  ['Cw103', 'Cw0103'],
  ['A23', undefined],
  ['A003', undefined],
  ['A2031', undefined],
  ['xA203', undefined],
  ['A203x', undefined],
  ['203', undefined],
] as const)('the other spelling of %s is %s', ([name, other]) => expect(otherSpelling(name)).toBe(other))

test.for([
  ['A0203', true],
  ['Cw0103', true],
  ['A203', false],
  ['DR1403', false],
  ['A02031', false],
  ['xA0203', false],
  ['0203', false],
] as const)('%s is a form of 2026: %s', ([name, expected]) => expect(isNamedIn2026(name)).toBe(expected))

test.for([
  ['7', 'A', 'A7'],
  ['7', 'B', 'B7'],
  ['7', 'C', 'Cw7'],
  ['4', 'DRB1', 'DR4'],
  ['52', 'DRB3', 'DR52'],
  ['53', 'DRB4', 'DR53'],
  ['51', 'DRB5', 'DR51'],
  ['7', 'DQB1', 'DQ7'],
  // of another locus
  ['52', 'DRB1', undefined],
  ['51', 'DRB3', undefined],
  ['4', 'DRB3', undefined],
  ['4', 'DPB1', undefined],
] as const)('%s at %s is %s', ([digits, locus, antigen]) => expect(nameAntigen(digits, locus)).toBe(antigen))

test.for([
  ['A*01:01', 'A'],
  ['A2', 'A'],
  ['Bw4', 'B'],
  ['Cw10', 'C'],
  ['Dw3', 'D'],
  ['DR4', 'DRB1'],
  ['DR52', 'DRB3'],
  ['DQ7', 'DQB1'],
  ['DPw4', 'DPB1'],
  ['FOO1', 'FOO'],
] as const)('%s is of %s', ([name, locus]) => expect(readNameLocus(name)).toBe(locus))
