/** Compiles a list of codes into the bytes that mac-table.ts reads; the same rows give the same bytes. */
import type { NumerSource } from '../sources/numer.ts'
import { pageSums } from '../pages.ts'
import { PAGE_BYTES, sumsLength } from './byte-source.ts'
import { byteWriter, pushBytes, written } from './byte-writer.ts'
import { encodeBlocks } from './encode-blocks.ts'
import { encodePairs } from './encode-pairs.ts'
import { BLOCK_ENTRY_BYTES, encodeLayout, HEADER_BYTES } from './layout.ts'
import { rankCodes } from './ranked-codes.ts'

/**
 * A code that the list repeats keeps its first expansion.
 * @throws {HlaError} what reading the rows throws; bad-release-file for a code that is not 1 to 11 letters
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
  const sums = pageSums(written(file), PAGE_BYTES)
  pushBytes(file, new Uint8Array(sums.buffer))
  return written(file)
}
