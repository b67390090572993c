/** Hash of a set to the codes that may have it: pairs sorted by hash, and the first hash of each block of pairs. */
import type { ByteSource } from './byte-source.ts'
import { HASH_BYTES, type MacLayout, PAIRS_PER_BLOCK } from './layout.ts'

export interface SetIndex {
  /** Keys of the codes with this hash, ascending; another set may share the hash, so look. */
  candidates(hash: number): number[]
}

export function setIndex(source: ByteSource, layout: MacLayout): SetIndex {
  let firsts: Float64Array | undefined
  return {
    candidates(hash) {
      firsts ??= readFirsts(source, layout)
      const keys: number[] = []
      // equal hashes may begin in the block before the first that begins with this hash, and go on for several
      for (
        let block = Math.max(0, lowerBound(firsts, hash) - 1);
        (firsts[block] ?? Infinity) <= hash;
        block++
      ) {
        keys.push(...keysIn(source, layout, block, hash))
      }
      return keys
    },
  }
}

function readFirsts(source: ByteSource, layout: MacLayout): Float64Array {
  const bytes = source.read(layout.pairIndexAt, layout.fileBytes - layout.pairIndexAt)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  return Float64Array.from({ length: bytes.length / HASH_BYTES }, (_, block) =>
    view.getUint32(block * HASH_BYTES, true),
  )
}

function keysIn(
  source: ByteSource,
  { pairsAt, codeBytes, size }: MacLayout,
  block: number,
  hash: number,
): number[] {
  const pairBytes = HASH_BYTES + codeBytes
  const first = block * PAIRS_PER_BLOCK
  const bytes = source.read(pairsAt + first * pairBytes, Math.min(PAIRS_PER_BLOCK, size - first) * pairBytes)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const hashes = {
    length: bytes.length / pairBytes,
    at: (pair: number) => view.getUint32(pair * pairBytes, true),
  }
  const keys: number[] = []
  for (let pair = lowerBound(hashes, hash); pair < hashes.length && hashes.at(pair) === hash; pair++) {
    keys.push(readKey(bytes, pair * pairBytes + HASH_BYTES, codeBytes))
  }
  return keys
}

function readKey(bytes: Uint8Array, at: number, length: number): number {
  let key = 0
  for (let byte = length - 1; byte >= 0; byte--) key = key * 256 + (bytes[at + byte] ?? 0)
  return key
}

/** The first place whose number is not below `wanted`. */
function lowerBound(
  sorted: { length: number; at(index: number): number | undefined },
  wanted: number,
): number {
  let low = 0
  let high = sorted.length
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((sorted.at(middle) ?? 0) < wanted) low = middle + 1
    else high = middle
  }
  return low
}
