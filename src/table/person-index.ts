/** Persons by their id, and numbers of them by column: millions of persons fit in memory. */

/** An open addressing table over the bytes of the ids. */
export class PersonIndex {
  readonly #most: number
  readonly #refusal: (() => Error) | undefined
  /** Number + 1 of a person; 0 for a free slot. */
  #slots = new Int32Array(4096)
  /** End of each id in `#bytes`. */
  #ends = new Float64Array(1024)
  #hashes = new Int32Array(1024)
  #bytes = Buffer.alloc(64 * 1024)
  #size = 0

  /** `refusal`: error for more than `most` persons. */
  constructor(most = Infinity, refusal?: () => Error) {
    this.#most = most
    this.#refusal = refusal
  }

  get size(): number {
    return this.#size
  }

  /** Returns the number of the person, from 0; undefined for a repeated id. @throws the error of `refusal` */
  add(id: string): number | undefined {
    const end = this.#write(id)
    const start = this.#startOf(this.#size)
    const hash = hashOf(this.#bytes, start, end)
    const slot = this.#slotFor(hash, start, end)
    if (this.#slots[slot] !== 0) return undefined
    if (this.#refusal !== undefined && this.#size >= this.#most) throw this.#refusal()
    if (this.#size === this.#ends.length) {
      this.#ends = doubled(this.#ends, new Float64Array(this.#size * 2))
      this.#hashes = doubled(this.#hashes, new Int32Array(this.#size * 2))
    }
    this.#ends[this.#size] = end
    this.#hashes[this.#size] = hash
    this.#slots[slot] = this.#size + 1
    this.#size += 1
    if (this.#size * 2 > this.#slots.length) this.#grow()
    return this.#size - 1
  }

  /** Returns undefined for an unknown id. */
  find(id: string): number | undefined {
    const end = this.#write(id)
    const start = this.#startOf(this.#size)
    const person = (this.#slots[this.#slotFor(hashOf(this.#bytes, start, end), start, end)] ?? 0) - 1
    return person < 0 ? undefined : person
  }

  id(person: number): string {
    return this.#bytes.toString('utf8', this.#startOf(person), this.#ends[person])
  }

  #startOf(person: number): number {
    return person === 0 ? 0 : (this.#ends[person - 1] ?? 0)
  }

  /** Writes an id after those of all persons, where `add` keeps it; returns its end. */
  #write(id: string): number {
    const start = this.#startOf(this.#size)
    // a UTF-16 unit takes at most three bytes
    const room = start + 3 * id.length
    if (room > this.#bytes.length) {
      const larger = Buffer.alloc(Math.max(this.#bytes.length * 2, room))
      this.#bytes.copy(larger, 0, 0, start)
      this.#bytes = larger
    }
    return start + this.#bytes.write(id, start)
  }

  /** Slot of the id at these offsets, or the first free slot. */
  #slotFor(hash: number, start: number, end: number): number {
    const mask = this.#slots.length - 1
    for (let at = hash & mask; ; at = (at + 1) & mask) {
      const person = (this.#slots[at] ?? 0) - 1
      if (person < 0 || (this.#hashes[person] === hash && this.#isAt(person, start, end))) return at
    }
  }

  #isAt(person: number, start: number, end: number): boolean {
    return this.#bytes.compare(this.#bytes, start, end, this.#startOf(person), this.#ends[person]) === 0
  }

  #grow(): void {
    this.#slots = new Int32Array(this.#slots.length * 2)
    const mask = this.#slots.length - 1
    for (let person = 0; person < this.#size; person += 1) {
      let at = (this.#hashes[person] ?? 0) & mask
      while (this.#slots[at] !== 0) at = (at + 1) & mask
      this.#slots[at] = person + 1
    }
  }
}

/** Numbers of persons by column, such as a locus; 0 where none was set. */
export class PersonNumbers {
  readonly columns: string[] = []
  readonly #numbers = new Map<string, Int32Array>()
  #capacity = 1024

  set(column: string, at: number, number: number): void {
    this.hold(at)
    let own = this.#numbers.get(column)
    if (own === undefined) {
      own = new Int32Array(this.#capacity)
      this.#numbers.set(column, own)
      this.columns.push(column)
    }
    own[at] = number
  }

  get(column: string, at: number): number {
    return this.#numbers.get(column)?.[at] ?? 0
  }

  /** Numbers of a column, with room for every place that was held. */
  at(column: string): Int32Array {
    return this.#numbers.get(column) ?? new Int32Array(this.#capacity)
  }

  /** Makes room for this place in every column. */
  hold(at: number): void {
    if (at < this.#capacity) return
    while (at >= this.#capacity) this.#capacity *= 2
    for (const [column, own] of this.#numbers)
      this.#numbers.set(column, doubled(own, new Int32Array(this.#capacity)))
  }
}

function doubled<T extends Float64Array | Int32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}

function hashOf(bytes: Buffer, start: number, end: number): number {
  let sum = 0x811c9dc5
  for (let at = start; at < end; at += 1) sum = Math.imul(sum ^ (bytes[at] ?? 0), 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 15), 0x85ebca6b)
  return sum ^ (sum >>> 13)
}
