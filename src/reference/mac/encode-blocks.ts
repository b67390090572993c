/** The forward half of a compiled list: records in blocks, and the block index. */
import { byteWriter, pushBytes, pushVarint, written } from './byte-writer.ts'
import { BLOCK_BYTES, BLOCK_ENTRY_BYTES, HEADER_BYTES } from './layout.ts'
import type { RankedCodes } from './ranked-codes.ts'

/** A record is the step from the code before it in the block, then the encoded expansion. */
export function encodeBlocks({ keys, listOf }: RankedCodes): { records: Uint8Array; blockIndex: Uint8Array } {
  const records = byteWriter(1 << 16)
  const firstKeys: number[] = []
  const offsets: number[] = []
  let before = 0
  for (let rank = 0; rank < keys.length; rank++) {
    const key = keys[rank] ?? 0
    if (rank === 0 || records.length - (offsets.at(-1) ?? 0) >= BLOCK_BYTES) {
      firstKeys.push(key)
      offsets.push(records.length)
      before = key
    }
    pushVarint(records, key - before)
    pushBytes(records, listOf(rank))
    before = key
  }
  return { records: written(records), blockIndex: encodeIndex(firstKeys, offsets) }
}

function encodeIndex(firstKeys: readonly number[], offsets: readonly number[]): Uint8Array {
  const index = new Uint8Array(firstKeys.length * BLOCK_ENTRY_BYTES)
  const view = new DataView(index.buffer)
  for (const [block, key] of firstKeys.entries()) {
    view.setFloat64(block * BLOCK_ENTRY_BYTES, key, true)
    view.setUint32(block * BLOCK_ENTRY_BYTES + 8, HEADER_BYTES + (offsets[block] ?? 0), true)
  }
  return index
}
