/** Header of a compiled MAC list: magic, version, counts, and offsets of its four sections. */
import { HlaError } from '../../errors.ts'
import { type ByteSource, sumsLength } from './byte-source.ts'
import { MAX_CODE_LETTERS } from './code-key.ts'

/** Raised with any change of the bytes; files of another version are compiled again. */
export const MAC_FORMAT_VERSION = 3

export const HEADER_BYTES = 160
/** Block size in bytes: the record that reaches it ends the block. */
export const BLOCK_BYTES = 4_000
/** Bytes per entry of the block index: first key as a float, offset as 32 bits. */
export const BLOCK_ENTRY_BYTES = 12
/** Bytes of a hash in a pair and in the pair index. */
export const HASH_BYTES = 4
/** Pairs per entry of the pair index; with three-byte codes 3.5 KB. */
export const PAIRS_PER_BLOCK = 512

/**
 * Sections: blocks of records, block index, pairs of (hash, code), first hash of each block of pairs. Page checksums
 * follow.
 */
export interface MacLayout {
  readonly date: string
  readonly sha256: string
  readonly size: number
  /** Code assigned last: of the longest codes, the last in the alphabet; '' in an empty list. */
  readonly last: string
  /** Maximum number of letters in a packed code. */
  readonly codeWidth: number
  /** Bytes of a packed code in a pair. */
  readonly codeBytes: number
  readonly blocks: number
  readonly blockIndexAt: number
  readonly pairsAt: number
  readonly pairIndexAt: number
  /** Bytes without the checksums. */
  readonly fileBytes: number
}

export function encodeLayout(layout: MacLayout): Uint8Array {
  const bytes = new Uint8Array(HEADER_BYTES)
  const view = new DataView(bytes.buffer)
  putText(bytes, 0, MAGIC)
  view.setUint32(AT.version, MAC_FORMAT_VERSION, true)
  view.setUint32(AT.size, layout.size, true)
  view.setUint8(AT.codeWidth, layout.codeWidth)
  view.setUint8(AT.codeBytes, layout.codeBytes)
  view.setUint32(AT.blocks, layout.blocks, true)
  view.setFloat64(AT.blockIndexAt, layout.blockIndexAt, true)
  view.setFloat64(AT.pairsAt, layout.pairsAt, true)
  view.setFloat64(AT.pairIndexAt, layout.pairIndexAt, true)
  view.setFloat64(AT.fileBytes, layout.fileBytes, true)
  putText(bytes, AT.date, layout.date)
  putText(bytes, AT.sha256, layout.sha256)
  putText(bytes, AT.last, layout.last)
  return bytes
}

/** @throws {HlaError} bad-release-file, unknown-format, truncated-file */
export function readLayout(source: ByteSource): MacLayout {
  const bytes = source.read(0, Math.min(HEADER_BYTES, source.size))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length === 0 || !MAGIC.startsWith(getText(bytes, 0, MAGIC.length))) throw notOurs(source)
  if (bytes.length < HEADER_BYTES) throw truncated(source)
  const version = view.getUint32(AT.version, true)
  if (version !== MAC_FORMAT_VERSION) throw otherVersion(source, version)
  const layout: MacLayout = {
    date: getText(bytes, AT.date, 16),
    sha256: getText(bytes, AT.sha256, 64),
    last: getText(bytes, AT.last, MAX_CODE_LETTERS),
    size: view.getUint32(AT.size, true),
    codeWidth: view.getUint8(AT.codeWidth),
    codeBytes: view.getUint8(AT.codeBytes),
    blocks: view.getUint32(AT.blocks, true),
    blockIndexAt: view.getFloat64(AT.blockIndexAt, true),
    pairsAt: view.getFloat64(AT.pairsAt, true),
    pairIndexAt: view.getFloat64(AT.pairIndexAt, true),
    fileBytes: view.getFloat64(AT.fileBytes, true),
  }
  const size = layout.fileBytes + sumsLength(layout.fileBytes)
  if (source.size < size) throw truncated(source)
  // also true for NaN
  if (source.size !== size || !isConsistent(layout)) throw damagedError(source)
  return layout
}

export function damagedError(source: ByteSource): HlaError {
  return new HlaError('bad-release-file', `${source.name} is damaged`, {
    hint: AGAIN,
    offending: source.name,
  })
}

/** True when the sections follow each other without gaps. */
function isConsistent(layout: MacLayout): boolean {
  const { size, codeWidth, codeBytes, blocks, blockIndexAt, pairsAt, pairIndexAt, fileBytes } = layout
  return (
    codeWidth >= 1 &&
    codeWidth <= MAX_CODE_LETTERS &&
    blockIndexAt >= HEADER_BYTES &&
    pairsAt === blockIndexAt + blocks * BLOCK_ENTRY_BYTES &&
    pairIndexAt === pairsAt + size * (HASH_BYTES + codeBytes) &&
    fileBytes === pairIndexAt + Math.ceil(size / PAIRS_PER_BLOCK) * HASH_BYTES
  )
}

const MAGIC = 'hla-mac\n'
const AGAIN = 'install the list of codes again'
const AT = {
  version: 8,
  size: 12,
  codeWidth: 16,
  codeBytes: 17,
  blocks: 20,
  blockIndexAt: 24,
  pairsAt: 32,
  pairIndexAt: 40,
  fileBytes: 48,
  date: 56,
  sha256: 72,
  last: 136,
} as const

function putText(bytes: Uint8Array, at: number, text: string): void {
  bytes.set(new TextEncoder().encode(text), at)
}

function getText(bytes: Uint8Array, at: number, length: number): string {
  return new TextDecoder().decode(bytes.subarray(at, at + length)).replace(/\0+$/, '')
}

function notOurs({ name }: ByteSource): HlaError {
  return new HlaError('bad-release-file', `${name} is not a compiled list of codes`, {
    hint: AGAIN,
    offending: name,
  })
}

function truncated({ name }: ByteSource): HlaError {
  return new HlaError('truncated-file', `${name} is shorter than its header says`, {
    hint: AGAIN,
    offending: name,
  })
}

function otherVersion({ name }: ByteSource, found: number): HlaError {
  return new HlaError(
    'unknown-format',
    `${name} has format ${found}, this program reads ${MAC_FORMAT_VERSION}`,
    {
      hint: AGAIN,
      offending: name,
      facts: { found: String(found), expected: String(MAC_FORMAT_VERSION) },
    },
  )
}
