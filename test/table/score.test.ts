/** How likely a column holds typings: what its name says, and what its cells show. */
import { describe, expect, test } from 'vitest'
import {
  certaintyOf,
  READ,
  scoreColumn,
  scoreHalf,
  scorePair,
  scoreUnread,
  TOLD,
} from '../../src/table/plan/score.ts'
import { type LocusHeader, readLocusHeader } from '../../src/table/words/locus-header.ts'
import { readContent } from '../../src/table/words/typing-shape.ts'

function nameOf(text: string): LocusHeader {
  const [first] = readLocusHeader(text)
  if (first === undefined) throw new Error(`${text} is no name of a locus`)
  return first
}

const contentOf = (text: string) => readContent(text === '' ? [] : text.split(' '))

test.for([
  ['HLA-A', 'sure'],
  ['A_1', 'marked'],
  ['A1', 'plain'],
  ['A', 'plain'],
  ['E', 'rare'],
  ['E_1', 'rare'],
  ['DRB345_1', 'three'],
] as const)('the name %s is %s', ([name, certainty]) => {
  expect(certaintyOf(nameOf(name))).toBe(certainty)
})

test('half of the evidence is read, and a sixteenth is told', () => {
  expect([READ, TOLD]).toEqual([0.5, 0.0625])
})

describe('a column without cells', () => {
  test.for([
    ['HLA-A', 1, 1],
    ['A', 1, 1],
    ['A_1', 1, 1],
    ['donor A', 0, 1],
    ['E', 0, 0],
    ['E_1', 1, 0],
    ['DRB345', 1, 1],
  ] as const)('named %s scores %d, and as a pair %d', ([name, alone, pair]) => {
    expect(scoreColumn(contentOf(''), nameOf(name))).toBe(alone)
    expect(scorePair(contentOf(''), nameOf(name))).toBe(pair)
    expect(scoreHalf(contentOf(''), nameOf(name))).toBe(1)
  })
})

describe('a column with cells', () => {
  test.for([
    // name, cells, its score alone, as one of a pair, and as both together
    ['A', 'A*01:01 A*02:01', 1, 1, 1],
    ['A', '01:01 foo', 0.5, 0.5, 0.5],
    ['A', '01:01 foo bar baz', 0.25, 0.25, READ],
    ['A', '2 24', 0.4, 1, 1],
    ['A_1', '2 24', 1, 1, 1],
    ['HLA-A', '2 24', 1, 1, 1],
    ['A', 'foo bar', 0, 0, 0],
    ['E', '2 24', 0, 0, 0],
    ['E', '01:01', 1, 1, 1],
    // one frequent word does not hide typings
    ['A', '01:01 foo foo foo foo foo foo foo foo foo', 0.5, 0.5, 0.5],
    // names of another locus
    ['A', 'A*01:01 B*07:02', 0, 0, 0],
    ['A_1', 'A*01:01 B*07:02', 0.5, 0.5, 0.5],
    ['HLA-A', 'A*01:01 B*07:02', 1, 1, 1],
    ['A', 'A*01:01 A*02:01 A*03:01 B*07:02', 0.75, 0.75, 0.75],
    ['DRB345_1', 'DRB3*01:01 DRB4*01:03', 1, 1, 1],
    ['DRB345_1', '01:01 01:03', 0.1, 0.1, 0.1],
    ['DRB345_1', 'DRB3*01:01 foo bar baz', 0.25, 0.25, READ],
    ['DRB345_1', 'DRB3*01:01 01:01 foo bar', 0.275, 0.275, 0.275],
  ] as const)('named %s with %s', ([name, cells, alone, half, pair]) => {
    const content = contentOf(cells)
    expect(scoreColumn(content, nameOf(name))).toBeCloseTo(alone, 10)
    expect(scoreHalf(content, nameOf(name))).toBeCloseTo(half, 10)
    expect(scorePair(content, nameOf(name))).toBeCloseTo(pair, 10)
  })
})

describe('a column that is not read', () => {
  test.for([
    ['', 'sure', 0, 'none'],
    ['foo', 'none', 0, 'none'],
    ['foo', 'sure', TOLD, 'none'],
    ['foo', 'other', TOLD - 1 / 1024, 'none'],
    ['01:01 02:01', 'none', 1 / 4, 'typings'],
    ['01:01 foo bar baz', 'none', TOLD, 'typings'],
    ['01:01 foo bar baz qux', 'none', 1 / 20, 'few'],
    ['01:01 foo foo foo foo foo foo foo foo foo', 'none', 1 / 8, 'typings'],
    ['A2 foo', 'none', TOLD, 'typings'],
    ['A2 foo bar', 'none', 1 / 24, 'few'],
    ['1 2', 'none', 0, 'numbers'],
    ['1 2', 'guessed', 1 / 8, 'numbers'],
    ['1 foo bar', 'guessed', 1 / 24, 'few'],
    ['1 2', 'sure', 1 + TOLD, 'numbers'],
    ['01:01', 'sure', 1 + TOLD, 'typings'],
    ['A*01:01 foo', 'none', 1 / 8, 'names'],
    ['A*01:01 foo bar baz', 'none', TOLD, 'names'],
    // a column with two names is in a note, whatever else is in it
    ['A*01:01 A*01:01 a b c d e f g h i', 'none', TOLD, 'names'],
    ['A*01:01 a b c d e f g h i', 'none', 1 / 40, 'few'],
  ] as const)('%s, where the name is %s', ([cells, certainty, score, found]) => {
    const unread = scoreUnread(contentOf(cells), certainty)
    expect(unread.cells).toBe(found)
    expect(unread.score).toBeCloseTo(score, 10)
  })
})
