/** Persons that were met, eight bytes each: a hash of 64 bits of the name. Two names of one hash are taken for one person. */

export interface PersonSet {
  /** Whether the name is new. */
  readonly add: (name: string) => boolean
  readonly size: () => number
}

export function personSet(): PersonSet {
  let slots = new Uint32Array(2 * 1024)
  let count = 0
  const find = (table: Uint32Array, high: number, low: number): number => {
    const mask = table.length / 2 - 1
    for (let at = low & mask; ; at = (at + 1) & mask) {
      const [a, b] = [table[2 * at], table[2 * at + 1]]
      if ((a === 0 && b === 0) || (a === high && b === low)) return 2 * at
    }
  }
  const grow = () => {
    const larger = new Uint32Array(slots.length * 2)
    for (let at = 0; at < slots.length; at += 2) {
      const [high = 0, low = 0] = [slots[at], slots[at + 1]]
      if (high !== 0 || low !== 0) larger.set([high, low], find(larger, high, low))
    }
    slots = larger
  }
  return {
    add(name) {
      const [high, low] = hashName(name)
      const at = find(slots, high, low)
      if (slots[at] === high && slots[at + 1] === low) return false
      slots.set([high, low], at)
      count += 1
      if (count * 4 > slots.length) grow()
      return true
    },
    size: () => count,
  }
}

/** Two runs of multiplication over the name; never both zero, which marks a free slot. */
function hashName(name: string): readonly [number, number] {
  let [high, low] = [0xdeadbeef, 0x41c6ce57]
  for (let at = 0; at < name.length; at += 1) {
    const sign = name.charCodeAt(at)
    high = Math.imul(high ^ sign, 0x9e3779b1)
    low = Math.imul(low ^ sign, 0x5f356495)
  }
  high = Math.imul(high ^ (high >>> 16), 0x85ebca6b) ^ Math.imul(low ^ (low >>> 13), 0xc2b2ae35)
  low = Math.imul(low ^ (low >>> 16), 0x85ebca6b) ^ Math.imul(high ^ (high >>> 13), 0xc2b2ae35)
  return [high >>> 0, (low | 1) >>> 0]
}
