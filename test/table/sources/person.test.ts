/** A person who is gathered record by record: which typing has which place, and what has none. */
import { describe, expect, test } from 'vitest'
import { HlaError } from '../../../src/errors.ts'
import { adviceText } from '../../../src/operations/faces.ts'
import {
  addRecord,
  callerLocus,
  isSurplus,
  newPerson,
  NO_LOCUS,
  type Origin,
  type Person,
  personIn,
  personName,
  type PersonFile,
  refuseUnplaced,
  splitCaller,
  surplusError,
  type Typed,
  typingsOf,
} from '../../../src/table/sources/gathering/person.ts'
import type { TypingRecord } from '../../../src/table/sources/typing-record.ts'
import { errorOf } from '../../support/errors.ts'

function fileNamed(name: string | undefined, more: Partial<PersonFile> = {}): PersonFile {
  return { name, person: 'unnamed', scores: [], facts: [], ...more }
}

const FILE = fileNamed('a.tsv')

/** `line slot typing`, where slot 0 is the first that is free. */
function recordOf(text: string, more: Partial<TypingRecord> = {}): TypingRecord {
  const [, line, slot, typing = ''] = /^(\d+) (\d) (.*)$/.exec(text) ?? []
  const copy = slot === '1' ? 1 : slot === '2' ? 2 : undefined
  return { person: 'S1', locus: 'A', typing, slot: copy, line: Number(line), values: [], ...more }
}

function personOf(texts: readonly string[], locus = 0): Person {
  const person = newPerson('S1', FILE, 1)
  for (const text of texts) addRecord(person, recordOf(text), FILE, locus)
  return person
}

describe('places of typings', () => {
  test.for([
    // records, then typings in the places of the locus, then surplus ones
    [['1 0 A*01:01', '2 0 A*02:01'], ['A*01:01', 'A*02:01'], []],
    [['1 2 A*01:01', '2 1 A*02:01'], ['A*02:01', 'A*01:01'], []],
    [['1 2 A*01:01'], [undefined, 'A*01:01'], []],
    [['1 2 A*01:01', '2 0 A*02:01'], ['A*02:01', 'A*01:01'], []],
    [['1 1 A*01:01', '2 1 A*02:01'], ['A*01:01'], ['A*02:01']],
    [['1 2 A*01:01', '2 2 A*02:01'], [undefined, 'A*01:01'], ['A*02:01']],
    // an empty cell takes no place, and neither does one of blanks
    [['1 0 ', '2 0 A*01:01', '3 0  ', '4 0 \t', '5 0 A*02:01', '6 0   '], ['A*01:01', 'A*02:01'], []],
    // what follows a surplus typing is surplus, too, since nothing tells which of them is meant
    [['1 1 A*01:01', '2 1 A*02:01', '3 2 A*03:01'], ['A*01:01'], ['A*02:01', 'A*03:01']],
    [['1 0 A*01:01', '2 0 A*02:01', '3 0 A*03:01'], ['A*01:01', 'A*02:01'], ['A*03:01']],
    // a genotype is both; with any other operator it is one text
    [['1 0 A*01:01+A*02:01'], ['A*01:01', 'A*02:01'], []],
    [['1 2 A*01:01+A*02:01'], ['A*01:01', 'A*02:01'], []],
    [['1 0 +A*02:01'], [undefined, 'A*02:01'], []],
    [['1 0 A*01:01+A*02:01|A*01:02+A*02:01'], ['A*01:01+A*02:01|A*01:02+A*02:01'], []],
    [['1 0 A*01:01+A*02:01^B*07:02'], ['A*01:01+A*02:01^B*07:02'], []],
    [['1 0 A*01:01~B*07:02+A*02:01'], ['A*01:01~B*07:02+A*02:01'], []],
    [['1 0 A*01:01+A*02:01+A*03:01'], ['A*01:01+A*02:01+A*03:01'], []],
  ] as const)('%j', ([texts, placed, surplus]) => {
    for (const locus of [0, 3]) {
      const person = personOf(texts, locus)
      expect([person.texts[2 * locus], person.texts[2 * locus + 1]]).toEqual([placed[0], placed[1]])
      expect((person.surplus?.get(locus) ?? []).map(({ text }) => text)).toEqual(surplus)
      expect(isSurplus(person, locus)).toBe(surplus.length > 0)
      expect(typingsOf(person, locus).map(({ text }) => text)).toEqual([
        ...placed.filter((text) => text !== undefined),
        ...surplus,
      ])
      expect(typingsOf(person, locus + 1)).toEqual([])
    }
  })

  test('a typing that cannot be read keeps its reason and is not divided', () => {
    const fault = new HlaError('ambiguous-digits', 'it is open')
    const person = newPerson('S1', FILE, 1)
    addRecord(person, recordOf('1 0 A*01:01'), FILE, 2)
    addRecord(person, recordOf('2 0 1+2', { fault }), FILE, 2)
    expect(person.texts.slice(4)).toEqual(['A*01:01', '1+2'])
    expect([...(person.faults ?? [])]).toEqual([[5, fault]])
    addRecord(person, recordOf('3 0 1+2', { fault }), FILE, 2)
    expect(person.surplus?.get(2)).toEqual([
      { text: '1+2', fault, origin: { place: 3, values: [], file: FILE } },
    ])
  })

  test('the typing of a record without a locus is refused, and a blank one is not', () => {
    for (const typing of ['', ' ', '\t']) expect(refuseUnplaced({ typing, line: 3 })).toBeUndefined()
    expect(errorOf(() => refuseUnplaced({ typing: 'A*01:01', line: 3 }))).toMatchObject({
      code: 'io',
      message: 'line 3: "A*01:01" is a typing, but its row has no locus',
      line: 3,
    })
    const person = newPerson('S1', FILE, 1)
    expect(errorOf(() => addRecord(person, recordOf('4 0 A*02:01'), FILE, -1))).toMatchObject({ line: 4 })
    addRecord(person, recordOf('5 0 '), FILE, -1)
    expect(person.texts).toEqual([])
  })

  test('values and the file are kept where a score may be asked for', () => {
    const scored = fileNamed('a.tsv', { scores: [[0, 0]], facts: [] })
    const person = newPerson('S1', scored, 1)
    addRecord(person, recordOf('1 0 A*01:01', { values: ['0.9'] }), scored, 0)
    addRecord(person, recordOf('2 0 A*02:01'), scored, 0)
    expect(person.origins).toEqual([{ place: 1, values: ['0.9'], file: scored }, 2])
    // a file without score columns has no place for values
    const bare = newPerson('S1', FILE, 1)
    addRecord(bare, recordOf('1 0 A*01:01', { values: ['0.9'] }), FILE, 0)
    expect(bare.origins).toEqual([1])
  })

  test('distinct values of a person are kept by column, and those of a shorter file are none', () => {
    const [one, other] = [
      fileNamed('a.tsv', { facts: [0, 1] }),
      fileNamed('b.tsv', { facts: [1, undefined] }),
    ]
    const person = newPerson('S1', one, 1)
    for (const values of [
      ['Ulm', 'x'],
      ['Ulm', 'y'],
      ['Bern', 'x'],
    ])
      addRecord(person, recordOf('1 0 ', { values }), one, 0)
    addRecord(person, recordOf('1 0 ', { values: ['z', 'Rom'] }), other, 0)
    addRecord(person, recordOf('1 0 ', { values: ['z'] }), other, 0)
    expect(person.facts).toEqual([
      ['Ulm', 'Bern', 'Rom'],
      ['x', 'y'],
    ])
  })

  test('rules that a person breaks are those of all records, in their order', () => {
    const rule = (value: string) => ({ line: 1, path: '/x', value, error: new HlaError('bad-record', value) })
    const person = newPerson('S1', FILE, 1)
    addRecord(person, recordOf('1 0 A*01:01', { broken: [rule('a'), rule('b')] }), FILE, 0)
    addRecord(person, recordOf('2 0 A*02:01'), FILE, 0)
    addRecord(person, recordOf('3 0 ', { broken: [rule('c')] }), FILE, 0)
    expect(person.broken?.map(({ value }) => value)).toEqual(['a', 'b', 'c'])
  })
})

describe('several files about a person', () => {
  const [SECOND, THIRD] = [fileNamed('b.tsv'), fileNamed('c.tsv')]

  function merged(files: readonly (readonly [PersonFile, readonly string[]])[]): Person {
    const person = newPerson('S1', FILE, 1)
    for (const [file, texts] of files) for (const text of texts) addRecord(person, recordOf(text), file, 0)
    return person
  }

  test.for([
    ['alike', ['A*01:01', 'A*02:01'], false],
    ['alike in another order', ['A*02:01', 'A*01:01'], false],
    ['other', ['A*01:01', 'A*03:01'], true],
    ['one of them', ['A*01:01'], true],
    ['more', ['A*01:01', 'A*02:01', 'A*02:01'], true],
  ] as const)('the second is %s: %j', ([, typings, isOther]) => {
    const texts = (all: readonly string[]) => all.map((typing, at) => `${at + 1} 0 ${typing}`)
    const person = merged([
      [FILE, texts(['A*01:01', 'A*02:01'])],
      [SECOND, texts(typings)],
    ])
    expect(isSurplus(person, 0)).toBe(isOther)
    expect(person.more).toEqual([SECOND])
  })

  test('typings are compared one by one', () => {
    expect(isSurplus(merged([[FILE, ['1 0 A1', '2 0 A23']], [SECOND, ['1 0 A1A2', '2 0 3']]]), 0)).toBe(true) // prettier-ignore
  })

  test('three typings in each of two files are too many', () => {
    const three = ['1 0 A*01:01', '2 0 A*02:01', '3 0 A*03:01']
    expect(isSurplus(merged([[FILE, three], [SECOND, three]]), 0)).toBe(true) // prettier-ignore
    expect(isSurplus(merged([[FILE, three]]), 0)).toBe(true)
  })

  test('a typing that cannot be read is told of, even where both files have it', () => {
    const fault = new HlaError('ambiguous-digits', 'it is open')
    const person = newPerson('S1', FILE, 1)
    addRecord(person, recordOf('1 0 2'), FILE, 0)
    addRecord(person, recordOf('1 0 2', { fault }), SECOND, 0)
    expect(isSurplus(person, 0)).toBe(true)
  })

  test('each file is listed once in its turn', () => {
    const person = merged([
      [FILE, ['1 0 A*01:01', '2 0 A*02:01']],
      [SECOND, ['1 0 A*01:01', '2 0 A*02:01']],
      [THIRD, ['1 0 A*01:01']],
      [FILE, ['3 0 A*01:01']],
    ])
    expect(person.more).toEqual([SECOND, THIRD, FILE])
    expect(typingsOf(person, 0).map(({ origin: { file, place } }) => [file.name, place])).toEqual([
      ['a.tsv', 1],
      ['a.tsv', 2],
      ['b.tsv', 1],
      ['b.tsv', 2],
      ['c.tsv', 1],
      ['a.tsv', 3],
    ])
  })
})

describe('names', () => {
  test.for([
    ['out/S1.hla.tsv.gz', undefined, 'S1.hla'],
    ['S1.tsv.ZST', undefined, 'S1'],
    ['S1.gz.tsv', undefined, 'S1.gz'],
    ['S1.gz', undefined, 'S1'],
    ['S1.', undefined, 'S1'],
    ['S1.tsv', 'name', 'S1'],
    ['S1', undefined, 'S1'],
    ['.S1', undefined, '.S1'],
    ['/data/run/S1/out/calls.tsv', 'folder', 'out'],
    ['/data/run/S1/out/calls.tsv', 'folder:2', 'S1'],
    ['/data/run/S1/out/calls.tsv', 'folder:3', 'run'],
  ] as const)('the person of the file %s by %s is %s', ([file, from, name]) => {
    expect(personName(file, from)).toBe(name)
  })

  test('a row names its person, as it is written', () => {
    expect(personIn(['x', ' S1 '], 1, 4)).toBe(' S1 ')
    for (const values of [['x', ''], ['x', ' \t'], ['x']])
      expect(errorOf(() => personIn(values, 1, 4))).toMatchObject({
        code: 'io',
        message: 'line 4: the row names no sample',
        line: 4,
      })
  })

  test('the locus of a caller', () => {
    expect(callerLocus('OptiType', 'A')).toBe('OptiType:A')
    expect(splitCaller('OptiType:A')).toEqual(['OptiType', 'A'])
    expect(splitCaller('x:y:A')).toEqual(['x:y', 'A'])
    expect(splitCaller('A')).toEqual(['', 'A'])
  })
})

describe('typings without a place are told with their lines', () => {
  const typed = (text: string, place: Origin['place'], file = fileNamed(undefined)): Typed => ({
    text,
    origin: { place, values: [], file },
  })
  const [alone, one, other] = [fileNamed(undefined), fileNamed('a.tsv'), fileNamed('b.tsv')]
  const inDocument = (line: number) => ({ line, find: () => undefined })
  const lines = (count: number) => Array.from({ length: count }, (_, at) => typed('A*01:01', at + 2, alone))

  test.for([
    [
      'A', [typed('A*01:01', 2, alone), typed('A*02:01', 2, alone)],
      'two typings of A for the same copy, 1 or 2 (line 2)', '-x omits a column with the same typings',
    ],
    [
      'A', [typed('A*01:01', 2, alone), typed('A*02:01', 3, alone)],
      'two typings of A for the same copy, 1 or 2 (lines 2, 3)', 'keep two rows per locus and person',
    ],
    [
      'B', [typed('B*07:02', inDocument(5), one), typed('B*08:01', inDocument(5), one), typed('B*15:01', inDocument(9), one)],
      '3 typings of B, where a person has two (lines a.tsv:5, a.tsv:9)', 'keep two rows per locus and person',
    ],
    ['A', lines(6), '6 typings of A, where a person has two (lines 2, 3, 4, 5, 6, 7)', 'keep two rows per locus and person'],
    ['A', lines(8), '8 typings of A, where a person has two (lines 2, 3, 4, 5, 6, 7 and 2 more)', 'keep two rows per locus and person'],
    [
      NO_LOCUS, [typed('A*01:01^B*07:02', 2, alone), typed('A*02:01^B*07:02', 3, alone), typed('x', 4, alone)],
      '3 GL Strings of several loci, where a person has one (lines 2, 3, 4)', 'keep one of them',
    ],
    [
      'A', [typed('A*01:01', 2, one), typed('A*02:01', 3, one), typed('A*03:01', 2, other)],
      '2 files type A of one person differently: A*01:01 A*02:01, A*03:01 (lines a.tsv:2, a.tsv:3, b.tsv:2)',
      'without --merge each file has a row',
    ],
  ] as const)('%s %#', ([locus, all, message, hint]) => {
    const error = surplusError('S1', locus, all)
    const { code, offending } = error
    expect([code, error.message, offending, adviceText(error.hint ?? '', 'command-line')]).toEqual([
      'surplus-typing',
      message,
      'S1',
      hint,
    ])
  }) // prettier-ignore
})
