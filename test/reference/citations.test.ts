/** Citations: the line of a fact contains it. */
import { readFileSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { type Citations, readCitations } from '../../src/reference/citations.ts'
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
