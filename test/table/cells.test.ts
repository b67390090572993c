/** Reading cells: their typing at a locus, their tokens, their faults. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { type CellContext, isPlainCell, readCell } from '../../src/table/cells/cells.ts'
import { findDamage } from '../../src/table/words/typing-shape.ts'
import {
  countFits,
  decideDigits,
  type DigitReading,
  fitsText,
  isLocusAntigen,
} from '../../src/table/cells/digits.ts'
import { makeNameFacts } from '../../src/table/cells/name-facts.ts'
import { makeTokens, withAbsent } from '../../src/table/cells/tokens.ts'
import { adviceText } from '../../src/operations/faces.ts'
import { type HlaError, isHlaError } from '../../src/errors.ts'
import { errorOf } from '../support/errors.ts'
import { hasShared } from '../support/shared.ts'
import { hasPreview } from '../support/release-2026.ts'
import { realRelease } from '../support/releases.ts'
import { smallRelease } from '../support/small-release.ts'
import { rounds } from '../support/rounds.ts'

const small = makeNameFacts(smallRelease())

function context(locus: string | undefined, more: Partial<CellContext> = {}): CellContext {
  return { locus, digits: 'error', tokens: makeTokens({}), accept: [], facts: small, ...more }
}

function read(text: string, at: CellContext): string {
  try {
    const reading = readCell(text, at)
    return reading.kind === 'token' ? `(${reading.status})` : reading.glString
  } catch (error) {
    if (isHlaError(error)) return `! ${error.code}`
    throw error
  }
}

test.for([
  ['Bw4', 'B', true],
  ['Bw4', 'A', false],
  ['Bw4', 'DPB1', false],
  ['DPw1', 'DPB1', true],
  ['DPw1', 'B', false],
  ['B7', 'B', true],
  ['B7', 'A', false],
  ['Cw4', 'C', true],
  ['C4', 'C', true],
  ['Cw4', 'B', false],
  ['DR15', 'DRB1', true],
  ['DR15', 'DQB1', false],
  ['DQ6', 'DQB1', true],
  ['B*07:02', 'B', false],
] as const)('%s is an antigen of %s: %s', ([name, locus, expected]) => {
  expect(isLocusAntigen(name, locus)).toBe(expected)
})

test('a name without its asterisk that is also an antigen is refused in a column of such names', () => {
  const at = (isAntigen: boolean) =>
    context('A', { isNotation: true, facts: { ...small, isAntigen: () => isAntigen } })
  expect(read('A2402', at(false))).toBe('A*24:02')
  expect(errorOf(() => readCell('A2402', at(true)))).toMatchObject({
    code: 'ambiguous-digits',
    message: `A2402 is an antigen of ${small.title}; other cells of the column have this form, and are not antigens`,
    offending: 'A2402',
    suggestions: ['A*24:02'],
    hint: 'A*24:02 names the allele',
  })
})

describe('cells of a locus', () => {
  test.for([
    ['A', '01:01', 'A*01:01'],
    ['A', '*01:01', 'A*01:01'],
    ['A', 'A*01:01', 'A*01:01'],
    ['A', 'HLA-A*01:01', 'HLA-A*01:01'],
    ['A', '02:AB', 'A*02:AB'],
    ['A', '02:XX', 'A*02:XX'],
    ['A', '01:01:01G', 'A*01:01:01G'],
    ['A', '01:01/01:02', 'A*01:01/A*01:02'],
    ['A', '01:01+A*02:01', 'A*01:01+A*02:01'],
    ['A', '*0101', 'A*01:01'],
    ['A', '0104N', 'A*0104N'],
    ['B', '27AB', 'B*27AB'],
    ['A', 'A2', 'A2'],
    ['B', 'Bw4', 'Bw4'],
    ['A', 'foo', 'foo'],
    ['A', '01:01/02', '! bad-syntax'],
    ['A', 'B*08:01', '! locus-mismatch'],
    ['A', 'b*08:01', '! locus-mismatch'],
    ['A', 'B27', '! locus-mismatch'],
    ['A', ' 01:01', '! bad-character'],
    ['A', '01 :01', '! bad-character'],
    ['A', 'A*01:\ufffd', '! bad-encoding'],
    [undefined, 'A*01:01+\ufffd', '! bad-encoding'],
    ['A', '0.0430555555555556', '! excel-artifact'],
    ['A', '01:02:00', '! excel-artifact'],
    ['A', '2.0', '! excel-artifact'],
    ['A', '01:01:01.0', '! excel-artifact'],
    ['A', '2024-02-01', '! excel-artifact'],
    ['A', '2024-02-01 09:30:00', '! excel-artifact'],
    ['A', '1-Feb', '! excel-artifact'],
    ['A', '01-Feb-24', '! excel-artifact'],
    ['A', 'Feb-01', '! excel-artifact'],
    ['A', '1E+02', '! excel-artifact'],
    ['B', '7.00E+00', '! excel-artifact'],
    [undefined, '7.00E+00', '! excel-artifact'],
    ['A', '1e+02', '! excel-artifact'],
    ['A', 'x1E+02', '! bad-syntax'],
    ['A', '1E+02x', '1E+02x'],
    ['A', 'E+02', '! bad-syntax'],
    // not of the forms that need a locus
    ['A', 'x12', 'x12'],
    ['A', '12x', '12x'],
    ['A', 'x01:01', 'x01:01'],
    ['A', 'x0104N', 'x0104N'],
    ['A', '0104Nx', '0104Nx'],
    ['A', '_B*01:01', '_B*01:01'],
    ['A', 'x*0101', '! locus-mismatch'],
    ['A', '01:01*', 'A*01:01*'],
    ['A', '23(9)', 'A23(9)'],
    ['A', 'x23(9)', 'x23(9)'],
    ['A', '23(9)x', '23(9)x'],
    ['C', 'Cw*01:02', 'Cw*01:02'],
    ['A', 'A-', '(untyped)'],
    ['B', 'BX', '(untyped)'],
    ['DRB1', 'DR-', '(untyped)'],
    ['A', '98', '(untyped)'],
    ['B', '97', '(unknown)'],
    ['DQB1', '99', '(untyped)'],
    // DPB1*98:01 exists
    ['DPB1', '98', '! ambiguous-digits'],
    ['A', '2', '! ambiguous-digits'],
    ['A', '="01:01"', 'A*01:01'],
    ['A', "01:01'", 'A*01:01'],
    ['A', "'01:01", 'A*01:01'],
    ['A', "'A*01:01'", 'A*01:01'],
    ['A', "'NA", '(untyped)'],
    ['A', '=""', '(untyped)'],
    ['A', '01-01-01', '! excel-artifact'],
    ['A', '01 02', '! bad-character'],
    [undefined, '="A*01:01+A*02:01"', 'A*01:01+A*02:01'],
    [undefined, 'A*01:01+A*02:01^B*07:02', 'A*01:01+A*02:01^B*07:02'],
    [undefined, '01:01', '01:01'],
    [undefined, 'hla#3.29.0#A*01:01', 'A*01:01'],
  ] as const)('at %s, %s is %s', ([locus, text, expected]) =>
    expect(read(text, context(locus))).toBe(expected),
  )

  test.for([
    ['A', 'B*08:01', 'B*08:01 is a B allele in an A column'],
    ['DQA1', 'B*08:01', 'B*08:01 is a B allele in a DQA1 column'],
    ['B', 'A2', 'A2 is another antigen in a B column'],
    ['A', '01:02:00', '01:02:00 is 01:02 written as a time of day; export the column again, formatted as text'],
    ['A', '1-Feb', 'a spreadsheet turned this typing into the date 1-Feb; enter it again in cells formatted as text'],
    ['A', '1E+02', 'a spreadsheet turned this typing into the number 1E+02; enter it again in cells formatted as text'],
    ['A', ' 01:01', '" 01:01" has spaces around it; --accept space reads it as 01:01'],
    ['A', '01 :01', '"01 :01" has spaces in it; --accept space reads it as 01:01'],
    ['A', '01:01 24:02', '"01:01 24:02" has spaces in it; are they two typings?'],
    ['A', 'see note', '"see note" has spaces in it'],
    ['A', '01:01/02', '02: one name in the list has no fields, but the others have'],
  ] as const)('at %s, %s: %s', ([locus, text, message]) => {
    const error = errorOf(() => readCell(text, context(locus)))
    expect(adviceText(error?.said, 'command-line')).toBe(message)
  }) // prettier-ignore

  test('a GL String Code says which release it is of', () => {
    expect(readCell('hla#3.29.0#A*30:100', context(undefined))).toMatchObject({ release: '3.29.0' })
  })

  test.for([
    ['', '(untyped)'],
    ['  ', '(untyped)'],
    ['NA', '(untyped)'],
    ['****', '(untyped)'],
    ['0000', '(untyped)'],
    ['NNNN', '(absent)'],
    ['DRB3*NNNN', '(absent)'],
    ['HLA-DRB3*NNNN', '(absent)'],
    ['UUUU', '(unknown)'],
    ['*XXXX', '(unknown)'],
    ['NEW', '(new)'],
    ['DRB3*NEW', '(new)'],
    ['01:NEW', '(new)'],
    ['DRB3*01:NEW', '(new)'],
    ['DRB3*01:01+NNNN', '(absent)'],
    ['DRB4*NNNN', '! locus-mismatch'],
    ['NNN', 'NNN'],
  ] as const)('%j says %s', ([text, expected]) => expect(read(text, context('DRB3'))).toBe(expected))

  test('tokens are what they are said to be', () => {
    const tokens = withAbsent(makeTokens({ unknown: ['?', 'NA'] }), ['00:00'])
    expect(['?', 'NA', '00:00', 'UUUU'].map((text) => read(text, context('A', { tokens })))).toEqual([
      '(unknown)',
      '(unknown)',
      '(absent)',
      '(unknown)',
    ])
  })

  test.for([
    ['nd', '(untyped)'],
    ['Not Typed', '(untyped)'],
    ['x', '(untyped)'],
    ['*', '(untyped)'],
    ['#N/A', '(untyped)'],
    ['Unknown', '(unknown)'],
    ['absent', '(absent)'],
    ['Novel', '(new)'],
    // a token must be the whole cell
    ['01:01+X', 'A*01:01+X'],
    ['01:01+NNNN', '(absent)'],
    ['01:01/04:NEW', '(new)'],
    ['01:01/ND', 'A*01:01/ND'],
  ] as const)('%s is %s', ([text, expected]) =>
    expect(read(text, context('A', { tokens: makeTokens({}) }))).toBe(expected),
  )

  test.for([
    [['space'], ' 01:01 ', 'A*01:01'],
    [['excel'], '0.0430555555555556', 'A*01:02'],
    [['excel'], '01:01:01.0', 'A*01:01:01'],
    [['excel'], '2024-02-01', '! excel-artifact'],
    [['space'], '0.0430555555555556', '! excel-artifact'],
    // could be two typings or one
    [['space'], '01 02', '! bad-character'],
    [['space'], '02:01 30:01', '! bad-character'],
    [['space'], 'A* 01 : 01', 'A*01:01'],
    [['excel'], '01-01-01', 'A*01:01:01'],
    [['excel'], 'A*01-01N', 'A*01:01N'],
    [['excel'], '2020-01-01', '! excel-artifact'],
    // the operation expands it, since it knows the names
    [['shorthand'], '02:01/30', 'A*02:01/30'],
    [['shorthand'], '02:01/30+24:02', 'A*02:01/30+A*24:02'],
    [['shorthand'], '02:02*', 'A*02:02*'],
    [[], '02:01/30', '! bad-syntax'],
    [['case'], 'a*01:01', 'a*01:01'],
  ] as const)('accepting %j, %j is %s', ([accept, text, expected]) => {
    expect(read(text, context('A', { accept }))).toBe(expected)
  })

  test('every cell is a typing, a token or a coded error, and never names another locus', () => {
    const texts = fc.string({ unit: fc.constantFrom(...Array.from('0127:*/+^|~ABC.#xN-, ')), maxLength: 10 })
    fc.assert(
      fc.property(texts, fc.constantFrom('antigen', 'first-field', 'v2', 'error'), (text, digits) => {
        const result = read(text, context('A', { digits }))
        for (const [, locus] of result.matchAll(/(?:^|[/+^|~])(?:HLA-)?([A-Z]\w*)\*/g))
          expect(locus).toBe('A')
      }),
      { numRuns: rounds(2000) },
    )
  })
})

describe('damageOf', () => {
  test.for([
    ['0.0430555555555556', '01:02'],
    ['0,0430555555555556', '01:02'],
    ['.559722222', '13:26'],
    ['0.0420949074074074', '01:00:37'],
    ['2.0', '2'],
    ['15.00', '15'],
    ['0', undefined],
    ['1.5', undefined],
    ['01:01', undefined],
  ] as const)('%s was %s', ([text, reading]) => expect(findDamage(text)?.reading).toBe(reading))
})

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

describe('cells that are read as they stand', () => {
  /** A token that looks like a name disables the quick check, so that every cell is read in full. */
  const closely = makeTokens({ untyped: ['ZZ*99:99'] })

  test('the usual words for no typing do not look like names', () => {
    const usual = context('A').tokens
    expect(isPlainCell('A*01:01/A*01:02N', 'A', usual)).toBe(true)
    expect(isPlainCell('A*01:01', 'A', withAbsent(usual, ['00:00']))).toBe(true)
    expect(isPlainCell('A*01:01', 'A', closely)).toBe(false)
  })

  test.for([
    '00:00',
    'A*00:00',
    '01:01',
    'B*07:02',
    'A*01:01/B*07:02',
    'A*01:AB',
    'HLA-A*01:01',
    'A*01',
    'A*01:01 ',
  ])('%s is not', (text) => {
    expect(isPlainCell(text, 'A', context('A').tokens)).toBe(false)
  })

  test('a list of a million names is read without them', () => {
    const list = Array.from({ length: 1_000_000 }, () => 'DRB1*15:01:01:01').join('/')
    expect(isPlainCell(list, 'DRB1', context('DRB1').tokens)).toBe(false)
    expect(isPlainCell(`${list}/`, 'DRB1', context('DRB1').tokens)).toBe(false)
  })

  test('are read as others are', () => {
    const fields = fc.constantFrom('01:01', '01:01:01', '24:02:01:02L', '00:00', '00:00:00', '01:01G', '02:AB', '1:1', '02:01:00', '9999:01', '15:1234N') // prettier-ignore
    const leaf = fc.tuple(fc.constantFrom('A*', 'B*', 'DRB1*', 'HLA-A*', '*', '', 'A'), fields).map((parts) => parts.join('')) // prettier-ignore
    const text = fc.array(leaf, { minLength: 1, maxLength: 4 }).map((leaves) => leaves.join('/'))
    fc.assert(
      fc.property(text, fc.constantFrom('A', 'DRB1', undefined), (written, locus) => {
        expect(read(written, context(locus))).toBe(read(written, context(locus, { tokens: closely })))
      }),
      { numRuns: rounds(2000) },
    )
  })

  test('a word of the user for no typing is one', () => {
    const tokens = makeTokens({ unknown: ['A*99:99', '01:01/01:02'] })
    expect(read('A*99:99', context('A', { tokens }))).toBe('(unknown)')
    expect(read('A*01:01', context('A', { tokens }))).toBe('A*01:01')
  })
})
