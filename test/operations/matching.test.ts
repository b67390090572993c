/** Records, texts and columns of a match: what stands in them, and what is left out. */
import { describe, expect, test } from 'vitest'
import {
  locusRecord,
  matchCells,
  matchColumns,
  matchText,
  namesIn,
  placeRecord,
  rangeText,
  readPlaceRecord,
  readRules,
  tceText,
  totalRecord,
} from '../../src/operations/answers/matching.ts'

const COUNTS = { matched: [0, 1], gvh: [1, 2], hvg: [0, 2] } as const
const RECORDED = { matched: [0, 1], gvh: [1, 2], hvg: [0, 2] }

test('the rules have defaults, and each can be set', () => {
  const standard = {
    level: 'P',
    homozygous: 2,
    nulls: 'leave-out',
    antigenLoci: [],
    tce: 2,
    isGraded: true,
  }
  expect(readRules({})).toEqual(standard)
  const input = {
    level: 'W',
    homozygous: 1,
    nulls: 'count',
    antigen: ['A'],
    tce: 1,
    no_grade: true,
  } as const
  expect(readRules(input)).toEqual({
    level: 'W',
    homozygous: 1,
    nulls: 'count',
    antigenLoci: ['A'],
    tce: 1,
    isGraded: false,
  })
})

describe('a record of a locus', () => {
  const tce = { verdicts: ['permissive'], patient: ['3'], donor: ['3'], isPredicted: false } as const
  test.for([
    [
      { locus: 'A', verdict: 'untyped' },
      { locus: 'A', verdict: 'untyped' },
    ],
    [
      { locus: 'A', verdict: 'mismatch', counts: COUNTS, grade: 'allele' },
      { locus: 'A', verdict: 'mismatch', ...RECORDED, grade: 'allele' },
    ],
    [
      { locus: 'A', verdict: 'mismatch', counts: COUNTS, grade: 'antigen', isGradedByField: true },
      { locus: 'A', verdict: 'mismatch', ...RECORDED, grade: 'antigen', graded_by: 'first-field' },
    ],
    [
      { locus: 'DPB1', verdict: 'match', tce: 'no-tce' },
      { locus: 'DPB1', verdict: 'match', tce: { verdict: 'no-tce' } },
    ],
    [
      { locus: 'DPB1', verdict: 'mismatch', tce },
      {
        locus: 'DPB1',
        verdict: 'mismatch',
        tce: { verdict: 'permissive', patient: [3], donor: [3], predicted: false },
      },
    ],
    [
      {
        locus: 'DPB1',
        verdict: 'potential',
        tce: {
          verdicts: ['permissive', 'non-permissive-gvh'],
          patient: ['1', '2a', '2'],
          donor: ['3'],
          isPredicted: true,
        },
      },
      {
        locus: 'DPB1',
        verdict: 'potential',
        tce: {
          possible: ['permissive', 'non-permissive-gvh'],
          patient: [1, 2],
          donor: [3],
          shown: '1/2a/2 3',
          predicted: true,
        },
      },
    ],
    [
      {
        locus: 'DPB1',
        verdict: 'match',
        tce: { verdicts: ['permissive'], patient: ['3'], donor: ['2', '2a'], isPredicted: false },
      },
      {
        locus: 'DPB1',
        verdict: 'match',
        tce: { verdict: 'permissive', patient: [3], donor: [2], shown: '3 2/2a', predicted: false },
      },
    ],
  ] as const)('%j', ([match, record]) => {
    expect(locusRecord(match as Parameters<typeof locusRecord>[0])).toEqual(record)
  })
})

test('a total names unread loci only where there are some', () => {
  const total = { of: 4, ...COUNTS, untyped: ['C'], unread: [] }
  expect(totalRecord(total)).toEqual({ of: 4, ...RECORDED, untyped: ['C'] })
  expect(totalRecord({ ...total, unread: ['B'] })).toEqual({
    of: 4,
    ...RECORDED,
    untyped: ['C'],
    unread: ['B'],
  })
})

describe('a place', () => {
  const names = {
    expressed: ['A*01:01P', 'A*02:01P'],
    nulls: ['A*01:04N'],
    antigens: ['A1', 'A2'],
    firstFields: ['A*01', 'A*02'],
    epitopes: ['2a', '3'],
    withoutEpitope: ['DPB1*1:1', 'DPB1*1:2'],
    isSerology: false,
    notes: [{ code: 'reserved', message: 'm' }],
  }
  const record = {
    typing: 't',
    names: 'A*01:01P/A*02:01P',
    null: true,
    antigens: 'A1/A2',
    first_fields: 'A*01/A*02',
    epitopes: '2a/3',
    without_epitope: 'DPB1*1:1/DPB1*1:2',
    serology: false,
    notes: [{ code: 'reserved', message: 'm' }],
  }
  const nothing = {
    expressed: undefined,
    nulls: [],
    antigens: undefined,
    firstFields: [],
    epitopes: [],
    withoutEpitope: [],
    isSerology: true,
    notes: [],
  }
  const resolved = (one: unknown) => one as Parameters<typeof placeRecord>[1]
  test('is written with what it may be, and read again', () => {
    expect(placeRecord('t', resolved(names))).toEqual(record)
    // no comparison needs the names of null alleles
    expect(readPlaceRecord(placeRecord('t', resolved(names)))).toEqual({ ...names, nulls: ['t'] })
  })

  test('of which any allele is possible has no names', () => {
    const written = placeRecord('t', resolved(nothing))
    expect(written).toEqual({
      typing: 't',
      null: false,
      first_fields: '',
      epitopes: '',
      without_epitope: '',
      serology: true,
    })
    expect(readPlaceRecord(written)).toEqual(nothing)
    expect(namesIn('')).toEqual([])
  })
})

test.for([
  [[1, 2], '1-2'],
  [[2, 2], '2'],
  [[0, 0], '0'],
  [[3], '3'],
] as const)('the range %j is %s', ([range, text]) => {
  expect(rangeText(range)).toBe(text)
})

test('the text has the total, then a line for each locus', () => {
  const total = { of: 2, ...RECORDED, untyped: [] }
  expect(matchText({ level: 'P', count: '10', loci: [], total })).toBe(
    '0-1 of 2 match, GvH 1-2, HvG 0-2 (10 by P)',
  )
  const loci = [
    { locus: 'A', verdict: 'mismatch', ...RECORDED, grade: 'antigen', graded_by: 'first-field' },
    { locus: 'B', verdict: 'mismatch', ...RECORDED, grade: 'allele' },
    { locus: 'C', verdict: 'untyped' },
    {
      locus: 'DPB1',
      verdict: 'potential',
      gvh: [0, 0],
      hvg: [1, 1],
      tce: { possible: ['permissive', 'non-permissive-gvh'] },
    },
    { locus: 'DPB1', verdict: 'match', tce: { verdict: 'permissive' } },
  ] as const
  const whole = { ...total, untyped: ['C', 'DRB1'], unread: ['DQB1', 'E'] }
  expect(matchText({ level: 'G', count: '12', loci, total: whole })).toBe(
    [
      '0-1 of 2 match, GvH 1-2, HvG 0-2 (12 by G; not typed: C, DRB1; unread: DQB1, E)',
      'A\tmismatch\tGvH 1-2\tHvG 0-2\tantigen by first field',
      'B\tmismatch\tGvH 1-2\tHvG 0-2\tallele',
      'C\tuntyped',
      'DPB1\tpotential\tGvH 0\tHvG 1\tTCE permissive/non-permissive-gvh',
      'DPB1\tmatch\tTCE permissive',
    ].join('\n'),
  )
  expect(tceText({})).toBe('')
})

test('columns and cells are those of the loci', () => {
  const columns = ['matched', 'gvh', 'hvg', 'A_verdict', 'A_gvh', 'A_hvg', 'DPB1_verdict', 'DPB1_gvh', 'DPB1_hvg', 'DPB1_tce', 'of', 'untyped', 'unread'] // prettier-ignore
  expect(matchColumns(['A', 'DPB1'])).toEqual(columns)
  const loci = [
    { locus: 'A', verdict: 'mismatch', ...RECORDED },
    { locus: 'DPB1', verdict: 'untyped', tce: { verdict: 'no-tce' } },
  ] as const
  const total = { of: 2, ...RECORDED, untyped: ['DPB1', 'C'] }
  const cells = (of: readonly string[], wholeTotal: object) =>
    matchCells({ loci, total: wholeTotal } as unknown as Parameters<typeof matchCells>[0], of)
  expect(cells(['A', 'DPB1'], total)).toEqual(['0-1', '1-2', '0-2', 'mismatch', '1-2', '0-2', 'untyped', '', '', 'no-tce', '2', 'DPB1 C', '']) // prettier-ignore
  expect(cells(['B', 'DPB1'], { ...total, unread: ['E', 'B'] }).slice(3)).toEqual(['', '', '', 'untyped', '', '', 'no-tce', '2', 'DPB1 C', 'E B']) // prettier-ignore
})
