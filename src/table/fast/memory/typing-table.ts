/** Typings by their bytes: open addressing over (hash, record). */
import { dataView } from './byte-buffers.ts'

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
const FIXED = 6

/** In the order of their numbers: those from `STATUS_OPEN` on say that the locus was typed, and not as what. */
export const STATUSES = ['ok', 'error', 'untyped', 'absent', 'unknown', 'new'] as const
export const STATUS_OK = 0
export const STATUS_UNTYPED = 2
export const STATUS_ABSENT = 3
export const STATUS_OPEN = 4

/** Places in a result: where its text begins, in bytes; how long it is; and, a double, its place among names. */
export const TEXT = 0
export const TEXT_SIZE = 1
const RANK = 2
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

export interface TypingTable {
  readonly methods: number
  /** That are being read. */
  input: DataView
  /** Hash and record in turn. A record is named by its place; 0 is none, and odd. */
  slots: Int32Array
  count: number
  /** Behind the last record. */
  end: number
  /** Four views of the same memory. */
  records: Int32Array
  ranks: Float64Array
  view: DataView
  bytes: Buffer
  /** Bytes of records from which on it is full. */
  readonly most: number
}

/** Little: V8 compiles anew what grows for the first time when it is in use already. */
const FIRST_SLOTS = 16
const FIRST_BYTES = 1024
/** From here on in one step to all that there may be: a system gives what is written, but every memory that was outgrown. */
const FIRST_STEPS = 1024 * 1024
const MOST_ENTRIES = 200_000
/** Of the tables of all threads that convert the same table. */
const MOST_BYTES = 24 * 1024 * 1024
/** Behind a full table: what one row adds to it mostly has room there. */
const BEHIND = 4 * 1024 * 1024

export function typingTable(methods: number, threads = 1): TypingTable {
  const table: TypingTable = {
    methods,
    input: new DataView(new ArrayBuffer(0)),
    slots: new Int32Array(FIRST_SLOTS),
    count: 0,
    end: FIXED,
    most: MOST_BYTES / threads,
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

/** Than so many bytes. */
export function isLarger({ slots, end }: TypingTable, size: number): boolean {
  return (slots.length + end) * 4 > size
}

export interface WantedTypings {
  count: number
  readonly hashes: Int32Array
  /** What stands in the first slot of each. */
  readonly slots: Int32Array
  /** Means nothing. */
  fetched: number
}

/**
 * Has the processor fetch what `findTyping` will look at from far memory, all of it at once: one after another, each would be
 * waited for. What is read must come to something, lest V8 leave it out.
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

/** What memory is fetched by, in 32 bits: a key and a text mostly stand in two of these. */
const LINE = 16
/** Bytes that may be read behind the last record; texts are copied four at a time, too. */
const BEHIND_RECORDS = LINE * 4 + 8

/** The record of the typing at these places of `table.input`; 0 when there is none. */
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

/** Gives the record. */
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

/** The same of a record that stands in other memory. */
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

/** Started again when full; between rows only, for a row remembers records. Whether it was. */
export function clearFull(table: TypingTable): boolean {
  if (table.count < MOST_ENTRIES && table.end * 4 < table.most) return false
  if (table.bytes.length > table.most + BEHIND) Object.assign(table, allocate(table.most + BEHIND))
  table.slots.fill(0)
  table.count = 0
  table.end = FIXED
  return true
}

/** `end`: of what must have it, in bytes. */
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

/** Where records stand: three views of the same memory. */
interface RecordMemory {
  readonly methods: number
  readonly records: Int32Array
  readonly ranks: Float64Array
  readonly bytes: Buffer
}

/** Of a record's texts, each counted once a method. */
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

/** Gives where the texts end. */
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

/** Gives where they end. */
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
/** From here on a native copy is worth its call. */
const LONG = 40

/** The method before that has the same text, which then stands once; -1: none. */
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
