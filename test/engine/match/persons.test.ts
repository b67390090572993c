/** Two persons at a locus of a small release, and of the starter set: whole answers. */
import { describe, expect, test } from 'vitest'
import { makeEngine } from '../../../src/engine/engine.ts'
import {
  chooseCount,
  listLoci,
  type LocusMatch,
  type Matcher,
  type MatchRules,
  newMatcher,
  sumLoci,
} from '../../../src/engine/match/match.ts'
import { readPerson } from '../../../src/engine/match/person.ts'
import {
  makeMatchEngines,
  type MatchLevel,
  readGenotypes,
  type ResolvedTyping,
  resolveTyping,
} from '../../../src/engine/match/resolve.ts'
import { openStarter } from '../../../src/reference/starter/open-starter.ts'
import { smallMacs, smallRelease } from '../../support/small-release.ts'

const RULES: MatchRules = {
  level: 'P',
  nulls: 'leave-out',
  homozygous: 2,
  antigenLoci: [],
  tce: 2,
  isGraded: true,
}
const engines = makeMatchEngines(makeEngine(smallRelease(), smallMacs()))

function matcherOf(rules: Partial<MatchRules> = {}, hasTce = true): Matcher {
  const all = { ...RULES, ...rules }
  return newMatcher(all, hasTce, (text, level) => resolveTyping(text, { ...all, level }, engines))
}

function compare(matcher: Matcher, locus: string, patient: string, donor: string): LocusMatch {
  const side = (text: string) => matcher.side(locus, readPerson(text).get(locus))
  return matcher.compare(locus, side(patient), side(donor))
}

const exactly = (gvh: number, hvg: number, matched: number) => ({
  gvh: [gvh, gvh],
  hvg: [hvg, hvg],
  matched: [matched, matched],
})

test.for([
  ['A', 'A*24:02+A*01:01', 'A*24:02:01:01+A*01:01:01:01', {}, { verdict: 'match', counts: exactly(0, 0, 2) }],
  // A2 is the antigen of both
  ['A', 'A*01:01+A*02:01', 'A*02:16+A*01:01', {}, { verdict: 'mismatch', counts: exactly(1, 1, 1), grade: 'allele' }],
  ['A', 'A*01:01+A*02:01', 'A*03:01+A*01:01', {}, { verdict: 'mismatch', counts: exactly(1, 1, 1), grade: 'antigen' }],
  ['A', 'A*01:01+A*02:01', 'A*03:01+A*01:01', { isGraded: false }, { verdict: 'mismatch', counts: exactly(1, 1, 1) }],
  ['A', 'A9+A1', 'A*24:02+A*01:01', {}, { verdict: 'potential', counts: { gvh: [0, 2], hvg: [0, 2], matched: [0, 2] } }],
  ['A', 'A23+A1', 'A*24:02+A*01:01', { level: 'S' }, { verdict: 'mismatch', counts: exactly(1, 1, 1), grade: 'antigen' }],
  ['A', 'A23+A1', 'A*24:02+A*01:01', { level: 'broad' }, { verdict: 'match', counts: exactly(0, 0, 2) }],
  // a locus of antigens is compared by split ones, whatever the level
  ['A', 'A*23:01+A*01:01', 'A*24:02+A*01:01', { level: 'broad', antigenLoci: ['B', 'A'] }, { verdict: 'mismatch', counts: exactly(1, 1, 1), grade: 'antigen' }],
  ['A', 'A*23:01+A*01:01', 'A*24:02+A*01:01', { level: 'broad', antigenLoci: ['B'] }, { verdict: 'match', counts: exactly(0, 0, 2) }],
  ['A', 'A*02:01+A*02:16', 'A*02:16+A*02:01', { antigenLoci: ['A'] }, { verdict: 'match', counts: exactly(0, 0, 2) }],
  ['A', 'A*01:01', 'A*01:01+A*02:01', {}, { verdict: 'mismatch', counts: exactly(0, 1, 1), grade: 'antigen' }],
  ['A', 'A*01:01+A*02:01', 'A*03:01', {}, { verdict: 'mismatch', counts: exactly(2, 2, 0), grade: 'antigen' }],
  ['A', 'A*01:01+A*02:01', 'A*03:01', { homozygous: 1 }, { verdict: 'mismatch', counts: exactly(2, 1, 0), grade: 'antigen' }],
  // no antigen is known of B*83:01
  ['B', 'B*83:01+B*07:02', 'B*08:01+B*07:02', {}, { verdict: 'mismatch', counts: exactly(1, 1, 1), grade: 'antigen', isGradedByField: true }],
  ['B', 'B*08:01+B*07:02', 'B*83:01+B*07:02', {}, { verdict: 'mismatch', counts: exactly(1, 1, 1), grade: 'antigen', isGradedByField: true }],
  ['B', 'B*07:02+B*08:01', 'B*07:02+B*13:07N', {}, { verdict: 'mismatch', counts: exactly(1, 0, 1), grade: 'antigen' }],
  ['DRB345', 'DRB3*01:01+DRB4*01:03', 'DRB3*01:01', {}, { verdict: 'mismatch', counts: exactly(1, 0, 1), grade: 'antigen' }],
  ['A', 'A*02:01+A*03:01|A*02:01+A*01:01', 'A*01:01+A*02:01', {}, { verdict: 'potential', counts: { gvh: [0, 1], hvg: [0, 1], matched: [1, 2] } }],
  ['A', 'A*01:01/A*01:04N+A*02:01', 'A*01:01+A*02:01', {}, { verdict: 'match', counts: exactly(0, 0, 2) }],
  ['A', 'A*01:01/A*01:04N+A*02:01', 'A*01:01+A*02:01', { nulls: 'count' }, { verdict: 'potential', counts: { gvh: [0, 0], hvg: [0, 1], matched: [1, 2] } }],
  ['DPB1', 'DPB1*01:01+DPB1*04:02', 'DPB1*105:01+DPB1*04:02', {}, {
    verdict: 'mismatch', counts: exactly(1, 0, 1), grade: 'antigen', isGradedByField: true,
    tce: { verdicts: ['non-permissive-hvg'], patient: ['3'], donor: ['2a'], isPredicted: true },
  }],
  ['DPB1', 'DPB1*01:01+DPB1*04:02', 'DPB1*01:01+DPB1*105:01', { level: 'W', tce: 1 }, {
    verdict: 'mismatch', counts: exactly(1, 1, 1), grade: 'antigen', isGradedByField: true,
    tce: { verdicts: ['permissive'], patient: ['3'], donor: ['3'], isPredicted: false },
  }],
  ['DPB1', 'DPB1*01:01+DPB1*04:02', 'DPB1*04:02+DPB1*01:01', {}, {
    verdict: 'match', counts: exactly(0, 0, 2),
    tce: { verdicts: ['match'], patient: ['3'], donor: ['3'], isPredicted: false },
  }],
] as const)('%s: %s and %s by %j', ([locus, patient, donor, rules, expected]) => {
  expect(compare(matcherOf(rules), locus, patient, donor)).toEqual({ locus, ...expected })
}) // prettier-ignore

test('a release without epitope groups says so of DPB1 alone', () => {
  const matcher = matcherOf({}, false)
  const found = compare(matcher, 'DPB1', 'DPB1*01:01+DPB1*04:02', 'DPB1*01:01+DPB1*04:02')
  expect(found).toEqual({ locus: 'DPB1', verdict: 'match', counts: exactly(0, 0, 2), tce: 'no-tce' })
  expect(compare(matcher, 'A', 'A1', 'A1')).not.toHaveProperty('tce')
})

test('a locus that a person has not typed, or that cannot be read, is not compared', () => {
  const matcher = matcherOf()
  const typed = matcher.side('A', readPerson('A*01:01+A*02:01').get('A'))
  const untyped = matcher.side('A', undefined)
  const unread = matcher.side('A', readPerson('B*07:02^A*02:01+HLA-A*01:foo').get('A'))
  const verdicts = (
    [
      [typed, untyped],
      [untyped, typed],
      [untyped, unread],
      [unread, typed],
      [typed, unread],
    ] as const
  ).map(([patient, donor]) => matcher.compare('A', patient, donor))
  expect(verdicts).toEqual(
    ['untyped', 'untyped', 'unread', 'unread', 'unread'].map((verdict) => ({ locus: 'A', verdict })),
  )
  if (unread.kind !== 'unread') throw new Error('is read')
  const { code, message, offending, position } = unread.error
  expect({ code, message, offending, position }).toEqual({
    code: 'unknown-mac',
    message: 'foo is not in the MAC list of 2024-11-04',
    offending: 'HLA-A*01:foo',
    position: [16, 28],
  })
})

test.for([
  ['A*01:01+A*02:01', []],
  ['A*01:01', [['one-typing', 'A*01:01 is typed once: it counts as homozygous', 'A*01:01']]],
  // once for both copies
  [
    'A*02:01:01:02L+A*02:01:01:02L',
    [
      [
        'expression',
        'A*02:01:01:02L counts as expressed: L means low cell surface expression',
        'A*02:01:01:02L',
      ],
    ],
  ],
  [
    'A*24:02:03Q+A*01:01',
    [
      [
        'expression',
        'A*24:02:03Q counts as expressed: Q means that its expression is questionable',
        'A*24:02:03Q',
      ],
    ],
  ],
  [
    'A*11:403:01G+A*01:01',
    [['null-possible', 'A*11:403:01G may be a null allele (A*11:403N), which is left out', 'A*11:403:01G']],
  ],
  [
    'A*01:01+A*01:01:01G',
    [
      [
        'null-possible',
        'A*01:01:01G may be a null allele (A*01:01:01:02N, A*01:04:01:01N, A*01:04:01:02N, A*01:22N), which is left out',
        'A*01:01:01G',
      ],
    ],
  ],
  [
    'A*01:01+A*01:01:01G/A*01:287N/A*43:02N',
    [
      [
        'null-possible',
        'A*01:01:01G/A*01:287N/A*43:02N may be a null allele (A*01:01:01:02N, A*01:04:01:01N, A*01:04:01:02N, A*01:22N and 2 more), which is left out',
        'A*01:01:01G/A*01:287N/A*43:02N',
      ],
    ],
  ],
] as const)('the notes on %s', ([text, expected]) => {
  const side = matcherOf().side('A', readPerson(text).get('A'))
  if (side.kind !== 'typed') throw new Error(side.kind)
  expect(side.notes).toEqual(
    expected.map(([code, message, offending]) => ({ level: 'note', code, message, offending })),
  )
})

const RESOLVED: ResolvedTyping = {
  expressed: [],
  nulls: [],
  antigens: [],
  firstFields: [],
  epitopes: [],
  withoutEpitope: [],
  isSerology: false,
  notes: [],
}
const A9 = { antigens: ['A23', 'A24'], firstFields: ['A*23', 'A*24'], isSerology: true }
const NULLS = ['A*01:01:01:02N', 'A*01:04:01:01N', 'A*01:04:01:02N', 'A*01:22N']

test.for([
  ['A*24:02', {}, { expressed: ['A*24:02P'], antigens: ['A24'], firstFields: ['A*24'] }],
  ['A*01:01:01G', { nulls: 'count' }, { expressed: ['A*01:01P'], nulls: NULLS, antigens: ['A1'], firstFields: ['A*01'] }],
  ['A9', {}, { expressed: ['A*23:01P', 'A*24:02P'], ...A9 }],
  ['A9', { level: 'S' }, { expressed: ['A23', 'A24'], ...A9 }],
  ['A9', { level: 'broad' }, { expressed: ['A9'], ...A9 }],
  ['A9/A*01:01', {}, {
    expressed: ['A*23:01P', 'A*24:02P', 'A*01:01P'], antigens: ['A23', 'A24', 'A1'], firstFields: ['A*23', 'A*24', 'A*01'],
  }],
  ['A*01:04N', {}, { nulls: ['A*01:04:01:01N', 'A*01:04:01:02N'] }],
  ['HLA-A*01:AB', { level: 'G' }, {
    expressed: ['A*01:01:01G', 'A*01:01:02', 'A*01:02:01G', 'A*01:02:02'], antigens: ['A1'], firstFields: ['A*01'],
  }],
  ['A*69:CFFGM', { level: 'lgx' }, {
    expressed: ['A*32:15', 'A*69:01', 'A*69:02'], antigens: ['A32', 'A69'], firstFields: ['A*32', 'A*69'],
  }],
  // no antigen is known of it
  ['B*83:01/B*07:02', {}, { expressed: ['B*83:01', 'B*07:02P'], antigens: undefined, firstFields: ['B*83', 'B*07'] }],
  ['A*23:01', { isGraded: false }, { expressed: ['A*23:01P'], antigens: undefined, firstFields: ['A*23'] }],
  ['A*69:01', { level: 'broad', isGraded: false }, { expressed: ['A28'], antigens: ['A69'], firstFields: ['A*69'] }],
  ['DPB1*105:01/DPB1*01:01', {}, {
    expressed: ['DPB1*04:02P', 'DPB1*01:01P'], antigens: undefined, firstFields: ['DPB1*105', 'DPB1*01'], epitopes: ['2a$', '3'],
  }],
  ['DPB1*105:01', { tce: 1 }, { expressed: ['DPB1*04:02P'], antigens: undefined, firstFields: ['DPB1*105'], epitopes: ['3$'] }],
] as const)('%s by %j may be', ([text, rules, expected]) => {
  expect(resolveTyping(text, { ...RULES, ...rules }, engines)).toEqual({ ...RESOLVED, ...expected })
}) // prettier-ignore

test.for([
  [
    'A*01:01:01G+A*24:02:01G',
    'lgx',
    [
      [
        { names: ['A*01:01'], expressed: ['A*01:01'], nulls: NULLS },
        { names: ['A*24:02'], expressed: ['A*24:02'], nulls: [] },
      ],
    ],
  ],
  [
    'A*01:04N+HLA-A*01:22N/HLA-A*02:01',
    'G',
    [
      [
        { names: ['A*01:01:01G'], expressed: [], nulls: ['A*01:04:01:01N', 'A*01:04:01:02N'] },
        {
          names: ['A*01:01:01G', 'A*02:01:01G', 'A*02:01:02G'],
          expressed: ['A*02:01:01G', 'A*02:01:02G'],
          nulls: ['A*01:22N'],
        },
      ],
    ],
  ],
  // a locus without groups
  ['MICA*002:01', 'lgx', [[{ names: ['MICA*002:01:01'], expressed: ['MICA*002:01:01'], nulls: [] }]]],
  [
    'A*03:01|A*02:01~A*03:01',
    'P',
    [
      [{ names: ['A*03:01P'], expressed: ['A*03:01P'], nulls: [] }],
      [
        { names: ['A*02:01P'], expressed: ['A*02:01P'], nulls: [] },
        { names: ['A*03:01P'], expressed: ['A*03:01P'], nulls: [] },
      ],
    ],
  ],
] as const)('the genotypes of %s by %s', ([text, method, expected]) => {
  expect(readGenotypes(text, engines.plain, method)).toEqual(expected)
})

test('the loci of a count are summed, and those that are not compared are named', () => {
  const loci: LocusMatch[] = [
    { locus: 'A', verdict: 'match', counts: { gvh: [0, 0], hvg: [0, 0], matched: [2, 2] } },
    { locus: 'B', verdict: 'potential', counts: { gvh: [0, 1], hvg: [1, 2], matched: [0, 1] } },
    { locus: 'C', verdict: 'unread' },
    { locus: 'DRB1', verdict: 'untyped' },
    { locus: 'DPB1', verdict: 'mismatch', counts: { gvh: [1, 1], hvg: [2, 2], matched: [0, 0] } },
    { locus: 'DQA1', verdict: 'unread' },
  ]
  const four = { of: 4, matched: [2, 3], gvh: [0, 1], hvg: [1, 2] }
  expect(sumLoci(loci, '6/6')).toEqual({ ...four, untyped: ['DRB1'], unread: [] })
  expect(sumLoci(loci, '8/8')).toEqual({ ...four, untyped: ['DRB1'], unread: ['C'] })
  expect(sumLoci(loci, '10/10')).toEqual({ ...four, untyped: ['DRB1', 'DQB1'], unread: ['C'] })
  expect(sumLoci(loci, '12/12')).toEqual({
    of: 6,
    matched: [2, 3],
    gvh: [1, 2],
    hvg: [3, 4],
    untyped: ['DRB1', 'DQB1'],
    unread: ['C'],
  })
})

test('loci stand in the order of a report, others behind them by their name', () => {
  const person = (...loci: string[]) => new Map(loci.map((locus) => [locus, true]))
  expect(listLoci(person('MICB', 'DPB1', 'DRB345', 'A'), person('MICA', 'B', 'A', 'DRB1'))).toEqual([
    'A',
    'B',
    'DRB1',
    'DRB345',
    'DPB1',
    'MICA',
    'MICB',
  ])
})

test.for([
  [[['A', 'B', 'C', 'DRB1']], '8/8'],
  [[['A', 'B', 'C', 'DRB1', 'DQB1']], '10/10'],
  [[['A', 'B', 'C', 'DRB1'], ['DQB1']], '10/10'],
  [[['A'], ['A', 'B', 'C', 'DRB1', 'DPB1'], ['A']], '8/8'],
  [[['A', 'B', 'C']], '10/10'],
  [[], '10/10'],
] as const)('pairs with %j are counted by %s', ([pairs, expected]) => {
  expect(chooseCount(pairs.map((loci) => new Set(loci)))).toBe(expected)
})

test.for([
  ['foo', 'bad-syntax', [0, 3]],
  ['A*01:01+A*02:01^foo', 'bad-syntax', [16, 19]],
  ['A*01:01/A*01:02/1', 'bad-syntax', [16, 17]],
  ['A*01:01|', 'empty-part', [8, 8]],
  ['A*01:01~B*07:02+*02:01', 'bad-syntax', [16, 22]],
] as const)('%s: a part without a locus may be of any', ([text, code, position]) => {
  expect(() => readPerson(text)).toThrow(expect.objectContaining({ code, position }))
})

test('a part with a locus, however it is written, leaves the others', () => {
  const text = 'A2+A*01:^HLA-B*07:foo+B*:^DR51+Cw*01:02+C*01:02:9x'
  expect([...readPerson(text).keys()]).toEqual(['A', 'B', 'DRB345', 'C'])
})

describe('the starter set', () => {
  const ofStarter = makeMatchEngines(makeEngine(openStarter().release))
  const matcher = (level: MatchLevel) =>
    newMatcher({ ...RULES, level }, false, (text) => resolveTyping(text, { ...RULES, level }, ofStarter))

  test('compares names of groups, and grades by first fields', () => {
    for (const level of ['P', 'G', 'lgx', 'U2'] as const)
      expect(compare(matcher(level), 'A', 'A*01:01:01:01+A*02:01', 'A*01:01+A*03:01:01:01')).toMatchObject({
        verdict: 'mismatch',
        grade: 'antigen',
        counts: { gvh: [1, 1], hvg: [1, 1] },
      })
  })

  test('refuses what it has in part', () => {
    const refused = (level: MatchLevel, text: string) => matcher(level).side('A', readPerson(text).get('A'))
    for (const [level, text] of [
      ['W', 'A*01:01'],
      ['P', 'A*01:XX'],
      ['P', 'A25'],
      ['S', 'A*01:01'],
    ] as const)
      // prettier-ignore
      expect(refused(level, text)).toMatchObject({ kind: 'unread', error: { code: 'starter' } })
  })
})
