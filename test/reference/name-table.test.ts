/** The name table: names to numbers, and back. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { compareNames } from '../../src/nomenclature/order.ts'
import { encodeNames, readNameTable, sortForTable } from '../../src/reference/name-table.ts'

const field = fc.integer({ min: 1, max: 120 }).map((number) => String(number).padStart(2, '0'))
const name = fc
  .tuple(
    fc.constantFrom('A*', 'B*', 'DRB1*', 'A', 'Cw'),
    fc.array(field, { minLength: 1, maxLength: 3 }),
    fc.constantFrom('', 'N', 'G'),
  )
  .map(([locus, fields, letter]) => locus + fields.join(':') + letter)
const names = fc.uniqueArray(name, { maxLength: 300 }).map(sortForTable)

describe('sortForTable', () => {
  test('puts antigens first, then locus after locus, each in the order of names', () => {
    expect(sortForTable(['B*07:02', 'A*02:01', 'Cw3', 'A*01:101', 'A*01:11', 'A2'])).toEqual([
      'A2',
      'Cw3',
      'A*01:11',
      'A*01:101',
      'A*02:01',
      'B*07:02',
    ])
  })

  test('within a locus numbers are in the order of names', () => {
    fc.assert(
      fc.property(names, (sorted) => {
        const atA = sorted.filter((one) => one.startsWith('A*'))
        expect([...atA].sort(compareNames)).toEqual(atA)
      }),
    )
  })
})

describe('nameTableOf', () => {
  test('finds every name, and nothing else', () => {
    fc.assert(
      fc.property(names, name, (sorted, other) => {
        const table = readNameTable(encodeNames(sorted))
        expect(table.size).toBe(sorted.length)
        expect(sorted.map((_, id) => table.nameOf(id))).toEqual(sorted)
        expect(sorted.map((one) => table.idOf(one))).toEqual(sorted.map((_, id) => id))
        expect(table.idOf(other)).toBe(sorted.indexOf(other))
      }),
    )
  })

  test.for(['', 'A', 'A*01:01', 'A*01:01:01:01:01', 'Ａ*01', '\u0141*01:01'])(
    'does not find "%s"',
    (text) => {
      const table = readNameTable(encodeNames(['A*01:01:01', 'A*01:011']))
      expect(table.idOf(text)).toBe(-1)
      expect(readNameTable(encodeNames([])).idOf(text)).toBe(-1)
    },
  )
})
