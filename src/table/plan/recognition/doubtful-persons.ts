/** Columns of two words before a locus, which may be two persons or the two typings of one: `eerste_A tweede_A`. Pure. */
import type { ColumnGroup } from '../../cells/joined/decide-joined.ts'
import { groupBy } from '../../words/group-by.ts'
import { listWords } from '../../words/header-words.ts'
import { DRB345_TITLE } from '../../words/locus-header.ts'

export interface DoubtfulColumns {
  /** Words that both have: `donor` of `donor_eerste_A donor_tweede_A`. */
  readonly subject: string
  readonly locus: string
  readonly columns: readonly number[]
}

/** Two typings in one cell. */
const TWO = /\S\s*[+^,;]\s*\S|\w\s+\w/

/**
 * Doubtful: each of exactly two words that name no person has at most one column of a locus, with one typing in a cell.
 * `known`: persons that the user has named.
 */
export function sortDoubtful(
  groups: readonly ColumnGroup[],
  {
    sampled,
    known,
  }: { readonly sampled: (column: number) => readonly string[]; readonly known: readonly string[] },
): { readonly sure: readonly ColumnGroup[]; readonly doubtful: readonly DoubtfulColumns[] } {
  const isSingle = ({ columns: [column = 0, second] }: ColumnGroup) => {
    const values = second === undefined ? sampled(column) : []
    return values.length > 0 && !values.some((value) => TWO.test(value.trim()))
  }
  const own = groupBy(groups, ({ subject }) => subject)
  const subjects = [...own].filter(([subject, all]) => !known.includes(subject) && all.every(isSingle))
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
      })
  }
  return { sure: groups.filter(({ subject }) => !seen.has(subject)), doubtful }
}

/** `donor`, `Patient2` */
function isPerson(word: string): boolean {
  return listWords('person').includes(word.replace(/\d+$/, '').toLowerCase())
}
