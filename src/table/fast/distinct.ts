/** Counts distinct cells exactly as `answers.ts` does, by 53-bit hashes that workers can merge. */
import { MAX_KEPT_LENGTH, MAX_KEPT } from '../cells/answers.ts'
import { dataView, SLACK } from './memory/byte-buffers.ts'

export interface DistinctCells {
  readonly keys: () => Float64Array
  isExact: boolean
  readonly add: (context: number, text: string) => void
  /** `bytes` must have SLACK after them. */
  readonly addBytes: (context: number, bytes: DataView, start: number, end: number) => void
  readonly merge: (keys: ArrayLike<number>, isExact: boolean) => void
  /** Resets the count; `isCounting: false` stops counting. */
  readonly restart: (isCounting: boolean) => void
  readonly distinct: () => { readonly count: number; readonly isExact: boolean }
}

export function distinctCells(): DistinctCells {
  const keys = keySet()
  const bytes = Buffer.allocUnsafe(MAX_KEPT_LENGTH * 3 + SLACK)
  const view = dataView(bytes)
  let more = 0
  const keep = (key: number) => {
    keys.add(key)
    cells.isExact = keys.size() <= MAX_KEPT
  }
  const cells: DistinctCells = {
    keys: keys.values,
    isExact: true,
    add(context, text) {
      if (!cells.isExact) return
      if (text.length > MAX_KEPT_LENGTH) {
        more += 1
        cells.isExact = false
      } else {
        keep(hashTyping(context, view, 0, bytes.write(text)))
      }
    },
    addBytes(context, bytes, start, end) {
      if (!cells.isExact) return
      keep(hashTyping(context, bytes, start, end))
    },
    merge(others, isExact) {
      if (!isExact) cells.isExact = false
      for (let at = 0; cells.isExact && at < others.length; at += 1) keep(others[at] ?? 0)
    },
    restart(isCounting) {
      keys.clear()
      more = 0
      cells.isExact = isCounting
    },
    distinct: () => ({ count: keys.size() + more, isExact: cells.isExact }),
  }
  return cells
}

/** Hashes four bytes at a time, in two lanes; products move bits upwards only, so they are mixed down again. */
function hashTyping(context: number, bytes: DataView, start: number, end: number): number {
  // seeds far apart, so that `A…` in one context differs from `C…` in another; the length distinguishes final bytes
  const seed = Math.imul(context + 1, 0x9e3779b1) ^ Math.imul(end - start, 0xc2b2ae35)
  let [low, high] = [0x811c9dc5 ^ seed, 0x9e3779b9 + (seed >>> 3)]
  for (let at = start; at < end; at += 4) {
    const left = end - at
    const word = bytes.getInt32(at, true) & (left < 4 ? (1 << (left << 3)) - 1 : -1)
    low = Math.imul(low ^ word, 0x9e3779b1)
    low ^= low >>> 15
    high = Math.imul(high ^ word, 0x85ebca6b)
    high ^= high >>> 13
  }
  return (low >>> 0) * 0x200000 + (high >>> 11)
}

/** Set of whole numbers below 2^53. A Set would keep an object for each and be several times slower. */
interface KeySet {
  readonly size: () => number
  /** Returns true if the key is new. */
  readonly add: (key: number) => boolean
  readonly clear: () => void
  readonly values: () => Float64Array
}

/** Small: V8 recompiles code that first meets a grown array while in use. */
const FIRST_SLOTS = 16

/** Open addressing: a slot holds the key's index + 1, or 0. */
export function keySet(): KeySet {
  let slots = new Float64Array(FIRST_SLOTS)
  // in order of arrival
  let keys = new Float64Array(FIRST_SLOTS / 2)
  let size = 0
  const enlarge = () => {
    const old = keys
    slots = new Float64Array(slots.length * 2)
    keys = new Float64Array(old.length * 2)
    keys.set(old)
    for (let at = 0; at < size; at += 1) {
      const one = (keys[at] ?? 0) + 1
      slots[findSlot(slots, one)] = one
    }
  }
  return {
    size: () => size,
    add(key) {
      const slot = findSlot(slots, key + 1)
      if (slots[slot] !== 0) return false
      slots[slot] = key + 1
      keys[size] = key
      size += 1
      if (size === keys.length) enlarge()
      return true
    },
    clear() {
      if (size > 0) slots.fill(0)
      size = 0
    },
    values: () => keys.slice(0, size),
  }
}

/** Slot of the key, or the first free slot. */
function findSlot(slots: Float64Array, one: number): number {
  const mask = slots.length - 1
  // combines the lower and the upper half
  let slot = Math.imul(one ^ (one / 0x200000), 0x9e3779b1) >>> 8
  for (slot &= mask; slots[slot] !== 0 && slots[slot] !== one; slot = (slot + 1) & mask);
  return slot
}
