/** Requests that run at the same time. */
import { expect, test } from 'vitest'
import { inParallel, upTo } from '../../src/reference/published/in-parallel.ts'

test('results come in the order of the items, without those that are missing', async () => {
  const ends: (() => void)[] = []
  const begun: number[] = []
  const results = inParallel(upTo(8), async (item) => {
    begun.push(item)
    await new Promise<void>((end) => ends.push(end))
    return item === 3 ? undefined : `of ${item}`
  })
  // six at once; the last that began ends first
  expect(begun).toEqual(upTo(5))
  for (let left = 9; left > 0; left -= 1) {
    ends.pop()?.()
    await new Promise((over) => setImmediate(over))
  }
  expect(begun).toEqual(upTo(8))
  expect(await results).toEqual([0, 1, 2, 4, 5, 6, 7, 8].map((item) => `of ${item}`))
})

test('one that fails makes all fail, and no items have no results', async () => {
  await expect(inParallel([1, 2], (item) => Promise.reject(new Error(`no ${item}`)))).rejects.toThrow('no 1')
  expect(await inParallel([], () => Promise.resolve('x'))).toEqual([])
})
