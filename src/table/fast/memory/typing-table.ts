/** Hash table of typings by their bytes: open addressing over (hash, record). */
import { dataView } from './byte-buffers.ts'

/** Kinds of a typing found. */
export const PLAIN = 0
/** A token: the cell is copied. */
export const TOKEN = 1
/** PLAIN with something to count. */
export const NOTED = 2
/** Left to the ordinary conversion. */
export const ODD = 3

/** Offsets in a record, in 32-bit words. */
export const KIND = 0
export const KEY_SIZE = 1
/** Index in `STATUSES`. */
export const STATUS = 2
/** Names of the typing, or of its longest result. */
export const NAMES = 3
/** Round in which it was last counted. */
export const SEEN = 4
/** Words of the whole record, an even number, since doubles need alignment. */
export const WORDS = 5
const FIXED = 6

/** Numbered statuses: those from `STATUS_OPEN` on mean that the locus was typed without a known result. */
export const STATUSES = ['ok', 'error', 'untyped', 'absent', 'unknown', 'new'] as const
export const STATUS_OK = 0
export const STATUS_UNTYPED = 2
export const STATUS_ABSENT = 3
export const STATUS_OPEN = 4

/** Offsets in a result: byte offset of its text, length, and its rank among names as a double. */
export const TEXT = 0
export const TEXT_SIZE = 1
const RANK = 2
const EACH = 4

/** Rank of a list, and of several typings, which are ordered by text. */
export const BY_TEXT = -1

/** Result of a typing. */
export interface TypingEntry {
  readonly kind: typeof PLAIN | typeof TOKEN | typeof NOTED | typeof ODD
  readonly status: number
  readonly names: number
  /** One per method. */
  readonly results: readonly EntryResult[]
}

export interface EntryResult {
  /** Byte texts, written with `/` between them. */
  readonly parts: readonly { readonly text: string }[]
  readonly rank: number
}

/** Offset of a method's result. */
export function resultOffset(record: number, method: number): number {
  return record + FIXED + method * EACH
}

/** Offset in bytes. */
export function keyOffset(record: number, methods: number): number {
  return resultOffset(record, methods) * 4
}

/** Copies word by word, but for the offsets of its texts. */
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

export interface TypingTable {
  readonly methods: number
  /** Bytes being read. */
  input: DataView
  /** Alternating hash and record. A record is identified by its offset; 0 means none, to be read the ordinary way. */
  slots: Int32Array
  count: number
  /** Offset after the last record. */
  end: number
  /** Four views of the same memory. */
  records: Int32Array
  ranks: Float64Array
  view: DataView
  bytes: Buffer
  /** Bytes of records from which it is full. */
  readonly most: number
}

/** Small: V8 recompiles code that first meets a grown array while in use. */
const FIRST_SLOTS = 16
const FIRST_BYTES = 1024
/**
 * Size from which growth goes to the maximum in one step: the system only allocates what is written, but outgrown
 * memory stays.
 */
const FIRST_STEPS = 1024 * 1024
const MAX_ENTRIES = 200_000
/** Maximum bytes for the tables of all threads that convert the same table. */
const MAX_BYTES = 24 * 1024 * 1024
/** Room after a full table, enough for the additions of most rows. */
const BEHIND = 4 * 1024 * 1024

export function typingTable(methods: number, threads = 1): TypingTable {
  const table: TypingTable = {
    methods,
    input: new DataView(new ArrayBuffer(0)),
    slots: new Int32Array(FIRST_SLOTS),
    count: 0,
    end: FIXED,
    most: MAX_BYTES / threads,
    ...allocate(FIRST_BYTES),
  }
  table.records[KIND] = ODD
  return table
}

function allocate(size: number) {
  const records = new Int32Array(size / 4)
  const bytes = Buffer.from(records.buffer)
  return { records, ranks: new Float64Array(records.buffer), view: dataView(bytes), bytes }
}

export function readRank({ ranks }: TypingTable, result: number): number {
  return ranks[(result + RANK) >> 1] ?? 0
}

/** True when it takes more than `size` bytes. */
export function isLarger({ slots, end }: TypingTable, size: number): boolean {
  return (slots.length + end) * 4 > size
}

export interface WantedTypings {
  count: number
  readonly hashes: Int32Array
  /** Slots prefetched for each. */
  readonly slots: Int32Array
  /** Accumulates reads, so that they are not optimised away. */
  fetched: number
}

/**
 * Prefetches the memory that `findTyping` will read, all at once: one after another, each access would wait. The values
 * read must be used, or V8 removes the reads.
 */
export function fetchTypings({ slots, records }: TypingTable, wanted: WantedTypings): void {
  const { hashes, count } = wanted
  const mask = slots.length - 1
  for (let at = 0; at < count; at += 1) wanted.slots[at] = slots[firstSlot(hashes[at] ?? 0, mask) + 1] ?? 0
  let all = 0
  for (let at = 0; at < count; at += 1) {
    const record = wanted.slots[at] ?? 0
    all ^= (records[record + KEY_SIZE] ?? 0) ^ (records[record + LINE] ?? 0)
  }
  wanted.fetched = all
}

/** Cache line in 32-bit words: a key and a text mostly lie in two. */
const LINE = 16
/** Bytes readable after the last record; texts are copied four at a time, too. */
const BEHIND_RECORDS = LINE * 4 + 8

/** Record of the typing at this range of `table.input`; 0 for none. */
export function findTyping(table: TypingTable, hash: number, start: number, size: number): number {
  const { slots, records } = table
  const mask = slots.length - 1
  for (let slot = firstSlot(hash, mask); ; slot = (slot + 2) & mask) {
    const record = slots[slot + 1] ?? 0
    if (record === 0) return 0
    if (slots[slot] === hash && records[record + KEY_SIZE] === size && isKey(table, record, start, size))
      return record
  }
}

function isKey({ methods, view, input }: TypingTable, record: number, start: number, size: number): boolean {
  const key = keyOffset(record, methods)
  const whole = size & ~3
  for (let at = 0; at < whole; at += 4)
    if (view.getInt32(key + at, true) !== input.getInt32(start + at, true)) return false
  for (let at = whole; at < size; at += 1)
    if (view.getUint8(key + at) !== input.getUint8(start + at)) return false
  return true
}

export interface TypingKey {
  readonly hash: number
  readonly start: number
  readonly size: number
}

/** Adds a typing; returns its record. */
export function addTyping(table: TypingTable, { hash, start, size }: TypingKey, entry: TypingEntry): number {
  const record = table.end
  const key = keyOffset(record, table.methods)
  makeRoom(table, key + size + countTextBytes(entry))
  const { records, bytes, input } = table
  records[record + KIND] = entry.kind
  records[record + KEY_SIZE] = size
  records[record + STATUS] = entry.status
  records[record + NAMES] = entry.names
  records[record + SEEN] = 0
  for (let at = 0; at < size; at += 1) bytes[key + at] = input.getUint8(start + at)
  const end = putResults(table, record, entry, key + size)
  records[record + WORDS] = (((end + 7) >> 3) << 1) - record
  return keepRecord(table, hash, record)
}

/** Adds a record that lies in other memory. */
export function copyTyping(table: TypingTable, hash: number, words: Int32Array, place: number): number {
  const record = table.end
  makeRoom(table, (record + (words[place + WORDS] ?? 0)) * 4)
  copyRecord(words, place, table.records, { record, methods: table.methods })
  table.records[record + SEEN] = 0
  return keepRecord(table, hash, record)
}

function keepRecord(table: TypingTable, hash: number, record: number): number {
  table.end = record + (table.records[record + WORDS] ?? 0)
  table.count += 1
  if (table.count * 4 > table.slots.length) spreadSlots(table)
  place(table.slots, hash, record)
  return record
}

/** Empties a full table; call between rows only, since a row holds records. Returns true if it was emptied. */
export function clearFull(table: TypingTable): boolean {
  if (table.count < MAX_ENTRIES && table.end * 4 < table.most) return false
  if (table.bytes.length > table.most + BEHIND) Object.assign(table, allocate(table.most + BEHIND))
  table.slots.fill(0)
  table.count = 0
  table.end = FIXED
  return true
}

/** `end`: required size in bytes. */
function makeRoom(table: TypingTable, end: number): void {
  if (end + BEHIND_RECORDS <= table.bytes.length) return
  const { length } = table.bytes
  const whole = table.most + BEHIND
  const next = length < FIRST_STEPS ? length * 2 : length < whole ? whole : length + BEHIND
  const memory = allocate(Math.max(next, (end + BEHIND_RECORDS + 7) & ~7))
  memory.records.set(table.records)
  Object.assign(table, memory)
}

function spreadSlots(table: TypingTable): void {
  const { slots } = table
  table.slots = new Int32Array(slots.length * 2)
  for (let slot = 0; slot < slots.length; slot += 2) {
    const record = slots[slot + 1] ?? 0
    if (record !== 0) place(table.slots, slots[slot] ?? 0, record)
  }
}

function place(slots: Int32Array, hash: number, record: number): void {
  const mask = slots.length - 1
  let slot = firstSlot(hash, mask)
  while (slots[slot + 1] !== 0) slot = (slot + 2) & mask
  slots[slot] = hash
  slots[slot + 1] = record
}

/** Slots are pairs. */
function firstSlot(hash: number, mask: number): number {
  return (hash << 1) & mask
}

/** Memory of records: three views of the same bytes. */
interface RecordMemory {
  readonly methods: number
  readonly records: Int32Array
  readonly ranks: Float64Array
  readonly bytes: Buffer
}

/** Bytes of a record's texts; equal ones of several methods count for each. */
function countTextBytes({ results }: TypingEntry): number {
  let size = 0
  for (const { parts } of results) size += countPartBytes(parts)
  return size
}

function countPartBytes(parts: EntryResult['parts']): number {
  let size = parts.length
  for (let at = 0; at < parts.length; at += 1) size += parts[at]?.text.length ?? 0
  return Math.max(0, size - 1)
}

/** Returns the end of the texts. */
function putResults(table: RecordMemory, record: number, { results }: TypingEntry, start: number): number {
  const { records, ranks, bytes, methods } = table
  let at = start
  for (let method = 0; method < methods; method += 1) {
    const { parts, rank } = results[method] ?? NOTHING
    const result = resultOffset(record, method)
    const same = findSameText(results, method, parts)
    records[result + TEXT] = same < 0 ? at : (records[resultOffset(record, same) + TEXT] ?? 0)
    records[result + TEXT_SIZE] = countPartBytes(parts)
    ranks[(result + RANK) >> 1] = rank
    if (same < 0) at = putParts(bytes, at, parts)
  }
  return at
}

/** Returns the end of the parts. */
function putParts(bytes: Buffer, start: number, parts: EntryResult['parts']): number {
  let at = start
  for (let part = 0; part < parts.length; part += 1) {
    const text = parts[part]?.text ?? ''
    if (part > 0) bytes[at++] = SLASH
    if (text.length > LONG) at += bytes.write(text, at, 'latin1')
    else for (let unit = 0; unit < text.length; unit += 1) bytes[at++] = text.charCodeAt(unit)
  }
  return at
}

const SLASH = 47
/** Length from which a native copy is worth its call. */
const LONG = 40

/** Earlier method with the same text, which is then stored once; -1 for none. */
function findSameText(results: TypingEntry['results'], method: number, parts: EntryResult['parts']): number {
  for (let before = 0; before < method; before += 1) {
    const others = results[before]?.parts
    if (others !== undefined && areAlike(others, parts)) return before
  }
  return -1
}

function areAlike(one: EntryResult['parts'], other: EntryResult['parts']): boolean {
  return one.length === other.length && one.every(({ text }, at) => text === other[at]?.text)
}

const NOTHING: EntryResult = { parts: [], rank: BY_TEXT }
