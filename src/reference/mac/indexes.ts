/** The two indexes of a compiled list of codes: code -> expansion, and hash of a set -> candidate codes. */
import { lowerBound } from '../lower-bound.ts'
import { type ByteCursor, readVarint } from './byte-cursor.ts'
import type { ByteSource } from './byte-source.ts'
import { BLOCK_ENTRY_BYTES, damagedError, HASH_BYTES, type MacLayout, PAIRS_PER_BLOCK } from './layout.ts'
import { type EncodedList, readListHead, shortLength } from './list-codec.ts'

/** Code -> expansion: the sparse index stays in memory after its first use; each look-up reads one block. */
interface CodeIndex {
  find(key: number): EncodedList | undefined
  /** Keys from `low` (inclusive) to `high` (exclusive), ascending, read block by block. */
  keysBetween(low: number, high: number): Iterable<number>
}

export function codeIndex(source: ByteSource, layout: MacLayout): CodeIndex {
  let blocks: Blocks | undefined
  function read(): Blocks {
    return (blocks ??= readBlocks(source, layout))
  }
  return {
    find: (key) => findIn(source, read(), key),
    keysBetween: (low, high) => keysBetween(source, read(), low, high),
  }
}

/** First key and offset of each block, and the end of the last. */
interface Blocks {
  readonly keys: Float64Array
  readonly offsets: Float64Array
}

function readBlocks(source: ByteSource, layout: MacLayout): Blocks {
  const bytes = source.read(layout.blockIndexAt, layout.blocks * BLOCK_ENTRY_BYTES)
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  const keys = new Float64Array(layout.blocks)
  const offsets = new Float64Array(layout.blocks + 1)
  for (let block = 0; block < layout.blocks; block++) {
    keys[block] = view.getFloat64(block * BLOCK_ENTRY_BYTES, true)
    offsets[block] = view.getUint32(block * BLOCK_ENTRY_BYTES + 8, true)
  }
  offsets[layout.blocks] = layout.blockIndexAt
  return { keys, offsets }
}

function readBlock(source: ByteSource, { offsets }: Blocks, block: number): ByteCursor {
  const start = offsets[block] ?? 0
  const end = offsets[block + 1] ?? 0
  if (start >= end || end > source.size) throw damagedError(source)
  return { bytes: source.read(start, end - start), at: 0 }
}

/** Last block that begins at or before `key`; -1 when `key` precedes all. */
function findBlock({ keys }: Blocks, key: number): number {
  return lowerBound(keys.length, (at) => (keys[at] ?? 0) <= key) - 1
}

/** Most keys are one byte after the preceding one, and most lists are short: these are skipped without a call. */
function findIn(source: ByteSource, blocks: Blocks, wanted: number): EncodedList | undefined {
  const block = findBlock(blocks, wanted)
  if (block < 0) return undefined
  const cursor = readBlock(source, blocks, block)
  const { bytes } = cursor
  let key = blocks.keys[block] ?? 0
  while (cursor.at < bytes.length) {
    const { at } = cursor
    const step = bytes[at] ?? 0
    const head = bytes[at + 1] ?? 0
    if (step < 128 && head < 128 && key + step < wanted) {
      key += step
      cursor.at = at + 2 + shortLength(head)
      continue
    }
    key += readVarint(cursor)
    const { kind, length } = readListHead(cursor)
    if (key > wanted) return undefined
    if (cursor.at + length > bytes.length) throw damagedError(source)
    if (key === wanted) return { kind, body: bytes.subarray(cursor.at, cursor.at + length) }
    cursor.at += length
  }
  if (cursor.at > bytes.length) throw damagedError(source)
  return undefined
}

function* keysBetween(source: ByteSource, blocks: Blocks, low: number, high: number): Generator<number> {
  for (let block = Math.max(0, findBlock(blocks, low)); block < blocks.keys.length; block++) {
    if ((blocks.keys[block] ?? 0) >= high) return
    // a block is read completely before its first key is yielded: the next look-up may overwrite its bytes
    for (const key of readKeys(source, blocks, block)) if (key >= low && key < high) yield key
  }
}

function readKeys(source: ByteSource, blocks: Blocks, block: number): number[] {
  const cursor = readBlock(source, blocks, block)
  const keys: number[] = []
  let key = blocks.keys[block] ?? 0
  while (cursor.at < cursor.bytes.length) {
    key += readVarint(cursor)
    keys.push(key)
    const { length } = readListHead(cursor)
    cursor.at += length
  }
  if (cursor.at !== cursor.bytes.length) throw damagedError(source)
  return keys
}

/** Hash of a set -> candidate codes: pairs sorted by hash, and the first hash of each block of pairs. */
interface SetIndex {
  /** Keys of codes with this hash, ascending; verify them, since different sets may share a hash. */
  candidates(hash: number): number[]
}

export function setIndex(source: ByteSource, layout: MacLayout): SetIndex {
  let read: Float64Array | undefined
  return {
    candidates(hash) {
      const firsts = (read ??= readFirsts(source, layout))
      const keys: number[] = []
      // equal hashes may begin in the block before the first that begins with this hash, and span several
      const start = Math.max(0, lowerBound(firsts.length, (at) => (firsts[at] ?? 0) < hash) - 1)
      for (let block = start; (firsts[block] ?? Infinity) <= hash; block++)
        keys.push(...keysIn(source, layout, block, hash))
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
  const count = bytes.length / pairBytes
  const hashAt = (pair: number) => view.getUint32(pair * pairBytes, true)
  const start = lowerBound(count, (pair) => hashAt(pair) < hash)
  const keys: number[] = []
  for (let pair = start; pair < count && hashAt(pair) === hash; pair++) {
    keys.push(readKey(bytes, pair * pairBytes + HASH_BYTES, codeBytes))
  }
  return keys
}

function readKey(bytes: Uint8Array, at: number, length: number): number {
  let key = 0
  for (let byte = length - 1; byte >= 0; byte--) key = key * 256 + (bytes[at + byte] ?? 0)
  return key
}
