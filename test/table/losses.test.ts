/** Counts of lost names: sorted, codes counted once. */
import { expect, test } from 'vitest'
import type { Note } from '../../src/errors.ts'
import {
  countLosses,
  type LossCounts,
  lossLines,
  lossRecords,
  newLossCounts,
} from '../../src/table/output/losses.ts'

const note = (name: string, present: string, code: string): Note => ({
  level: 'warning',
  code: 'renamed-member',
  message: '',
  offending: code,
  losses: [{ name, kind: 'renamed', present: [present] }],
})

/** Cells, each with its notes. */
function counted(cells: readonly (readonly Note[])[]): LossCounts {
  const counts = newLossCounts()
  for (const notes of cells) countLosses(counts, notes)
  return counts
}

const B = (code: string) => note('B*14:78N', 'B*14:78', code)
const C = (code: string) => note('C*04:59', 'C*04:59Q', code)
const A = note('A*01:208', 'A*01:208Q', 'A*01:FHNJ')
const CELLS = [[C('C*04:X')], [B('B*14:X'), B('B*14:Y'), B('B*14:X')], [B('B*14:Y'), C('C*04:X')], [A], []]
const LINES = [
  'A*01:208 is A*01:208Q now: 1 code, 1 cell',
  'B*14:78N is B*14:78 now: 2 codes, 2 cells',
  'C*04:59 is C*04:59Q now: 1 code, 2 cells',
]

test('a line a name, by locus and name', () => {
  expect(lossLines(counted(CELLS), 'renamed', false)).toEqual(LINES)
  expect(lossLines(counted(CELLS), 'renamed', true)[1]).toBe(`${LINES[1]} (B*14:X B*14:Y)`)
  expect(lossRecords(counted(CELLS)).members?.[1]).toEqual({
    name: 'B*14:78N',
    kind: 'renamed',
    present: ['B*14:78'],
    codes: 2,
    cells: 2,
  })
})

test('more than 10 names: those of the most cells, and how many more; all with details', () => {
  const cells = Array.from({ length: 12 }, (_, at) =>
    Array.from({ length: at + 1 }, () => [note(`A*01:${at + 10}`, `A*01:${at + 10}N`, 'A*01:X')]),
  )
  const lines = lossLines(counted(cells.flat()), 'renamed', false)
  expect(lines).toHaveLength(11)
  expect(lines[0]).toBe('A*01:12 is A*01:12N now: 1 code, 3 cells')
  expect(lines[10]).toBe('2 more members of codes are now named differently')
  expect(lossLines(counted(cells.flat()), 'renamed', true)).toHaveLength(12)
  const least = (count: number) => lossLines(counted(cells.slice(0, count).flat()), 'renamed', false)
  expect(least(10)).toHaveLength(10)
  expect(least(11).at(-1)).toBe('1 more member of codes is now named differently')
})

test('a name with several present names has a line for each, in their order', () => {
  const cells = ['A*01:30', 'A*01:02', 'A*01:100'].map((present) => [note('A*01:01', present, 'A*01:X')])
  expect(lossLines(counted(cells), 'renamed', false)).toEqual(
    ['A*01:02', 'A*01:30', 'A*01:100'].map((present) => `A*01:01 is ${present} now: 1 code, 1 cell`),
  )
})

test('10,000 codes of a name are kept apart', () => {
  const cells = Array.from({ length: 10_001 }, (_, at) => [B(`B*14:${at}`)])
  expect(lossLines(counted(cells), 'renamed', false)).toEqual([
    'B*14:78N is B*14:78 now: 10,000 codes or more, 10,001 cells',
  ])
})

const letter = (typing: string, ...names: string[]): Note => ({
  level: 'note',
  code: 'expression-lost',
  message: '',
  offending: typing,
  losses: names.map((name) => ({ name, kind: 'letter' })),
})

test('letters are counted a cell, and named with details', () => {
  const cells = [
    [letter('A*24:09N', 'A*24:09N'), letter('A*24:11N', 'A*24:11N')],
    [letter('A*24:02L', 'A*24:02L'), letter('HLA-A*24:09N', 'A*24:09N')],
    [letter('A*24:AB', 'A*24:09N')],
  ]
  const counts = counted(cells)
  expect(lossLines(counts, 'letter', false)).toEqual(['cells that lose an expression letter: 3 N, 1 L'])
  expect(lossLines(counts, 'letter', true)).toEqual([
    'A*24:02L loses its letter: 1 cell',
    'A*24:09N loses its letter: 3 cells',
    'A*24:11N loses its letter: 1 cell',
  ])
  expect(lossRecords(counts)).toEqual({ letters: { N: 3, L: 1 } })
})

test('members of each kind have lines of their own', () => {
  const later: Note = {
    level: 'warning',
    code: 'later-member',
    message: '',
    offending: 'DPB1*02:X',
    losses: [{ name: 'DPB1*678:01', kind: 'later', since: '3.30.0' }],
  }
  const counts = counted([[later], ...CELLS])
  expect(lossLines(counts, 'later', false)).toEqual(['DPB1*678:01 is first named in 3.30.0: 1 code, 1 cell'])
  expect(lossLines(counts, 'renamed', false)).toEqual(LINES)
})
