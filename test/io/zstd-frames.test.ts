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

  test('refuses what is not a frame', () => {
    expect(() => framesOf(Buffer.concat([ALL, Buffer.from('id,A_1')]), [])).toThrow('are not zstd')
  })
})
