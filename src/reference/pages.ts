/** Sums of the pages of a file: a page is compared with its sum before anything of it is believed (docs/adr/releases.md#sums-of-pages). Pure. */

/** Of a file in memory: a look-up touches a few dozen, and what it does not touch is not read. */
export const PAGE_BYTES = 512

/** 32 bits: one wrong bit, or any run of them within a word, always gives another sum. */
export function sumBytes(bytes: Uint8Array, from = 0, to = bytes.length, seed = 0): number {
  // words are read from where they lie when they can be
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

/** Odd, so that no two words become one. */
const MULTIPLIER = 0x9e3779b1

/** The sum of each page, which knows its place. */
export function pageSums(bytes: Uint8Array, pageBytes: number): Uint32Array<ArrayBuffer> {
  return Uint32Array.from({ length: Math.ceil(bytes.length / pageBytes) }, (_, page) =>
    pageSum(bytes, page, pageBytes),
  )
}

export function pageSum(bytes: Uint8Array, page: number, pageBytes: number): number {
  const from = page * pageBytes
  return sumBytes(bytes, from, Math.min(from + pageBytes, bytes.length), page)
}

/** What stands between a look-up and the bytes it reads. */
export interface Pages {
  /** Every page was found as it was written: nothing needs to be asked any more. */
  readonly isWhole: boolean
  /** Compares the pages of these elements. @throws what `repair` throws */
  need(array: Uint8Array | Uint32Array, from: number, to: number): void
}

/** For arrays that were made just now. */
export const WHOLE: Pages = { isWhole: true, need: () => undefined }

/** Whoever reads so many pages will read many more: the others are compared at once, and look-ups are what they were. */
const PAGES_BEFORE_ALL = 1024

export interface PagedContent {
  /** Of bytes that are read late: puts these where they belong. */
  readonly load?: ((from: number, to: number) => void) | undefined
  /** Whether all of it is as it was written. */
  readonly isSound: () => boolean
  /** For a page that is damaged: it puts the bytes right, or throws. */
  readonly repair: () => void
}

/** Arrays are views on `bytes`. */
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
    // of all at once Node's own sum is faster, but a short command would load node:zlib for it
    if (!isSound()) for (let page = 0; page < sums.length; page += 1) verify(page)
    state.isWhole = true
  }
  return state
}
