/** Page checksums: a page is verified before any of it is used (docs/adr/releases.md#sums-of-pages). Pure. */

/** Bytes per page of a file in memory: a look-up touches a few dozen, and the others are not read. */
export const PAGE_BYTES = 512

/** 32-bit checksum: any wrong bit, or run of them within a word, changes it. */
export function sumBytes(bytes: Uint8Array, from = 0, to = bytes.length, seed = 0): number {
  // aligned words are read in place
  const aligned = (bytes.byteOffset + from) % 4 === 0
  const part = aligned ? bytes.subarray(from, to) : bytes.slice(from, to)
  const count = (to - from) >>> 2
  const words = new Int32Array(part.buffer, part.byteOffset, count)
  let sum = seed ^ (to - from)
  for (let at = 0; at < count; at += 1) {
    sum = Math.imul(sum ^ (words[at] ?? 0), MULTIPLIER)
    sum = (sum << 13) | (sum >>> 19)
  }
  for (let at = count * 4; at < part.length; at += 1) sum = Math.imul(sum ^ (part[at] ?? 0), MULTIPLIER)
  return sum >>> 0
}

/** Odd, so that distinct words stay distinct. */
const MULTIPLIER = 0x9e3779b1

/** Checksum of each page, which includes its index. */
export function pageSums(bytes: Uint8Array, pageBytes: number): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: Math.ceil(bytes.length / pageBytes) }, (_, page) =>
    pageSum(bytes, page, pageBytes),
  )
}

export function pageSum(bytes: Uint8Array, page: number, pageBytes: number): number {
  const from = page * pageBytes
  return sumBytes(bytes, from, Math.min(from + pageBytes, bytes.length), page)
}

/** Verification between a look-up and the bytes it reads. */
export interface Pages {
  /** True when every page has been verified: no more calls are needed. */
  readonly isWhole: boolean
  /** Verifies the pages of these elements. @throws what `repair` throws */
  need(array: Uint8Array | Uint32Array, from: number, to: number): void
}

/** Pages of arrays just made. */
export const WHOLE: Pages = { isWhole: true, need: () => undefined }

/**
 * Pages verified singly; a caller that reads more will read many, so the rest is verified at once and look-ups need no
 * more checks.
 */
const PAGES_BEFORE_ALL = 1024

export interface PagedContent {
  /** Loads a byte range of a file that is read in parts. */
  readonly load?: ((from: number, to: number) => void) | undefined
  /** True when the whole content is as written. */
  readonly isSound: () => boolean
  /** Restores the bytes of a damaged page, or throws. */
  readonly repair: () => void
}

/** Pages whose arrays are views on `bytes`. */
export function checkedPages(
  bytes: Uint8Array,
  sums: Uint32Array,
  { load, isSound, repair }: PagedContent,
): Pages {
  const seen = new Uint8Array(sums.length)
  const state = { isWhole: false, need }
  let count = 0
  function verify(page: number): void {
    if (seen[page] !== 0) return
    load?.(page * PAGE_BYTES, Math.min((page + 1) * PAGE_BYTES, bytes.length))
    if (pageSum(bytes, page, PAGE_BYTES) !== sums[page]) repair()
    seen[page] = 1
    count += 1
  }
  function need(array: Uint8Array | Uint32Array, from: number, to: number): void {
    const start = array.byteOffset - bytes.byteOffset
    const size = array.BYTES_PER_ELEMENT
    const last = Math.min(Math.floor((start + to * size - 1) / PAGE_BYTES), sums.length - 1)
    for (let page = Math.floor((start + from * size) / PAGE_BYTES); page <= last; page += 1) verify(page)
    if (count < PAGES_BEFORE_ALL) return
    // Node's crc32 would be faster for all at once, but a short command would load node:zlib for it
    if (!isSound()) for (let page = 0; page < sums.length; page += 1) verify(page)
    state.isWhole = true
  }
  return state
}
