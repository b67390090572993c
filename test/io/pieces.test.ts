/** Pieces of a file that this thread reads: a reader may keep them, and returned ones are reused. */
import { writeFileSync } from 'node:fs'
import { expect, test } from 'vitest'
import { recyclePiece, openLocalInput } from '../../src/io/file-port.ts'
import { tempFolder } from '../support/temp.ts'

const PIECE = 256 * 1024
const content = Buffer.from(Array.from({ length: PIECE * 5 + 7 }, (_, at) => (at * 31 + (at >> 10)) & 0xff))

const temp = tempFolder()

function file(): string {
  const name = temp('pieces')
  writeFileSync(name, content)
  return name
}

test('pieces that are kept stay as they were read', async () => {
  const kept: Buffer[] = []
  for await (const piece of openLocalInput(file()).bytes(true)) kept.push(piece)
  expect(Buffer.concat(kept).equals(content)).toBe(true)
  expect(new Set(kept.map(({ buffer }) => buffer)).size).toBe(kept.length)
})

test('pieces that are given back are read into again, and hold what is behind them', async () => {
  const copies: Buffer[] = []
  const memories = new Set<ArrayBufferLike>()
  for await (const piece of openLocalInput(file()).bytes(true)) {
    copies.push(Buffer.from(piece))
    memories.add(piece.buffer)
    recyclePiece(piece)
    // recycling once is enough, and no other thread's memory is taken
    recyclePiece(piece)
    recyclePiece(Buffer.alloc(PIECE))
  }
  expect(Buffer.concat(copies).equals(content)).toBe(true)
  expect(memories.size).toBe(1)
})

test('a part of a piece is not given back: the rest of it is still to be read', async () => {
  const seen: Buffer[] = []
  for await (const piece of openLocalInput(file()).bytes(true)) {
    recyclePiece(piece.subarray(1))
    recyclePiece(piece.subarray(0, 100))
    seen.push(piece)
  }
  expect(Buffer.concat(seen).equals(content)).toBe(true)
})
