import { expect, test } from 'vitest'
import { type Limit, LIMITS } from '../../src/drive/contract/limits.ts'
import { changesOf, frozenText } from './frozen.ts'

test('the limits of a store', () => {
  const records = Object.entries<Limit>(LIMITS).map(([name, { standard, least = 1, most = 'any', of }]) => ({
    name,
    lines: [`${standard}, ${least} to ${most}: ${of}`],
  }))
  expect(changesOf('limits.txt', frozenText(records))).toEqual([])
})
