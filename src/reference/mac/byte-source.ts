/** Ranges of bytes from an array or from a file that is read piece by piece [disk]. */
import { closeSync, fstatSync, openSync, readSync } from 'node:fs'
import { HlaError } from '../../errors.ts'

export interface ByteSource {
  /** For messages: the file's path. */
  readonly name: string
  readonly size: number
  /** Valid until the next call. */
  read(offset: number, length: number): Uint8Array
  close(): void
}

export function memorySource(bytes: Uint8Array, name = 'the list of codes'): ByteSource {
  return {
    name,
    size: bytes.length,
    read: (offset, length) => bytes.subarray(offset, offset + length),
    close: () => undefined,
  }
}

/** Reads pieces at first and, once that has cost as much as reading everything, everything. */
export function fileSource(path: string): ByteSource {
  const file = openFile(path)
  const { size } = fstatSync(file)
  let piece = new Uint8Array(8192)
  let reads = 0
  let whole: Uint8Array | undefined
  function read(offset: number, length: number): Uint8Array {
    if (whole === undefined && ++reads > READS_BEFORE_ALL) whole = readPiece(0, new Uint8Array(size))
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
  return { name: path, size, read, close: () => closeSync(file) }
}

/** 39 MB at once take 25 ms, a piece some 3 µs: past this the whole is the cheaper half of what is to come. */
const READS_BEFORE_ALL = 8_192

function openFile(path: string): number {
  try {
    return openSync(path, 'r')
  } catch (cause) {
    throw new HlaError('io', `${path} cannot be opened`, { offending: path, cause })
  }
}
