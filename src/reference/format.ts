/**
 * Compiled release file: magic, version, a JSON description, then 8-byte aligned sections of numbers, little endian,
 * and checksums of their pages.
 */
import { assured, HlaError } from '../errors.ts'
import { createHash } from 'node:crypto'
import { crc32 } from 'node:zlib'
import { checkedPages, PAGE_BYTES, type Pages, pageSums, sumBytes } from './pages.ts'

/**
 * Raised whenever the layout or the meaning of a section changes; files of another version are rebuilt from their
 * sources.
 */
export const RELEASE_FORMAT_VERSION = 5

const MAGIC = 0x4c524c48 // 'HLRL'
/**
 * magic, version; lengths of description, file and sections; CRC-32 of the sections; checksum of the head and
 * description
 */
const HEAD = 32
const CRC_AT = 20
const SUM_AT = 24
const ALIGN = 8

export type SectionArray = Uint8Array | Uint32Array
type SectionEntry = readonly [offset: number, length: number, kind: 'u8' | 'u32']

export interface Container {
  readonly meta: unknown
  u8(name: string): Uint8Array
  u32(name: string): Uint32Array
  /** Must be called before an array is read. */
  readonly pages: Pages
}

/** Bytes of the whole file; equal tables give equal bytes. */
export function encodeContainer(meta: unknown, sections: ReadonlyMap<string, SectionArray>): Uint8Array {
  const entries: Record<string, SectionEntry> = {}
  let size = 0
  for (const [name, array] of sections) {
    entries[name] = [size, array.length, array instanceof Uint8Array ? 'u8' : 'u32']
    size = aligned(size + array.byteLength)
  }
  const head = Buffer.from(
    JSON.stringify({ meta, sha256: hashSections(sections.values()), sections: entries }),
    'utf8',
  )
  const start = aligned(HEAD + head.length)
  const pages = Math.ceil(size / PAGE_BYTES)
  const bytes = Buffer.alloc(start + size + pages * 4)
  bytes.writeUInt32LE(MAGIC, 0)
  bytes.writeUInt32LE(RELEASE_FORMAT_VERSION, 4)
  bytes.writeUInt32LE(head.length, 8)
  bytes.writeUInt32LE(bytes.length, 12)
  bytes.writeUInt32LE(size, 16)
  head.copy(bytes, HEAD)
  for (const [name, array] of sections)
    bytes.set(viewBytes(array), start + assured(entries[name], 'every section has an entry')[0])
  const content = bytes.subarray(start, start + size)
  bytes.set(viewBytes(pageSums(content, PAGE_BYTES)), start + size)
  bytes.writeUInt32LE(crc32(content), CRC_AT)
  bytes.writeUInt32LE(headSum(bytes, head.length), SUM_AT)
  return bytes
}

/** Checksum of the head's lengths and the description. */
function headSum(bytes: Uint8Array, length: number): number {
  return sumBytes(bytes, HEAD, HEAD + length, sumBytes(bytes, 0, SUM_AT))
}

/**
 * Views on the bytes; only the description is copied and parsed. Checks length and description now, and each page of
 * the sections at its first use through `pages`. `remake` returns the whole file's bytes anew when a page is damaged.
 * `load` receives the range about to be read, when the file is loaded in parts.
 * @throws {HlaError} unknown-format — not a compiled release, or of another version; truncated-file — cut short;
 * checksum-mismatch — damaged: here, or when a number is read and the file cannot be rebuilt identically
 */
export function openContainer(
  bytes: Uint8Array,
  remake?: () => Uint8Array,
  load?: (from: number, to: number) => void,
): Container {
  const { sections, meta, start, size, crc } = readHead(bytes, load)
  load?.(start + size, bytes.length)
  let isMadeAgain = false
  const sums = new Uint32Array(bytes.buffer, bytes.byteOffset + start + size, Math.ceil(size / PAGE_BYTES))
  const content = bytes.subarray(start, start + size)
  function loadContent(from: number, to: number): void {
    // rebuilt bytes must not be overwritten with damaged ones
    if (!isMadeAgain) load?.(start + from, start + to)
  }
  const pages = checkedPages(content, sums, {
    load: load && loadContent,
    isSound() {
      loadContent(0, size)
      return crc32(content) === crc
    },
    repair() {
      const fresh = remake?.()
      // the head covers everything after it: an equal head means an equal file
      if (fresh?.length !== bytes.length || !isSame(fresh, bytes, start)) throw damaged()
      bytes.set(fresh)
      isMadeAgain = true
    },
  })
  const entryOf = (name: string, kind: 'u8' | 'u32') => {
    const entry = sections[name]
    if (entry === undefined || entry[2] !== kind)
      throw new HlaError('unknown-format', `section ${name} is missing`)
    return [bytes.buffer, bytes.byteOffset + start + entry[0], entry[1]] as const
  }
  return {
    meta,
    u8: (name) => new Uint8Array(...entryOf(name, 'u8')),
    u32: (name) => new Uint32Array(...entryOf(name, 'u32')),
    pages,
  }
}

/** Compares the heads; the description contains the sha256 of the sections. */
function isSame(fresh: Uint8Array, bytes: Uint8Array, start: number): boolean {
  return Buffer.compare(fresh.subarray(0, start), bytes.subarray(0, start)) === 0
}

function damaged(): HlaError {
  return new HlaError('checksum-mismatch', 'the compiled release is damaged')
}

/** @throws {HlaError} checksum-mismatch — a section has changed */
export function verifyContainer(bytes: Uint8Array): void {
  const { sections, sha256, start } = readHead(bytes)
  const parts = Object.values(sections).map(([offset, length, kind]) =>
    bytes.subarray(start + offset, start + offset + length * (kind === 'u8' ? 1 : 4)),
  )
  if (hashSections(parts) !== sha256) throw damaged()
}

interface Head {
  readonly meta: unknown
  readonly sha256: string
  readonly sections: Readonly<Record<string, SectionEntry>>
  readonly start: number
  /** Bytes of all sections. */
  readonly size: number
  /** CRC-32 of all sections. */
  readonly crc: number
}

function readHead(bytes: Uint8Array, load?: (from: number, to: number) => void): Head {
  load?.(0, Math.min(HEAD, bytes.length))
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength)
  if (bytes.length < HEAD || view.getUint32(0, true) !== MAGIC)
    throw new HlaError('unknown-format', 'not a compiled release')
  if (view.getUint32(4, true) !== RELEASE_FORMAT_VERSION) {
    throw new HlaError(
      'unknown-format',
      `compiled release of format ${view.getUint32(4, true)}, not ${RELEASE_FORMAT_VERSION}`,
    )
  }
  if (view.getUint32(12, true) !== bytes.length)
    throw new HlaError('truncated-file', 'the compiled release is cut short')
  const length = view.getUint32(8, true)
  const size = view.getUint32(16, true)
  const start = aligned(HEAD + length)
  load?.(0, Math.min(start, bytes.length))
  const isWhole = start + size + Math.ceil(size / PAGE_BYTES) * 4 === bytes.length
  if (!isWhole || headSum(bytes, length) !== view.getUint32(SUM_AT, true)) throw damaged()
  // Buffer instead of TextDecoder: the bytes may be shared between threads
  const text = Buffer.from(bytes.buffer, bytes.byteOffset + HEAD, length).toString('utf8')
  // written by encodeContainer in the format version just checked
  const head = JSON.parse(text) as Pick<Head, 'meta' | 'sha256' | 'sections'>
  return { ...head, start, size, crc: view.getUint32(CRC_AT, true) }
}

function aligned(size: number): number {
  return Math.ceil(size / ALIGN) * ALIGN
}

function viewBytes(array: SectionArray): Uint8Array {
  return new Uint8Array(array.buffer, array.byteOffset, array.byteLength)
}

function hashSections(arrays: Iterable<SectionArray>): string {
  const hash = createHash('sha256')
  for (const array of arrays) hash.update(viewBytes(array))
  return hash.digest('hex')
}
