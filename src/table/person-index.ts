/** Persons by their id, in an open addressing table over the bytes of the ids, which holds millions. */

export interface PersonIndex {
  /** Number of the person, from 0; undefined for a repeated id. @throws the error of `refusal` */
  readonly add: (id: string) => number | undefined
  /** undefined for an unknown id. */
  readonly find: (id: string) => number | undefined
  readonly id: (person: number) => string
  readonly size: () => number
}

/** `refusal`: error for more than `most` persons. */
export function personIndex(most = Infinity, refusal?: () => Error): PersonIndex {
  // number + 1 of a person; 0 for a free slot
  let slots = new Int32Array(4096)
  let ends = new Float64Array(1024)
  let bytes = Buffer.alloc(64 * 1024)
  let size = 0
  const startOf = (person: number) => (person === 0 ? 0 : (ends[person - 1] ?? 0))
  /** Writes an id after those of all persons, where `add` keeps it; returns its end. */
  const write = (id: string): number => {
    const start = startOf(size)
    // a UTF-16 unit takes at most three bytes
    const room = start + 3 * id.length
    if (room > bytes.length) {
      const larger = Buffer.alloc(Math.max(bytes.length * 2, room))
      bytes.copy(larger, 0, 0, start)
      bytes = larger
    }
    return start + bytes.write(id, start)
  }
  const isAt = (person: number, start: number, end: number) =>
    bytes.compare(bytes, start, end, startOf(person), ends[person]) === 0
  /** Slot of the id in `bytes`, or the first free slot. */
  const slotFor = (start: number, end: number): number => {
    const mask = slots.length - 1
    for (let at = hash(bytes, start, end) & mask; ; at = (at + 1) & mask) {
      const person = (slots[at] ?? 0) - 1
      if (person < 0 || isAt(person, start, end)) return at
    }
  }
  const grow = () => {
    slots = new Int32Array(slots.length * 2)
    for (let person = 0; person < size; person += 1)
      slots[slotFor(startOf(person), ends[person] ?? 0)] = person + 1
  }
  return {
    add(id) {
      const end = write(id)
      const at = slotFor(startOf(size), end)
      if (slots[at] !== 0) return undefined
      if (refusal !== undefined && size >= most) throw refusal()
      if (size === ends.length) ends = doubled(ends, new Float64Array(ends.length * 2))
      ends[size] = end
      slots[at] = size + 1
      size += 1
      if (size * 2 > slots.length) grow()
      return size - 1
    },
    find(id) {
      const end = write(id)
      const person = (slots[slotFor(startOf(size), end)] ?? 0) - 1
      return person < 0 ? undefined : person
    },
    id: (person) => bytes.toString('utf8', startOf(person), ends[person]),
    size: () => size,
  }
}

export function doubled<T extends Float64Array | Int32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}

function hash(bytes: Buffer, start: number, end: number): number {
  let sum = 0x811c9dc5
  for (let at = start; at < end; at += 1) sum = Math.imul(sum ^ (bytes[at] ?? 0), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 15), 0x85ebca6b)
  return (sum ^ (sum >>> 13)) >>> 0
}
