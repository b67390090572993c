/** Cells of a sheet as their displayed text: formats of numbers, kinds of cells, and names of columns. */
import { describe, expect, test } from 'vitest'
import {
  builtInFormat,
  cellText,
  type NumberFormat,
  numberText,
  parseFormat,
} from '../../../src/table/input/workbook/cell-text.ts'
import { columnLetters } from '../../../src/table/input/workbook/sheet-rows.ts'
import { errorOf } from '../../support/errors.ts'

describe('a cell', () => {
  test.for([
    ['General', '1.1000000000000001', '1.1'],
    ['0', '201.4', '201'],
    ['00000', '7', '00007'],
    ['000;-000', '7', '007'],
    ['"HLA-"0000', '201', 'HLA-0201'],
    ['00\\:00', '201', '02:01'],
    ['00:00', '201', '02:01'],
    ['00":"00', '24002', '240:02'],
    ['"A*"00":"00', '201', 'A*02:01'],
    ['0-00', '12', '0-12'],
    ['#":"00', '201', '201'],
    ['(0)', '7', '(7)'],
    ['#,##0', '1234567', '1,234,567'],
    ['0.00', '2', '2.00'],
    ['0.0#', '2.25', '2.25'],
    ['0%', '0.5', '50%'],
    ['[Red]0000', '201', '0201'],
    ['0.00E+00', '201', '201'],
    ['[$-409]d-mmm', '45356', '2024-03-05'],
    ['m/d/yy h:mm', '45356.395833333336', '2024-03-05 09:30:00'],
    ['[h]:mm:ss', '1.0013888888888889', '24:02:00'],
    ['h:mm', '1.0013888888888889', '1900-01-01 00:02:00'],
    ['h:mm AM/PM', '0.5', '12:00:00'],
    ['@', '201', '201'],
    ['0', '-7', '-7'],
    ['0', '-0.4', '0'],
    ['#.0', '0.5', '.5'],
    ['#.0', '10.5', '10.5'],
    ['0.0', '0.5', '0.5'],
    ['00:00', '-201', '-02:01'],
    ['_(0_)', '7', '7'],
    ['* 0', '7', '7'],
    ['0* "x"', '7', '7x'],
  ])('of format %s shows %s as %s', ([code = '', raw = '', text = '']) => {
    expect(numberText(raw, parseFormat(code), false)).toBe(text)
  })

  test.for([
    [26, '45356'],
    [27, '2024-03-05'],
    [36, '2024-03-05'],
    [37, '45,356'],
    [49, '45356'],
    [50, '2024-03-05'],
    [58, '2024-03-05'],
    [59, '45356'],
  ] as const)('of the format with the number %d shows %s', ([id, text]) => {
    expect(numberText('45356', builtInFormat(id), false)).toBe(text)
  })

  test('with days from 1904 is four years later', () => {
    expect(numberText('45356', parseFormat('yyyy-mm-dd'), true)).toBe('2028-03-06')
    expect(numberText('59', parseFormat('yyyy-mm-dd'), false)).toBe('1900-02-28')
    expect(numberText('61', parseFormat('yyyy-mm-dd'), false)).toBe('1900-03-01')
  })
})

test.for([
  [1, 'A'],
  [26, 'Z'],
  [27, 'AA'],
  [52, 'AZ'],
  [53, 'BA'],
  [702, 'ZZ'],
  [703, 'AAA'],
  [16_384, 'XFD'],
] as const)('column %d is called %s', ([number, letters]) => {
  expect(columnLetters(number)).toBe(letters)
})

describe('a format', () => {
  const GENERAL: NumberFormat = { kind: 'general' }
  const digits = (more: Partial<Extract<NumberFormat, { kind: 'digits' }>> = {}): NumberFormat => ({
    kind: 'digits', before: '', after: '', whole: 1, least: 0, most: 0, isGrouped: false, isPercent: false, ...more,
  }) // prettier-ignore
  const mask = (places: readonly (string | undefined)[], before = '', after = ''): NumberFormat => ({ kind: 'mask', before, after, places }) // prettier-ignore
  const _ = undefined

  test.for([
    ['', GENERAL],
    ['general', GENERAL],
    ['General" x"', GENERAL],
    ['@', GENERAL],
    ['@0', GENERAL],
    ['"text"', GENERAL],
    ['0?', GENERAL],
    ['0.0.0', GENERAL],
    ['0,', GENERAL],
    ['#', digits({ whole: 0 })],
    ['0', digits()],
    ['#,##0.0##', digits({ least: 1, most: 3, isGrouped: true })],
    ['0.0%', digits({ after: '%', least: 1, most: 1, isPercent: true })],
    ['0"%"', digits({ after: '%' })],
    ['%0', digits({ before: '%', isPercent: true })],
    ['"a"0"b"', digits({ before: 'a', after: 'b' })],
    ['\\a0\\b', digits({ before: 'a', after: 'b' })],
    ['"open', GENERAL],
    ['0"open', digits({ after: 'open' })],
    ['0;"minus"0', digits()],
    ['0";"0', mask([_, ';', _])],
    ['[Red][>5]0', digits()],
    ['0"[x]"', digits({ after: '[x]' })],
    ['$0', digits({ before: '$' })],
    ['-+/():!^&\'~{}<>= 0', digits({ before: "-+/():!^&'~{}<>= " })],
    ['_x0*y', digits()],
    ['00:00:00', mask([_, _, ':', _, _, ':', _, _])],
    ['"x"00-00 ', mask([_, _, '-', _, _], 'x', ' ')],
    ['0#:00', GENERAL],
    ['yyyy', { kind: 'date', hasTime: false }],
    ['d', { kind: 'date', hasTime: false }],
    ['mmm', { kind: 'date', hasTime: false }],
    ['yyyy h', { kind: 'date', hasTime: true }],
    ['D S', { kind: 'date', hasTime: true }],
    ['"d"0', digits({ before: 'd' })],
    ['mm:ss', { kind: 'time', isElapsed: false }],
    ['H', { kind: 'time', isElapsed: false }],
    ['[hh]', { kind: 'time', isElapsed: true }],
    ['[m]', { kind: 'time', isElapsed: true }],
    ['[S]', { kind: 'time', isElapsed: true }],
    ['[x]h', { kind: 'time', isElapsed: false }],
    // a colour is not a day
    ['[Red]h', { kind: 'time', isElapsed: false }],
    [`0${'x'.repeat(1000)}`, GENERAL],
    [`"${'x'.repeat(997)}"0`, digits({ before: 'x'.repeat(997) })],
    [`"${'x'.repeat(998)}"0`, GENERAL],
  ] as const)('%j', ([code, format]) => {
    expect(parseFormat(code)).toEqual(format)
  }) // prettier-ignore

  test.for([
    [0, '1.5', '1.5'],
    [1, '1.4', '1'],
    [2, '1.5', '1.50'],
    [3, '1234.4', '1,234'],
    [4, '1234.5', '1,234.50'],
    [5, '1.5', '1.5'],
    [9, '1.5', '150%'],
    [10, '1.5', '150.00%'],
    [14, '45356', '2024-03-05'],
    [15, '45356', '2024-03-05'],
    [16, '45356', '2024-03-05'],
    [17, '45356', '2024-03-05'],
    [18, '0.5', '12:00:00'],
    [19, '0.5', '12:00:00'],
    [20, '0.5', '12:00:00'],
    [21, '0.5', '12:00:00'],
    [22, '45356', '2024-03-05 00:00:00'],
    [23, '45356', '45356'],
    [38, '1234.4', '1,234'],
    [39, '1234.5', '1,234.50'],
    [40, '1234.5', '1,234.50'],
    [45, '0.5', '12:00:00'],
    [46, '1.5', '36:00:00'],
    [47, '0.5', '12:00:00'],
    [48, '0.5', '0.5'],
  ] as const)('of the number %d shows %s as %s', ([id, raw, text]) => {
    expect(numberText(raw, builtInFormat(id), false)).toBe(text)
  })
})

describe('a number', () => {
  test.for([
    ['0', '', ''],
    ['0', '  ', '  '],
    ['0', 'x', 'x'],
    ['0', '1e999', '1e999'],
    ['General', '-0.30000000000000004', '-0.3'],
    ['General', '1e21', '1e+21'],
    ['#', '0', ''],
    ['#', '0.4', ''],
    ['000', '0', '000'],
    ['0', '999999999999999', '999999999999999'],
    ['0', '1e15', '1000000000000000'],
    ['0.0', '1e21', '1e+21'],
    ['0%', '1e13', '10000000000000'],
    ['0.0##', '1.5', '1.5'],
    ['0.0##', '1.255', '1.255'],
    ['0.0##', '1.2', '1.2'],
    ['0.00#', '1', '1.00'],
    ['#,##0', '123', '123'],
    ['#,##0', '1234', '1,234'],
    ['#,##0', '-1234567', '-1,234,567'],
    ['#,###.0', '0.5', '.5'],
    ['0.0', '-0.04', '0.0'],
    ['0.0', '-0.06', '-0.1'],
    ['0%', '-0.5', '-50%'],
    ['00:00', '1e15', '1000000000000000'],
    ['00:00', '0', '00:00'],
    ['00:00', '12345', '123:45'],
    ['h:mm', '0', '00:00:00'],
    ['h:mm', '0.999988425925926', '23:59:59.0'],
    ['h:mm', '1', '1900-01-01 00:00:00'],
    ['h:mm', '-1', '-1'],
    ['[h]:mm', '1', '24:00:00'],
    ['yyyy', '0', '1899-12-31'],
    ['yyyy', '0.5', '1899-12-31 12:00:00'],
    ['yyyy', '60', '1900-02-28'],
    ['yyyy h', '61', '1900-03-01 00:00:00'],
    ['yyyy', '-1', '-1'],
    ['yyyy', '2958465', '9999-12-31'],
    ['yyyy', '2958466', '2958466'],
  ] as const)('in the format %s, %j is shown as %j', ([code, raw, text]) => {
    expect(numberText(raw, parseFormat(code), false)).toBe(text)
  })

  test('from 1904 the days begin in that year', () => {
    expect(numberText('0', parseFormat('yyyy'), true)).toBe('1904-01-01')
    expect(numberText('59', parseFormat('yyyy'), true)).toBe('1904-02-29')
    expect(numberText('1', parseFormat('h:mm'), true)).toBe('1904-01-02 00:00:00')
  })
})

describe('a kind of cell', () => {
  const texts = { name: 'w.xlsx', sharedStrings: ['A*01:01', 'A*02:01'], formats: [parseFormat('0.0'), parseFormat('0000')], isFrom1904: false } // prettier-ignore
  const show = (
    attributes: Readonly<Record<string, string>>,
    more: Partial<Parameters<typeof cellText>[1]>,
  ) => cellText(new Map(Object.entries(attributes)), { value: '', inline: '', formula: '', ...more }, texts)

  test.for([
    [{ t: 'inlineStr' }, { inline: 'A*01:01', value: '7' }, 'A*01:01'],
    [{ t: 's' }, { value: '1' }, 'A*02:01'],
    [{ t: 's', s: '1' }, { value: '0' }, 'A*01:01'],
    [{ t: 'b' }, { value: ' 1 ' }, 'TRUE'],
    [{ t: 'b' }, { value: '0' }, 'FALSE'],
    [{ t: 'n' }, { value: '7' }, '7.0'],
    [{}, { value: '7' }, '7.0'],
    [{ s: '1' }, { value: '7' }, '0007'],
    [{ s: '9' }, { value: '7' }, '7'],
    [{ t: 'str' }, { value: 'a_x0041_b', formula: '=B1' }, 'aAb'],
    [{ t: 'str' }, { formula: '=B1' }, ''],
    [{ t: 'e' }, { value: '#N/A' }, '#N/A'],
    [{ t: 'd' }, { value: '2024-03-05' }, '2024-03-05'],
    // what was never calculated must not be taken for empty
    [{}, { formula: '=B1' }, '=B1'],
    [{ t: 'b' }, { formula: '=B1' }, '=B1'],
    [{}, {}, ''],
  ] as const)('%j with %j is shown as %j', ([attributes, parts, text]) => {
    expect(show(attributes, parts)).toBe(text)
  })

  test('that names a text which is not there is refused', () => {
    expect(errorOf(() => show({ t: 's' }, { value: '2' }))).toMatchObject({
      code: 'io',
      message: expect.stringContaining('a cell names text 2 of 2') as string,
      offending: 'w.xlsx',
    })
  })
})
