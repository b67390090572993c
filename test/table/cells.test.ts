/** Reading cells: their typing at a locus, their tokens, their faults. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { isPlainCell, readCell } from '../../src/table/cells/cells.ts'
import { findDamage } from '../../src/table/words/typing-shape.ts'
import { isLocusAntigen } from '../../src/table/cells/digits.ts'
import { makeTokens, withAbsent } from '../../src/table/cells/tokens.ts'
import { adviceText } from '../../src/operations/faces.ts'
import { context, read, small } from '../support/cell-readings.ts'
import { errorOf } from '../support/errors.ts'
import { rounds } from '../support/rounds.ts'

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
