/** Columns named like typings that hold counts: of alleles or antigens per person, or of reads. Pure. */
import { groupBy } from '../../words/group-by.ts'
import { nameAntigen } from '../../../nomenclature/antigen.ts'
import type { NameFacts } from '../../cells/name-facts.ts'
import { certaintyOf } from '../score.ts'
import type { ColumnNames } from './column-names.ts'

export type NameForms = Pick<NameFacts, 'isAntigen' | 'isFirstField' | 'respell'>

interface CountColumnsRequest {
  readonly names: ColumnNames
  readonly columns: readonly number[]
  /** Values of a column, without those that are not typings. */
  readonly sampled: (column: number) => readonly string[]
  /** undefined: names cannot be checked, and no decimal number is recognised as a count. */
  readonly facts: NameForms | undefined
}

export function findCountColumns(request: CountColumnsRequest): number[] {
  return [...findAntigenCounts(request), ...findDecimalCounts(request)]
}

const ANTIGEN = /^(?:HLA[_. -]?)?(Cw|DR|DQ|DP|A|B|C)w?\d{1,4}$/i
const COPIES = /^[012]$/

/** `A1` and `A2` beside `A3` and `A11`, all of 0, 1 and 2: these two are antigens, too, and not the typings of A. */
function findAntigenCounts({ names, columns, sampled }: CountColumnsRequest): number[] {
  const counted = columns.flatMap((column) => {
    if (!sampled(column).every((value) => COPIES.test(value.trim()))) return []
    const letters = ANTIGEN.exec(names.plain[column] ?? '')?.[1]?.toUpperCase()
    if (letters === undefined) return []
    return [
      { column, letters, isSlot: names.readings[column]?.some(({ slot }) => slot !== undefined) === true },
    ]
  })
  const others = groupBy(
    counted.filter(({ isSlot }) => !isSlot),
    ({ letters }) => letters,
  )
  return counted.filter(({ letters }) => (others.get(letters)?.length ?? 0) > 1).map(({ column }) => column)
}

const DECIMAL = /^(\d+)[.,]0+$/

/** Share of the distinct numbers that could be typings; of typings damaged by a spreadsheet nearly all could. */
const TYPED = 0.75

/** `1935.0`. Decided for all columns of one person together, since one program wrote them. */
function findDecimalCounts({ names, columns, sampled, facts }: CountColumnsRequest): number[] {
  if (facts === undefined) return []
  const written = columns.flatMap((column) => {
    const [read] = names.readings[column] ?? []
    const numbers = [...new Set(sampled(column))].map((value) => DECIMAL.exec(value.trim())?.[1])
    // numbers below `E1` are not typings in any case
    if (read === undefined || certaintyOf(read) === 'rare') return []
    return numbers.length === 0 || numbers.includes(undefined)
      ? []
      : [{ ...read, numbers: numbers.flatMap((number) => number ?? []) }]
  })
  const areCounts = (own: typeof written) => {
    const typed = own.map(
      ({ numbers, locus }) => numbers.filter((one) => mayBeTyped(one, locus, facts)).length,
    )
    return sum(typed) < TYPED * sum(own.map(({ numbers }) => numbers.length))
  }
  const people = [...groupBy(written, ({ subject }) => subject).values()]
  const counted = new Set(people.filter(areCounts).flat())
  return written.filter((one) => counted.has(one)).map(({ column }) => column)
}

/**
 * `2`, `24` and `2403` are antigens, `2` a first field too; `101` and `2402` are old names, the first without its zero.
 */
function mayBeTyped(digits: string, locus: string, facts: NameForms): boolean {
  const antigen = nameAntigen(digits, locus)
  if (antigen !== undefined && facts.isAntigen(antigen)) return true
  const name = `${locus}*${digits.length % 2 === 0 ? digits : `0${digits}`}`
  return digits.length > 2 ? facts.respell(name) !== name : facts.isFirstField(name)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
