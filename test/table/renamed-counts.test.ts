/** Counts of renamed members: names sorted, codes counted once, blocks merged. */
import { expect, test } from 'vitest'
import type { Note } from '../../src/errors.ts'
import {
  addRenamed,
  countRenamed,
  type RenamedCounts,
  renamedLines,
  renamedRecords,
} from '../../src/table/output/summary.ts'

const note = (member: string, name: string, code: string): Note => ({
  level: 'warning',
  code: 'renamed-member',
  message: '',
  renamed: { member, name, code },
})

/** Cells, each with its notes. */
function counted(cells: readonly (readonly Note[])[]): RenamedCounts {
  const counts: RenamedCounts = new Map()
  for (const notes of cells) countRenamed(counts, notes)
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
  expect(renamedLines(counted(CELLS), false)).toEqual(LINES)
  expect(renamedLines(counted(CELLS), true)[1]).toBe(`${LINES[1]} (B*14:X B*14:Y)`)
  expect(renamedRecords(counted(CELLS))[1]).toEqual({
    member: 'B*14:78N',
    name: 'B*14:78',
    codes: 2,
    cells: 2,
  })
})

test('blocks counted apart are counted together', () => {
  for (let at = 0; at <= CELLS.length; at += 1) {
    const counts = counted(CELLS.slice(0, at))
    addRenamed(counts, counted(CELLS.slice(at)))
    expect(renamedLines(counts, true)).toEqual(renamedLines(counted(CELLS), true))
  }
})

test('more than 10 names: those of the most cells, and how many more; all with details', () => {
  const cells = Array.from({ length: 12 }, (_, at) =>
    Array.from({ length: at + 1 }, () => [note(`A*01:${at + 10}`, `A*01:${at + 10}N`, 'A*01:X')]),
  )
  const lines = renamedLines(counted(cells.flat()), false)
  expect(lines).toHaveLength(11)
  expect(lines[0]).toBe('A*01:12 is A*01:12N now: 1 code, 3 cells')
  expect(lines[10]).toBe('2 more members of codes are now named differently')
  expect(renamedLines(counted(cells.flat()), true)).toHaveLength(12)
})

test('10,000 codes of a name are kept apart', () => {
  const cells = Array.from({ length: 10_001 }, (_, at) => [B(`B*14:${at}`)])
  expect(renamedLines(counted(cells), false)).toEqual([
    'B*14:78N is B*14:78 now: 10,000 codes or more, 10,001 cells',
  ])
})
