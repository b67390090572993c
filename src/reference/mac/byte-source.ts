/** Byte ranges of an array or of a file read in pieces [disk]. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { HlaError } from '../../errors.ts'
import { sumBytes } from '../pages.ts'

export interface ByteSource {
  /** File path, for messages. */
  readonly name: string
  readonly size: number
  /** Valid until the next call. */
  read(offset: number, length: number): Uint8Array
  /** True when all of it is in memory: repeated reads then return the same bytes. */
  isInMemory(): boolean
  close(): void
}

/** Page size of a compiled list, in bytes: a look-up reads one block, which spans two pages. */
export const PAGE_BYTES = 4096

/**
 * The first `size` bytes of `source`, followed there by page checksums. Every read from disk is verified, and memory
 * once.
 */
export function checkedSource(source: ByteSource, size: number, fail: () => never): ByteSource {
  let sums: Uint32Array | undefined
  /** Per page in memory: 1 when verified. */
  let isSound: Uint8Array | undefined
  function readSums(): Uint32Array {
    // a copy: a read is valid only until the next one
    const bytes = Uint8Array.from(source.read(size, sumsLength(size)))
    return new Uint32Array(bytes.buffer, 0, bytes.length / 4)
  }
  return {
    name: source.name,
    size,
    read(offset, length) {
      sums ??= readSums()
      const first = Math.floor(offset / PAGE_BYTES)
      const last = Math.floor(Math.max(offset, offset + length - 1) / PAGE_BYTES)
      const from = first * PAGE_BYTES
      if (offset < 0 || offset + length > size) fail()
      const bytes = source.read(from, Math.min((last + 1) * PAGE_BYTES, size) - from)
      if (source.isInMemory()) isSound ??= new Uint8Array(sums.length)
      for (let page = first; page <= last; page += 1) {
        if (isSound?.[page] === 1) continue
        const start = page * PAGE_BYTES - from
        if (sumBytes(bytes, start, Math.min(start + PAGE_BYTES, bytes.length), page) !== sums[page]) fail()
        if (isSound !== undefined) isSound[page] = 1
      }
      return bytes.subarray(offset - from, offset - from + length)
    },
    isInMemory: () => source.isInMemory(),
    close: () => source.close(),
  }
}

export function sumsLength(size: number): number {
  return Math.ceil(size / PAGE_BYTES) * 4
}

export function memorySource(bytes: Uint8Array, name = 'the list of codes'): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    isInMemory: () => true,
    close: () => undefined,
  }
}

/**
 * Reads pieces, and the whole file after as many reads as it has pages: 39 MB at once take 25 ms, a piece some 3 µs.
 */
export function fileSource(path: string): ByteSource {
  const file = openFile(path)
  const { size } = fstatSync(file)
  const most = Math.max(FEW_READS, size / PAGE_BYTES)
  let piece = new Uint8Array(8192)
  let reads = 0
  let whole: Uint8Array | undefined
  function read(offset: number, length: number): Uint8Array {
    if (whole === undefined && (reads += 1) > most) whole = readPiece(0, new Uint8Array(size))
    if (whole !== undefined) return whole.subarray(offset, offset + length)
    if (piece.length < length) piece = new Uint8Array(length)
    return readPiece(offset, piece.subarray(0, length))
  }
  function readPiece(offset: number, into: Uint8Array): Uint8Array {
    for (let done = 0; done < into.length;) {
      const count = readSync(file, into, done, into.length - done, offset + done)
      if (count === 0) throw new HlaError('truncated-file', `${path} ends too soon`, { offending: path })
      done += count
    }
    return into
  }
  return { name: path, size, read, isInMemory: () => whole !== undefined, close: () => closeSync(file) }
}

/** Reads before a short list is loaded whole. */
const FEW_READS = 64

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new HlaError('io', `${path} cannot be opened`, { offending: path, cause })
  }
}
