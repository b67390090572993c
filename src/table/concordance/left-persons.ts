/** The persons of the first file, in memory: two numbers a locus of each. */
import { advice, clause, option } from '../../advice.ts'
import { HlaError } from '../../errors.ts'
import type { LocusSlots } from './locus-slots.ts'
import type { PersonRow } from './side-reader.ts'
import { NOTHING_SAID } from './statements.ts'

export interface LeftPersons {
  /** @throws {HlaError} usage — too many, or one is there twice */
  readonly add: (row: PersonRow) => void
  readonly find: (id: string) => number | undefined
  readonly slots: (person: number, locus: string) => LocusSlots
  readonly loci: () => readonly string[]
  readonly place: (person: number) => { readonly row: number; readonly line: number }
  readonly id: (person: number) => string
  readonly size: () => number
  /** Whether it is the first time. */
  readonly meet: (person: number) => boolean
  /** Persons that were not met. */
  readonly unmet: () => Generator<number>
}

export function leftPersons(file: string): LeftPersons {
  const index = newPersonIndex()
  const loci = new Map<string, Int32Array>()
  let capacity = 1024
  let lines = new Float64Array(capacity)
  let rows = new Int32Array(capacity)
  let met = new Int32Array(capacity)
  let count = 0
  const grow = () => {
    capacity *= 2
    lines = doubled(lines, new Float64Array(capacity))
    rows = doubled(rows, new Int32Array(capacity))
    met = doubled(met, new Int32Array(capacity))
    for (const [locus, slots] of loci) loci.set(locus, doubled(slots, new Int32Array(2 * capacity)))
  }
  return {
    add({ id, row, line, loci: said }) {
      const person = index.add(id)
      if (person === undefined) throw twice(file, id, lines[index.find(id) ?? 0] ?? 0, line)
      if (person >= capacity) grow()
      lines[person] = line
      rows[person] = row
      for (const [locus, { first, second }] of said) {
        let slots = loci.get(locus)
        if (slots === undefined) loci.set(locus, (slots = new Int32Array(2 * capacity)))
        slots[2 * person] = first
        slots[2 * person + 1] = second
      }
    },
    find: index.find,
    slots(person, locus) {
      const slots = loci.get(locus)
      return { first: slots?.[2 * person] ?? NOTHING_SAID, second: slots?.[2 * person + 1] ?? NOTHING_SAID }
    },
    loci: () => [...loci.keys()],
    place: (person) => ({ row: rows[person] ?? 0, line: lines[person] ?? 0 }),
    id: index.id,
    size: index.size,
    meet(person) {
      const isFirst = met[person] === 0
      met[person] = 1
      if (isFirst) count += 1
      return isFirst
    },
    *unmet() {
      if (count === index.size()) return
      for (let person = 0; person < index.size(); person += 1) if (met[person] === 0) yield person
    },
  }
}

/** Which of two rows is meant is not ours to say. */
export function twice(file: string, id: string, first: number | undefined, line: number): HlaError {
  const where = first === undefined ? `line ${line}` : `lines ${first} and ${line}`
  return new HlaError('usage', `${file}: ${JSON.stringify(id)} is there twice (${where})`, {
    offending: id,
    hint: advice`leave one row a person${clause`; ${option('id-column')} names the column of persons`}`,
  })
}

interface PersonIndex {
  /** The number of the person, from 0; undefined: the id is there already. @throws {HlaError} usage — too many */
  readonly add: (id: string) => number | undefined
  /** undefined: nobody has that id. */
  readonly find: (id: string) => number | undefined
  readonly id: (person: number) => string
  readonly size: () => number
}

/** Persons of one file that are held in memory. */
const MOST_PERSONS = 10_000_000

export function newPersonIndex(most = MOST_PERSONS): PersonIndex {
  // number + 1 of a person; 0: free
  let slots = new Int32Array(4096)
  let ends = new Float64Array(1024)
  let bytes = Buffer.alloc(64 * 1024)
  let size = 0
  const startOf = (person: number) => (person === 0 ? 0 : (ends[person - 1] ?? 0))
  const isAt = (person: number, id: Buffer) =>
    bytes.compare(id, 0, id.length, startOf(person), ends[person]) === 0
  /** Where it is, or would be. */
  const slotFor = (id: Buffer): number => {
    const mask = slots.length - 1
    for (let at = hash(id) & mask; ; at = (at + 1) & mask) {
      const person = (slots[at] ?? 0) - 1
      if (person < 0 || isAt(person, id)) return at
    }
  }
  const grow = () => {
    slots = new Int32Array(slots.length * 2)
    for (let person = 0; person < size; person += 1)
      slots[slotFor(bytes.subarray(startOf(person), ends[person]))] = person + 1
  }
  return {
    add(text) {
      const id = Buffer.from(text, 'utf8')
      const at = slotFor(id)
      if (slots[at] !== 0) return undefined
      if (size >= most) throw tooMany(most)
      const start = startOf(size)
      if (size === ends.length) ends = doubled(ends, new Float64Array(ends.length * 2))
      if (start + id.length > bytes.length) {
        const larger = Buffer.alloc(Math.max(bytes.length * 2, start + id.length))
        bytes.copy(larger, 0, 0, start)
        bytes = larger
      }
      id.copy(bytes, start)
      ends[size] = start + id.length
      slots[at] = size + 1
      size += 1
      if (size * 2 > slots.length) grow()
      return size - 1
    },
    find(text) {
      const person = (slots[slotFor(Buffer.from(text, 'utf8'))] ?? 0) - 1
      return person < 0 ? undefined : person
    },
    id: (person) => bytes.toString('utf8', startOf(person), ends[person]),
    size: () => size,
  }
}

function doubled<T extends Float64Array | Int32Array>(numbers: T, larger: T): T {
  larger.set(numbers)
  return larger
}

function hash(id: Buffer): number {
  let sum = 0x811c9dc5
  for (const byte of id) sum = Math.imul(sum ^ byte, 0x01000193)
  sum = Math.imul(sum ^ (sum >>> 15), 0x85ebca6b)
  return (sum ^ (sum >>> 13)) >>> 0
}

function tooMany(most: number): HlaError {
  return new HlaError('usage', `more than ${most.toLocaleString('en-US')} persons in the first file`, {
    hint: 'give the smaller file first, or divide both by person',
  })
}
