import { describe, expect, test } from 'vitest'
import { parseNumer } from '../../../src/reference/sources/numer.ts'
import { readNumer } from '../../support/independent/files.ts'
import { hasShared } from '../../support/shared.ts'

const HEADER = '"LAST UPDATED: 07/11/20"\r\nCODE\tSUBTYPE\r\n\r\n'

describe('parseNumer', () => {
  test('gives the date and the rows in file order', () => {
    const { date, codes } = parseNumer(`${HEADER}ABC\t01/02\r\nAB\t25:01/26:01N\r\n`)
    expect(date).toBe('2020-07-11')
    expect([...codes]).toEqual([
      ['ABC', '01/02'],
      ['AB', '25:01/26:01N'],
    ])
    expect([...codes], 'a second walk').toHaveLength(2)
  })

  test.for([
    ['in another order', 'CODE\tSUBTYPE\n"LAST UPDATED: 7/1/2020"\n', '2020-07-01'],
    ['without quotes or column names', 'LAST UPDATED: 12/31/99\n', '2099-12-31'],
    ['in other letters, without spaces', 'last updated:07/11/20\ncode\tsubtype\n', '2020-07-11'],
    ['with an ISO date', '\uFEFF"LAST UPDATED: 2026-01-31"\n\n\n', '2026-01-31'],
  ] as const)('recognises a header %s', ([, header, date]) => {
    const source = parseNumer(`${header}AB\t01/02\n\n`)
    expect(source.date).toBe(date)
    expect([...source.codes]).toEqual([['AB', '01/02']])
  })

  const ALPHA = '"LAST UPDATED: 07/11/20"\r\n*\tCODE\tSUBTYPE\r\n\r\n'
  test.for([
    ['', '\t'],
    ['a star', '*\t'],
    ['a space', ' \t'],
  ] as const)('reads the form with a column before the code: %s', ([, start]) => {
    const source = parseNumer(`${ALPHA}${start}AB\t01/02\r\n*\tABC\t25:01/26:01N\r\n`)
    expect(source).toMatchObject({ date: '2020-07-11', name: 'alpha.v3.txt' })
    expect([...source.codes]).toEqual([
      ['AB', '01/02'],
      ['ABC', '25:01/26:01N'],
    ])
    expect(parseNumer(`${HEADER}AB\t01/02\n`).name).toBe('numer.v3.txt')
  })

  test.for([
    [`${ALPHA}\tAB\t01/02\nAC\t01/03\n`, '5'],
    [`${HEADER}AB\t01/02\n*\tAC\t01/03\n`, '5'],
  ] as const)('refuses a list of both forms: %j', ([text, line]) => {
    expect(() => [...parseNumer(text).codes]).toThrow(expect.objectContaining({ facts: { line } }))
  })

  test.for([
    ['lfs-pointer', 'version https://git-lfs.github.com/spec/v1\noid sha256:0\nsize 3\n', undefined],
    ['truncated-file', `${HEADER}AB\t01/02\r\nAC\t01/0`, '5'],
    ['truncated-file', HEADER, undefined],
    ['bad-release-file', '', '1'],
    ['bad-release-file', '<!DOCTYPE html>\n', '1'],
    ['bad-release-file', 'AB\t01/02\n', '1'],
    ['bad-release-file', '"LAST UPDATED: 30/11/20"\nAB\t01/02\n', '1'],
    ['bad-release-file', '"LAST UPDATED: 02/30/20"\nAB\t01/02\n', '1'],
    ['bad-release-file', '"LAST UPDATED: 107/11/20"\nAB\t01/02\n', '1'],
    ['bad-release-file', '"LAST UPDATED: 07/11/20/1"\nAB\t01/02\n', '1'],
    ['bad-release-file', '"LAST UPDATED: 07/11"\nAB\t01/02\n', '1'],
    ['bad-release-file', '"LAST UPDATED: 2020"\nAB\t01/02\n', '1'],
    ['bad-release-file', '"LAST UPDATED: 2020-07-111"\nAB\t01/02\n', '1'],
    ['bad-release-file', '"LAST UPDATED: 07/11/20"\n*CODE\tSUBTYPE\nAB\t01/02\n', '2'],
    ['bad-release-file', `${HEADER}AB\t01/02\nCODE\tSUBTYPE\n`, '5'],
    ['bad-release-file', `${HEADER}AB 01/02\n`, '4'],
    ['bad-release-file', `${HEADER}AB\t\n`, '4'],
    ['bad-release-file', `${HEADER}\nAB\t01/02/\n`, '5'],
    ['bad-release-file', `${HEADER}AB\t01//02\n`, '4'],
    ['bad-release-file', `${HEADER}AB\t01/25:01\n`, '4'],
    ['bad-release-file', `${HEADER}AB\t01/02\textra\n`, '4'],
    ['bad-release-file', `${HEADER}ab\t01/02\n`, '4'],
    ['bad-release-file', `${HEADER}ABCDEFGHIJKL\t01/02\n`, '4'],
  ] as const)('refuses with %s: %j', ([code, text, line]) => {
    const walk = () => [...parseNumer(text).codes]
    expect(walk).toThrow(expect.objectContaining({ name: 'HlaError', code }))
    expect(walk).toThrow(expect.objectContaining({ facts: line === undefined ? undefined : { line } }))
  })

  test.for([
    [`${HEADER}AB\t01/02\r\nAC\t01/0`, 'the list of codes stops inside line 5', 'AC\t01/0'],
    ['"LAST UPDATED: "\nAB\t01/02\n', 'the list of codes does not begin with a "LAST UPDATED" line', '"LAST UPDATED: "'],
    ['"LAST UPDATED: 02/30/20"\nAB\t01/02\n', 'line 1 of the list of codes has a date that is not month/day/year', '"LAST UPDATED: 02/30/20"'],
    ['version https://git-lfs.github.com/spec/v1\n', 'the list of codes is a git-lfs pointer, not the file', undefined, 'run "git lfs pull" there, or download the file'],
    [HEADER, 'the list of codes has a header and no codes', undefined],
    [`${HEADER}AB\t01/0`, 'the list of codes stops inside line 4', 'AB\t01/0', 'get the file again'],
    [`${HEADER}AB\t01 02\r\n`, 'line 4 of the list of codes is not a code, a tab and a list like 01/02 or 25:01/26:01', 'AB\t01 02'],
    [`${HEADER}AB\t01\r\n\uFEFFAC\t01\r\n`, 'line 5 of the list of codes is not a code, a tab and a list like 01/02 or 25:01/26:01', '\uFEFFAC\t01'],
    ['AB\t01/02\nLAST UPDATED: 07/11/20\n', 'the list of codes does not begin with a "LAST UPDATED" line', 'AB\t01/02'],
    [`${HEADER}AB ${'x'.repeat(300)}\r\nAC\t01\r\n`, expect.stringMatching(/^line 4 of the list of codes /) as string, `AB ${'x'.repeat(197)}`],
  ] as const)('says what is wrong with %j', ([text, message, offending, hint]) => {
    const error = { message, offending, ...(hint === undefined ? {} : { hint }) }
    expect(() => [...parseNumer(text).codes]).toThrow(expect.objectContaining(error))
  }) // prettier-ignore

  test.skipIf(!hasShared)('reads the published list whole', () => {
    const text = readNumer()
    const { date, codes } = parseNumer(text)
    const lines = text.split('\r\n').slice(3, -1)
    expect(date).toBe('2020-07-11')
    expect(Array.from(codes, (row) => row.join('\t'))).toEqual(lines)
    const starred = text
      .replace('CODE', '*\tCODE')
      .replace(/^([A-Z]+)(?=\t\d)(.*)$/gm, (row) => `${row.includes(':') ? '*' : ''}\t${row}`)
    expect([...parseNumer(starred).codes]).toEqual([...codes])
    expect(parseNumer(starred).name).toBe('alpha.v3.txt')
  })
})
