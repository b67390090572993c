/** Refusals that few tables meet: code, whole message, and advice. */
import { expect, test } from 'vitest'
import type { HlaError } from '../../src/errors.ts'
import { adviceText } from '../../src/operations/faces.ts'
import { readProvenance } from '../../src/table/output/provenance.ts'
import { findPartToken, makeTokens } from '../../src/table/cells/tokens.ts'
import { ambiguous } from '../../src/table/plan/recognition/locus-pairs.ts'
import { withoutCopies } from '../../src/table/answers/reductions.ts'
import {
  noPlaceError,
  openCellError,
  surplusCellError,
  thirdCopyError,
} from '../../src/table/sources/gathering/person.ts'
import { errorOf } from '../support/errors.ts'

const said = ({ code, message, hint }: HlaError) => [
  code,
  message,
  hint === undefined ? undefined : adviceText(hint, 'command-line'),
]

test.for([
  ['2', 'ambiguous-digits'],
  ['*0201', 'ambiguous-digits'],
  ['01:01,02:01', 'ambiguous-separator'],
  ['2,3', 'ambiguous-separator'],
  ['2*', 'ambiguous-separator'],
] as const)('a cell %s that its table leaves open: %s', ([cell, code]) => {
  expect(said(openCellError(cell))).toEqual([code, `${cell}: it can be read in several ways`, undefined])
})

test('typings without a place', () => {
  expect(said(surplusCellError('A1 A2 A3'))).toEqual([
    'surplus-typing',
    'A1 A2 A3: more typings than there are places',
    'keep two rows per locus and person',
  ])
  expect(said(noPlaceError('A*01:01', 'A'))).toEqual([
    'surplus-typing',
    'A*01:01: A is in another column too, and a person has one genotype of it',
    'keep two typings per locus; -x omits a column',
  ])
  expect(said(noPlaceError('A*01:01~B*08:01', 'A'))[2]).toBe(
    'write the two haplotypes of a person in one cell: A*01:01~B*08:01+A*02:01~B*07:02',
  )
})

test.for([
  [[], ''],
  [['DRB4*01:01'], ' beside DRB4*01:01'],
  [['DRB4*01:01', 'DRB5*01:01'], ' beside DRB4*01:01 and DRB5*01:01'],
] as const)('a third copy beside %j', ([others, beside]) => {
  expect(said(thirdCopyError('DRB3*01:01', others))).toEqual([
    'surplus-typing',
    `DRB3*01:01${beside}: a person has at most two of DRB3, DRB4 and DRB5`,
    'keep only two of them; without --drbx each is converted by itself',
  ])
})

test.for([
  ['', ''],
  ['donor', ' of donor'],
] as const)('columns of a locus that are not a pair, of the person %j', ([subject, of]) => {
  expect(said(ambiguous({ locus: 'A', subject }, ['a', 'b', 'a', 'c']))).toEqual([
    'usage',
    `ambiguous columns for A${of}: a, b, c`,
    'say which: -l A=a,b   or exclude some with -x',
  ])
})

test('a service that does not tell null alleles', () => {
  expect(said(withoutCopies())).toEqual([
    'remote',
    'the service does not tell null alleles from others, so files cannot be compared',
    'without --remote, the installed data answer',
  ])
})

test.for([
  ['', 'untyped'],
  ['NEW', 'new'],
  ['A*01:01', undefined],
] as const)('a part %j of a cell is %s', ([part, status]) => {
  expect(findPartToken(part, 'A', makeTokens({}))).toBe(status)
})

test.for(['', '{', '[]', '{}', '{"format": "hla-provenance"}', 'null'])(
  '%j is not the record of a run',
  (text) => {
    expect(errorOf(() => readProvenance(text, 'x.json'))).toMatchObject({
      code: 'io',
      message: 'x.json is not a provenance file of this version of hla',
      offending: 'x.json',
    })
  },
)
