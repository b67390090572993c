/** Comparison of two files at a locus of one person. */
import type { HlaError } from '../../errors.ts'
import type { Executor } from '../../operations/executor.ts'
import { same, type TypedGenotype } from '../../engine/match/sets.ts'
import {
  ABSENT,
  type LocusSlots,
  NO_STATEMENT,
  type Statements,
  UNKNOWN,
  statementText,
} from '../answers/statements.ts'
import { DRB345 } from '../words/locus-header.ts'
import type { Reductions } from '../answers/reductions.ts'
import type { SettlingFacts } from '../cells/name-facts.ts'
import { type Failure, recordLines } from '../output/failure-report.ts'
import type { ComparedFile } from './side-reader.ts'

/**
 * In `compatible`, both copies may be the same alleles. In `null`, more copies have a reduced name in common than may be
 * the same: one can only be a null allele, and the other holds none of those.
 */
const VERDICTS = [
  'identical',
  'compatible',
  'null',
  'one-allele',
  'no-allele',
  'missing-left',
  'missing-right',
  'unreadable-left',
  'unreadable-right',
  'unreadable',
] as const
export type Verdict = (typeof VERDICTS)[number]

/** A person's locus in one file, by a method. */
export type LocusSide =
  | { readonly kind: 'missing' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'fault'; readonly error: HlaError; readonly id: number }
  | {
      readonly kind: 'typed'
      readonly genotypes: readonly TypedGenotype[]
      /** 1 when the typing is written once. */
      readonly copies: 1 | 2
      readonly reduced: readonly string[]
    }

/** Comparison of two sides. */
export interface Compared {
  readonly verdict: Verdict
  /** Copies that may be the same allele, of two. */
  readonly shared: 0 | 1 | 2
}

/** undefined where neither file has a typing. */
export function compareSides(left: LocusSide, right: LocusSide): Compared | undefined {
  const only = (verdict: Verdict): Compared => ({ verdict, shared: verdict === 'identical' ? 2 : 0 })
  if (left.kind === 'fault') return only(right.kind === 'fault' ? 'unreadable' : 'unreadable-left')
  if (right.kind === 'fault') return only('unreadable-right')
  if (left.kind === 'missing') return right.kind === 'missing' ? undefined : only('missing-left')
  if (right.kind === 'missing') return only('missing-right')
  if (left.kind === 'absent' || right.kind === 'absent')
    return only(left.kind === right.kind ? 'identical' : 'no-allele')
  const { shared, named, isIdentical } = same(left.genotypes, right.genotypes)
  if (shared === 2) return { verdict: isIdentical ? 'identical' : 'compatible', shared }
  if (named > shared) return { verdict: 'null', shared }
  return { verdict: shared === 1 ? 'one-allele' : 'no-allele', shared }
}

/**
 * True when the typing is written once in one file and twice in the other: for a gene that not every chromosome has,
 * these may differ in meaning.
 */
export function differInCopies(locus: string, left: LocusSide, right: LocusSide): boolean {
  return (
    DRB345.includes(locus) && left.kind === 'typed' && right.kind === 'typed' && left.copies !== right.copies
  )
}

const MISSING: LocusSide = { kind: 'missing' }
const ABSENT_SIDE: LocusSide = { kind: 'absent' }

export function readSide(
  slots: LocusSlots | undefined,
  reductions: Reductions,
  executor: Executor,
): LocusSide {
  const { first = NO_STATEMENT, second = NO_STATEMENT } = slots ?? {}
  if (first === NO_STATEMENT || first === UNKNOWN) return MISSING
  if (first === ABSENT) return ABSENT_SIDE
  const one = reductions.get(first, executor)
  if (one.kind === 'fault') return { kind: 'fault', error: one.error, id: first }
  if (one.kind === 'list') return { kind: 'typed', genotypes: one.genotypes, copies: 2, reduced: [one.text] }
  if (second === NO_STATEMENT) {
    const genotype: TypedGenotype = [one.copy, one.copy]
    return { kind: 'typed', genotypes: [genotype], copies: 1, reduced: [one.text] }
  }
  const other = reductions.get(second, executor)
  if (other.kind === 'fault') return { kind: 'fault', error: other.error, id: second }
  if (other.kind === 'list') throw new Error('a list of genotypes stands alone')
  const genotype: TypedGenotype = [one.copy, other.copy]
  return { kind: 'typed', genotypes: [genotype], copies: 2, reduced: [one.text, other.text] }
}

export function slotsText(slots: LocusSlots | undefined, statements: Statements): string {
  if (slots === undefined || slots.first === NO_STATEMENT) return ''
  const { first, second } = slots
  const text = statementText(statements.get(first))
  return second === NO_STATEMENT ? text : `${text}+${statementText(statements.get(second))}`
}

export function reducedText(side: LocusSide): string {
  if (side.kind === 'absent') return 'absent'
  return side.kind === 'typed' ? side.reduced.join('+') : ''
}

export interface LocusCounts {
  readonly verdicts: Record<Verdict, number>
  /** Copies that may be the same allele, two of each locus at most. */
  shared: number
  /** Among those that agree at DRB3, DRB4 or DRB5: typings written once in one file and twice in the other. */
  copies: number
}

export interface ComparisonCounts {
  readonly loci: Map<string, LocusCounts>
  /** Number of persons compared at one or more loci, and of those who agree at every one of them. */
  compared: number
  concordant: number
}

export function newCounts(): ComparisonCounts {
  return { loci: new Map(), compared: 0, concordant: 0 }
}

function newLocusCounts(): LocusCounts {
  // each verdict has its own counter
  const verdicts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  return { verdicts, shared: 0, copies: 0 }
}

export function countVerdict(
  { loci }: ComparisonCounts,
  locus: string,
  { verdict, shared }: Compared,
  areCopiesOther: boolean,
): void {
  let counts = loci.get(locus)
  if (counts === undefined) loci.set(locus, (counts = newLocusCounts()))
  counts.verdicts[verdict] += 1
  counts.shared += shared
  if (areCopiesOther && isConcordant(verdict)) counts.copies += 1
}

export function isConcordant(verdict: Verdict): boolean {
  return verdict === 'identical' || verdict === 'compatible'
}

const DISCORDANT: readonly Verdict[] = ['null', 'one-allele', 'no-allele']

export function isCompared(verdict: Verdict): boolean {
  return isConcordant(verdict) || DISCORDANT.includes(verdict)
}

export interface CountsRecord {
  readonly compared: number
  readonly identical: number
  readonly compatible: number
  readonly null: number
  readonly one_allele: number
  readonly no_allele: number
  readonly missing_left: number
  readonly missing_right: number
  readonly unreadable: number
  readonly copies: number
  /** Share of the compared persons who agree in both copies, and of the copies that agree; null without persons. */
  readonly concordance: number | null
  readonly allele_concordance: number | null
}

export function countsRecord({ verdicts, shared, copies }: LocusCounts): CountsRecord {
  const { identical, compatible, null: nulls, 'one-allele': one, 'no-allele': none } = verdicts
  const compared = identical + compatible + nulls + one + none
  const agree = identical + compatible
  const share = (part: number, whole: number) =>
    whole === 0 ? null : Math.floor((part / whole) * 10_000) / 10_000
  return {
    compared,
    identical,
    compatible,
    null: nulls,
    one_allele: one,
    no_allele: none,
    missing_left: verdicts['missing-left'],
    missing_right: verdicts['missing-right'],
    unreadable: verdicts.unreadable + verdicts['unreadable-left'] + verdicts['unreadable-right'],
    copies,
    concordance: share(agree, compared),
    allele_concordance: share(shared, 2 * compared),
  }
}

export function sumCounts(all: Iterable<LocusCounts>): LocusCounts {
  const sum = newLocusCounts()
  for (const { verdicts, shared, copies } of all) {
    sum.shared += shared
    for (const verdict of VERDICTS) sum.verdicts[verdict] += verdicts[verdict]
    sum.copies += copies
  }
  return sum
}

export interface CompareRequest {
  readonly left: ComparedFile
  readonly right: ComparedFile
  readonly facts: SettlingFacts
  readonly executor: Executor
  /** Methods, each with its input for the typings of either file. */
  readonly methods: readonly MethodRequest[]
  /** undefined for all loci. */
  readonly loci: ReadonlySet<string> | undefined
  readonly failed: (failure: Failure) => void
  /** Called for each result that is not identical; omit when no one reads these. */
  readonly differs?: ((row: DifferenceRow) => void) | undefined
  /** Called after each block; its promise delays further rows. */
  readonly passed: () => Promise<void> | undefined
  /** Called when two files about one person each, of different names, are compared. */
  readonly paired: (left: string, right: string) => void
}

export interface MethodRequest {
  readonly method: string
  readonly leftInput: Readonly<Record<string, unknown>>
  readonly rightInput: Readonly<Record<string, unknown>>
}

interface SideCounts {
  readonly persons: number
  readonly only: number
  readonly broken: number
}

export interface FilesCompared {
  readonly left: SideCounts
  readonly right: SideCounts
  readonly persons: number
  readonly methods: readonly { readonly method: string; readonly counts: ComparisonCounts }[]
}

const COLUMNS = [
  'person',
  'locus',
  'method',
  'verdict',
  'left',
  'right',
  'left_reduced',
  'right_reduced',
  'left_line',
  'right_line',
  'reason',
] as const

/** Typings as in the files. A person in one file has no locus. */
export interface DifferenceRow extends Partial<Record<(typeof COLUMNS)[number], string | number>> {
  readonly person: string
  /** `copies`: the same typing, written once in one file and twice in the other. */
  readonly verdict: Exclude<Verdict, 'identical'> | 'copies' | 'only-left' | 'only-right'
}

export function differenceFormat(file: string) {
  const { head, record } = recordLines(file, COLUMNS)
  const rowRecord = (row: DifferenceRow) =>
    record(Object.fromEntries(COLUMNS.map((name) => [name, row[name] ?? ''])))
  return { head, record: rowRecord }
}
