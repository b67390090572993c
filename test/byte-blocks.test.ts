/** Byte blocks return the same bytes, however they were cut, and use no more memory than those bytes. */
import { expect, test } from 'vitest'
import { ByteBlocks } from '../src/byte-blocks.ts'
import { randomNumbers } from './support/random-numbers.ts'

test.for([false, true])('cut anywhere they are the same (shared: %s)', (isShared) => {
  const random = randomNumbers(3)
  for (let round = 0; round < 200; round += 1) {
    const all = Buffer.from(Array.from({ length: random() * 5000 }, () => random() * 256))
    const bytes = new ByteBlocks(isShared)
    for (let at = 0; at < all.length;) {
      const end = at + Math.floor(random() ** 3 * 3000)
      bytes.add(all.subarray(at, end))
      at = end
    }
    expect(bytes.size).toBe(all.length)
    expect(bytes.joined().equals(all)).toBe(true)
    expect(Buffer.concat(bytes.pieces()).equals(all)).toBe(true)
    bytes.clear()
    bytes.add(Buffer.from('x'))
    expect(bytes.joined().toString()).toBe('x')
  }
})

test('a million pieces of one byte are a few blocks', () => {
  const bytes = new ByteBlocks()
  for (let at = 0; at < 1_000_000; at += 1) bytes.add(Buffer.alloc(1, 'x'))
  expect(bytes.joined().toString()).toBe('x'.repeat(1_000_000))
  expect(bytes.pieces().length).toBeLessThan(20)
})
