/** Digits without a colon, with the names of real releases: antigens, first fields and old names. */
import { describe, expect, test } from 'vitest'
import { readCell } from '../../src/table/cells/cells.ts'
import { countFits, decideDigits, type DigitReading, fitsText } from '../../src/table/cells/digits.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { adviceText } from '../../src/operations/faces.ts'
import { type HlaError } from '../../src/errors.ts'
import { context, read, small } from '../support/cell-readings.ts'
import { hasShared } from '../support/shared.ts'
import { hasPreview } from '../support/release-2026.ts'
import { realRelease } from '../support/releases.ts'

describe.skipIf(!hasShared)('how to read digits without a colon', () => {
  const facts = hasShared ? makeNameFacts(realRelease('3580')) : small

  test('a number of no antigen among many of antigens is a slip, and asked', () => {
    const decide = (count: number) => {
      const counts = new Map([['7', 199], ['12', count]]) // prettier-ignore
      return decideDigits([{ locus: 'C', values: ['7', '12'], counts }], facts).get('C')
    }
    expect([decide(1), decide(3)]).toEqual(['error', 'first-field'])
  })

  test('counts say how many cells each reading fits, the best first', () => {
    const counts = new Map([['1', 3], ['12', 1], ['0102', 2]]) // prettier-ignore
    const fits = countFits({ locus: 'C', values: [...counts.keys()], counts }, facts)
    expect(fits).toEqual({ cells: 6, antigen: 3, 'first-field': 4, v2: 2 })
    expect(fitsText([fits, fits])).toBe('first-field fits 8 of 12, antigen 6, v2 4')
    expect(fitsText([{ cells: 2, antigen: 0, 'first-field': 0, v2: 0 }])).toBe(
      'no reading fits any of the 2 cells',
    )
  })

  test.for([
    ['A', ['1', '24', '68'], 'antigen'],
    ['A', ['01', '24'], 'first-field'],
    ['A', ['1', '01'], 'error'],
    ['A', ['0101', '2402'], 'v2'],
    ['B', ['4402', '1801'], 'v2'],
    ['A', ['2', '2403'], 'antigen'],
    ['A', ['2403'], 'error'],
    ['A', ['2', '0101'], 'error'],
    ['A', ['101', '2402'], 'error'],
    ['A', ['203', '210'], 'antigen'],
    ['A', ['0203', '2402'], 'v2'],
    ['DRB1', ['1', '103'], 'antigen'],
    ['A', [], undefined],
    // C has no antigen 12
    ['C', ['7', '12'], 'first-field'],
    ['A', ['2', '99'], 'antigen'],
    ['A', ['02', '2403'], 'error'],
  ] as const)('at %s, %j are %s', ([locus, values, expected]) =>
    expect(decideDigits([{ locus, values }], facts).get(locus)).toBe(expected),
  )

  test.for([
    // no antigen reading exists, and first fields fit everywhere
    [
      { A: ['26'], C: ['12'] },
      { A: 'first-field', C: 'first-field' },
    ],
    [
      { A: ['1', '26'], C: ['7', '12'] },
      { A: 'first-field', C: 'first-field' },
    ],
    [
      { A: ['1'], DPB1: ['4'] },
      { A: 'first-field', DPB1: 'first-field' },
    ],
    [
      { A: ['1'], DRB3: ['1'] },
      { A: 'first-field', DRB3: 'first-field' },
    ],
    // an antigen at one locus, a first field at another
    [
      { DRB3: ['52'], C: ['12'] },
      { DRB3: 'error', C: 'error' },
    ],
    // one locus shows the notation of the others
    [
      { A: ['26', '24'], C: ['07', '12'] },
      { A: 'first-field', C: 'first-field' },
    ],
    [
      { A: ['1'], C: ['07'] },
      { A: 'error', C: 'error' },
    ],
    [
      { A: ['2', '26'], B: ['8', '44'], DRB3: ['52'] },
      { A: 'antigen', B: 'antigen', DRB3: 'antigen' },
    ],
    [
      { A: ['2403'], B: ['7', '44'] },
      { A: 'antigen', B: 'antigen' },
    ],
    [
      { A: ['2403'], B: ['0702'] },
      { A: 'v2', B: 'v2' },
    ],
    // beside names of two fields
    [
      { A: ['0201'], B: ['7', '44'] },
      { A: 'v2', B: 'error' },
    ],
    [
      { A: ['0201'], B: ['07', '44'] },
      { A: 'v2', B: 'first-field' },
    ],
    [
      { A: ['0201', '07'], B: ['0702'] },
      { A: 'error', B: 'v2' },
    ],
    [{ A: ['0201'], B: [] }, { A: 'v2' }],
  ] as const)('of one person, %j are %j', ([columns, expected]) => {
    const written = Object.entries(columns).map(([locus, values]) => ({ locus, values }))
    expect(Object.fromEntries(decideDigits(written, facts))).toEqual(expected)
  })

  test.for([
    ['A', 'antigen', '1', 'A1'],
    ['C', 'antigen', '7', 'Cw7'],
    ['C', 'antigen', '12', 'C*12:XX'],
    ['DRB1', 'antigen', '3', 'DR3'],
    ['DRB1', 'antigen', '103', 'DR103'],
    ['DRB1', 'antigen', '52', '! unknown-antigen'],
    ['DRB3', 'antigen', '52', 'DR52'],
    ['DQB1', 'antigen', '2', 'DQ2'],
    ['DPB1', 'antigen', '4', 'DPB1*04:XX'],
    ['A', 'antigen', '96', '! unknown-antigen'],
    ['A', 'antigen', '0101', '! ambiguous-digits'],
    ['A', 'antigen', '1+3', 'A1+A3'],
    ['A', 'first-field', '01', 'A*01:XX'],
    ['A', 'first-field', '0101', '! ambiguous-digits'],
    ['A', 'v2', '0101', 'A*01:01'],
    ['B', 'v2', '18012', 'B*18:01:02'],
    ['A', 'v2', '01', '! ambiguous-digits'],
    ['A', 'error', '0101', '! ambiguous-digits'],
    ['C', 'mixed', '07', 'C*07:XX'],
    ['C', 'mixed', '7', 'C*07:XX'],
    ['A', 'mixed', '0201', 'A*02:01'],
    ['C', 'mixed', '07011', 'C*07:01:01'],
    ['C', 'mixed', '101', '! ambiguous-digits'],
    ['A', 'mixed', '0201/30', '! bad-syntax'],
    ['A', 'mixed', '30/0201', '! bad-syntax'],
    ['A', 'mixed', '30+0201', 'A*30:XX+A*02:01'],
    // published lists, not the rule, give the successor: B*27:05:01 never had this old name
    ['B', 'v2', '27051', 'B*27051'],
    ['A', 'v2', '0223', 'A*0223'],
    ['A', 'mixed', '96', '! unknown-antigen'],
  ] as const)('at %s read as %s, %s is %s', ([locus, digits, text, expected]) => {
    expect(read(text, context(locus, { digits, facts }))).toBe(expected)
  })
})

describe.skipIf(!hasShared)('digits that do not fit the others of their locus', () => {
  const facts = hasShared ? makeNameFacts(realRelease('3580')) : small

  test.for([
    ['C', 'mixed', '101', undefined],
    ['A', 'v2', '01', 'choose with --bare-digits mixed or first-field'],
    ['A', 'first-field', '2402', 'choose with --bare-digits mixed or v2'],
    ['A', 'error', '2', 'choose with --bare-digits antigen or first-field'],
    ['DRB1', 'antigen', '0301', 'choose with --bare-digits v2'],
  ] as const)(
    'at %s read as %s, %s is refused with the readings that fit: %s',
    ([locus, digits, text, hint]) => {
      const refusal = (reading: DigitReading) => {
        try {
          readCell(text, context(locus, { digits: reading, facts }))
          return undefined
        } catch (error) {
          return error as HlaError
        }
      }
      expect(adviceText(refusal(digits)?.hint, 'command-line')).toBe(hint)
      const readings = ['antigen', 'first-field', 'v2', 'mixed'] as const
      for (const reading of readings)
        if (hint?.includes(reading) === true) expect(refusal(reading)).toBeUndefined()
    },
  )
})

describe.skipIf(!hasShared || !hasPreview)('digits with the antigens of 2026', () => {
  const facts = hasShared && hasPreview ? makeNameFacts(realRelease('3640')) : small

  test.for([
    ['A', ['203', '0203', '2', '24', '2402'], 'antigen'],
    ['A', ['203'], 'antigen'],
    ['A', ['2', '0201'], 'antigen'],
    ['A', ['02', '0201'], 'error'],
    ['A', ['0201', '2402'], 'error'],
    ['A', ['0101', '2402'], 'v2'],
    ['A', ['2', '0101'], 'error'],
    ['C', ['12', '1202', '7'], 'antigen'],
    ['DRB1', ['103', '1', '0103'], 'antigen'],
  ] as const)('at %s, %j are %s', ([locus, values, expected]) =>
    expect(decideDigits([{ locus, values }], facts).get(locus)).toBe(expected),
  )

  test.for([
    ['DRB3', 'DR5202', 'DR5202'],
    ['DRB1', 'DR5202', '! locus-mismatch'],
    ['DRB4', 'DR5202', '! locus-mismatch'],
  ] as const)('at %s, %s is %s', ([locus, text, expected]) => {
    expect(read(text, context(locus, { facts }))).toBe(expected)
  })

  test.for([
    ['203', 'A203'],
    ['0203', 'A0203'],
    ['2', 'A2'],
    ['2402', 'A2402'],
    ['02', 'A*02:XX'],
    ['0101', '! ambiguous-digits'],
  ] as const)('%s is %s', ([text, expected]) => {
    expect(read(text, context('A', { digits: 'antigen', facts }))).toBe(expected)
  })
})
