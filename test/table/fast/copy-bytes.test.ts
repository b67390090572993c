/** Bytes copied as by `set`, overlapping or not. */
import { describe, expect, test } from 'vitest'
import { copyBytes } from '../../../src/table/fast/memory/byte-buffers.ts'

const SIZE = 100_000
const pattern = () => Buffer.from(Uint8Array.from({ length: SIZE }, (_, at) => (at * 7 + (at >> 8)) & 255))

describe('copyBytes', () => {
  test.for([
    ['to the begin of the same memory', 1, 0, SIZE - 1],
    ['to the begin, without overlap', SIZE / 2, 0, SIZE / 2],
    ['upwards', 0, 33, SIZE - 33],
    ['nothing', 5, 9, 0],
  ] as const)('%s', ([, from, at, length]) => {
    const [mine, expected] = [pattern(), pattern()]
    copyBytes(mine, at, mine.subarray(from, from + length))
    expected.copyWithin(at, from, from + length)
    expect(mine.equals(expected)).toBe(true)
  })

  test('from and to shared memory', () => {
    const shared = Buffer.from(new SharedArrayBuffer(SIZE + 10))
    copyBytes(shared, 10, pattern())
    const back = Buffer.alloc(SIZE)
    copyBytes(back, 0, shared.subarray(10))
    expect(back.equals(pattern())).toBe(true)
  })
})
