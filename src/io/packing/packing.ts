/**
 * Compression: recognised by the first bytes on input, by the file name on output; gzip always, zstd where Node has it.
 */
import { advice } from '../../advice.ts'
import type * as Streams from 'node:stream'
import type { Transform } from 'node:stream'
import type * as Zlib from 'node:zlib'
import { HlaError } from '../../errors.ts'
import { unpackingCommand } from './binary-content.ts'

export type Packing = 'gzip' | 'zstd'

/** Node 22.15 and later; our types are those of Node 20. */
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

/** Recognises compression by the first four bytes. */
export function recognizePacking(head: Uint8Array): Packing | undefined {
  const [a, b, c, d] = head
  if (a === 0x1f && b === 0x8b) return 'gzip'
  return a === 0x28 && b === 0xb5 && c === 0x2f && d === 0xfd ? 'zstd' : undefined
}

/**
 * Unpacked stream; `name` names the data in errors.
 * @throws {HlaError} unknown-format — zstd, which this Node cannot unpack; while reading, any fault in the data
 */
export async function unpackStream(
  bytes: AsyncIterable<Uint8Array>,
  packing: Packing,
  name: string,
): Promise<AsyncIterable<Buffer>> {
  const [zlib, { pipeline, Readable }]: [typeof Zlib & ZstdParts, typeof Streams] = await Promise.all([
    import('node:zlib'),
    import('node:stream'),
  ])
  const through = (unpacker: Transform, source: AsyncIterable<Uint8Array>) => {
    // an error on either side ends the iteration over the unpacked stream
    pipeline(Readable.from(source), unpacker, () => undefined)
    return unpacker as AsyncIterable<Buffer> // a stream without an encoding yields buffers
  }
  if (packing === 'gzip') return through(zlib.createGunzip({ chunkSize: READ }), bytes)
  const { createZstdDecompress } = zlib
  if (createZstdDecompress === undefined) throw noZstd(name)
  return byFrame(bytes, (frame) => through(createZstdDecompress({ chunkSize: READ }), frame))
}

/** Bytes from which the beginning is unpacked; they yield at most a thousand times as many. */
const UNPACKED_FROM = 16 * 1024

/** Bytes that hold the first zstd block, which unpacks only when complete (RFC 8878, section 3.1.1.2). */
export const FIRST_ZSTD_BLOCK = 129 * 1024

/** Unpacked beginning of a file, as far as it goes; empty when it cannot be unpacked. */
export async function unpackBeginning(head: Uint8Array): Promise<Buffer> {
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
    // the full read reports what is wrong
    return Buffer.alloc(0)
  }
}

/** Unpacks each frame with its own unpacker. */
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
    // the reader of the frames reports that the last one is truncated
    if (next.done === true) return
    piece = next.value
  }
}

/** Truncated zstd data. Has the error code that node:zlib uses for truncated gzip. */
class CutShort extends Error {
  readonly code = 'Z_BUF_ERROR'
}

function noZstd(name: string): HlaError {
  const hint = advice`${unpackingCommand('zstd -dc', name)}      (or Node 22.15 or newer)`
  const message = `${name} is zstd-compressed, which Node ${process.versions.node} cannot read`
  return new HlaError('unknown-format', message, { hint, offending: name })
}

/** True for spreadsheet workbooks: zip files, or the older OLE format. Four bytes are enough. */
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
 * Compressor for an output file by its name; undefined for uncompressed output. Each call makes one member; members can
 * be concatenated.
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

interface FramePiece {
  readonly bytes: Buffer
  /** True for the last piece of a frame. */
  readonly isEnd: boolean
}

interface FrameCutter {
  readonly cut: (chunk: Buffer) => FramePiece[]
  /** True between frames, where the data may end. */
  readonly isBetween: () => boolean
}

/** Next read: `need` bytes to inspect or, with `isPassed`, to pass through. */
interface Step {
  readonly need: number
  readonly next: (looked: Buffer) => Step
  readonly isPassed?: boolean
  readonly isBetween?: boolean
}

export function frameCutter(): FrameCutter {
  let step = BETWEEN
  let looked: Buffer = Buffer.alloc(0)
  let passed = 0
  return {
    cut(chunk) {
      const pieces: FramePiece[] = []
      let start = 0
      for (let at = 0; at < chunk.length;) {
        const take = Math.min(step.need - passed, chunk.length - at)
        if (!step.isPassed) looked = Buffer.concat([looked, chunk.subarray(at, at + take)])
        passed += take
        at += take
        if (passed < step.need) break
        step = step.next(looked)
        while (step.need === 0) step = step.next(looked)
        looked = Buffer.alloc(0)
        passed = 0
        if (!step.isBetween) continue
        pieces.push({ bytes: chunk.subarray(start, at), isEnd: true })
        start = at
      }
      if (start < chunk.length) pieces.push({ bytes: chunk.subarray(start), isEnd: false })
      return pieces
    },
    isBetween: () => step.isBetween === true && passed === 0,
  }
}

const MAGIC = 0xfd2fb528
/** Magic number of skippable frames, which hold no data; its last four bits are free. */
const SKIPPABLE = 0x184d2a5

const BETWEEN: Step = { need: 4, next: afterMagic, isBetween: true }

function afterMagic(looked: Buffer): Step {
  const magic = looked.readUInt32LE(0)
  if (magic === MAGIC) return { need: 1, next: afterDescriptor }
  if (magic >>> 4 === SKIPPABLE) return { need: 4, next: afterSize }
  throw new HlaError('io', 'the bytes after the compressed data are not zstd')
}

function afterSize(looked: Buffer): Step {
  return { need: looked.readUInt32LE(0), isPassed: true, next: () => BETWEEN }
}

/** Section 3.1.1.1: window, dictionary ID, content size. */
function afterDescriptor([descriptor = 0]: Buffer): Step {
  const isSingle = (descriptor & 0x20) !== 0
  const window = isSingle ? 0 : 1
  const dictionary = [0, 1, 2, 4][descriptor & 3] ?? 0
  const content = [isSingle ? 1 : 0, 2, 4, 8][descriptor >> 6] ?? 0
  const checksum = (descriptor & 4) === 0 ? 0 : 4
  return { need: window + dictionary + content, isPassed: true, next: () => readBlock(checksum) }
}

function readBlock(checksum: number): Step {
  return { need: 3, next: (looked) => afterBlockHeader(looked, checksum) }
}

function afterBlockHeader(looked: Buffer, checksum: number): Step {
  const header = looked.readUIntLE(0, 3)
  const isLast = (header & 1) === 1
  const isRepeated = ((header >> 1) & 3) === 1
  const next = isLast
    ? () => ({ need: checksum, isPassed: true, next: () => BETWEEN })
    : () => readBlock(checksum)
  return { need: isRepeated ? 1 : header >> 3, isPassed: true, next }
}
