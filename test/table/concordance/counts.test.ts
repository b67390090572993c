/** Counts of a comparison of two files: as records, as lines, and the loci that only one file has. */
import { describe, expect, test } from 'vitest'
import {
  CONCORDANCE_COLUMNS,
  concordanceLines,
  isDifferent,
  locusRecords,
  oneSidedLoci,
  wholeRecord,
} from '../../../src/table/concordance/records.ts'
import {
  type Compared,
  compareSides,
  type ComparisonCounts,
  countsRecord,
  countVerdict,
  differenceFormat,
  differInCopies,
  type FilesCompared,
  isCompared,
  isConcordant,
  type LocusSide,
  newCounts,
  reducedText,
  slotsText,
  sumCounts,
  type Verdict,
} from '../../../src/table/concordance/verdicts.ts'
import { HlaError } from '../../../src/errors.ts'
import {
  ABSENT,
  makeSlots,
  newStatements,
  NO_STATEMENT,
  UNKNOWN,
} from '../../../src/table/answers/statements.ts'

/** Verdicts and how many persons have each; the copies that they share. */
const VERDICTS: readonly (readonly [Verdict, number, Compared['shared']])[] = [
  ['identical', 7, 2],
  ['compatible', 6, 2],
  ['null', 1, 1],
  ['one-allele', 5, 1],
  ['no-allele', 2, 0],
  ['missing-left', 3, 0],
  ['missing-right', 4, 0],
  ['unreadable-left', 8, 0],
  ['unreadable-right', 9, 0],
  ['unreadable', 10, 0],
]

function countsOf(loci: Readonly<Record<string, typeof VERDICTS>>, areCopiesOther = false): ComparisonCounts {
  const counts = newCounts()
  for (const [locus, verdicts] of Object.entries(loci))
    for (const [verdict, count, shared] of verdicts)
      for (let at = 0; at < count; at += 1) countVerdict(counts, locus, { verdict, shared }, areCopiesOther)
  return counts
}

const RECORD_OF_ALL = {
  compared: 21,
  identical: 7,
  compatible: 6,
  null: 1,
  one_allele: 5,
  no_allele: 2,
  missing_left: 3,
  missing_right: 4,
  unreadable: 27,
  copies: 0,
  // 13 of 21 persons, and 2 × 13 + 6 of 42 copies, both rounded down
  concordance: 0.619,
  allele_concordance: 0.7619,
}

const RECORD_OF_B = {
  compared: 3,
  identical: 3,
  compatible: 0,
  null: 0,
  one_allele: 0,
  no_allele: 0,
  missing_left: 0,
  missing_right: 0,
  unreadable: 0,
  copies: 0,
  concordance: 1,
  allele_concordance: 1,
}

const SUM = { ...RECORD_OF_ALL, compared: 24, identical: 10, concordance: 0.6666, allele_concordance: 0.7916 }

function comparedOf(methods: FilesCompared['methods'], more: Partial<FilesCompared> = {}): FilesCompared {
  const none = { persons: 0, only: 0, broken: 0 }
  return { left: none, right: none, persons: 0, methods, ...more }
}

const TWO_LOCI = { B: [['identical', 3, 2]], A: VERDICTS } as const

describe('counts of a locus', () => {
  test('are one for each verdict, with the shares of those who were compared', () => {
    const [all] = [...countsOf({ A: VERDICTS }).loci.values()]
    expect(all && countsRecord(all)).toEqual(RECORD_OF_ALL)
  })

  test('have no shares where nobody was compared', () => {
    const [all] = [...countsOf({ A: [['missing-left', 2, 0]] }).loci.values()]
    expect(all && countsRecord(all)).toMatchObject({ compared: 0, concordance: null, allele_concordance: null }) // prettier-ignore
  })

  test('of other copies are those of typings that agree', () => {
    const { loci } = countsOf({ DRB3: VERDICTS }, true)
    expect(loci.get('DRB3')?.copies).toBe(13)
  })

  test('of all loci are added', () => {
    const counts = countsOf({ DRB3: VERDICTS, DRB4: [['identical', 3, 2]] }, true)
    expect(countsRecord(sumCounts(counts.loci.values()))).toEqual({ ...SUM, copies: 16 })
  })

  test('verdicts that were compared, and those that agree', () => {
    const all = VERDICTS.map(([verdict]) => verdict)
    expect(all.filter(isConcordant)).toEqual(['identical', 'compatible'])
    expect(all.filter(isCompared)).toEqual(['identical', 'compatible', 'null', 'one-allele', 'no-allele'])
  })
})

describe('records', () => {
  const counts = { ...countsOf(TWO_LOCI), compared: 21, concordant: 1300 }
  const other = { ...countsOf({ '': [['unreadable', 1, 0]] }), compared: 0, concordant: 0 }
  const compared = comparedOf(
    [
      { method: 'lgx', counts },
      { method: 'G', counts: other },
    ],
    {
      left: { persons: 30, only: 3, broken: 1 },
      right: { persons: 40, only: 2000, broken: 2 },
      persons: 982,
    },
  )
  const NOBODY = { ...RECORD_OF_B, compared: 0, identical: 0, unreadable: 1, concordance: null, allele_concordance: null } // prettier-ignore

  test('are one for each locus and method in the order of their names, and one for all', () => {
    expect(locusRecords(compared).map(({ json }) => json)).toEqual([
      { locus: 'A', method: 'lgx', ...RECORD_OF_ALL },
      { locus: 'B', method: 'lgx', ...RECORD_OF_B },
      { locus: 'all', method: 'lgx', ...SUM },
      { locus: '?', method: 'G', ...NOBODY },
      { locus: 'all', method: 'G', ...NOBODY },
    ])
    const [first, , , unread] = locusRecords(compared)
    expect(first).toMatchObject({ input: '', method: 'lgx', text: '', error: undefined })
    expect(CONCORDANCE_COLUMNS.map((column, at) => `${column}=${first?.cells?.[at]}`).join(' ')).toBe(
      'locus=A method=lgx compared=21 identical=7 compatible=6 null=1 one_allele=5 no_allele=2 concordance=0.619 allele_concordance=0.7619 missing_left=3 missing_right=4 unreadable=27 copies=0',
    )
    expect(unread?.cells).toEqual(['?', 'G', '0', '0', '0', '0', '0', '0', '', '', '0', '0', '1', '0'])
  })

  test('are one with everything', () => {
    expect(wholeRecord(compared, ['a.csv', 'b.csv'], '3.58.0')).toEqual({
      input: '',
      method: undefined,
      text: '',
      error: undefined,
      json: {
        release: '3.58.0',
        left: { file: 'a.csv', persons: 30, only: 3, broken: 1 },
        right: { file: 'b.csv', persons: 40, only: 2000, broken: 2 },
        persons: 982,
        methods: [
          {
            method: 'lgx',
            persons_compared: 21,
            persons_concordant: 1300,
            loci: [
              { locus: 'A', ...RECORD_OF_ALL },
              { locus: 'B', ...RECORD_OF_B },
            ],
            all: SUM,
          },
          { method: 'G', persons_compared: 0, persons_concordant: 0, loci: [{ locus: '?', ...NOBODY }], all: NOBODY }, // prettier-ignore
        ],
      },
    })
  })

  test('are told in a line for the persons, and in one for each method', () => {
    expect(concordanceLines(compared, ['a.csv', 'b.csv'])).toEqual([
      '982 persons are in both files, 3 in a.csv alone, 2,000 in b.csv alone, 1 row of a.csv could not be read, 2 rows of b.csv could not be read',
      'lgx: 1,300 of 21 agree at every locus that both files have',
      'G: 0 of 0 agree at every locus that both files have',
    ])
    expect(concordanceLines(comparedOf([], { persons: 1 }), ['a', 'b'])).toEqual([
      '1 person is in both files, 0 in a alone, 0 in b alone',
    ])
  })
})

test('loci that one file has alone', () => {
  const loci = {
    DQB1: [['missing-left', 2, 0]],
    C: [['missing-right', 1, 0]],
    B: [['missing-right', 3, 0]],
    // in either file for one person or another
    DPB1: [['missing-left', 1, 0], ['missing-right', 1, 0]],
    DRB1: [['missing-left', 1, 0], ['identical', 1, 2]],
    DQA1: [['missing-left', 1, 0], ['unreadable', 1, 0]],
    '': [['missing-left', 1, 0]],
  } as const // prettier-ignore
  const counts = countsOf(loci)
  expect(oneSidedLoci(comparedOf([{ method: 'lgx', counts }]))).toEqual([['B', 'C'], ['DQB1']])
  expect(oneSidedLoci(comparedOf([]))).toEqual([[], []])
})

describe('two files differ', () => {
  const alike = [{ method: 'lgx', counts: countsOf({ A: [['identical', 2, 2]] }) }]
  test('where a person or a row is in one of them, or a verdict is not that they are identical', () => {
    expect(isDifferent(comparedOf(alike, { persons: 2 }))).toBe(false)
    expect(isDifferent(comparedOf([]))).toBe(false)
    const none = { persons: 2, only: 0, broken: 0 }
    for (const side of [{ ...none, only: 1 }, { ...none, broken: 1 }])
      for (const more of [{ left: side }, { right: side }]) expect(isDifferent(comparedOf(alike, more))).toBe(true) // prettier-ignore
    for (const [verdict] of VERDICTS.slice(1)) {
      const second = { method: 'G', counts: countsOf({ A: [['identical', 1, 2]], B: [[verdict, 1, 0]] }) }
      expect([verdict, isDifferent(comparedOf([...alike, second]))]).toEqual([verdict, true])
    }
  })
})

describe('two sides', () => {
  const error = new HlaError('unknown-allele', 'x')
  const SIDES = {
    missing: { kind: 'missing' },
    absent: { kind: 'absent' },
    fault: { kind: 'fault', error, id: 3 },
    typed: { kind: 'typed', genotypes: [], copies: 1, reduced: ['DRB3*01:01', 'DRB3*02:02'] },
  } as const satisfies Record<string, LocusSide>

  test.for([
    ['fault', 'fault', 'unreadable', 0],
    ['fault', 'typed', 'unreadable-left', 0],
    ['fault', 'missing', 'unreadable-left', 0],
    ['absent', 'fault', 'unreadable-right', 0],
    ['missing', 'fault', 'unreadable-right', 0],
    ['missing', 'absent', 'missing-left', 0],
    ['missing', 'typed', 'missing-left', 0],
    ['typed', 'missing', 'missing-right', 0],
    ['absent', 'missing', 'missing-right', 0],
    ['absent', 'absent', 'identical', 2],
    ['absent', 'typed', 'no-allele', 0],
    ['typed', 'absent', 'no-allele', 0],
  ] as const)('%s and %s are %s', ([left, right, verdict, shared]) => {
    expect(compareSides(SIDES[left], SIDES[right])).toEqual({ verdict, shared })
  })

  test('neither has a typing', () => {
    expect(compareSides(SIDES.missing, SIDES.missing)).toBeUndefined()
  })

  test('a typing written once and twice differs at a gene that not every chromosome has', () => {
    const twice: LocusSide = { ...SIDES.typed, copies: 2 }
    for (const locus of ['DRB3', 'DRB4', 'DRB5']) {
      expect(differInCopies(locus, SIDES.typed, twice)).toBe(true)
      expect(differInCopies(locus, twice, SIDES.typed)).toBe(true)
      expect(differInCopies(locus, twice, twice)).toBe(false)
      expect(differInCopies(locus, twice, SIDES.absent)).toBe(false)
      expect(differInCopies(locus, SIDES.fault, twice)).toBe(false)
    }
    expect(differInCopies('DRB1', SIDES.typed, twice)).toBe(false)
  })

  test('are shown as their reduced names', () => {
    expect(Object.values(SIDES).map(reducedText)).toEqual(['', 'absent', '', 'DRB3*01:01+DRB3*02:02'])
  })
})

describe('what the cells of a locus say together', () => {
  const statements = newStatements()
  const typing = (glString: string, release?: string) => statements.add({ kind: 'typing', glString, release })
  const [one, two, three] = ['A*01:01', 'A*02:01', 'A*03:01'].map((name) => typing(name)) as [number, number, number] // prettier-ignore
  const list = statements.add({ kind: 'list', glString: 'A*01:01+A*02:01|A*01:02+A*02:01', release: undefined }) // prettier-ignore
  const fault = statements.add({ kind: 'fault', text: 'A*99', error: new HlaError('unknown-allele', 'x') })

  test('an equal statement is the same one, and of another release another', () => {
    expect(typing('A*01:01')).toBe(one)
    const coded = typing('A*01:01', '3.29.0')
    expect(coded).not.toBe(one)
    expect(typing('A*01:01', '3.30.0')).not.toBe(coded)
    expect(typing('A*01:01', '3.29.0')).toBe(coded)
    expect(statements.add({ kind: 'fault', text: 'A*99', error: new HlaError('unknown-allele', 'y') })).toBe(fault) // prettier-ignore
    expect(statements.add({ kind: 'fault', text: 'A*99', error: new HlaError('bad-syntax', 'x') })).not.toBe(fault) // prettier-ignore
    expect([statements.add({ kind: 'absent' }), statements.add({ kind: 'unknown' })]).toEqual([ABSENT, UNKNOWN]) // prettier-ignore
    expect([ABSENT, UNKNOWN].map((id) => statements.get(id).kind)).toEqual(['absent', 'unknown'])
    expect(() => statements.get(1000)).toThrow('there is no statement 1000')
  })

  test('its size is that of its texts, once each, and an error counts more', () => {
    const sized = newStatements()
    const sizeWith = (statement: Parameters<typeof sized.add>[0]) => {
      sized.add(statement)
      return sized.characters()
    }
    expect(sizeWith({ kind: 'absent' })).toBe(0)
    expect(sizeWith({ kind: 'typing', glString: 'A*01:01', release: undefined })).toBe(7)
    expect(sizeWith({ kind: 'typing', glString: 'A*01:01', release: undefined })).toBe(7)
    expect(sizeWith({ kind: 'fault', text: 'A', error: new HlaError('io', 'x') })).toBeGreaterThan(1000)
  })

  test.for([
    [[one], one, NO_STATEMENT],
    [[UNKNOWN], UNKNOWN, NO_STATEMENT],
    [[ABSENT], ABSENT, NO_STATEMENT],
    [[list], list, NO_STATEMENT],
    [[one, two], one, two],
    [[one, one], one, one],
    [[one, ABSENT], one, NO_STATEMENT],
    [[ABSENT, one], one, NO_STATEMENT],
    [[ABSENT, one, two], one, two],
    [[ABSENT, ABSENT], ABSENT, NO_STATEMENT],
    [[UNKNOWN, ABSENT], UNKNOWN, NO_STATEMENT],
    [[UNKNOWN, UNKNOWN], UNKNOWN, NO_STATEMENT],
    [[one, fault], fault, NO_STATEMENT],
    [[UNKNOWN, fault], fault, NO_STATEMENT],
    [[ABSENT, list], list, NO_STATEMENT],
  ] as const)('%j is %d and %d', ([ids, first, second]) => {
    expect(makeSlots(ids, statements)).toEqual({ first, second })
  })

  test.for([
    [
      [one, UNKNOWN],
      'bad-syntax',
      'A*01:01+unknown: one of the two typings is unknown, so the genotype cannot be compared',
      'A*01:01+unknown',
    ],
    [
      [one, two, three],
      'surplus-typing',
      'A*01:01+A*02:01+A*03:01: more typings than a person has at a locus',
      'A*01:01+A*02:01+A*03:01',
    ],
    [
      [one, list],
      'surplus-typing',
      'A*01:01+A*01:01+A*02:01|A*01:02+A*02:01: more typings than a person has at a locus',
      'A*01:01+A*01:01+A*02:01|A*01:02+A*02:01',
    ],
  ] as const)('%j cannot be compared: %s', ([ids, code, message, offending]) => {
    const { first, second } = makeSlots(ids, statements)
    expect(second).toBe(NO_STATEMENT)
    expect(statements.get(first)).toMatchObject({ kind: 'fault', text: offending, error: { code, message, offending } }) // prettier-ignore
  })

  test('is shown as it is written', () => {
    const shown = (ids: readonly number[]) => slotsText(makeSlots(ids, statements), statements)
    expect([[one], [one, two], [ABSENT], [UNKNOWN], [fault, one]].map(shown)).toEqual([
      'A*01:01',
      'A*01:01+A*02:01',
      'absent',
      'unknown',
      'A*99',
    ])
    expect(slotsText(undefined, statements)).toBe('')
    expect(slotsText({ first: NO_STATEMENT, second: NO_STATEMENT }, statements)).toBe('')
  })
})

describe('differences', () => {
  const row = {
    person: 'P,1', locus: 'A', method: 'lgx', verdict: 'one-allele', left: 'A*01:01+A*02:01', right: 'A*01:01', left_reduced: 'x', right_reduced: 'y',
    left_line: 2, right_line: 3, reason: 'z',
  } as const // prettier-ignore

  test('are rows with a value for each column, in the form that the file is named for', () => {
    const csv = differenceFormat('d.csv')
    expect(csv.head).toBe('person,locus,method,verdict,left,right,left_reduced,right_reduced,left_line,right_line,reason\n') // prettier-ignore
    expect(csv.record(row)).toBe('"P,1",A,lgx,one-allele,A*01:01+A*02:01,A*01:01,x,y,2,3,z\n')
    expect(csv.record({ person: 'P2', verdict: 'only-right', right_line: 9 })).toBe('P2,,,only-right,,,,,,9,\n') // prettier-ignore
    const json = differenceFormat('d.jsonl')
    expect(json.head).toBe('')
    expect(JSON.parse(json.record({ person: 'P2', verdict: 'only-left' }))).toEqual({
      person: 'P2', locus: '', method: '', verdict: 'only-left', left: '', right: '', left_reduced: '', right_reduced: '', left_line: '', right_line: '', reason: '',
    }) // prettier-ignore
  })
})
