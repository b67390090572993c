/** How a typing stands in memory: its numbers, the results of each method, its key, its texts. All in one piece: mostly it is read from far memory. */

/** What to do with a typing that was found. */
export const PLAIN = 0
/** A token: the cell comes back as it stands. */
export const TOKEN = 1
/** As PLAIN, with something to count. */
export const NOTED = 2
/** For the ordinary conversion. */
export const ODD = 3

/** Places in a record, of 32 bits each. */
export const KIND = 0
export const KEY_SIZE = 1
/** Which of `STATUSES`. */
export const STATUS = 2
/** Names of the typing, or of its longest result. */
export const NAMES = 3
/** The round in which it was last counted. */
export const SEEN = 4
/** Of the whole record. It is even, for doubles stand at even places. */
export const WORDS = 5
export const FIXED = 6

/** In the order of their numbers: those from `STATUS_OPEN` on say that the locus was typed, and not as what. */
export const STATUSES = ['ok', 'error', 'untyped', 'absent', 'unknown', 'new'] as const
export const STATUS_OK = 0
export const STATUS_UNTYPED = 2
export const STATUS_ABSENT = 3
export const STATUS_OPEN = 4

/** Places in a result: where its text begins, in bytes; how long it is; and, a double, its place among names. */
export const TEXT = 0
export const TEXT_SIZE = 1
export const RANK = 2
const EACH = 4

/** The rank of a list, and of several typings: they are ordered by their text. */
export const BY_TEXT = -1

/** What a typing becomes. */
export interface TypingEntry {
  readonly kind: typeof PLAIN | typeof TOKEN | typeof NOTED | typeof ODD
  readonly status: number
  readonly names: number
  /** One a method. */
  readonly results: readonly EntryResult[]
}

export interface EntryResult {
  /** Byte texts, written with `/` between them. */
  readonly parts: readonly { readonly text: string }[]
  readonly rank: number
}

/** Where the result of the method begins. */
export function resultOffset(record: number, method: number): number {
  return record + FIXED + method * EACH
}

/** In bytes. */
export function keyOffset(record: number, methods: number): number {
  return resultOffset(record, methods) * 4
}

/** Word by word, but for the places of its texts. */
export function copyRecord(
  from: Int32Array,
  place: number,
  to: Int32Array,
  { record, methods }: { readonly record: number; readonly methods: number },
): void {
  const size = from[place + WORDS] ?? 0
  for (let at = 0; at < size; at += 1) to[record + at] = from[place + at] ?? 0
  for (let method = 0; method < methods; method += 1) {
    const text = resultOffset(record, method) + TEXT
    to[text] = (to[text] ?? 0) + (record - place) * 4
  }
}
