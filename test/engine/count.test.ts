/** Counts beside a second implementation, and what must hold of any cohort. */
import { describe, expect, test } from 'vitest'
import { type Counted, type CountRow, newCounter } from '../../src/engine/count.ts'
import { readPerson, type TypedLocus } from '../../src/engine/match/person.ts'
import { randomNumbers } from '../support/random-numbers.ts'
import { rounds } from '../support/rounds.ts'

/** Typings of two loci: names, lists, a code, a null, one that fails. */
const POSSIBLE: Readonly<Record<string, readonly string[]>> = {
  'A*01:01': ['A*01:01'],
  'A*02:01': ['A*02:01'],
  'A*02:01/A*02:06': ['A*02:01', 'A*02:06'],
  'A*02:AB': ['A*02:01', 'A*02:02'],
  'A*24:09N': ['A*24:09N'],
  'A*99:99': [],
  'DRB3*01:01': ['DRB3*01:01'],
  'DRB4*01:01/DRB4*01:03': ['DRB4*01:01', 'DRB4*01:03'],
}
const OF_A = Object.keys(POSSIBLE).filter((text) => text.startsWith('A'))
const OF_DRBX = Object.keys(POSSIBLE).filter((text) => text.startsWith('D'))

function count(persons: readonly (readonly [population: string, text: string])[], of: Counted = 'alleles') {
  const failed: string[] = []
  const counter = newCounter({
    of,
    resolve(text) {
      const names = POSSIBLE[text] ?? []
      if (names.length === 0) throw new Error(text)
      return text.endsWith('N') ? { names: [], nulls: names } : { names, nulls: [] }
    },
  })
  for (const [population, text] of persons)
    counter.add(population, text === '' ? new Map<string, TypedLocus>() : readPerson(text), (locus) =>
      failed.push(locus),
    )
  return { rows: counter.rows(false), shares: counter.rows(true), failed }
}

function lines(rows: readonly CountRow[]): string[] {
  return rows.map(({ population, locus, kind, name, typings, persons }) =>
    [population, locus, kind, name, typings, persons].join(' ').trim(),
  )
}

function makeCohort(seed: number): [string, string][] {
  const random = randomNumbers(seed)
  const pick = (list: readonly string[]) => list[Math.floor(random() * list.length)] ?? ''
  return Array.from({ length: 1 + Math.floor(random() * 12) }, () => {
    const a = random() < 0.15 ? '' : `${pick(OF_A)}+${pick(OF_A)}`
    const drbx = Array.from({ length: Math.floor(random() * 3) }, () => pick(OF_DRBX)).join('+') // prettier-ignore
    return [pick(['X', 'Y']), [a, drbx].filter((text) => text !== '').join('^')]
  })
}

/** Both copies of a locus. */
function copiesAt(text: string, locus: string): readonly string[] {
  const block = text.split('^').find((one) => one !== '' && one.startsWith('A') === (locus === 'A'))
  if (block === undefined) return ['untyped', 'untyped']
  const copies = block.split('+').map((copy) => {
    const [only, another] = POSSIBLE[copy] ?? []
    if (another !== undefined) return 'ambiguous'
    return only === undefined ? 'unread' : `${copy.endsWith('N') ? 'null' : 'name'} ${only}`
  })
  return copies.length === 1 ? [...copies, 'absent'] : copies
}

/** Tallies copy by copy, from the text. */
function secondCount(cohort: readonly (readonly [string, string])[]): string[] {
  const found = new Map<string, { typings: number; persons: Set<number> }>()
  const add = (key: string, person: number) => {
    const own = found.get(key) ?? { typings: 0, persons: new Set() }
    found.set(key, { typings: own.typings + 1, persons: own.persons.add(person) })
  }
  const loci = new Set(cohort.flatMap(([, text]) => (text === '' ? [] : text.split('^').map((block) => (block.startsWith('A') ? 'A' : 'DRB345'))))) // prettier-ignore
  for (const [person, [population, text]] of cohort.entries())
    for (const locus of loci)
      for (const item of copiesAt(text, locus)) add(`${population} ${locus} ${item}`, person)
  return [...found].map(
    ([key, { typings, persons }]) => `${key}${/\*/.test(key) ? '' : ' '} ${typings} ${persons.size}`,
  )
}

describe('counts', () => {
  test('are those of a second implementation, in any order of persons and copies', () => {
    for (let seed = 0; seed < rounds(1000); seed += 1) {
      const cohort = makeCohort(seed)
      const { rows, failed } = count(cohort)
      expect(lines(rows).toSorted()).toEqual(secondCount(cohort).toSorted())
      expect(failed).toHaveLength(
        rows.reduce((sum, { kind, typings }) => sum + (kind === 'unread' ? typings : 0), 0),
      )
      const turned = cohort.toReversed().map(([population, text]) => [population, text.split('^').map((block) => block.split('+').toReversed().join('+')).join('^')] as const) // prettier-ignore
      expect(count(turned).rows).toEqual(rows)
      for (const locus of new Set(rows.map((row) => row.locus))) {
        const own = rows.filter((row) => row.locus === locus)
        expect(own.reduce((sum, { typings }) => sum + typings, 0)).toBe(2 * cohort.length)
      }
    }
  })

  test('shares add up to the typings that are read', () => {
    for (let seed = 0; seed < rounds(1000); seed += 1) {
      const { rows, shares } = count(makeCohort(seed))
      const read = rows.filter(({ kind }) => ['name', 'null', 'ambiguous'].includes(kind))
      const sum = shares.reduce(
        (total, { kind, share }) => total + (kind === 'name' || kind === 'null' ? share : 0),
        0,
      )
      expect(sum).toBeCloseTo(
        read.reduce((total, { typings }) => total + typings, 0),
        6,
      )
    }
  })

  test.for<[string, Counted, string[]]>([
    ['A*01:01+A*02:01', 'genotypes', ['A name A*01:01+A*02:01 2 1']],
    ['A*02:01+A*01:01', 'genotypes', ['A name A*01:01+A*02:01 2 1']],
    ['A*01:01+A*02:AB', 'genotypes', ['A ambiguous  2 1']],
    ['A*01:01+A*99:99', 'genotypes', ['A unread  2 1']],
    ['DRB3*01:01', 'genotypes', ['DRB345 name DRB3*01:01 2 1']],
    ['A*01:01', 'alleles', ['A name A*01:01 2 1']],
    ['A*01:01+A*02:01|A*01:01+A*24:09N', 'alleles', ['A ambiguous  2 1']],
    ['A*01:01+A*02:01|A*02:01+A*01:01', 'alleles', ['A name A*01:01 1 1', 'A name A*02:01 1 1']],
    ['A*01:01+A*02:01+A*02:AB', 'alleles', ['A unread  2 1']],
  ])('of %s, %s', ([text, of, expected]) => {
    expect(lines(count([['', text]], of).rows)).toEqual(expected)
  })
})
