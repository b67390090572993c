/** Header and data lines of the published files, in the styles of all releases. */
import { describe, expect, test } from 'vitest'
import { parseCodeRelease } from '../../../src/reference/history/release-label.ts'
import { parseAlleleHistory } from '../../../src/reference/sources/allele-history.ts'
import { parseAlleleList } from '../../../src/reference/sources/allele-list.ts'
import { parseCiwd, parseEurcwd } from '../../../src/reference/sources/catalogue-files.ts'
import { parseDnaSerology } from '../../../src/reference/sources/dna-serology.ts'
import { parseGroups } from '../../../src/reference/sources/groups.ts'
import { readDataLines, readHeader } from '../../../src/reference/sources/lines.ts'
import { parseNomenclature } from '../../../src/reference/sources/nomenclature.ts'
import { parseSerology } from '../../../src/reference/sources/serology.ts'
import { errorOf } from '../../support/errors.ts'

const CIWD = 'ALLELE,TOTAL,AFA,API,EURO,HIS,MENA,NAM,UNK'

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

test('the header is looked for in the first 2000 characters', () => {
  const at = (before: number) => readHeader(`${'#'.repeat(before - 1)}\n# date: 2024-10-09`)
  expect([at(1982).date, at(2000).date]).toEqual(['2024-10-09', undefined])
  expect(readHeader('A # date: 2024-10-09\n#date:x\n# version: IPD 3.58\n# version: 10.58.12 of it')).toEqual(
    {
      date: 'x',
      version: '10.58.12',
    },
  )
})

test('lines that lack a part are no rows of groups', () => {
  expect(parseGroups('A*;01:01;\nA*;;01:01:01G\n;01:01;01:01:01G\nA*;01:01\nA*;01:01/01:02;01:01:01G;more')).toEqual([
    { members: ['A*01:01', 'A*01:02'], name: 'A*01:01:01G' },
  ])
}) // prettier-ignore

test('lines that lack a part are no rows of antigens', () => {
  expect(parseSerology('A;9;23\n;9;23/24;\nA;;23/24;\nDR5;1;;01/02\nA;9;;')).toEqual([
    { locus: 'DR5', antigen: 'DR51', splits: [], associated: ['DR5101', 'DR5102'] },
    { locus: 'A', antigen: 'A9', splits: [], associated: [] },
  ])
  expect(
    parseNomenclature('A;1;19680101;;;\nCw;3\nA*;01:01;1989;;;\nA*;01:02;1989;2000;;\nB*;07:02'),
  ).toEqual({
    inUse: new Set(['A*01:01', 'B*07:02']),
    deleted: new Set(['A*01:02']),
    antigens: new Set(['A1', 'Cw3']),
  })
})

test('a history of alleles has a column for each release', () => {
  const text = '# date: x\nwords,3580\nHLA_ID,3580,3131,300\nHLA00001, A*01:01:01:01,A*01:01,NA\nHLA00002,,NA,A*0102\nHLA00003,A*02:01\n'
  expect(parseAlleleHistory(text.replace('words,3580\n', '')).map(({ release, rows }) => [release, [...rows]])).toEqual([
    ['3.58.0', [['HLA00001', 'A*01:01:01:01'], ['HLA00003', 'A*02:01']]],
    ['3.13.0', [['HLA00001', 'A*01:01']]],
    ['3.0.0', [['HLA00002', 'A*0102']]],
  ])
  expect(errorOf(() => parseAlleleHistory('HLA_ID\nHLA_ID,x\nHLA_ID,35,3580\nHLA_ID,3580x\nHLA_ID,x3580\n'))).toMatchObject({
    code: 'bad-release-file',
    message: 'no line names the releases of the allele history',
  })
}) // prettier-ignore

test.for([
  ['3290', '3.29.0'],
  [' 300 ', '3.0.0'],
  ['2221', '2.22.1'],
  ['3131', '3.13.0'],
  ['3130', '3.13.0'],
  ['3010', '3.1.0'],
  ['31000', '3.100.0'],
] as const)('the code %s is of release %s', ([code, release]) => expect(parseCodeRelease(code)).toBe(release))

test.for(['', '30', '3x0', 'x300', '300x'])('"%s" is no code of a release', (code) => {
  expect(errorOf(() => parseCodeRelease(code))).toMatchObject({
    code: 'bad-release-file',
    message: `"${code}" is not a release number`,
    offending: code,
  })
})

test.for([
  [parseCiwd, '', 'the CIWD catalogue does not begin with the line ALLELE,TOTAL,AFA,API,EURO,HIS,MENA,NAM,UNK', '', undefined],
  [parseCiwd, 'x'.repeat(101), 'the CIWD catalogue does not begin with the line ALLELE,TOTAL,AFA,API,EURO,HIS,MENA,NAM,UNK', 'x'.repeat(100), undefined],
  [parseCiwd, `${CIWD}\nA01,C,C,C,C,C,C,C,C`, 'line 2 of the CIWD catalogue is not a name and 8 categories', 'A01,C,C,C,C,C,C,C,C', '2'],
  [parseCiwd, `${CIWD}\nA*01,C,C,C,C,C,C,C,C,C`, 'line 2 of the CIWD catalogue is not a name and 8 categories', 'A*01,C,C,C,C,C,C,C,C,C', '2'],
  [parseCiwd, `${CIWD}\nA*01,C,C,C,C,C,C,C,X${'x'.repeat(100)}`, 'line 2 of the CIWD catalogue is not a name and 8 categories', `A*01,C,C,C,C,C,C,C,X${'x'.repeat(80)}`, '2'],
  [parseEurcwd, 'A*01:01,C\n\nA*01:01,WD', 'line 3 of the EURCWD catalogue is not a new name and C or WD', 'A*01:01,WD', '3'],
  [parseEurcwd, '# no names', 'the EURCWD catalogue has no names', undefined, undefined],
] as const)('a catalogue is refused (row %$)', ([parse, text, message, offending, line]) => {
  expect(errorOf(() => parse(text))).toMatchObject({ code: 'bad-release-file', message, offending, facts: line === undefined ? undefined : { line } })
}) // prettier-ignore

test('a catalogue is read by its names', () => {
  expect([...parseCiwd(`\uFEFF${CIWD}\nA*01,C,I,WD,R,C,C,C,C`)]).toEqual([['A*01', ['C', 'I', 'WD', 'R', 'C', 'C', 'C', 'C']]])
}) // prettier-ignore
