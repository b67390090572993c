/** Frames of zstd data are found for any chunks. */
import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { frameCutter } from '../../src/io/packing/packing.ts'

/**
 * Made by zstd 1.5: `id,A_1` without a checksum; an empty frame; 300,000 zeros, as a repeated byte, with a checksum.
 */
const FRAMES = [
  'KLUv/QBYOQAAaWQsQV8xCg==',
  'WipNGAMAAABhYmM=',
  'KLUv/QRYVAAAEAAAAQD7/znAAgIAEAADnwQALSjeJg==',
].map((text) => Buffer.from(text, 'base64'))
const ALL = Buffer.concat(FRAMES)

/** The frames of data in chunks, joined again. */
function framesOf(bytes: Buffer, cuts: readonly number[]): { frames: Buffer[]; isBetween: boolean } {
  const { cut, isBetween } = frameCutter()
  const frames: Buffer[] = []
  let begun: Buffer[] = []
  const places = [...cuts].sort((a, b) => a - b)
  for (const [at, place] of [...places, bytes.length].entries()) {
    for (const piece of cut(bytes.subarray(places[at - 1] ?? 0, place))) {
      begun.push(piece.bytes)
      if (!piece.isEnd) continue
      frames.push(Buffer.concat(begun))
      begun = []
    }
  }
  return { frames, isBetween: isBetween() }
}

describe('frameCutter', () => {
  test('finds the same frames however the data come', () => {
    fc.assert(
      fc.property(fc.array(fc.nat(ALL.length)), (cuts) => {
        expect(framesOf(ALL, cuts)).toEqual({ frames: FRAMES, isBetween: true })
      }),
    )
  })

  test('knows when a frame is cut short', () => {
    const ends = new Set([0, 16, 27, ALL.length])
    for (let length = 0; length <= ALL.length; length += 1)
      expect([length, framesOf(ALL.subarray(0, length), []).isBetween]).toEqual([length, ends.has(length)])
  })

  // RFC 8878, 3.1.1.1: the descriptor says how long the parts of a header are; behind it an empty last block
  test.for([
    ['a window only', 0x00, 1],
    ['a content size of one byte', 0x20, 1],
    ['… of two, with a window', 0x40, 3],
    ['… of four', 0xa0, 4],
    ['… of eight', 0xe0, 8],
    ['a dictionary of one byte', 0x21, 2],
    ['… of two', 0x22, 3],
    ['… of four', 0x23, 5],
    ['all of them', 0xc3, 13],
  ] as const)('finds the end of a frame whose header has %s', ([, descriptor, length]) => {
    const head = Buffer.from([0x28, 0xb5, 0x2f, 0xfd, descriptor])
    const frame = Buffer.concat([head, Buffer.alloc(length, 7), Buffer.from([1, 0, 0])])
    const whole = Buffer.concat([frame, ...FRAMES])
    expect(framesOf(whole, [])).toEqual({ frames: [frame, ...FRAMES], isBetween: true })
    const checked = Buffer.concat([frame, Buffer.alloc(4, 9)])
    checked[4] = descriptor | 4
    expect(framesOf(Buffer.concat([checked, frame]), []).frames).toEqual([checked, frame])
  })

  test('refuses what is not a frame', () => {
    expect(() => framesOf(Buffer.concat([ALL, Buffer.from('id,A_1')]), [])).toThrow('are not zstd')
  })
})
