/** Columns whose names have two meanings: `eerste_A tweede_A`, two persons or the two typings of one; `DRa DRb`. Pure. */
import type { ColumnGroup } from '../../cells/joined/decide-joined.ts'
import { groupBy } from '../../words/group-by.ts'
import { listWords } from '../../words/header-words.ts'
import { DRB345_TITLE } from '../../words/locus-header.ts'
import type { ColumnNames } from './column-names.ts'

export interface DoubtfulColumns {
  /** Words that both have: `donor` of `donor_eerste_A donor_tweede_A`. */
  readonly subject: string
  readonly locus: string
  readonly columns: readonly number[]
  readonly why: string
}

interface DoubtRequest {
  readonly names: ColumnNames
  readonly sampled: (column: number) => readonly string[]
  /** Persons that the user has named. */
  readonly known: readonly string[]
}

export function sortDoubtful(
  groups: readonly ColumnGroup[],
  request: DoubtRequest,
): { readonly sure: readonly ColumnGroup[]; readonly doubtful: readonly DoubtfulColumns[] } {
  const genes = findGenes(groups, request)
  const left = withoutDoubtful(groups, genes)
  const persons = findPersons(left, request)
  return { sure: withoutDoubtful(left, persons), doubtful: [...genes, ...persons] }
}

function withoutDoubtful(
  groups: readonly ColumnGroup[],
  doubtful: readonly DoubtfulColumns[],
): ColumnGroup[] {
  const told = new Set(doubtful.flatMap(({ columns }) => columns))
  return groups.filter(({ columns }) => columns.every((column) => !told.has(column)))
}

/** Two typings in one cell. */
const TWO = /\S\s*[+^,;]\s*\S|\w\s+\w/

/** True for a column with one typing in each cell. */
function isSingle({ columns: [column = 0, second] }: ColumnGroup, sampled: DoubtRequest['sampled']): boolean {
  const values = second === undefined ? sampled(column) : []
  return values.length > 0 && !values.some((value) => TWO.test(value.trim()))
}

const LETTERED = /(?:^|[_. -])(?:A|B|Cw?|D[RQP])a$/

/** `DRa DRb`, whose letters may be 1 and 2; `DQa DQb`, too, beside them or beside `Aa Ab`. */
function findGenes(
  groups: readonly ColumnGroup[],
  { names: { plain }, sampled }: DoubtRequest,
): DoubtfulColumns[] {
  const places = new Map(plain.map((name, at) => [name, at]))
  const pairs = plain.flatMap((name, at) => {
    const second = LETTERED.test(name) ? places.get(`${name.slice(0, -1)}b`) : undefined
    return second === undefined ? [] : [{ name, columns: [at, second] }]
  })
  // alone they are the genes of both chains
  if (pairs.every(({ name }) => /D[QP]a$/.test(name))) return []
  const singles = groups.filter((group) => isSingle(group, sampled))
  const groupOf = new Map(singles.map((group) => [group.columns[0], group]))
  return pairs.flatMap(({ columns }) => {
    const [alpha, beta] = columns.map((column) => groupOf.get(column))
    if (alpha?.locus === undefined || beta?.locus === undefined) return []
    const { subject, locus } = beta
    return [{ subject, locus, columns, why: `${alpha.locus} and ${locus}, or the two typings of ${locus}` }]
  })
}

/** Each of exactly two words that name no person has at most one column of a locus, with one typing in a cell. */
function findPersons(groups: readonly ColumnGroup[], { sampled, known }: DoubtRequest): DoubtfulColumns[] {
  const own = groupBy(groups, ({ subject }) => subject)
  const subjects = [...own].filter(
    ([subject, all]) => !known.includes(subject) && all.every((group) => isSingle(group, sampled)),
  )
  const words = subjects.flatMap(([subject]) => {
    const all = subject.split(/[_. -]+/)
    return all.map((word, at) => ({ subject, word, rest: all.with(at, '').join('_') })).toReversed()
  })
  const doubtful: DoubtfulColumns[] = []
  const seen = new Set<string>()
  for (const [rest, [one, other, third]] of groupBy(words, (word) => word.rest)) {
    if (one === undefined || other === undefined || third !== undefined) continue
    const two = [one, other]
    if (two.some(({ subject, word }) => seen.has(subject) || isPerson(word))) continue
    const loci = groupBy(
      two.flatMap(({ subject }) => own.get(subject) ?? []),
      ({ locus = DRB345_TITLE }) => locus,
    )
    // `A B C old_A`: the names without a word are the table's own
    if (two.some(({ subject }) => subject === '') && [...loci.values()].some((both) => both.length < 2))
      continue
    for (const { subject } of two) seen.add(subject)
    for (const [locus, both] of loci)
      doubtful.push({
        subject: rest.replace(/^_|_$/, ''),
        locus,
        columns: both.flatMap(({ columns }) => columns),
        why: 'two persons, or the two typings of one',
      })
  }
  return doubtful
}

/** `donor`, `Patient2` */
function isPerson(word: string): boolean {
  return listWords('person').includes(word.replace(/\d+$/, '').toLowerCase())
}
