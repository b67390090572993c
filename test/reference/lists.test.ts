/** Lists of numbers in compact form. */
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { decodeList, encodeList } from '../../src/reference/lists.ts'

test.for([
  [[], [0]],
  [[0], [1, 0]],
  [[3], [1, 6]],
  [
    [0, 1, 2, 3],
    [4, 1, 4],
  ],
  [
    [5, 6, 200],
    [3, 11, 2, 130, 3],
  ],
] as const)('%j is %j', ([numbers, bytes]) => {
  expect(encodeList(numbers)).toEqual(bytes)
})

test('a run takes as many bytes however long it is', () => {
  const run = (length: number) => encodeList(Array.from({ length }, (_, at) => at + 1000)).length
  expect(run(16_000) - run(200)).toBe(0)
})

test('any ascending numbers come back, wherever they start', () => {
  const numbers = fc.uniqueArray(fc.oneof(fc.nat({ max: 60 }), fc.nat({ max: 2 ** 30 })), { maxLength: 200 })
  fc.assert(
    fc.property(numbers, fc.nat({ max: 9 }), (given, before) => {
      const ascending = given.sort((a, b) => a - b)
      const bytes = Uint8Array.from([...Array<number>(before).fill(255), ...encodeList(ascending), 255])
      expect(decodeList(bytes, before)).toEqual(ascending)
    }),
  )
})

test('each byte is asked for before it is read, and none behind the list', () => {
  const needed: number[] = []
  expect(decodeList(Uint8Array.of(9, 9, 3, 11, 2, 130, 3, 9), 2, (at) => needed.push(at))).toEqual([
    5, 6, 200,
  ])
  expect(needed).toEqual([2, 3, 4, 5, 6])
})
