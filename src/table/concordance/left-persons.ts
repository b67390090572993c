/** The persons of the first file, in memory: two numbers a locus of each. */
import { HlaError } from '../../errors.ts'
import type { LocusSlots } from './locus-slots.ts'
import { doubled, newPersonIndex } from './person-index.ts'
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
    hint: 'leave one row a person; --id-column names the column of persons',
  })
}
