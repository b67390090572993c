/** Columns called like typings (`A1`, `A2`) that hold counts, such as reads: whole numbers written as decimals, which no antigens or first fields are. Pure. */
import { findAntigen } from '../../cells/digits.ts'
import type { NameFacts } from '../../cells/name-facts.ts'
import { type Header, plainName } from '../header.ts'
import { readLocusHeader } from '../locus-header.ts'
import { EVERYBODYS } from '../locus-spellings.ts'

export type NameForms = Pick<NameFacts, 'isAntigen' | 'isFirstField' | 'respell'>

export interface CountColumnsRequest {
  readonly header: Header
  readonly columns: readonly number[]
  /** The values of a column, without those that are no typings. */
  readonly sampled: (column: number) => readonly string[]
  /** undefined: nothing is known of names, and no column is told to hold counts. */
  readonly facts: NameForms | undefined
}

const DECIMAL = /^(\d+)[.,]0+$/

/** Share of the different numbers that could be typings: of typings that a spreadsheet has damaged nearly all could be. */
const TYPED = 0.75

/** Decided for all columns of one person together: one program wrote them all. */
export function findCountColumns({ header, columns, sampled, facts }: CountColumnsRequest): number[] {
  if (facts === undefined) return []
  const written = columns.flatMap((column) => {
    const [read] = readLocusHeader(plainName(header.names?.[column] ?? ''))
    const numbers = [...new Set(sampled(column))].map((value) => DECIMAL.exec(value.trim())?.[1])
    // numbers below `E1` are no typings anyway
    const isRead = read !== undefined && (read.isSure || !EVERYBODYS.has(read.locus))
    return !isRead || numbers.length === 0 || numbers.includes(undefined)
      ? []
      : [{ column, ...read, numbers: numbers.flatMap((number) => number ?? []) }]
  })
  const areCounts = (subject: string) => {
    const own = written.filter((one) => one.subject === subject)
    const typed = own.map(
      ({ numbers, locus }) => numbers.filter((one) => mayBeTyped(one, locus, facts)).length,
    )
    return sum(typed) < TYPED * sum(own.map(({ numbers }) => numbers.length))
  }
  const counted = new Set(written.map(({ subject }) => subject).filter(areCounts))
  return written.filter(({ subject }) => counted.has(subject)).map(({ column }) => column)
}

/** `2`, `24` and `2403` are antigens, `2` a first field too; `101` and `2402` are old names, the first without its zero. */
function mayBeTyped(digits: string, locus: string, facts: NameForms): boolean {
  const antigen = findAntigen(digits, locus)
  if (antigen !== undefined && facts.isAntigen(antigen)) return true
  const name = `${locus}*${digits.length % 2 === 0 ? digits : `0${digits}`}`
  return digits.length > 2 ? facts.respell(name) !== name : facts.isFirstField(name)
}

function sum(numbers: readonly number[]): number {
  return numbers.reduce((total, one) => total + one, 0)
}
