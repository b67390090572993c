/** What two files say of a locus of one person, held against each other. */
import type { HlaError } from '../../errors.ts'
import type { Executor } from '../../operations/executor.ts'
import { compareGenotypes, type Genotype } from './genotypes.ts'
import { DRB345 } from '../plan/locus-spellings.ts'
import type { LocusSlots } from './locus-slots.ts'
import type { Reductions } from './reductions.ts'
import { ABSENT, NOTHING_SAID, type Statements, statementText, UNKNOWN } from './statements.ts'

/** Of the two copies, both may be the same alleles in `compatible`. */
export const VERDICTS = [
  'identical',
  'compatible',
  'one-allele',
  'no-allele',
  'missing-left',
  'missing-right',
  'unreadable-left',
  'unreadable-right',
  'unreadable',
] as const
export type Verdict = (typeof VERDICTS)[number]

/** A locus of a person in one file, by a method. */
export type LocusSide =
  | { readonly kind: 'missing' }
  | { readonly kind: 'absent' }
  | { readonly kind: 'fault'; readonly error: HlaError; readonly id: number }
  | {
      readonly kind: 'typed'
      readonly genotypes: readonly Genotype[]
      /** 1: the typing is written once. */
      readonly copies: 1 | 2
      readonly reduced: readonly string[]
    }

export function compareSides(left: LocusSide, right: LocusSide): Verdict | undefined {
  if (left.kind === 'fault') return right.kind === 'fault' ? 'unreadable' : 'unreadable-left'
  if (right.kind === 'fault') return 'unreadable-right'
  if (left.kind === 'missing') return right.kind === 'missing' ? undefined : 'missing-left'
  if (right.kind === 'missing') return 'missing-right'
  if (left.kind === 'absent' || right.kind === 'absent')
    return left.kind === right.kind ? 'identical' : 'no-allele'
  const { shared, isIdentical } = compareGenotypes(left.genotypes, right.genotypes)
  if (isIdentical) return 'identical'
  return shared === 2 ? 'compatible' : shared === 1 ? 'one-allele' : 'no-allele'
}

/** The typing is written once in one file and twice in the other: of a gene that not every chromosome has, these may be two things. */
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
  const { first = NOTHING_SAID, second = NOTHING_SAID } = slots ?? {}
  if (first === NOTHING_SAID || first === UNKNOWN) return MISSING
  if (first === ABSENT) return ABSENT_SIDE
  const one = reductions.get(first, executor)
  if (one.kind === 'fault') return { kind: 'fault', error: one.error, id: first }
  if (one.kind === 'list') return { kind: 'typed', genotypes: one.genotypes, copies: 2, reduced: [one.text] }
  if (second === NOTHING_SAID) {
    const genotype: Genotype = [one.possible, one.possible]
    return { kind: 'typed', genotypes: [genotype], copies: 1, reduced: [one.text] }
  }
  const other = reductions.get(second, executor)
  if (other.kind === 'fault') return { kind: 'fault', error: other.error, id: second }
  if (other.kind === 'list') throw new Error('a list of genotypes stands alone')
  const genotype: Genotype = [one.possible, other.possible]
  return { kind: 'typed', genotypes: [genotype], copies: 2, reduced: [one.text, other.text] }
}

export function slotsText(slots: LocusSlots | undefined, statements: Statements): string {
  if (slots === undefined || slots.first === NOTHING_SAID) return ''
  const { first, second } = slots
  const text = statementText(statements.get(first))
  return second === NOTHING_SAID ? text : `${text}+${statementText(statements.get(second))}`
}

export function reducedText(side: LocusSide): string {
  if (side.kind === 'absent') return 'absent'
  return side.kind === 'typed' ? side.reduced.join('+') : ''
}
