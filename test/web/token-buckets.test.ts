/** A rate limit per client: bursts of one second's requests, work that is owed, and the time to wait. */
import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { tokenBuckets } from '../../src/web/token-buckets.ts'

beforeEach(() => void vi.useFakeTimers({ toFake: ['performance'] }))
afterEach(() => void vi.useRealTimers())

const taken = ({ take }: ReturnType<typeof tokenBuckets>, client: string, times: number) =>
  Array.from({ length: times }, () => take(client)).filter(Boolean).length

test('a client has the tokens of a second at most, and every other has its own', () => {
  const buckets = tokenBuckets(4)
  expect([taken(buckets, 'a', 6), taken(buckets, 'b', 6)]).toEqual([4, 4])
  expect(buckets.wait('a')).toBe(0.25)
  vi.advanceTimersByTime(249)
  expect(buckets.take('a')).toBe(false)
  vi.advanceTimersByTime(1)
  expect([buckets.take('a'), buckets.take('a')]).toEqual([true, false])
  vi.advanceTimersByTime(60_000)
  expect(taken(buckets, 'a', 6)).toBe(4)
})

test('a rate below one a second gives one token at a time', () => {
  const buckets = tokenBuckets(0.5)
  expect([buckets.wait('a'), taken(buckets, 'a', 3), buckets.wait('a')]).toEqual([0, 1, 2])
  vi.advanceTimersByTime(1500)
  expect([buckets.wait('a'), buckets.take('a')]).toEqual([0.5, false])
  vi.advanceTimersByTime(500)
  expect([buckets.wait('a'), buckets.take('a')]).toEqual([0, true])
})

test('who owes tokens is refused until they are earned', () => {
  const buckets = tokenBuckets(10)
  buckets.owe('a', 30)
  expect([buckets.take('a'), buckets.take('b')]).toEqual([false, true])
  expect(buckets.wait('a')).toBeCloseTo(2.1)
  vi.advanceTimersByTime(2050)
  expect(buckets.take('a')).toBe(false)
  vi.advanceTimersByTime(100)
  expect([buckets.take('a'), buckets.take('a')]).toEqual([true, false])
})

test('beyond a hundred thousand clients all begin again', () => {
  const buckets = tokenBuckets(1)
  for (let client = 1; client <= 100_000; client += 1) buckets.take(client)
  expect(buckets.wait(1)).toBe(1)
  buckets.take(100_001)
  expect([buckets.wait(1), buckets.wait(100_001)]).toEqual([0, 1])
})
