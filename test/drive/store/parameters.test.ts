import { describe, expect, test } from 'vitest'
import { bindIntegers, parameterCount } from '../../../src/drive/persistence/database/connection.ts'
import type { Value } from '../../../src/drive/persistence/database/database.ts'

describe('parameterCount', () => {
  test.for([
    ['SELECT 1', 0],
    ['SELECT ?, ?', 2],
    ['SELECT ?2', 2],
    ['SELECT ?3, ?', 4],
    [`SELECT '?', "a?b", [c?], \`d?\`, ?`, 1],
    [`SELECT 'it''s ?', ?`, 1],
    [`SELECT '', ?, ''`, 1],
    ['SELECT ? -- and ?\n, ?', 2],
    ['SELECT ? /* ? :name */', 1],
    [`SELECT strftime('%H:%M', ?)`, 1],
  ] as const)('%s has %d', ([sql, expected]) => expect(parameterCount(sql)).toBe(expected))

  test('places by name are refused: the interface has none', () => {
    expect(() => parameterCount('SELECT :name')).toThrow('named placeholders')
  })
})

describe('bound', () => {
  test.for<[unknown, string]>([
    [true, 'cannot take boolean'],
    [undefined, 'cannot take undefined'],
    [new Date(0), 'cannot take object'],
    [{}, 'cannot take object'],
    [10n, 'cannot take bigint'],
    [Number.NaN, 'cannot take the number NaN'],
    [Infinity, 'cannot take the number Infinity'],
    [2 ** 53, 'cannot take the number'],
    ['a\0b', 'U+0000'],
    ['a\ud800', 'surrogate'],
  ])('refuses %s', ([value, expected]) => {
    // values that a faulty program might pass
    expect(() => bindIntegers([value as Value], 1, 'SELECT ?')).toThrow(expected)
  })

  test.for([
    ['too few', [1]],
    ['too many', [1, 2, 3]],
  ] as const)('refuses %s', ([, values]) => {
    expect(() => bindIntegers([...values], 2, 'SELECT ?, ?')).toThrow('2 placeholders')
  })

  test('whole numbers are bound as integers, whatever their size', () => {
    expect(bindIntegers([1, -1, 1.5, 1_763_740_800_000], 4, '')).toEqual([1n, -1n, 1.5, 1_763_740_800_000n])
  })
})
