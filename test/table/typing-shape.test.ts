/** Shapes of values, damage by spreadsheets, and phenotypes in one cell. */
import { describe, expect, test } from 'vitest'
import { isPhenotype, splitPhenotype } from '../../src/table/words/phenotype.ts'
import {
  areClockTimes,
  countLoci,
  distinctValues,
  findDamage,
  findOddSeparator,
  isDate,
  joinContent,
  measureShare,
  readContent,
  recognizeShape,
  withoutMarks,
} from '../../src/table/words/typing-shape.ts'

test.for([
  ['hla#3.58.0#A*01:01', 'named'],
  ['HLA#3.58.0#A*01:01', 'named'],
  ['xhla#3.58.0#A*01:01', 'other'],
  ['A*01:01', 'named'],
  ['A*1', 'named'],
  ['hla-drb1*15:01', 'named'],
  ['Cw*01:02', 'named'],
  ['A*01:01+A*02:01/A*02:02', 'named'],
  ['xyzA*01:01', 'other'],
  [' A*01:01 ', 'named'],
  ['01:01,', 'fields'],
  ['foo A*01:01', 'other'],
  ['A*01:01 foo', 'other'],
  ['A02:01', 'named'],
  ['hla-drb115:01', 'named'],
  ['xA02:01', 'other'],
  ['01:01', 'fields'],
  ['*01:ab', 'fields'],
  ['01:1', 'fields'],
  ['01:01/02', 'fields'],
  ['x01:01', 'other'],
  ['01:01!', 'other'],
  ['A2', 'antigen'],
  ['HLA-A23(9)', 'antigen'],
  ['A2/A3', 'antigen'],
  ['xA2', 'other'],
  ['A2x', 'other'],
  ['0101', 'digits'],
  ['*27AB', 'digits'],
  ['23(9)', 'digits'],
  ['x12', 'other'],
  ['12!', 'other'],
  ['45(12.5)', 'other'],
  ['A', 'other'],
  ['B 8', 'antigen'],
  ['xB 8', 'other'],
  ['Bx 8', 'other'],
  ['A2 NA', 'pair'],
  ['A2 x', 'pair'],
  ['A2 xNA', 'other'],
  ['A2 NAx', 'other'],
  ['NA NA', 'other'],
  ['01:01 24:02', 'pair'],
  ['0101,0301', 'pair'],
  ['112 0301', 'other'],
  ['01:01-24:02', 'pair'],
  ['A*01:01 & A*24:02', 'named'],
  ['A1 B8', 'phenotype'],
  ['', 'other'],
] as const)('%j is %s', ([text, shape]) => expect(recognizeShape(text)).toBe(shape))

test('names of other programs are named in a column, and only there', () => {
  expect(recognizeShape('hla_a_02_01')).toBe('other')
  expect(measureShare(['hla_a_02_01', 'DRB1_0101', 'A02_01', 'foo'], ['named'])).toBe(0.5)
  expect(measureShare([], ['named'])).toBe(1)
})

test('the beginning of a long text decides', () => {
  expect(recognizeShape(`${'A*01:01/'.repeat(1000)} foo`)).toBe('named')
})

test('a column counts its values and its distinct values by kind', () => {
  const values = ['12', '12', 'A2', '12 13', '01:01 02:01', 'B7 8', '1.5', ' 01-01-01 ', '01:02:00', 'foo', '12:30', 'B*07:02', ' A*01:01', 'HLA-A*02:01'] // prettier-ignore
  const { cells, kinds, counts, loci } = readContent(values)
  expect(cells).toBe(14)
  expect(kinds).toEqual({ named: 3, fields: 2, antigen: 1, digits: 1, pair: 2, numbers: 1, phenotype: 0, damaged: 1, other: 2 }) // prettier-ignore
  expect(counts).toEqual({ ...kinds, digits: 2 })
  expect([...loci]).toEqual([
    ['B', 1],
    ['A', 2],
  ])
})

test('two columns are counted together', () => {
  const both = joinContent(readContent(['A*01:01', '12']), readContent(['A*02:01', 'B*07:02', 'foo']))
  expect(both).toMatchObject({ cells: 5, kinds: { named: 3, digits: 1, other: 1 }, counts: { named: 3 } })
  expect([countLoci(both, 'A'), countLoci(both, 'C')]).toEqual([
    { own: 2, others: 1 },
    { own: 0, others: 3 },
  ])
  expect(distinctValues([['a', 'b'], ['b', 'c']])).toEqual(['a', 'b', 'c']) // prettier-ignore
})

test.for([
  [' 01:01-24:02 ', '-'],
  ['01:01-24:02', '-'],
  ['A*01:01 & A*24:02', '&'],
  ['a*01:01_24:02', '_'],
  ['HLA-A*01:01', undefined],
  ['01:01+24:02', undefined],
  ['01:01-24:02-03:01', undefined],
  ['x-01:01-24:02', undefined],
] as const)('the odd separator of %s is %s', ([text, separator]) => {
  expect(findOddSeparator(text)).toBe(separator)
})

test.for([
  ['time', ['10:30', '09:15'], true],
  ['time', [' 10:30 '], true],
  ['x', ['10:30', '09:15'], false],
  ['x', ['10:30', '00:15'], true],
  ['x', ['10:00:15', ' 09:15 '], true],
  ['x', ['10:00', 'foo'], true],
  ['x', ['10:00', 'foo', 'bar'], false],
  ['time', ['24:10', '09:15'], false],
  ['time', ['23:60', '09:15'], false],
  ['time', ['23:59', '09:15'], true],
  ['time', ['x10:00', 'x09:00'], false],
  ['time', ['10:00x', '09:00x'], false],
] as const)('%s %j are times: %s', ([name, values, expected]) =>
  expect(areClockTimes(name, values)).toBe(expected),
)

test.for([
  ['2024-02-01', true],
  ['2024-02-01 09:30', true],
  ['2024-02-01T09:30:00', true],
  ['1-Feb', true],
  ['01-Feb-2024', true],
  ['Feb-24', true],
  ['x2024-02-01', false],
  ['2024-02-01x', false],
  ['x1-Feb', false],
  ['1-Febx', false],
  ['01-01-01', false],
] as const)('%s is a date: %s', ([text, expected]) => expect(isDate(text)).toBe(expected))

describe('damage', () => {
  test.for([
    ['2.0', '2', 'written as a decimal number'],
    ['201,00', '201', 'written as a decimal number'],
    ['01:02:00', '01:02', 'written as a time of day'],
    ['02:101:00:00', '02:101', 'written as a time of day'],
    ['01:01:01.0', '01:01:01', 'written as a time of day'],
    ['01-01-01', '01:01:01', 'written with hyphens, as dates are'],
    ['A*01-01', 'A*01:01', 'written with hyphens, as dates are'],
    ['HLA-DRB1*15-01', 'HLA-DRB1*15:01', 'written with hyphens, as dates are'],
    ['*01-01N', '*01:01N', 'written with hyphens, as dates are'],
    ['0.0430555555555556', '01:02', 'read as a clock time by a spreadsheet'],
    [',0430555555555556', '01:02', 'read as a clock time by a spreadsheet'],
    ['.0423726851851852', '01:01:01', 'read as a clock time by a spreadsheet'],
  ] as const)('%s was %s', ([text, reading, how]) => expect(findDamage(text)).toEqual({ reading, how }))

  test.for(['x2.0', '2.0x', '2.', '2.01', 'x01:02:00', '01:02:00x', '01:02:', '01:02', 'x01:01:01.0', '01:01:01.0x', '01:01:01.', 'xA*01-01', '01-01x', 'x0.0430555', '0.0430555x', '1.0430555', 'A2', ''])(
    '%j is undamaged',
    (text) => expect(findDamage(text)).toBeUndefined(),
  ) // prettier-ignore

  test.for([
    ['="01:01"', '01:01'],
    ['=""', ''],
    ["'01:01", '01:01'],
    ["01:01'", '01:01'],
    ["'a'b'", "a'b"],
    [`'="01:01"`, '="01:01"'],
    ['="01:01"x', '="01:01"x'],
    ['x="01:01"', 'x="01:01"'],
    ["a'b", "a'b"],
  ] as const)('%s without marks is %s', ([text, bare]) => expect(withoutMarks(text)).toBe(bare))
})

describe('a phenotype', () => {
  test.for([
    ['A1, 24; B 8 44', 'A A1, A A24, B 8, B 44'],
    ['HLA-A1 B8', 'A A1, B B8'],
    ['A1 - B8 X DR4 blank', 'A A1, B B8, DRB1 DR4'],
    ['DR4,52 DR51 DR53', 'DRB1 DR4, DRB3 DR52, DRB5 DR51, DRB4 DR53'],
    ['Cw7 DQ7 DPw4', 'C Cw7, DQB1 DQ7, DPB1 4'],
    ['A23(9) 24', 'A 23(9), A A24'],
    ['A*01:01, 24:02 B*07:02', 'A *01:01, A 24:02, B *07:02'],
    // behind fields a number may be a first field
    ['A*01:01 24', 'A *01:01, A 24'],
    ['A10:01 24', 'A 10:01, A 24'],
    ['A1 24:02', 'A A1, A 24:02'],
    ['A1 *24', 'A A1, A *24'],
    ['A: 1 B= 8', 'A 1, B 8'],
    ['A0201N B07', 'A 0201N, B 07'],
  ] as const)('%s is %s', ([text, parts]) => {
    expect(
      splitPhenotype(text)
        ?.map((part) => `${part.locus} ${part.text}`)
        .join(', '),
    ).toBe(parts)
  })

  test.for(['xA1', 'A1x', 'A*01:01 x01:01', 'A1 23(9)x', 'A*01:', 'A1 xx', 'A1 xblank', 'A1 blankx', '1 A2', 'A1 foo', 'HLA A1'])(
    '%s is none',
    (text) => expect(splitPhenotype(text)).toBeUndefined(),
  ) // prettier-ignore

  test.for([
    ['A1 B8', true],
    ['A*01:01 A*02:01', true],
    [' A*01:01, A*02:01 ', true],
    ['A*01:01 A24', false],
    ['A1 24', false],
    ['A1 A24', false],
    ['A1', false],
    ['A1 foo', false],
  ] as const)('%s in a column is one: %s', ([text, expected]) => expect(isPhenotype(text)).toBe(expected))
})
