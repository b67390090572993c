/** Header and data lines of the published files, in the styles of all releases. */
import { describe, expect, test } from 'vitest'
import { parseAlleleList } from '../../../src/reference/sources/allele-list.ts'
import { parseDnaSerology } from '../../../src/reference/sources/dna-serology.ts'
import { parseGroups } from '../../../src/reference/sources/groups.ts'
import { readDataLines, readHeader } from '../../../src/reference/sources/lines.ts'
import { parseSerology } from '../../../src/reference/sources/serology.ts'

const ORIGIN = '# origin: http://example.org/wmda/hla_nom_g.txt'
const HEADERS = {
  'four lines (to 3.21)': ['# file: hla_nom_g.txt', '# date: 2010-04-01', '# version: IMGT/HLA 3.0.0', '# author: nobody'],
  'five lines (3.22 to 3.24)': ['# file: hla_nom_g.txt', '# date: 2015-10-07', '# version: IPD-IMGT/HLA 3.22.0', ORIGIN, '# author: nobody'],
  'six lines (from 3.25)': ['# file: hla_nom_g.txt', '# date: 2016-07-14', '# version: IPD-IMGT/HLA 3.25.0', ORIGIN, '# repository: http://example.org', '# author: nobody'],
  'no lines': [],
} // prettier-ignore
const ROWS = ['A*;01:01:01:01/01:01:01:02N;01:01:01G', 'A*;01:01:02;', 'B*;07:02:01:01/07:61;07:02:01G']
const ENDS = { LF: '\n', CRLF: '\r\n', 'a lone CR': '\r' }

describe.for(Object.entries(HEADERS))('a header of %s', ([, header]) => {
  test.for(Object.entries(ENDS))('and lines that end in %s: no row is lost', ([, end]) => {
    const text = [...header, ...ROWS, ''].join(end)
    expect(readDataLines(text).map((line) => line.text)).toEqual(ROWS)
    expect(parseGroups(text)).toEqual([
      { members: ['A*01:01:01:01', 'A*01:01:01:02N'], name: 'A*01:01:01G' },
      { members: ['B*07:02:01:01', 'B*07:61'], name: 'B*07:02:01G' },
    ])
  })
})

test('a line is known by its number in the file', () => {
  expect(readDataLines('# one\n\n  three \r\n\r\nfive')).toEqual([
    { text: 'three', number: 3 },
    { text: 'five', number: 5 },
  ])
})

test.for([
  ['four lines (to 3.21)', { date: '2010-04-01', version: '3.0.0' }],
  ['six lines (from 3.25)', { date: '2016-07-14', version: '3.25.0' }],
  ['no lines', { date: undefined, version: undefined }],
] as const)('the header of %s says %j', ([style, facts]) => {
  expect(readHeader([...HEADERS[style], ...ROWS].join('\r\n'))).toEqual(facts)
})

test('values of a header are behind their words, in any letters', () => {
  const lines = [
    '# see # date: 1999 # version: 1.1.1',
    '# date:',
    '#Date: 2010-04-01',
    '# VERSION: IMGT/HLA 3.0.0',
  ]
  expect(readHeader(lines.join('\n'))).toEqual({ date: '2010-04-01', version: '3.0.0' })
})

test('an allele list has a line of column names, and names without a colon', () => {
  const rows = ['AlleleID,Allele', 'HLA00001,A*01:01:01:01', 'HLA01000,MICA*002', 'HLA1']
  expect(parseAlleleList(['# file: Allelelist.txt', ...rows].join('\n'))).toEqual([
    { accession: 'HLA00001', name: 'A*01:01:01:01' },
    { accession: 'HLA01000', name: 'MICA*002' },
  ])
})

describe('parseDnaSerology', () => {
  test.for([
    ['A*;01:01:01:01;1;;;', ['1'], undefined],
    ['A*;01:01:01:02N;0;;;', [], undefined],
    ['A*;02:01:01:02L;;0/2;;', ['2'], undefined],
    ['A*;02:55;;2/28;28/?;', ['2', '28', '28'], undefined],
    ['B*;83:01;?;;;', [], undefined],
    ['B*;44:450;;;44;44;4402', ['44'], '4402'],
    ['A*;01:01:01:01;1;;;;', ['1'], ''],
  ] as const)('%s', ([line, antigens, hats]) => {
    const [row] = parseDnaSerology(`# date: 2025-01-01\r\n${line}\r\n`)
    expect(row).toMatchObject({ antigens, hats })
    expect(row?.allele).toBe(line.split(';').slice(0, 2).join(''))
  })

  test('lines with fewer columns are not rows', () => {
    expect(parseDnaSerology('A*;01:01:01:01;1;;\n;01:01;1;;;\nA*;;1;;;')).toEqual([])
  })
})

test('parseSerology: splits and associated antigens, in the order of the file', () => {
  expect(parseSerology('A;9;23/24;\nA;2;;203/210\nB;7\nCw;3;9/10;')).toEqual([
    { locus: 'A', antigen: 'A9', splits: ['A23', 'A24'], associated: [] },
    { locus: 'A', antigen: 'A2', splits: [], associated: ['A203', 'A210'] },
    { locus: 'Cw', antigen: 'Cw3', splits: ['Cw9', 'Cw10'], associated: [] },
  ])
})
