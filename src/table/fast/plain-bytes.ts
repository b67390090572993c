/** Bytes that mean nothing to the scan of a row: where they end, and their hash. */

export const LF = 10
export const CR = 13

export interface BytePairs {
  /** By two bytes: how many of them are, or stand behind, what ends a field or needs another look. */
  readonly pairs: Uint8Array
  /** The same inside GL Strings. */
  readonly glPairs: Uint8Array
  /** The same between quotes, where a delimiter is text. */
  readonly quotedPairs: Uint8Array
}

export function bytePairs(delimiter: number, quote: number): BytePairs {
  const ends = new Set([delimiter, quote, LF, CR])
  // codes, spaces, other operators and what is no ASCII are rare in GL Strings and read by the ordinary way
  const operators = new Set(Buffer.from('+^|~?#'))
  return {
    pairs: makePairs((byte) => ends.has(byte)),
    glPairs: makePairs((byte) => byte <= 32 || byte >= 127 || ends.has(byte) || operators.has(byte)),
    quotedPairs: makePairs((byte) => byte === quote || byte === LF || byte === CR),
  }
}

/** A pair is read as one number, its first byte the lower one. */
function makePairs(isSpecial: (byte: number) => boolean): Uint8Array {
  const special = Array.from({ length: 256 }, (_, byte) => isSpecial(byte))
  const beforeSpecial = Uint8Array.from(special, (is) => (is ? 2 : 1))
  const pairs = new Uint8Array(65_536)
  pairs.set(Uint8Array.from(special, (is) => (is ? 2 : 0)))
  // before a plain byte: copied, twice as many each time
  for (let size = 256; size < pairs.length; size *= 2) pairs.copyWithin(size, 0, size)
  for (let byte = 0; byte < 256; byte += 1) if (special[byte] === true) pairs.set(beforeSpecial, byte << 8)
  return pairs
}

export interface PlainReader {
  /** What is read. */
  view: DataView
  /** Of what was read last. */
  hash: number
}

/** Where the plain bytes from `start` on end; `reader.hash` goes on over them, four at a time. */
export function readPlain(reader: PlainReader, pairs: Uint8Array, start: number): number {
  const { view } = reader
  let { hash } = reader
  let at = start
  let word = view.getInt32(at, true)
  while (((pairs[word & 0xffff] ?? 0) | (pairs[word >>> 16] ?? 0)) === 0) {
    hash = mixed(hash, word)
    at += 4
    word = view.getInt32(at, true)
  }
  const left = pairs[word & 0xffff] ?? 0
  const more = left > 0 ? 2 - left : 4 - (pairs[word >>> 16] ?? 0)
  if (more > 0) hash = mixed(hash, word & ((1 << (more << 3)) - 1))
  reader.hash = hash
  return at + more
}

/** A product moves bits upwards only: they are brought back down. */
function mixed(hash: number, word: number): number {
  const product = Math.imul(hash ^ word, 0x9e3779b1)
  return product ^ (product >>> 15)
}
