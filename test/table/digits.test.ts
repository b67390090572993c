/** Digits without a colon, with a few names of a release: how they are read, and what is advised. */
import { describe, expect, test } from 'vitest'
import {
  countFits,
  decideDigits,
  digitsAdvice,
  type DigitFits,
  fitsText,
  readDigits,
} from '../../src/table/cells/digits.ts'
import type { NameFacts } from '../../src/table/cells/name-facts.ts'
import { adviceText } from '../../src/operations/faces.ts'
import { errorOf } from '../support/errors.ts'

const ANTIGENS = 'A1 A2 A24 A203 A210 A2403 A9 B7 B8 B44 Cw7 DR1 DR3 DR103 DR52'.split(' ')
const FAMILIES = 'A*01 A*02 A*24 A*30 B*07 B*08 B*44 C*07 C*12 DRB1*01 DRB1*03 DRB3*01'.split(' ')
const OLD_NAMES = new Map([
  ['A*0101', 'A*01:01'],
  ['A*0201', 'A*02:01'],
  ['A*2402', 'A*24:02'],
  ['A*2403', 'A*24:03'],
  ['B*0702', 'B*07:02'],
  ['C*07011', 'C*07:01:01'],
])

const FACTS: NameFacts = {
  title: 'IPD-IMGT/HLA 3.58.0',
  label: '3.58.0',
  loci: ['A', 'B', 'C', 'DRB1', 'DRB3'],
  isAntigen: (name) => ANTIGENS.includes(name),
  isListed: () => false,
  isFirstField: (family) => FAMILIES.includes(family),
  respell: (name) => OLD_NAMES.get(name) ?? name,
}

describe('the digits of a person', () => {
  test.for([
    [{ A: '1 24' }, { A: 'antigen' }],
    [{ A: '01 24' }, { A: 'first-field' }],
    [{ A: '01 1' }, { A: 'error' }],
    [{ A: '01 10' }, { A: 'first-field' }],
    [{ A: '0101 2402' }, { A: 'v2' }],
    [{ A: '2403' }, { A: 'error' }],
    [{ A: '2 2403' }, { A: 'antigen' }],
    [{ A: '203 210' }, { A: 'antigen' }],
    [{ A: '203 2402' }, { A: 'error' }],
    [{ A: '2 0101' }, { A: 'error' }],
    [{ A: '0203' }, { A: 'v2' }],
    [{ A: '02 2403' }, { A: 'error' }],
    [{ A: '101' }, { A: 'error' }],
    [{ A: '07011' }, { A: 'v2' }],
    [{ A: '' }, {}],
    // digits that no reading fits do not count
    [{ A: '2 99' }, { A: 'antigen' }],
    [{ A: '99' }, { A: 'antigen' }],
    [{ C: '7 12' }, { C: 'first-field' }],
    [{ C: '12', A: '9' }, { A: 'error', C: 'error' }],
    [{ A: '1', C: '7 12' }, { A: 'first-field', C: 'first-field' }],
    [{ DRB3: '52', C: '12' }, { DRB3: 'error', C: 'error' }],
    [{ A: '1', C: '07' }, { A: 'error', C: 'error' }],
    [{ A: '2403', B: '7 44' }, { A: 'antigen', B: 'antigen' }],
    [{ A: '2403', B: '0702' }, { A: 'v2', B: 'v2' }],
    [{ A: '0201', B: '7 44' }, { A: 'v2', B: 'error' }],
    [{ A: '0201', B: '07 44' }, { A: 'v2', B: 'first-field' }],
    [{ A: '0201', C: '12' }, { A: 'v2', C: 'error' }],
    [{ A: '0201 07', B: '0702' }, { A: 'error', B: 'v2' }],
    [{ A: '0201', B: '' }, { A: 'v2' }],
  ] as const)('%j are %j', ([columns, readings]) => {
    const written = Object.entries(columns).map(([locus, text]) => ({ locus, values: text.split(' ').filter((one) => one !== '') })) // prettier-ignore
    expect(Object.fromEntries(decideDigits(written, FACTS))).toEqual(readings)
  }) // prettier-ignore

  test('a hundredth of the cells decides that they are no antigens', () => {
    const decide = (sevens: number, twelves: number) =>
      decideDigits([{ locus: 'C', values: ['7', '12'], counts: new Map([['7', sevens], ['12', twelves]]) }], FACTS).get('C') // prettier-ignore
    expect([decide(99, 1), decide(100, 1), decide(1, 99)]).toEqual(['first-field', 'error', 'first-field'])
  })
})

describe('readings that fit', () => {
  const fits = (antigen: number, first: number, v2: number): DigitFits => ({ cells: 1500, antigen, 'first-field': first, v2 }) // prettier-ignore

  test('are counted by cell', () => {
    const counts = new Map([['1', 3], ['12', 1], ['0101', 2], ['203', 5], ['2403', 7]]) // prettier-ignore
    const values = [...counts.keys()]
    expect(countFits({ locus: 'A', values, counts }, FACTS)).toEqual({ cells: 18, antigen: 15, 'first-field': 3, v2: 9 }) // prettier-ignore
    expect(countFits({ locus: 'A', values }, FACTS)).toEqual({ cells: 5, antigen: 3, 'first-field': 1, v2: 2 }) // prettier-ignore
    // the zero of a first field is not one of an antigen
    expect(countFits({ locus: 'A', values: ['01', '1'] }, FACTS)).toMatchObject({ antigen: 1, 'first-field': 2 }) // prettier-ignore
  })

  test.for([
    [[fits(0, 0, 0)], 'no reading fits any of the 1,500 cells', undefined, undefined],
    [[fits(1200, 0, 0)], 'antigen fits 1,200 of 1,500', '--bare-digits antigen', undefined],
    [[fits(1, 1200, 0)], 'first-field fits 1,200 of 1,500, antigen 1', '--bare-digits first-field or antigen', undefined],
    [[fits(1, 2, 0), fits(0, 3, 9)], 'v2 fits 9 of 3,000, first-field 5, antigen 1', '--bare-digits mixed, v2, first-field or antigen', undefined],
    [[fits(0, 0, 4)], 'v2 fits 4 of 1,500', '--bare-digits mixed or v2', 'first-field'],
    [[fits(0, 4, 0)], 'first-field fits 4 of 1,500', '--bare-digits mixed or first-field', 'v2'],
    [[fits(4, 0, 0)], 'antigen fits 4 of 1,500', '--bare-digits antigen', 'v2'],
    [[fits(0, 4, 0)], 'first-field fits 4 of 1,500', '--bare-digits first-field', 'antigen'],
  ] as const)('%j: %s', ([all, text, advised, given]) => {
    expect(fitsText(all)).toBe(text)
    const advice = digitsAdvice(all, given)
    expect(advice === undefined ? undefined : adviceText(advice, 'command-line')).toBe(advised)
  }) // prettier-ignore
})

describe('digits that are read', () => {
  test.for([
    ['A', 'antigen', '1', 'A1', false],
    ['C', 'antigen', '7', 'Cw7', false],
    ['A', 'antigen', '2403', 'A2403', false],
    ['C', 'antigen', '12', 'C*12:XX', true],
    ['A', 'antigen', '01', 'A*01:XX', true],
    ['A', 'first-field', '1', 'A*01:XX', false],
    ['A', 'first-field', '24', 'A*24:XX', false],
    ['A', 'mixed', '30', 'A*30:XX', false],
    ['A', 'mixed', '0201', 'A*02:01', false],
    ['C', 'v2', '07011', 'C*07:01:01', false],
    ['A', 'v2', '0223', 'A*0223', false],
  ] as const)('at %s as %s, %s is %s', ([locus, reading, digits, name, asFirstField]) => {
    expect(readDigits(digits, locus, reading, FACTS)).toEqual({ name, asFirstField })
  })

  test.for([
    ['A', 'antigen', '0101', 'other cells of this locus are antigens', 'choose with --bare-digits v2'],
    ['A', 'antigen', '101', 'other cells of this locus are antigens', undefined],
    ['A', 'first-field', '2402', 'other cells of this locus are first fields', 'choose with --bare-digits mixed or v2'],
    ['A', 'mixed', '101', 'neither a first field nor an old name has three', undefined],
    ['A', 'v2', '30', 'other cells of this locus are old names of four digits or more', 'choose with --bare-digits mixed or first-field'],
    ['A', 'error', '1', 'they may be an antigen, a first field or an old name', 'choose with --bare-digits antigen or first-field'],
  ] as const)('at %s as %s, %s is open', ([locus, reading, digits, why, hint]) => {
    const error = errorOf(() => readDigits(digits, locus, reading, FACTS))
    expect([error?.code, error?.message, error?.offending, error?.hint && adviceText(error.hint, 'command-line')]).toEqual([
      'ambiguous-digits', `${digits}: digits without ":"; ${why}`, digits, hint,
    ])
  }) // prettier-ignore

  test.for([
    ['A', '99', 'no antigen A99 and no A*99'],
    ['DRB1', '9', 'no antigen DR9 and no DRB1*09'],
    ['E', '1', 'no E*01'],
  ] as const)('at %s, %s is no name: %s', ([locus, digits, neither]) => {
    for (const reading of ['antigen', 'first-field', 'mixed'] as const)
      expect(errorOf(() => readDigits(digits, locus, reading, FACTS))).toMatchObject({
        code: 'unknown-antigen',
        message: `${digits}: IPD-IMGT/HLA 3.58.0 has ${neither}`,
        offending: digits,
      })
  })
})
