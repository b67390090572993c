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
    for (const place of [':name', '@name', '$name', ':N', '@_'])
      expect(() => parameterCount(`SELECT ?, ${place}`)).toThrow(
        new TypeError(`a statement has named placeholders: SELECT ?, ${place}`),
      )
  })
})

describe('bound', () => {
  const OF_TYPE = (type: string) => `parameter 2 of a statement cannot take ${type}: SELECT ?, ?`
  const OF_NUMBER = (value: number) => `a statement cannot take the number ${value}: SELECT ?, ?`
  test.for<[unknown, string | RegExp]>([
    [true, OF_TYPE('boolean')],
    [undefined, OF_TYPE('undefined')],
    [new Date(0), OF_TYPE('object')],
    [{}, OF_TYPE('object')],
    [10n, OF_TYPE('bigint')],
    [Number.NaN, OF_NUMBER(Number.NaN)],
    [Infinity, OF_NUMBER(Infinity)],
    [2 ** 53, OF_NUMBER(2 ** 53)],
    [-(2 ** 53), OF_NUMBER(-(2 ** 53))],
    ['a\0b', /U\+0000/],
    ['a\ud800', /surrogate/],
  ])('refuses %s', ([value, expected]) => {
    const error = typeof expected === 'string' ? new TypeError(expected) : expected
    // values that a faulty program might pass
    expect(() => bindIntegers([1, value as Value], 2, 'SELECT ?, ?')).toThrow(error)
  })

  test.for([
    ['too few', [1], 1],
    ['too many', [1, 2, 3], 3],
  ] as const)('refuses %s', ([, values, count]) => {
    const message = `a statement has 2 placeholders but got ${count} values: SELECT ?, ?`
    expect(() => bindIntegers([...values], 2, 'SELECT ?, ?')).toThrow(new TypeError(message))
  })

  test('whole numbers are bound as integers, whatever their size', () => {
    const most = Number.MAX_SAFE_INTEGER
    const values = [0, 1, -1, 1.5, -0.5, 1_763_740_800_000, most, -most]
    expect(bindIntegers(values, 8, '')).toEqual([
      0n,
      1n,
      -1n,
      1.5,
      -0.5,
      1_763_740_800_000n,
      BigInt(most),
      -BigInt(most),
    ])
  })
})
