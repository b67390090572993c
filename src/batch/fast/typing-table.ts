/** Typings by their bytes: open addressing over (hash, key), with the bytes they become. Nothing is decoded to find one. */
import type { Part } from '../../nomenclature/order.ts'
import type { CellAnswer } from '../answers.ts'
import { type OutputBytes, outputBytes, putRange, putText } from './output-bytes.ts'

/** What to do with a typing that was found. */
export const PLAIN = 0
/** A token: the cell comes back as it stands. */
export const TOKEN = 1
/** As PLAIN, with something to count. */
export const NOTED = 2
/** For the ordinary conversion. */
export const ODD = 3

export interface Entry {
  /** The cell as people read it. */
  readonly text: string
  readonly kind: typeof PLAIN | typeof TOKEN | typeof NOTED | typeof ODD
  readonly answer: CellAnswer
  /** One a method, as byte text. */
  readonly results: readonly string[]
  /** One a method; for columns of GL Strings only. */
  readonly parts: readonly Part[]
  /** Names of the typing, or of its longest result. */
  readonly names: number
}

export interface TypingTable {
  readonly methods: number
  /** That are being read. */
  bytes: Uint8Array
  slots: Int32Array
  count: number
  hashes: Int32Array
  keyStarts: Int32Array
  keyEnds: Int32Array
  kinds: Uint8Array
  /** 1 once it was in a cell that was counted. */
  seen: Uint8Array
  entries: Entry[]
  /** Entry × methods + method. */
  resultStarts: Int32Array
  resultEnds: Int32Array
  readonly keys: OutputBytes
  readonly texts: OutputBytes
}

const FIRST_SIZE = 1024
const MOST_ENTRIES = 200_000
const MOST_BYTES = 32 * 1024 * 1024

export function typingTable(methods: number): TypingTable {
  const table = {
    methods,
    bytes: new Uint8Array(0),
    slots: new Int32Array(FIRST_SIZE * 4),
    count: 0,
    entries: [],
    keys: outputBytes(16 * 1024),
    texts: outputBytes(16 * 1024),
  }
  return { ...table, ...columnsOf(FIRST_SIZE, methods) }
}

/** The entry of the typing at these places of `table.bytes`, or -1. */
export function findTyping(table: TypingTable, hash: number, start: number, end: number): number {
  const { slots, hashes, keyStarts, keyEnds, bytes } = table
  const keys = table.keys.bytes
  const mask = slots.length - 1
  for (let slot = spread(hash) & mask; ; slot = (slot + 1) & mask) {
    const entry = (slots[slot] ?? 0) - 1
    if (entry < 0) return -1
    if (hashes[entry] !== hash) continue
    let key = keyStarts[entry] ?? 0
    if ((keyEnds[entry] ?? 0) - key !== end - start) continue
    let at = start
    while (at < end && keys[key] === bytes[at]) {
      at += 1
      key += 1
    }
    if (at === end) return entry
  }
}

export interface TypingKey {
  readonly hash: number
  readonly start: number
  readonly end: number
}

export function addTyping(table: TypingTable, { hash, start, end }: TypingKey, entry: Entry): number {
  const index = table.count
  if (index >= table.hashes.length) enlarge(table)
  table.count += 1
  table.hashes[index] = hash
  table.keyStarts[index] = table.keys.size
  putRange(table.keys, table.bytes, start, end)
  table.keyEnds[index] = table.keys.size
  table.kinds[index] = entry.kind
  table.entries.push(entry)
  for (const [method, text] of entry.results.entries()) {
    const at = index * table.methods + method
    table.resultStarts[at] = putText(table.texts, text)
    table.resultEnds[at] = table.texts.size
  }
  place(table.slots, hash, index)
  return index
}

/** Started again when full; between rows only, for a row remembers entries. */
export function clearFull(table: TypingTable): void {
  if (table.count < MOST_ENTRIES && table.texts.size < MOST_BYTES && table.keys.size < MOST_BYTES) return
  table.slots.fill(0)
  table.seen.fill(0)
  table.count = 0
  table.entries.length = 0
  table.keys.size = 0
  table.texts.size = 0
}

function columnsOf(size: number, methods: number) {
  return {
    hashes: new Int32Array(size),
    keyStarts: new Int32Array(size),
    keyEnds: new Int32Array(size),
    kinds: new Uint8Array(size),
    seen: new Uint8Array(size),
    resultStarts: new Int32Array(size * methods),
    resultEnds: new Int32Array(size * methods),
  }
}

function enlarge(table: TypingTable): void {
  const size = table.hashes.length * 2
  const larger = columnsOf(size, table.methods)
  larger.hashes.set(table.hashes)
  larger.keyStarts.set(table.keyStarts)
  larger.keyEnds.set(table.keyEnds)
  larger.kinds.set(table.kinds)
  larger.seen.set(table.seen)
  larger.resultStarts.set(table.resultStarts)
  larger.resultEnds.set(table.resultEnds)
  Object.assign(table, larger)
  table.slots = new Int32Array(size * 4)
  for (let index = 0; index < table.count; index += 1) place(table.slots, table.hashes[index] ?? 0, index)
}

function place(slots: Int32Array, hash: number, index: number): void {
  const mask = slots.length - 1
  let slot = spread(hash) & mask
  while (slots[slot] !== 0) slot = (slot + 1) & mask
  slots[slot] = index + 1
}

function spread(hash: number): number {
  return hash ^ (hash >>> 15)
}
