/** Rows of a list ordered by code, each expansion encoded and its set hashed. */
import { HlaError } from '../../errors.ts'
import { type ByteWriter, byteWriter, writtenBytes } from './byte-writer.ts'
import { MAX_CODE_LETTERS, packCode } from './code-key.ts'
import { pushList } from './list-codec.ts'
import { hashSet } from './member-set.ts'

export interface RankedCodes {
  /** Number of letters of the longest code. */
  readonly width: number
  /** Of the longest codes, the last in the alphabet, hence assigned last. '' for an empty list. */
  readonly last: string
  /** Ascending and distinct; a code's rank is its index here. */
  readonly keys: Float64Array
  readonly hashOf: (rank: number) => number
  /** Encoded expansion with its head. */
  readonly listOf: (rank: number) => Uint8Array
}

export function rankCodes(codes: Iterable<readonly [string, string]>): RankedCodes {
  const rows = readRows(codes)
  const { keys, rows: rowOf } = sortRows(rows.keys)
  const lists = writtenBytes(rows.lists)
  const unused = 27 ** (MAX_CODE_LETTERS - rows.width)
  function row(rank: number): number {
    return rowOf[rank] ?? 0
  }
  return {
    width: rows.width,
    last: rows.last,
    keys: keys.map((key) => key / unused),
    hashOf: (rank) => rows.hashes[row(rank)] ?? 0,
    listOf: (rank) => lists.subarray(rows.starts[row(rank)], rows.starts[row(rank) + 1]),
  }
}

/** Rows in the order of the list; keys have room for `MAX_CODE_LETTERS`. */
interface Rows {
  readonly keys: number[]
  readonly hashes: number[]
  /** Offset of each list, and the end of the last. */
  readonly starts: number[]
  readonly lists: ByteWriter
  width: number
  last: string
}

function readRows(codes: Iterable<readonly [string, string]>): Rows {
  const rows: Rows = { keys: [], hashes: [], starts: [0], lists: byteWriter(1 << 16), width: 1, last: '' }
  const scratch = byteWriter()
  for (const [code, expansion] of codes) {
    const key = packCode(code, MAX_CODE_LETTERS)
    if (key === undefined) throw notACode(code)
    rows.keys.push(key)
    rows.hashes.push(hashSet(pushList(rows.lists, expansion, scratch)))
    rows.starts.push(rows.lists.length)
    rows.width = Math.max(rows.width, code.length)
    if (code.length > rows.last.length || (code.length === rows.last.length && code > rows.last))
      rows.last = code
  }
  return rows
}

function sortRows(unsorted: readonly number[]): { keys: Float64Array; rows: Int32Array } {
  const keys = Float64Array.from(unsorted).sort()
  const kept = keys.filter((key, rank) => rank === 0 || key !== keys[rank - 1])
  const rows = new Int32Array(kept.length).fill(-1)
  for (let row = 0; row < unsorted.length; row++) {
    const rank = findRank(kept, unsorted[row] ?? 0)
    // the first of two rows with one code wins
    if (rows[rank] === -1) rows[rank] = row
  }
  return { keys: kept, rows }
}

function findRank(keys: Float64Array, key: number): number {
  let low = 0
  let high = keys.length - 1
  while (low < high) {
    const middle = (low + high) >>> 1
    if ((keys[middle] ?? 0) < key) low = middle + 1
    else high = middle
  }
  return low
}

function notACode(code: string): HlaError {
  const message = `a code is 1 to ${MAX_CODE_LETTERS} letters A to Z, not "${code}"`
  return new HlaError('bad-release-file', message, { offending: code })
}
