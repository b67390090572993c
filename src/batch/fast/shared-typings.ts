/** What typings became, in memory that several threads read and write without a lock: each typing is reduced by one of them.  [threads] */
import { type Entry, PLAIN, type TypingKey } from './typing-table.ts'

export interface SharedTypings {
  /** What another thread, or this one, has put there for the bytes at `key`. */
  readonly find: (key: TypingKey, input: Buffer) => Entry | undefined
  /** Others will find it; nobody will when there is no room, and each thread then finds out for itself. */
  readonly add: (key: TypingKey, input: Buffer, entry: Entry) => void
}

/** Where a record's place stands, or 0. */
const SLOTS = 2 ** 19
/** Looked at for one typing. */
const MOST_PROBES = 16
/** Of 32 bits: first the place of the next record, then the slots, then the records. */
const FIRST = 1 + SLOTS
const WORDS = FIRST + 2 ** 22

/** In a record: hash, bytes of the key, names, then bytes of each result's text; then the ranks, the key, the texts. */
const HASH = 0
const KEY_SIZE = 1
const NAMES = 2
const SIZES = 3

/** 18 MiB, of which the system gives what is written. */
export function sharedTypingsMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(WORDS * 4)
  new Int32Array(memory)[0] = FIRST
  return memory
}

/** `methods`: results of each typing. */
export function sharedTypings(memory: SharedArrayBuffer, methods: number): SharedTypings {
  const words = new Int32Array(memory)
  const records: Records = { words, bytes: Buffer.from(memory), view: new DataView(memory), methods }
  return {
    find(key, input) {
      for (let probe = 0; probe < MOST_PROBES; probe += 1) {
        const record = Atomics.load(words, slotOf(key.hash, probe))
        if (record === 0) return undefined
        if (isSame(records, record, key, input)) return entryAt(records, record)
      }
      return undefined
    },
    add(key, input, entry) {
      if (entry.kind !== PLAIN || entry.results.length !== methods) return
      const record = allocate(records, key, entry)
      if (record === undefined) return
      write(records, record, { key, input, entry })
      // seen by others only now, when it is whole
      for (let probe = 0; probe < MOST_PROBES; probe += 1) {
        const other = Atomics.compareExchange(words, slotOf(key.hash, probe), 0, record)
        if (other === 0 || isSame(records, other, key, input)) return
      }
    },
  }
}

function slotOf(hash: number, probe: number): number {
  return 1 + ((hash + probe) & (SLOTS - 1))
}

/** Three views of the same memory. */
interface Records {
  readonly words: Int32Array
  readonly bytes: Buffer
  readonly view: DataView
  readonly methods: number
}

/** In bytes. */
function ranksOf({ methods }: Records, record: number): number {
  return (record + SIZES + methods) * 4
}

/** In bytes. */
function keyOf(records: Records, record: number): number {
  return ranksOf(records, record) + records.methods * 8
}

function isSame(records: Records, record: number, { hash, start, size }: TypingKey, input: Buffer): boolean {
  const { words, bytes } = records
  if (words[record + HASH] !== hash || words[record + KEY_SIZE] !== size) return false
  const key = keyOf(records, record)
  return bytes.compare(input, start, start + size, key, key + size) === 0
}

function entryAt(records: Records, record: number): Entry {
  const { words, bytes, view, methods } = records
  let at = keyOf(records, record) + (words[record + KEY_SIZE] ?? 0)
  const results = Array.from({ length: methods }, (_, method) => {
    const size = words[record + SIZES + method] ?? 0
    const text = bytes.toString('latin1', at, at + size)
    at += size
    return { text, rank: view.getFloat64(ranksOf(records, record) + method * 8, true) }
  })
  return { kind: PLAIN, status: 0, names: words[record + NAMES] ?? 0, results }
}

/** undefined: there is no room. */
function allocate({ words, methods }: Records, key: TypingKey, { results }: Entry): number | undefined {
  const texts = results.reduce((sum, { text }) => sum + text.length, 0)
  const size = SIZES + methods * 3 + ((key.size + texts + 3) >> 2)
  // looked at first, so that the sum stays small
  if (Atomics.load(words, 0) + size > WORDS) return undefined
  const record = Atomics.add(words, 0, size)
  return record + size > WORDS ? undefined : record
}

interface Written {
  readonly key: TypingKey
  readonly input: Buffer
  readonly entry: Entry
}

function write(records: Records, record: number, { key, input, entry }: Written): void {
  const { words, bytes, view } = records
  const { names, results } = entry
  words.set([key.hash, key.size, names, ...results.map(({ text }) => text.length)], record)
  for (const [method, { rank }] of results.entries())
    view.setFloat64(ranksOf(records, record) + method * 8, rank, true)
  const place = keyOf(records, record)
  let at = place + input.copy(bytes, place, key.start, key.start + key.size)
  for (const { text } of results) at += bytes.write(text, at, 'latin1')
}
