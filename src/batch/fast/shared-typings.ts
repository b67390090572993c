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
  const bytes = Buffer.from(memory)
  const ranks = new DataView(memory)
  const ranksAt = (record: number) => (record + SIZES + methods) * 4
  const keyAt = (record: number) => ranksAt(record) + methods * 8
  const isSame = (record: number, { hash, start, size }: TypingKey, input: Buffer) =>
    words[record + HASH] === hash &&
    words[record + KEY_SIZE] === size &&
    bytes.compare(input, start, start + size, keyAt(record), keyAt(record) + size) === 0

  const entryAt = (record: number): Entry => {
    let at = keyAt(record) + (words[record + KEY_SIZE] ?? 0)
    const results = Array.from({ length: methods }, (_, method) => {
      const size = words[record + SIZES + method] ?? 0
      const text = bytes.toString('latin1', at, at + size)
      at += size
      return { text, rank: ranks.getFloat64(ranksAt(record) + method * 8, true) }
    })
    return { kind: PLAIN, status: 0, names: words[record + NAMES] ?? 0, results }
  }

  const write = (
    record: number,
    { hash, start, size }: TypingKey,
    input: Buffer,
    { names, results }: Entry,
  ) => {
    words.set([hash, size, names, ...results.map(({ text }) => text.length)], record)
    for (const [method, { rank }] of results.entries())
      ranks.setFloat64(ranksAt(record) + method * 8, rank, true)
    let at = keyAt(record) + input.copy(bytes, keyAt(record), start, start + size)
    for (const { text } of results) at += bytes.write(text, at, 'latin1')
  }

  return {
    find(key, input) {
      for (let probe = 0; probe < MOST_PROBES; probe += 1) {
        const record = Atomics.load(words, slotOf(key.hash, probe))
        if (record === 0) return undefined
        if (isSame(record, key, input)) return entryAt(record)
      }
      return undefined
    },
    add(key, input, entry) {
      if (entry.kind !== PLAIN || entry.results.length !== methods) return
      const texts = entry.results.reduce((sum, { text }) => sum + text.length, 0)
      const size = SIZES + methods * 3 + ((key.size + texts + 3) >> 2)
      if (Atomics.load(words, 0) + size > WORDS) return
      const record = Atomics.add(words, 0, size)
      if (record + size > WORDS) return
      write(record, key, input, entry)
      // seen by others only now, when it is whole
      for (let probe = 0; probe < MOST_PROBES; probe += 1) {
        const other = Atomics.compareExchange(words, slotOf(key.hash, probe), 0, record)
        if (other === 0 || isSame(other, key, input)) return
      }
    },
  }
}

function slotOf(hash: number, probe: number): number {
  return 1 + ((hash + probe) & (SLOTS - 1))
}
