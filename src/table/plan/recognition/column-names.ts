/** Readings of the names of a table's columns: loci, persons, slots, and results of a conversion. Pure. */
import { groupBy } from '../../words/group-by.ts'
import { listWords, plainName, wordPattern } from '../../words/header-words.ts'
import { type LocusHeader, readLocusHeader } from '../../words/locus-header.ts'
import type { Header } from '../header.ts'
import { type ResultColumns, type ResultRequest, findResultColumns } from '../result-columns.ts'

export interface ColumnReading extends LocusHeader {
  readonly column: number
}

export interface ColumnNames extends ResultColumns {
  /** Without the numbers that programs add; empty without a header. */
  readonly plain: readonly string[]
  /** Readings of each name, longest locus first; of a result, those of its source. */
  readonly readings: readonly (readonly ColumnReading[])[]
  /** Readings that other names do not contradict. */
  readonly believed: readonly ColumnReading[]
}

/** `named`: the header with the persons that the user has named. */
export function readNames(header: Header, named: Header, request: ResultRequest): ColumnNames {
  const written = (header.names ?? []).map(plainName)
  const plain = header === named ? written : (named.names ?? []).map(plainName)
  const own = written.map((name) => readLocusHeader(name))
  const { results, orphans } = findResultColumns(header.labels, own, request)
  const readings = plain.map((name, column) => {
    const before = written[column] ?? ''
    const source = results.get(column) ?? orphans.get(column)
    const read = source ?? (name === before ? undefined : name)
    const all = read === undefined ? (own[column] ?? []) : readLocusHeader(read)
    // columns of one pair are results of one kind
    const kind = source === undefined ? '' : ` ${before.replace(source, '')}`
    return all.map((one) => ({ ...one, style: one.style + kind, column }))
  })
  return { plain, readings, believed: withoutLociAsPeople(readings.flat()), results, orphans }
}

/** Equal for one person and locus, in any case. */
export function pairKey({
  subject,
  locus = '',
}: {
  readonly subject: string
  readonly locus?: string | undefined
}): string {
  return `${subject.toLowerCase()}\n${locus}\n`
}

/**
 * Readings of a header's names that its other names do not contradict: `DRB1_A1` is allele 1 of DRB1 and not a typing
 * of A, but `F_A1` beside `F_B1` or `M_A1` belongs to a father.
 */
function withoutLociAsPeople(readings: readonly ColumnReading[]): ColumnReading[] {
  const bySubject = groupBy(readings.filter(mayBePerson), ({ subject }) => subject)
  const cohorts = new Set([...bySubject].filter(([, own]) => hasOtherLoci(own)).map(([subject]) => subject))
  const isPerson = ({ subject, locus }: LocusHeader) =>
    subject === '' || (!LOCUS_AT_START.test(subject) && !namesTyping(subject, locus))
  const named = [...bySubject.values()].flat().filter((one) => isPerson(one) || cohorts.has(one.subject))
  const endOf = (subject: string) => LOCUS_AT_END.exec(subject.replace(TYPING_AT_END, ''))?.[1]
  const ends = new Map([...bySubject.keys()].map((subject) => [subject, endOf(subject)]))
  const doubtful = named.filter(({ subject }) => ends.get(subject) !== undefined)
  if (doubtful.length === 0) return named
  const columnKey = ({ locus, style }: LocusHeader) => `${locus}\n${style}`
  /** Columns of subjects that are not loci, and of loci of more than one letter. */
  const peers = new Set(named.filter(({ subject }) => subject !== '' && ends.get(subject) === undefined).map(columnKey)) // prettier-ignore
  const longer = new Set(doubtful.filter(({ subject }) => (ends.get(subject)?.length ?? 0) > 1).map(columnKey)) // prettier-ignore
  const isNobody = ([subject, own]: readonly [string, readonly LocusHeader[]]) => {
    const locus = ends.get(subject) ?? ''
    if (locus.length > 1) return true
    // `donor_A_a` and `donor_A_b`, `A Allele B`: the typings of A
    if (own.every((one) => one.slot === undefined && one.locus.length === 1)) return true
    if (new Set(own.map((one) => one.locus)).size !== 1) return false
    // beside `DRB1_A1`, `B_A1` is a typing of B, whatever other subjects have such columns
    if (/^[ABC]$/i.test(locus) && own.some((one) => longer.has(columnKey(one)))) return true
    return !own.some((one) => peers.has(columnKey(one)))
  }
  const subjects = [...groupBy(doubtful, ({ subject }) => subject)]
  const nobodies = new Set(subjects.filter(isNobody).map(([subject]) => subject))
  const people = new Set(
    subjects.filter(([subject]) => !nobodies.has(subject)).map(([subject]) => spelledAlike(subject)),
  )
  const isOfPerson = ({ subject, locus, style }: LocusHeader) =>
    /[_. -]a0?1$/.test(style) && people.has(spelledAlike(subject === '' ? locus : `${subject}_${locus}`))
  return named.filter((one) => !nobodies.has(one.subject) && !isOfPerson(one))
}

/** False for `h1_A` and `1st_A`, the first typing rather than a person; for `A_b` and `HLA-A_b`, which are hardly typings of B. */
function mayBePerson({ subject, slot }: LocusHeader): boolean {
  return slot !== undefined || !NUMBERED.test(subject)
}

/** True for the `C1` of `C1_C2`. */
function namesTyping(subject: string, locus: string): boolean {
  const reads = readLocusHeader(subject)
  return reads.some((read) => read.subject === '' && read.locus === locus && read.slot !== undefined)
}

const LOCUS_WORDS = listWords('locus')

const NUMBERED = new RegExp(`[12]$|^(?:1st|2nd|(?:HLA[_. -]?)?(?:${LOCUS_WORDS.join('|')}))$`, 'i')

const LOCUS_AT_END = new RegExp(`(?:^|[_. -])(?:HLA[_. -]?)?(${LOCUS_WORDS.join('|')})$`, 'i')

/** `A Allele`: its own typing. */
const TYPING_AT_END = new RegExp(`[_. -]+${wordPattern(listWords('typing'))}$`, 'i')

/** `A_mother`; not the `G` of a method or the `a` and `b` of two typings. */
const LOCUS_AT_START = new RegExp(`^(?:HLA[_. -]?)?(?:${LOCUS_WORDS.join('|')})\\d?[_. -]`, 'i')

/**
 * True when a subject such as `C_donor` is a cohort and does not begin with the locus C: it has a column of a longer
 * locus (`C_donor_DRB1`), or slots of two loci (`C_donor_A_1`, `C_donor_B_1`).
 */
function hasOtherLoci(own: readonly LocusHeader[]): boolean {
  if (own.some(({ length }) => length > 1)) return true
  return new Set(own.filter(({ slot }) => slot !== undefined).map(({ locus }) => locus)).size > 1
}

function spelledAlike(subject: string): string {
  return subject.toUpperCase().replaceAll(/[. -]/g, '_')
}
