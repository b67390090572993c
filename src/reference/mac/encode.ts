/** Compiles a list of codes into the format of mac-table.ts; equal rows give equal bytes. */
import type { NumerSource } from '../sources/numer.ts'
import { pageSums } from '../pages.ts'
import { PAGE_BYTES, sumsLength } from './byte-source.ts'
import { type ByteWriter, byteWriter, pushByte, pushBytes, pushVarint, writtenBytes } from './byte-writer.ts'
import {
  BLOCK_BYTES,
  BLOCK_ENTRY_BYTES,
  HASH_BYTES,
  HEADER_BYTES,
  PAIRS_PER_BLOCK,
  encodeLayout,
} from './layout.ts'
import { type RankedCodes, rankCodes } from './ranked-codes.ts'
import { HASH_BITS } from './member-set.ts'

/**
 * The first expansion of a repeated code counts.
 * @throws {HlaError} errors of reading the rows; bad-release-file for a code that is not 1 to 11 letters
 */
export function encodeMacTable(source: NumerSource, sha256: string): Uint8Array {
  const codes = rankCodes(source.codes)
  const { records, blockIndex } = encodeBlocks(codes)
  const { pairs, pairIndex, codeBytes } = encodePairs(codes)
  const blockIndexAt = HEADER_BYTES + records.length
  const pairsAt = blockIndexAt + blockIndex.length
  const pairIndexAt = pairsAt + pairs.length
  const fileBytes = pairIndexAt + pairIndex.length
  const header = encodeLayout({
    date: source.date,
    sha256,
    size: codes.keys.length,
    last: codes.last,
    codeWidth: codes.width,
    codeBytes,
    blocks: blockIndex.length / BLOCK_ENTRY_BYTES,
    blockIndexAt,
    pairsAt,
    pairIndexAt,
    fileBytes,
  })
  const file = byteWriter(fileBytes + sumsLength(fileBytes))
  for (const part of [header, records, blockIndex, pairs, pairIndex]) pushBytes(file, part)
  const sums = pageSums(writtenBytes(file), PAGE_BYTES)
  pushBytes(file, new Uint8Array(sums.buffer))
  return writtenBytes(file)
}

/** Records: the difference to the preceding code in the block, then the encoded expansion. */
function encodeBlocks({ keys, listOf }: RankedCodes): { records: Uint8Array; blockIndex: Uint8Array } {
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
  return { records: writtenBytes(records), blockIndex: encodeIndex(firstKeys, offsets) }
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

interface EncodedPairs {
  readonly pairs: Uint8Array
  readonly pairIndex: Uint8Array
  readonly codeBytes: number
}

function encodePairs({ keys, width, hashOf }: RankedCodes): EncodedPairs {
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
  return { pairs: writtenBytes(pairs), pairIndex: writtenBytes(pairIndex), codeBytes }
}

/** Ranks that fit beside a hash in one exact number: more than there are codes of five letters. */
const RANKS = 2 ** (53 - HASH_BITS)

function bytesFor(numbers: number): number {
  let bytes = 1
  while (256 ** bytes < numbers) bytes += 1
  return bytes
}

/** Writes a number in `length` bytes, little endian. */
function pushFixed(writer: ByteWriter, value: number, length: number): void {
  let rest = value
  for (let byte = 0; byte < length; byte++) {
    pushByte(writer, rest & 0xff)
    rest = Math.floor(rest / 256)
  }
}
