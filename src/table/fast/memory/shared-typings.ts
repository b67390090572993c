/** What typings became, in memory that several threads read and write without a lock: each typing is reduced by one of them.  [threads] */
import {
  KEY_SIZE,
  KIND,
  PLAIN,
  SEEN,
  type TypingKey,
  type TypingTable,
  WORDS,
  copyRecord,
  copyTyping,
  keyOffset,
} from './typing-table.ts'

export interface SharedTypings {
  /** Takes what another thread has put there for the bytes at `key` into the table, and gives its record; 0: there is none. */
  readonly find: (table: TypingTable, key: TypingKey) => number
  /** Others will find the record; nobody will when there is no room, and each thread then finds out for itself. */
  readonly add: (table: TypingTable, key: TypingKey, record: number) => void
}

/** Where a record's place stands, or 0. */
const SLOTS = 2 ** 19
/** Looked at for one typing. */
const MOST_PROBES = 16
/** Of 32 bits: first the place of the next record, then the slots, then the records, at even places. */
const FIRST = 2 + SLOTS
const WORDS_IN_ALL = FIRST + 2 ** 22
/** Instead of the round in which it was counted. */
const HASH = SEEN

/** 18 MiB, of which the system gives what is written. */
export function sharedTypingsMemory(): SharedArrayBuffer {
  const memory = new SharedArrayBuffer(WORDS_IN_ALL * 4)
  new Int32Array(memory)[0] = FIRST
  return memory
}

export function sharedTypings(memory: SharedArrayBuffer): SharedTypings {
  const words = new Int32Array(memory)
  const bytes = new Uint8Array(memory)
  const isSame = (record: number, { methods, input }: TypingTable, { hash, start, size }: TypingKey) => {
    if (words[record + HASH] !== hash || words[record + KEY_SIZE] !== size) return false
    const key = keyOffset(record, methods)
    let at = 0
    while (at < size && bytes[key + at] === input.getUint8(start + at)) at += 1
    return at === size
  }
  return {
    find(table, key) {
      for (let probe = 0; probe < MOST_PROBES;) {
        const record = Atomics.load(words, probeSlot(key.hash, probe))
        // done even if it is not needed: who calls this is compiled anew when something is done for the first time
        probe += 1
        if (record === 0) return 0
        if (isSame(record, table, key)) return copyTyping(table, key.hash, words, record)
      }
      return 0
    },
    add(table, key, place) {
      const { records, methods } = table
      if (records[place + KIND] !== PLAIN) return
      const record = allocate(words, records[place + WORDS] ?? 0)
      if (record === 0) return
      copyRecord(records, place, words, { record, methods })
      words[record + HASH] = key.hash
      // seen by others only now, when it is whole
      for (let probe = 0; probe < MOST_PROBES; probe += 1) {
        const other = Atomics.compareExchange(words, probeSlot(key.hash, probe), 0, record)
        if (other === 0 || isSame(other, table, key)) return
      }
    },
  }
}

function probeSlot(hash: number, probe: number): number {
  return 1 + ((hash + probe) & (SLOTS - 1))
}

/** 0: there is no room. */
function allocate(words: Int32Array, size: number): number {
  // looked at first, so that the sum stays small
  if (Atomics.load(words, 0) + size > WORDS_IN_ALL) return 0
  const record = Atomics.add(words, 0, size)
  return record + size > WORDS_IN_ALL ? 0 : record
}
