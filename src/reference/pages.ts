/** Sums of the pages of a file: a page is compared with its sum before anything of it is believed (docs/adr/0037). Pure. */

/** Of a file in memory: a look-up touches a few dozen, and what it does not touch is not read. */
export const PAGE_BYTES = 512

/** 32 bits: one wrong bit, or any run of them within a word, always gives another sum. */
export function sumOf(bytes: Uint8Array, from = 0, to = bytes.length, seed = 0): number {
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
  return sumOf(bytes, from, Math.min(from + pageBytes, bytes.length), page)
}

/** Numbers that are checked before they are given; 0 outside. */
export interface Numbers {
  readonly length: number
  at(index: number): number
}

/** Bytes that are checked when they are asked for. */
export interface Bytes extends Numbers {
  /** To be read from only behind `need`. */
  readonly array: Uint8Array
  need(from: number, to: number): void
}

export interface Pages {
  numbers(array: Uint8Array | Uint32Array): Numbers
  bytes(array: Uint8Array): Bytes
}

/** `arrays` are views on `bytes`. `repair` is called for a page that is damaged: it puts the bytes right, or throws. */
export function checkedPages(bytes: Uint8Array, sums: Uint32Array, repair: () => void): Pages {
  const seen = new Uint8Array(sums.length)
  function verify(page: number): void {
    if (pageSum(bytes, page, PAGE_BYTES) !== sums[page]) repair()
    seen[page] = 1
  }
  function numbers(array: Uint8Array | Uint32Array): Numbers {
    const first = array.byteOffset - bytes.byteOffset
    const size = array.BYTES_PER_ELEMENT
    return {
      length: array.length,
      at(index) {
        const page = Math.floor((first + index * size) / PAGE_BYTES)
        if (seen[page] === 0) verify(page)
        return array[index] ?? 0
      },
    }
  }
  return {
    numbers,
    bytes(array) {
      const first = array.byteOffset - bytes.byteOffset
      return {
        ...numbers(array),
        array,
        need(from, to) {
          const last = Math.floor((first + to - 1) / PAGE_BYTES)
          for (let page = Math.floor((first + from) / PAGE_BYTES); page <= last; page += 1)
            if (seen[page] === 0) verify(page)
        },
      }
    },
  }
}
