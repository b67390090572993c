/** Compressed data: known by their first bytes, or by the name they shall have; gzip always, zstd where this Node has it. */
import type * as Streams from 'node:stream'
import type { Transform } from 'node:stream'
import type * as Zlib from 'node:zlib'
import { HlaError } from '../../errors.ts'
import { unpackingCommand } from './binary-content.ts'
import { type FrameCutter, frameCutter, type FramePiece } from './zstd-frames.ts'

export type Packing = 'gzip' | 'zstd'

/** From Node 22.15 on; our types are of Node 20. */
interface ZstdParts {
  readonly createZstdDecompress?: (options: { readonly chunkSize: number }) => Transform
  readonly zstdCompressSync?: (bytes: Uint8Array) => Buffer
  readonly zstdDecompressSync?: (bytes: Uint8Array, options: UnpackOptions) => Buffer
}

interface UnpackOptions {
  readonly finishFlush: number
  readonly maxOutputLength: number
}

const READ = 256 * 1024

/** Four bytes are enough. */
export function recognizePacking(head: Uint8Array): Packing | undefined {
  const [a, b, c, d] = head
  if (a === 0x1f && b === 0x8b) return 'gzip'
  return a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd ? 'zstd' : undefined
}

/**
 * `name` is what the data are called in an error.
 * @throws {HlaError} unknown-format — zstd, which this Node cannot unpack; while reading, whatever is wrong with the data
 */
export async function unpacked(
  bytes: AsyncIterable<Uint8Array>,
  packing: Packing,
  name: string,
): Promise<AsyncIterable<Buffer>> {
  const [zlib, { pipeline, Readable }]: [typeof Zlib & ZstdParts, typeof Streams] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ])
  const through = (unpacker: Transform, source: AsyncIterable<Uint8Array>) => {
    // an error of either side ends the iteration over the unpacked side
    pipeline(Readable.from(source), unpacker, () => undefined)
    return unpacker as AsyncIterable<Buffer> // without an encoding a stream gives buffers
  }
  if (packing === 'gzip') return through(zlib.createGunzip({ chunkSize: READ }), bytes)
  const { createZstdDecompress } = zlib
  if (createZstdDecompress === undefined) throw noZstd(name)
  return byFrame(bytes, (frame) => through(createZstdDecompress({ chunkSize: READ }), frame))
}

/** Bytes of which the unpacked beginning is wanted: no more than a thousand times as many come of them. */
const UNPACKED_FROM = 16 * 1024

/** Bytes to look at of zstd: its first block, of which nothing can be unpacked before its end (RFC 8878, section 3.1.1.2). */
export const FIRST_ZSTD_BLOCK = 129 * 1024

/** What the beginning of a file unpacks to, as far as it goes; empty where nothing can be said. */
export async function unpackedBeginning(head: Uint8Array): Promise<Buffer> {
  const packing = recognizePacking(head)
  if (packing === undefined) return Buffer.from(head)
  const zlib: typeof Zlib & ZstdParts = await import('node:zlib')
  const cut = head.subarray(0, UNPACKED_FROM)
  const options = { maxOutputLength: UNPACKED_FROM * 1100 }
  const { Z_SYNC_FLUSH } = zlib.constants
  try {
    if (packing === 'gzip') return zlib.gunzipSync(cut, { ...options, finishFlush: Z_SYNC_FLUSH })
    const unpack = (bytes: Uint8Array) =>
      zlib.zstdDecompressSync?.(bytes, { ...options, finishFlush: 0 }) ?? Buffer.alloc(0)
    const first = unpack(cut)
    return first.length > 0 ? first : unpack(head.subarray(0, FIRST_ZSTD_BLOCK))
  } catch {
    // whoever reads all of it says what is wrong
    return Buffer.alloc(0)
  }
}

/** Each frame by an unpacker of its own. */
async function* byFrame(
  bytes: AsyncIterable<Uint8Array>,
  unpack: (frame: AsyncIterable<Uint8Array>) => AsyncIterable<Buffer>,
): AsyncGenerator<Buffer> {
  const cutter = frameCutter()
  const pieces = cutPieces(bytes, cutter)
  try {
    for (let next = await pieces.next(); next.done !== true; next = await pieces.next()) {
      yield* unpack(frameFrom(next.value, pieces))
    }
  } finally {
    await pieces.return(undefined)
  }
  if (!cutter.isBetween()) throw new CutShort('unexpected end of the compressed data')
}

async function* cutPieces(
  bytes: AsyncIterable<Uint8Array>,
  { cut }: FrameCutter,
): AsyncGenerator<FramePiece> {
  for await (const chunk of bytes) yield* cut(Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length))
}

async function* frameFrom(first: FramePiece, pieces: AsyncGenerator<FramePiece>): AsyncGenerator<Buffer> {
  let piece = first
  for (;;) {
    yield piece.bytes
    if (piece.isEnd) return
    const next = await pieces.next()
    // whoever reads the frames says that the last one is cut short
    if (next.done === true) return
    piece = next.value
  }
}

/** As node:zlib has it for gzip. */
class CutShort extends Error {
  readonly code = 'Z_BUF_ERROR'
}

function noZstd(name: string): HlaError {
  const hint = `${unpackingCommand('zstd -dc', name)}      (or Node 22.15 or newer)`
  const message = `${name} is zstd-compressed, which Node ${process.versions.node} cannot read`
  return new HlaError('unknown-format', message, { hint, offending: name })
}

/** Spreadsheets keep their workbooks in zip files, once in files of their own kind. Four bytes are enough. */
export function isWorkbook(head: Uint8Array): boolean {
  return isZip(head) || Buffer.from(head.subarray(0, 4)).toString('latin1') === '\u00d0\u00cf\u0011\u00e0'
}

export function isZip(head: Uint8Array): boolean {
  return Buffer.from(head.subarray(0, 4)).toString('latin1') === 'PK\u0003\u0004'
}

/** @throws {HlaError} io */
export function refuseWorkbook(head: Uint8Array, name: string): void {
  if (!isWorkbook(head)) return
  const what = isZip(head)
    ? 'a spreadsheet workbook or a zip file'
    : 'a workbook of the old kind (.xls), or one with a password'
  throw new HlaError('io', `${name} is ${what}, not text`, {
    offending: name,
    hint: isZip(head)
      ? 'export the sheet as CSV, with the typing columns formatted as text; unpack a zip file'
      : 'save it as .xlsx without a password, or export the sheet as CSV with the typing columns formatted as text',
  })
}

/**
 * Makes one member of a file; the concatenation of members is such a file too. undefined: it is not compressed.
 * @throws {HlaError} usage — zstd, which this Node cannot pack; a workbook
 */
export async function choosePacker(file: string): Promise<((bytes: Uint8Array) => Buffer) | undefined> {
  if (/\.(xlsx?|ods|zip)$/i.test(file))
    throw new HlaError('usage', `${file}: hla writes text, not workbooks or zip files`, {
      hint: 'name it .csv or .tsv, with .gz to compress it',
      offending: file,
    })
  if (!/\.(gz|zst)$/.test(file)) return undefined
  const zlib: typeof Zlib & ZstdParts = await import('node:zlib')
  if (file.endsWith('.gz')) return (bytes) => zlib.gzipSync(bytes)
  if (zlib.zstdCompressSync !== undefined) return zlib.zstdCompressSync
  const message = `Node ${process.versions.node} cannot write zstd, as the name ${file} requires`
  throw new HlaError('usage', message, {
    hint: 'name it .gz, compress it with zstd afterwards, or use Node 22.15 or newer',
  })
}
