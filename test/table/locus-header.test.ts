/** Common column names are read without regular expressions, with the same result. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import {
  guessName,
  isColumnLocus,
  locusInTyping,
  readLocusHeader,
  readLocusName,
} from '../../src/table/words/locus-header.ts'
import { listWords } from '../../src/table/words/header-words.ts'
import { rounds } from '../support/rounds.ts'

const locus = fc.constantFrom(...listWords('locus'), 'drb1', 'Cw')
const prefix = fc.constantFrom('', '', 'HLA-', 'HLA_', 'hla ', 'HLA')
const separator = fc.constantFrom('', '_', '-', ' ', '.', '__', '. ')
const slot = fc.constantFrom('', '1', '2', '01', '02', '11', '12', '0', '3', '10', '21', '1_2')

test('a name says what it says behind that of a person, which only the patterns read', () => {
  fc.assert(
    fc.property(prefix, locus, separator, slot, (before, name, between, which) => {
      const plain = `${before}${name}${between}${which}`
      const own = readLocusHeader(plain).filter(({ subject }) => subject === '')
      const behind = readLocusHeader(`x_${plain}`)
        .filter(({ subject }) => subject === 'x')
        .map((read) => ({ ...read, subject: '' }))
      expect(behind).toEqual(own)
    }),
    { numRuns: rounds(5000) },
  )
})

test.each([
  ['A1_mother', 'A', 'mother'],
  ['mother1_A', 'A', 'mother'],
  ['twin2b_A1', 'A', 'twin2b'],
  ['DA1', 'A', 'D'],
  ['RDQB12', 'DQB1', 'R'],
  ['A1.x', 'A', 'x'],
  ['A1', 'A', ''],
  ['DRB111', 'DRB1', ''],
  ['DRB345_mother', 'DRB3/4/5', 'mother'],
  ['DRB345a', 'DRB3/4/5', ''],
  ['A1_his_mother', 'A', ''],
  ['Patient HLA-DRB1 typing', 'DRB1', ''],
  ['hla_a donor', 'A', 'donor'],
  ['A HR 1', 'A', 'HR'],
  ['A B C', undefined, ''],
  ['Dr Smith', undefined, 'Smith'],
  ['Day 1', undefined, 'Day'],
])('%s suggests the locus %s and the person %j', (name, locus, subject) => {
  expect(guessName(name)).toMatchObject({ locus, subject })
})

test.for([
  ['A_1', '', 'A', 1, false],
  ['a(2)', '', 'A', 2, false],
  ['A_0', '', 'A', 0, false],
  [' A_1 ', '', 'A', 1, false],
  ['hlaA_1', '', 'A', 1, true],
  ['first_A', '', 'A', 1, false],
  ['HLA-A 1', '', 'A', 1, true],
  ['hla-e_1', '', 'E', 1, true],
  ['donor_hla_A', 'donor', 'A', undefined, true],
  ['donorHLA_A', 'donorHLA', 'A', undefined, false],
  ['r_a_typ1', 'r', 'A', 1, false],
  ['locus_A_1', '', 'A', 1, false],
  ['Typing_A', '', 'A', undefined, false],
  ['mylocus_A', 'mylocus', 'A', undefined, false],
  ['locusx_A', 'locusx', 'A', undefined, false],
  ['DRB11', '', 'DRB1', 1, true],
  // as HLA-TAPAS writes
  ['DRB1*DRB11', '', 'DRB1', 1, true],
  ['DRB1*DRB1', '', 'DRB1', undefined, true],
  ['DRB345_1', '', 'DRB3/4/5', 1, true],
  ['drb3/4/5', '', 'DRB3/4/5', undefined, true],
  ['DRB3-5_2', '', 'DRB3/4/5', 2, true],
  ['DRBX_1', '', 'DRB3/4/5', 1, true],
  ['drbx', '', 'DRB3/4/5', undefined, true],
  // a date of birth
  ['DOB', '', 'DOB', undefined, false],
  ['dob.', '', 'DOB', undefined, false],
  ['Dob_1', '', 'DOB', 1, true],
] as const)('%s: of "%s", %s %s, sure: %s', ([name, subject, locus, slot, isSure]) => {
  expect(readLocusHeader(name)[0]).toMatchObject({ subject, locus, slot, isSure })
})

test.for([
  'xHLAA_1',
  'x.DRB1*DRB12',
  'A1st',
  'Ab',
  'A2b',
  'A3',
  'A_x',
  'xDRB1*DRB12',
  '*DRB11',
  'DOB 2x',
  'HLA',
  '1',
  '',
])('%j is of no locus', (name) => expect(readLocusHeader(name)).toEqual([]))

test('the reading of the longest locus is first', () => {
  const readings = readLocusHeader('drb1').map(({ locus, slot, length }) => [locus, slot, length])
  expect(readings).toEqual([
    ['DRB1', undefined, 4],
    ['DRB1', 1, 3],
  ])
})

test('quotation marks around a name are not of it', () => {
  expect(['A_1', '"A_1"', '"A_1', 'A_1"'].map(isColumnLocus)).toEqual([true, true, true, true])
  expect(['id', '"id"', 'x"A_1', 'A_1"x', 'A"_1'].map(isColumnLocus)).toEqual([
    false,
    false,
    false,
    false,
    false,
  ])
})

test.for([
  [' HLA-A ', { locus: 'A' }],
  ['hla_drb1', { locus: 'DRB1' }],
  [' hla-Kir2DL1 ', { locus: 'KIR2DL1' }],
  ['KIRHLA-2DL1', undefined],
  ['Hla.Mica', { locus: 'MICA' }],
  ['HLA-A_2', { locus: 'A', slot: 2 }],
  // numbered from 0, it may be either
  ['A_0', { locus: 'A' }],
  ['xHLA-A', undefined],
  ['donor_A', undefined],
  ['DRB345', undefined],
] as const)('%s in a row names %j', ([text, named]) => {
  const isKnown = (name: string) => ['A', 'DRB1', 'MICA', 'KIR2DL1'].includes(name)
  expect(readLocusName(text, isKnown)).toEqual(named)
})

test.for([
  ['DRB4*01:03', 'DRB4'],
  ['HLA-A*01', 'A'],
  ['xA*01', undefined],
  ['01:01', undefined],
] as const)('the typing %s names %s', ([typing, locus]) => expect(locusInTyping(typing)).toBe(locus))

test.each([
  ['2_DRB1', '', 2],
  ['2_DRB1*', '', 2],
  ['d_allele2_DRB1*', 'd', 2],
  ['allele2_DRB1:', 'allele2', undefined],
  ['2_DRB1_1', '2', 1],
])(
  'a number before a locus is its slot where nothing or a star is behind it: %s',
  (header, subject, slot) => {
    const [read] = readLocusHeader(header)
    expect([read?.locus, read?.subject, read?.slot]).toEqual(['DRB1', subject, slot])
  },
)
