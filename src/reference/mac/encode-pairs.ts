/** The reverse half of a compiled list: (hash of the set, code) pairs sorted by hash, and their index. */
import { type ByteWriter, byteWriter, pushByte, written } from './byte-writer.ts'
import { HASH_BYTES, PAIRS_PER_BLOCK } from './layout.ts'
import { HASH_BITS } from './member-set.ts'
import type { RankedCodes } from './ranked-codes.ts'

export interface EncodedPairs {
  readonly pairs: Uint8Array
  readonly pairIndex: Uint8Array
  readonly codeBytes: number
}

export function encodePairs({ keys, width, hashOf }: RankedCodes): EncodedPairs {
  const codeBytes = bytesFor(27 ** width)
  const pairBytes = HASH_BYTES + codeBytes
  const sorted = keys.map((_, rank) => hashOf(rank) * RANKS + rank).sort()
  const pairs = byteWriter(sorted.length * pairBytes)
  const pairIndex = byteWriter(Math.ceil(sorted.length / PAIRS_PER_BLOCK) * HASH_BYTES)
  for (let place = 0; place < sorted.length; place++) {
    const pair = sorted[place] ?? 0
    const hash = Math.floor(pair / RANKS)
    pushFixed(pairs, hash, HASH_BYTES)
    pushFixed(pairs, keys[pair - hash * RANKS] ?? 0, codeBytes)
    if (place % PAIRS_PER_BLOCK === 0) pushFixed(pairIndex, hash, HASH_BYTES)
  }
  return { pairs: written(pairs), pairIndex: written(pairIndex), codeBytes }
}

/** Room for a rank beside a hash in one exact number: more codes than five letters can make. */
const RANKS = 2 ** (53 - HASH_BITS)

function bytesFor(numbers: number): number {
  let bytes = 1
  while (256 ** bytes < numbers) bytes += 1
  return bytes
}

/** Little endian. */
function pushFixed(writer: ByteWriter, value: number, length: number): void {
  let rest = value
  for (let byte = 0; byte < length; byte++) {
    pushByte(writer, rest & 0xff)
    rest = Math.floor(rest / 256)
  }
}
