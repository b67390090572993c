/** Whole numbers below 2^53, each once. A Set would keep an object for every one of them, and look it up several times more slowly. */

export interface KeySet {
  readonly size: () => number
  /** Whether it was not there. */
  readonly add: (key: number) => boolean
  readonly clear: () => void
  readonly values: () => Float64Array
}

/** Little: V8 compiles anew what grows for the first time when it is in use already. */
const FIRST_SLOTS = 16

/** Open addressing: a slot has the number after its key, or 0. */
export function keySet(): KeySet {
  let slots = new Float64Array(FIRST_SLOTS)
  // as they came
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

/** Where it is, or where it would be. */
function findSlot(slots: Float64Array, one: number): number {
  const mask = slots.length - 1
  // bits of the lower and of the upper half
  let slot = Math.imul(one ^ (one / 0x200000), 0x9e3779b1) >>> 8
  for (slot &= mask; slots[slot] !== 0 && slots[slot] !== one; slot = (slot + 1) & mask);
  return slot
}
