/** Typings by their bytes: open addressing over (hash, record). All of a record stands together: mostly it is read from far memory. */
import { SLACK, viewOf } from './output-bytes.ts'

/** What to do with a typing that was found. */
export const PLAIN = 0
/** A token: the cell comes back as it stands. */
export const TOKEN = 1
/** As PLAIN, with something to count. */
export const NOTED = 2
/** For the ordinary conversion. */
export const ODD = 3

export interface TypingTable {
  readonly methods: number
  /** That are being read. */
  input: DataView
  /** Hash and record in turn. A record is named by its place; 0 is none, and odd. */
  slots: Int32Array
  count: number
  /** Behind the last record. */
  end: number
  /** Four views of the same memory: a record is its numbers, the results of each method, its key, its texts. */
  records: Int32Array
  ranks: Float64Array
  view: DataView
  bytes: Buffer
}

/** Places in a record, of 32 bits each. */
export const KIND = 0
const KEY_SIZE = 1
/** Which of `STATUSES`. */
export const STATUS = 2
/** Names of the typing, or of its longest result. */
export const NAMES = 3
/** The round in which it was last counted. */
export const SEEN = 4
/** And one to keep doubles at even places. */
const FIXED = 6

/** Places in a result: where its text begins, in bytes; how long it is; and, a double, its place among names. */
export const TEXT = 0
export const TEXT_SIZE = 1
const RANK = 2
const EACH = 4

/** The rank of a list, and of several typings: they are ordered by their text. */
export const BY_TEXT = -1

/** What a typing becomes. */
export interface Entry {
  readonly kind: typeof PLAIN | typeof TOKEN | typeof NOTED | typeof ODD
  readonly status: number
  readonly names: number
  /** One a method. */
  readonly results: readonly EntryResult[]
}

export interface EntryResult {
  /** Byte text. */
  readonly text: string
  readonly rank: number
}

const FIRST_SLOTS = 4096
const FIRST_BYTES = 128 * 1024
const MOST_ENTRIES = 200_000
const MOST_BYTES = 32 * 1024 * 1024

export function typingTable(methods: number): TypingTable {
  const table: TypingTable = {
    methods,
    input: new DataView(new ArrayBuffer(0)),
    slots: new Int32Array(0),
    count: 0,
    end: FIXED,
    ...memoryOf(0),
  }
  // replaced at once: V8 takes what never changed for constant, and compiles all that reads it anew when it grows
  Object.assign(table, memoryOf(FIRST_BYTES))
  table.slots = new Int32Array(FIRST_SLOTS)
  table.records[KIND] = ODD
  return table
}

function memoryOf(size: number) {
  const records = new Int32Array(size / 4)
  const bytes = Buffer.from(records.buffer)
  return { records, ranks: new Float64Array(records.buffer), view: viewOf(bytes), bytes }
}

/** Where the result of the method begins. */
export function resultOf(record: number, method: number): number {
  return record + FIXED + method * EACH
}

export function rankOf({ ranks }: TypingTable, result: number): number {
  return ranks[(result + RANK) >> 1] ?? 0
}

/** The record of the typing at these places of `table.input`; 0 when there is none. */
export function findTyping(table: TypingTable, hash: number, start: number, size: number): number {
  const { slots, records } = table
  const mask = slots.length - 1
  for (let slot = firstSlot(hash, mask); ; slot = (slot + 2) & mask) {
    const record = slots[slot + 1] ?? 0
    if (record === 0) return 0
    if (slots[slot] === hash && records[record + KEY_SIZE] === size && isKey(table, record, start))
      return record
  }
}

function isKey({ methods, records, view, input }: TypingTable, record: number, start: number): boolean {
  const key = keyOf(record, methods)
  const size = records[record + KEY_SIZE] ?? 0
  const whole = size & ~3
  for (let at = 0; at < whole; at += 4)
    if (view.getInt32(key + at, true) !== input.getInt32(start + at, true)) return false
  for (let at = whole; at < size; at += 1)
    if (view.getUint8(key + at) !== input.getUint8(start + at)) return false
  return true
}

/** In bytes. */
function keyOf(record: number, methods: number): number {
  return resultOf(record, methods) * 4
}

export interface TypingKey {
  readonly hash: number
  readonly start: number
  readonly size: number
}

/** Gives the record. */
export function addTyping(table: TypingTable, { hash, start, size }: TypingKey, entry: Entry): number {
  const record = table.end
  const key = keyOf(record, table.methods)
  const texts = entry.results.reduce((sum, { text }) => sum + text.length, 0)
  if (key + size + texts + SLACK > table.bytes.length) enlarge(table, size + texts)
  const { records, bytes, input } = table
  records[record + KIND] = entry.kind
  records[record + KEY_SIZE] = size
  records[record + STATUS] = entry.status
  records[record + NAMES] = entry.names
  records[record + SEEN] = 0
  for (let at = 0; at < size; at += 1) bytes[key + at] = input.getUint8(start + at)
  const end = putResults(table, record, entry, key + size)
  // doubles need even places
  table.end = ((end + 7) >> 3) << 1
  table.count += 1
  if (table.count * 4 > table.slots.length) spreadSlots(table)
  place(table.slots, hash, record)
  return record
}

/** Gives where the texts end. */
function putResults(table: TypingTable, record: number, { results }: Entry, start: number): number {
  const { records, ranks, bytes, methods } = table
  let at = start
  for (let method = 0; method < methods; method += 1) {
    const { text, rank } = results[method] ?? NOTHING
    const result = resultOf(record, method)
    records[result + TEXT] = at
    records[result + TEXT_SIZE] = text.length
    ranks[(result + RANK) >> 1] = rank
    bytes.write(text, at, 'latin1')
    at += text.length
  }
  return at
}

const NOTHING: EntryResult = { text: '', rank: BY_TEXT }

/** Started again when full; between rows only, for a row remembers records. Whether it was. */
export function clearFull(table: TypingTable): boolean {
  if (table.count < MOST_ENTRIES && table.end * 4 < MOST_BYTES) return false
  table.slots.fill(0)
  table.count = 0
  table.end = FIXED
  return true
}

function enlarge(table: TypingTable, by: number): void {
  const least = keyOf(table.end, table.methods) + by + SLACK
  const memory = memoryOf(Math.max(table.bytes.length * 2, (least + 7) & ~7))
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
