/** Whole numbers below 2^53, each once. A Set would keep an object for every one of them, and look it up several times more slowly. */

export interface KeySet {
  readonly size: () => number
  readonly has: (key: number) => boolean
  /** Whether it was not there. */
  readonly add: (key: number) => boolean
  readonly clear: () => void
  readonly values: () => Float64Array
}

const FIRST_SLOTS = 4096

/** Open addressing: a slot has the number after its key, or 0. */
export function keySet(): KeySet {
  let slots = new Float64Array(FIRST_SLOTS)
  let size = 0
  const enlarge = () => {
    const old = slots
    slots = new Float64Array(old.length * 2)
    for (const one of old) if (one > 0) slots[slotOf(slots, one)] = one
  }
  return {
    size: () => size,
    has: (key) => slots[slotOf(slots, key + 1)] !== 0,
    add(key) {
      const slot = slotOf(slots, key + 1)
      if (slots[slot] !== 0) return false
      slots[slot] = key + 1
      size += 1
      if (size * 2 > slots.length) enlarge()
      return true
    },
    clear() {
      if (size > 0) slots.fill(0)
      size = 0
    },
    values: () => slots.filter((one) => one > 0).map((one) => one - 1),
  }
}

/** Where it is, or where it would be. */
function slotOf(slots: Float64Array, one: number): number {
  const mask = slots.length - 1
  // bits of the lower and of the upper half
  let slot = Math.imul(one ^ (one / 0x200000), 0x9e3779b1) >>> 8
  for (slot &= mask; slots[slot] !== 0 && slots[slot] !== one; slot = (slot + 1) & mask);
  return slot
}
