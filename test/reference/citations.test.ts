/** Citations: the line of a fact contains it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Citations, NO_CITATIONS, readCitations } from '../../src/reference/citations.ts'
import { parseAlleleList } from '../../src/reference/sources/allele-list.ts'
import { readDataLines } from '../../src/reference/sources/lines.ts'
import { hasShared, sharedPath } from '../support/shared.ts'
import { newerReleases } from '../support/releases.ts'
import { realSources } from '../support/sources.ts'

const ALPHA = '*\tCODE\tSUBTYPE\n\n\tZAB\t01/02\n*\tAB\t01:01/02:02\n'

const SMALL: Readonly<Record<string, string>> = {
  'hla_nom.txt': [
    '# file: hla_nom.txt',
    'A;1;19680101;;;',
    'A*;02:17:01;19950113;20180831;02:17:02:01;Sequence error',
    'A*;02:17:01;20190131;;;',
    'A*;02:100;20100401;20100401;;Never assigned',
    'A*;02:101;201004010;;;',
  ].join('\n'),
  'hla_nom_g.txt': 'MICA*;001:01;\r\nA*;01:01:01:01/01:01:01:02N;01:01:01G\r\nA*;01:01:02;\r\nB*;01:01:02/01:01:03;01:01:02G\r\n',
  'hla_nom_p.txt': '# a\rA*;01:01;01:01P\r',
  'rel_dna_ser.txt': 'A*;01:01:38L;;0/1;;\nA*;02:01:01:01;2;;;28\n',
  'rel_ser_ser.txt': 'A;2;;203/210\nA;9;23/24;\nDR;2;15/16;\n',
  'Allelelist.3580.txt': 'AlleleID,Allele\nHLA1,A*01:01:01:012\nHLA2,A*01:01:01:01\n',
  'Deleted_alleles.txt': '# Deleted Alleles\nAlleleID,Allele,Description\nHLA1,A*02:100,"Never, ever"\nHLA2,A*02:101,Renamed "A*02:102" later\n',
  'numer.v3.txt': 'CODE\tSUBTYPE\n\nZAB\t01/02\nAB\t01/02\n',
} // prettier-ignore

const small = readCitations((name) => SMALL[name], '3.58.0')

describe('citationsOf', () => {
  test.for([
    ['a name in use before one given up', small.allele('A*02:17:01'), { line: 4, assigned: '2019-01-31' }],
    ['a name given up', small.allele('A*02:100'), { line: 5, assigned: '2010-04-01' }],
    ['a date of another form', small.allele('A*02:101'), { line: 6, assigned: '201004010' }],
    [
      'a line of the allele list',
      small.inAlleleList('A*01:01:01:01'),
      { file: 'Allelelist.3580.txt', line: 3 },
    ],
    ['a member of a group', small.group('g', 'A*01:01:01:02N'), { line: 2, group: 'A*01:01:01G' }],
    ['an allele outside every group', small.group('g', 'A*01:01:02'), { line: 3, group: undefined }],
    ['the same fields at another locus', small.group('g', 'B*01:01:02'), { line: 4, group: 'B*01:01:02G' }],
    ['a line behind a lone CR', small.group('p', 'A*01:01'), { line: 2, group: 'A*01:01P' }],
    ['possible antigens', small.serology('A*01:01:38L'), { line: 1, possible: '0/1', unambiguous: '' }],
    ['a split', small.split('DR2', 'DR16'), { line: 3, file: 'rel_ser_ser.txt' }],
    ['a deletion', small.deleted('A*02:100'), { line: 3, accession: 'HLA1', description: 'Never, ever' }],
    [
      'quotation marks within a description',
      small.deleted('A*02:101'),
      { line: 4, description: 'Renamed "A*02:102" later' },
    ],
    [
      'no line of too few columns',
      readCitations((name) => (name === 'rel_ser_ser.txt' ? 'A;9\nA;9;23/24;\n' : undefined), '3.58.0').split(
        'A9',
        'A23',
      ),
      { line: 2 },
    ],
    [
      'a code of the other form',
      readCitations((name) => (name === 'alpha.v3.txt' ? ALPHA : undefined), '3.58.0').mac('AB'),
      { line: 4, file: 'alpha.v3.txt' },
    ],
    ['a code', small.mac('AB'), { line: 4, file: 'numer.v3.txt' }],
    ['no part of a name', small.group('g', 'A*01:01:01'), undefined],
    ['an associated antigen', small.split('A2', 'A203'), { file: 'rel_ser_ser.txt', line: 1 }],
    ['no other letters', small.split('A2', 'DR16'), undefined],
    ['no line of a file that is not kept', readCitations(() => undefined, '3.58.0').mac('AB'), undefined],
  ] as const)('finds %s', ([, found, expected]) => {
    if (expected === undefined) expect(found).toBeUndefined()
    else expect(found).toMatchObject(expected)
  })
})

test('every column of a row is told', () => {
  const file = 'rel_dna_ser.txt'
  expect(small.allele('A*02:17:01')).toEqual({
    file: 'hla_nom.txt',
    line: 4,
    text: 'A*;02:17:01;20190131;;;',
    assigned: '2019-01-31',
  })
  expect(small.inAlleleList('A*01:01:01:01')).toEqual({
    file: 'Allelelist.3580.txt',
    line: 3,
    text: 'HLA2,A*01:01:01:01',
  })
  expect(small.group('g', 'A*01:01:01:01')).toEqual({
    file: 'hla_nom_g.txt',
    line: 2,
    text: 'A*;01:01:01:01/01:01:01:02N;01:01:01G',
    group: 'A*01:01:01G',
  })
  expect(small.serology('A*02:01:01:01')).toEqual({
    file,
    line: 2,
    text: 'A*;02:01:01:01;2;;;28',
    unambiguous: '2',
    possible: '',
    assumed: '',
    hats: undefined,
  })
  const of2026 = readCitations((name) => (name === file ? 'B*;07:02;7;42;81;x;B7\n' : undefined), '3.64.0')
  expect(of2026.serology('B*07:02')).toEqual({
    file,
    line: 1,
    text: 'B*;07:02;7;42;81;x;B7',
    unambiguous: '7',
    possible: '42',
    assumed: '81',
    hats: 'B7',
  })
  expect(small.deleted('A*02:100')).toEqual({
    file: 'Deleted_alleles.txt',
    line: 3,
    text: 'HLA1,A*02:100,"Never, ever"',
    accession: 'HLA1',
    description: 'Never, ever',
  })
  expect(small.split('A9', 'A24')).toEqual({ file: 'rel_ser_ser.txt', line: 2, text: 'A;9;23/24;' })
  expect(small.mac('ZAB')).toEqual({ file: 'numer.v3.txt', line: 3, text: 'ZAB\t01/02' })
})

test('what no line has is not found', () => {
  expect([
    small.allele('A*02:17'),
    small.allele('B*02:100'),
    small.inAlleleList('A*01:01:01'),
    small.inAlleleList('HLA1'),
    small.group('g', 'C*01:01:02'),
    small.group('p', 'A*01:02'),
    small.group('g', 'A*'),
    small.serology('A*01:01:38'),
    small.serology('A*1'),
    small.split('A9', 'A25'),
    small.split('A203', 'A2'),
    small.deleted('A*02:10'),
    small.mac('A'),
    small.mac('B'),
    small.mac('CODE '),
    NO_CITATIONS.allele('A*01:01'),
    NO_CITATIONS.serology('A*01:01'),
  ]).toEqual(Array.from({ length: 17 }, () => undefined))
})

test('each file is asked for once, and a list by each of its names', () => {
  const asked: string[] = []
  const citations = readCitations((name) => void asked.push(name), '3.13.0')
  for (let time = 0; time < 2; time += 1) {
    citations.allele('A*01:01')
    citations.inAlleleList('A*01:01')
    citations.group('g', 'A*01:01')
    citations.group('p', 'A*01:01')
    citations.serology('A*01:01')
    citations.split('A9', 'A23')
    citations.deleted('A*01:01')
    citations.mac('AB')
  }
  expect(asked).toEqual([
    'hla_nom.txt',
    'Allelelist.3131.txt',
    'Allelelist.3130.txt',
    'hla_nom_g.txt',
    'hla_nom_p.txt',
    'rel_dna_ser.txt',
    'rel_ser_ser.txt',
    'Deleted_alleles.txt',
    'numer.v3.txt',
    'alpha.v3.txt',
  ])
})

test('alleles are found in any order, however far apart', () => {
  const names = Array.from({ length: 3000 }, (_, at) => `A*01:${at + 100}`)
  const text = names.map((name) => `${name.replace('*', '*;')};1;;;`).join('\r\n')
  const far = readCitations(() => text, '3.58.0')
  for (const at of [0, 1, 2999, 0, 1500, 1499, 1501, 2999, 2998, 3])
    expect(far.serology(names[at] ?? '')).toMatchObject({ line: at + 1, unambiguous: '1' })
  // neither the end of another row
  const within = readCitations(() => 'DQA*;01:01;5;;;\nA*;01:01;1;;;\rA*;01:02;2;;;', '3.58.0')
  expect([within.serology('A*01:01')?.line, within.serology('A*01:02')?.line]).toEqual([2, 3])
  expect(within.serology('DQA*01:01')?.line).toBe(1)
})

describe.skipIf(!hasShared).each(['3580', '3290', ...newerReleases()])(
  'citations of published release %s',
  (compact) => {
    const folder = ['upstream', 'IMGTHLA'] as const
    const readNames = () =>
      parseAlleleList(
        readFileSync(sharedPath(...folder, 'Latest', 'allelelist', `Allelelist.${compact}.txt`), 'utf8'),
      ).map(({ name }) => name)

    test.for([
      ['hla_nom_g.txt', (citations: Citations, name: string) => citations.group('g', name)],
      ['hla_nom_p.txt', (citations: Citations, name: string) => citations.group('p', name)],
      ['rel_dna_ser.txt', (citations: Citations, name: string) => citations.serology(name)],
    ] as const)('every 50th allele is found where reading all of %s finds it', ([file, look]) => {
      const citations = readCitations(realSources(compact), `3.${compact.slice(1, 3)}.0`)
      const lines = new Map<string, number>()
      const text = readFileSync(sharedPath(...folder, compact, 'wmda', file), 'utf8')
      for (const { text: line, number } of readDataLines(text)) {
        const [locus = '', members = ''] = line.split(';')
        for (const member of members.split('/')) lines.set(locus + member, number)
      }
      for (const name of readNames().filter((_, at) => at % 50 === 0)) {
        expect([name, look(citations, name)?.line]).toEqual([name, lines.get(name)])
      }
    })
  },
)
