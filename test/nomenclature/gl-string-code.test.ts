/** GL String Codes: their three fields, and the release of a version or a date. */
import { describe, expect, test } from 'vitest'
import { formatGlStringCode, parseGlStringCode } from '../../src/nomenclature/gl-string-code.ts'
import { readCodeVersion } from '../../src/reference/release-dates.ts'

describe('parseGlStringCode', () => {
  test.for([
    // examples of glstring.org
    ['hla#3.25.0#HLA-A*01:02+HLA-A*24:02:01:01', ['hla', '3.25.0', 'HLA-A*01:02+HLA-A*24:02:01:01', 11]],
    ['hla#2018-06#HLA-A*02:69+HLA-A*23:30', ['hla', '2018-06', 'HLA-A*02:69+HLA-A*23:30', 12]],
    [
      'kir#2.12#KIR2DL5A*0010101+KIR2DL5A*0010201?KIR2DL5B*0010201+KIR2DL5B*0010301',
      ['kir', '2.12', 'KIR2DL5A*0010101+KIR2DL5A*0010201?KIR2DL5B*0010201+KIR2DL5B*0010301', 9],
    ],
    ['hla##', ['hla', '', '', 5]],
    ['hla#3.58.0#A*01:01#x', ['hla', '3.58.0', 'A*01:01#x', 11]],
  ] as const)('%s', ([text, [namespace, version, glString, start]]) => {
    expect(parseGlStringCode(text)).toEqual({ namespace, version, glString, start })
    expect(text.slice(start)).toBe(glString)
  })

  test.for([
    'A*01:01',
    'A*01:01#3.58.0#',
    '#3.58.0#A*01:01',
    'hla#3.58.0',
    'hla #3.58.0#A*01:01',
    '9hla#3.58.0#A*01:01',
    '',
  ])('%s is none', (text) => {
    expect(parseGlStringCode(text)).toBeUndefined()
  })

  test('writes what it reads', () => {
    expect(formatGlStringCode('3.58.0', 'A*01:01')).toBe('hla#3.58.0#A*01:01')
  })
})

describe('readCodeVersion', () => {
  test.for([
    ['3.58.0', '3.58.0'],
    ['3.58', '3.58.0'],
    ['3580', '3.58.0'],
    // as published: 3.0.0 in April 2010, 3.25.0 in July 2016, 3.58.0 in October 2024, 3.64.0 in April 2026
    ['2010-04', '3.0.0'],
    ['2016-07', '3.25.0'],
    ['2018-06', '3.32.0'],
    ['2018-06-30', '3.32.0'],
    ['2024-10', '3.58.0'],
    ['2024-12-31', '3.58.0'],
    ['2025-01-01', '3.59.0'],
    ['2026-04-15', '3.64.0'],
  ] as const)('%s is %s', ([version, release]) => {
    expect(readCodeVersion(version)).toEqual({ release, isByDate: /^\d{4}-/.test(version) })
  })

  test.for(['2018', '2018-13', '2018-06-31', '2018-6', '2010-03', '', 'x', 'active'])(
    '%s is refused',
    (version) => {
      expect(() => readCodeVersion(version)).toThrow(expect.objectContaining({ code: 'unknown-release' }))
    },
  )
})
