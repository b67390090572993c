/** Counts of alleles, genotypes or categories by locus and population. A typing with several possibilities is counted apart. Pure. */
import { ORDERED_LOCI } from './match/match.ts'
import type { TypedLocus, TypedPlace } from './match/person.ts'
import { compareText } from '../nomenclature/order.ts'

export const COUNTED = ['alleles', 'genotypes', 'categories'] as const
export type Counted = (typeof COUNTED)[number]

/**
 * `name`: an allele, genotype or category; `null`: an allele that is not expressed; `ambiguous`: copies with several
 * possibilities; `absent`: the gene is absent; `untyped`; `unread`: a typing of the locus cannot be read.
 */
export const COUNT_KINDS = ['name', 'null', 'ambiguous', 'absent', 'untyped', 'unread'] as const
export type CountKind = (typeof COUNT_KINDS)[number]

export interface CountRow {
  /** '' without populations. */
  readonly population: string
  readonly locus: string
  readonly kind: CountKind
  readonly name: string
  /** Number of copies: two for a homozygous person. */
  readonly typings: number
  readonly persons: number
  /** Copies, with each ambiguous one divided among its possibilities; 0 for genotypes. */
  readonly share: number
}

/** Names that a typing can stand for. */
export interface Possibilities {
  /** Names of what is expressed. */
  readonly names: readonly string[]
  /** Null alleles that it may be instead; either list has a name. */
  readonly nulls: readonly string[]
}

export interface CountRequest {
  readonly of: Counted
  /** @throws errors of the typing's names */
  readonly resolve: (text: string) => Possibilities
}

export interface Counter {
  /** Counts a person. Loci that are not in `loci` are untyped. Calls `unread` for each typing that cannot be read. */
  readonly add: (
    population: string,
    loci: ReadonlyMap<string, TypedLocus>,
    unread: (locus: string, error: unknown) => void,
  ) => void
  readonly persons: () => number
  /** By population, locus, kind and name. `withShares`: also names that only ambiguous typings have. */
  readonly rows: (withShares: boolean) => readonly CountRow[]
}

export function newCounter({ of, resolve }: CountRequest): Counter {
  const populations = new Map<string, PopulationCounts>()
  const known = new Map<string, Copy>()
  const copyOf = (place: TypedPlace): Copy => {
    if (place.kind !== 'typing') return place.kind === 'absent' ? [ABSENT] : [UNTYPED]
    const found = known.get(place.text) ?? itemsOf(resolve(place.text))
    if (known.size >= MAX_KNOWN) known.clear()
    known.set(place.text, found)
    return found
  }
  return {
    add(population, loci, unread) {
      const own = populations.get(population) ?? { loci: new Map<string, LocusCounts>(), persons: 0 }
      populations.set(population, own)
      own.persons += 1
      for (const [locus, typed] of loci) {
        const counts = own.loci.get(locus) ?? { entries: new Map<string, Entry>(), persons: 0 }
        own.loci.set(locus, counts)
        counts.persons += 1
        // genotypes of a list repeat their typings
        const reported = new Set<unknown>()
        const read = (place: TypedPlace | undefined): Copy => {
          try {
            return place === undefined ? [UNREAD] : copyOf(place)
          } catch (error) {
            if (!reported.has(error)) unread(locus, error)
            reported.add(error)
            return [UNREAD]
          }
        }
        if (typed.kind === 'unread') unread(locus, typed.error)
        const genotypes = typed.kind === 'unread' ? [[undefined, typed.other] as const] : typed.genotypes
        addGenotypes(counts, genotypes.map(([one, other]) => [read(one), read(other)]), of) // prettier-ignore
      }
    },
    persons: () => [...populations.values()].reduce((sum, { persons }) => sum + persons, 0),
    rows(withShares) {
      const found = new Set([...populations.values()].flatMap((one) => [...one.loci.keys()]))
      const loci = [...ORDERED_LOCI.filter((locus) => found.delete(locus)), ...[...found].toSorted()]
      const order = [...populations].toSorted(([one], [other]) => (one < other ? -1 : 1))
      return order.flatMap(([population, counts]) =>
        loci.flatMap((locus) =>
          rowsOf(counts, locus)
            .filter(({ typings }) => withShares || typings > 0)
            .map((row) => ({ population, locus, ...row })),
        ),
      )
    },
  }
}

/** Typings remembered; a registry has some ten thousand different ones. */
const MAX_KNOWN = 200_000

interface Item {
  readonly kind: CountKind
  readonly name: string
}

const AMBIGUOUS: Item = { kind: 'ambiguous', name: '' }
const ABSENT: Item = { kind: 'absent', name: '' }
const UNTYPED: Item = { kind: 'untyped', name: '' }
const UNREAD: Item = { kind: 'unread', name: '' }

/** Possibilities of a copy. */
type Copy = readonly Item[]
type Genotype = readonly [Copy, Copy]

interface Entry extends Item {
  typings: number
  persons: number
  share: number
}

interface LocusCounts {
  readonly entries: Map<string, Entry>
  /** Persons with a statement about the locus. */
  persons: number
}

interface PopulationCounts {
  readonly loci: Map<string, LocusCounts>
  persons: number
}

function itemsOf({ names, nulls }: Possibilities): Copy {
  const items = (kind: CountKind, all: readonly string[]) => [...new Set(all)].map((name) => ({ kind, name }))
  return [...items('name', names), ...items('null', nulls)]
}

function addGenotypes(counts: LocusCounts, genotypes: readonly Genotype[], of: Counted): void {
  const distinct = [...new Map(genotypes.map((one) => [genotypeKey(one), one])).values()]
  const [only, another] = distinct
  if (only === undefined) return
  if (another !== undefined) {
    addOnce(counts, [AMBIGUOUS, AMBIGUOUS])
    for (const one of distinct) for (const copy of one) addShares(counts, copy, 1 / distinct.length)
    return
  }
  if (of === 'genotypes') {
    const item = genotypeItem(only)
    return addOnce(counts, [item, item])
  }
  addOnce(counts, only.map(surely))
  for (const copy of only) addShares(counts, copy, 1)
}

function genotypeKey(genotype: Genotype): string {
  return genotype.map((copy) => copy.map(keyOf).join('/')).toSorted().join('+') // prettier-ignore
}

/** The item of a copy with one possibility. */
function surely(copy: Copy): Item {
  const [only = UNTYPED, another] = copy
  return another === undefined ? only : AMBIGUOUS
}

/** `A*01:01+A*02:01`; of DRB3, DRB4 and DRB5 also one name. */
function genotypeItem(genotype: Genotype): Item {
  const items = genotype.map(surely)
  const open = [UNREAD, UNTYPED, AMBIGUOUS].find((one) => items.includes(one))
  if (open !== undefined) return open
  const names = items.flatMap(({ name }) => (name === '' ? [] : [name]))
  return names.length === 0 ? ABSENT : { kind: 'name', name: names.toSorted(compareText).join('+') }
}

/** One copy of a person each; the person is counted once for each name. */
function addOnce(counts: LocusCounts, items: readonly Item[]): void {
  for (const item of items) entryOf(counts, item).typings += 1
  for (const entry of new Set(items.map((item) => entryOf(counts, item)))) entry.persons += 1
}

function addShares(counts: LocusCounts, copy: Copy, part: number): void {
  for (const item of copy) entryOf(counts, item).share += part / copy.length
}

function entryOf({ entries }: LocusCounts, item: Item): Entry {
  const key = keyOf(item)
  const entry = entries.get(key) ?? { ...item, typings: 0, persons: 0, share: 0 }
  entries.set(key, entry)
  return entry
}

function keyOf({ kind, name }: Item): string {
  return `${kind} ${name}`
}

/** Persons without a word about the locus have two untyped copies. */
function rowsOf({ loci, persons }: PopulationCounts, locus: string): readonly Entry[] {
  const { entries, persons: typed } = loci.get(locus) ?? { entries: new Map<string, Entry>(), persons: 0 }
  const rows = new Map(entries)
  const own = entries.get(keyOf(UNTYPED)) ?? { ...UNTYPED, typings: 0, persons: 0, share: 0 }
  const missing = persons - typed
  if (own.persons + missing > 0)
    rows.set(keyOf(UNTYPED), { ...own, typings: own.typings + 2 * missing, persons: own.persons + missing })
  const order = (entry: Entry) => COUNT_KINDS.indexOf(entry.kind)
  return [...rows.values()].toSorted(
    (one, other) => order(one) - order(other) || compareText(one.name, other.name),
  )
}
