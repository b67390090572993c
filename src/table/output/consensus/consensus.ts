/** The typing on which most callers of a locus agree, and counts of agreement. Pure. */
import type { CONSENSUS } from '../../../options/choices.ts'
import { formatCount } from '../../../format-count.ts'

/** A caller's typing of a locus. */
export interface Statement<Typing = unknown> {
  readonly caller: string
  /** undefined when it cannot be read; such a caller has no vote. */
  readonly typing: Typing | undefined
}

export interface Consensus<S> {
  /** The typing of most callers; undefined without a majority. */
  readonly agreed: S | undefined
  /** Callers that say it, or the most that say the same. */
  readonly supporters: readonly S[]
  /** Callers with a vote. */
  readonly voters: number
}

/**
 * The typing that more than half of the callers say, or all. `says`: does the first typing say what the second does? Of
 * typings with equal votes from different callers none is chosen.
 */
export function findConsensus<T, S extends Statement<T>>(
  statements: readonly S[],
  rule: (typeof CONSENSUS)[number],
  says: (one: T, other: T) => boolean,
): Consensus<S> {
  const voters = statements.flatMap((one) => (one.typing === undefined ? [] : [{ one, typing: one.typing }]))
  const sides = voters.map(({ one: candidate, typing }) => {
    const supporters = voters.filter((other) => says(other.typing, typing)).map(({ one }) => one)
    return { candidate, supporters }
  })
  const votes = Math.max(0, ...sides.map(({ supporters }) => supporters.length))
  const [first, ...others] = sides.filter(({ supporters }) => supporters.length === votes)
  if (first === undefined) return { agreed: undefined, supporters: [], voters: 0 }
  const isTie = others.some(({ supporters }) => supporters.some((one) => !first.supporters.includes(one)))
  const isEnough = rule === 'all' ? votes === voters.length : 2 * votes > voters.length
  const agreed = isTie || !isEnough ? undefined : first.candidate
  return { agreed, supporters: first.supporters, voters: voters.length }
}

interface LocusAgreement {
  /** Persons with a typing of a caller that can be read. */
  persons: number
  /** Persons for whom all callers agree, most agree, no majority agrees, and a single caller typed the locus. */
  all: number
  most: number
  none: number
  single: number
  readonly callers: Map<string, CallerAgreement>
}

interface CallerAgreement {
  /** Typings beside one of another caller, those among them that are written, and those that cannot be read. */
  compared: number
  agree: number
  failed: number
}

/** By locus. */
export type ConsensusCounts = Map<string, LocusAgreement>

export function countConsensus<S extends Statement>(
  counts: ConsensusCounts,
  locus: string,
  statements: readonly S[],
  { agreed, supporters, voters }: Consensus<S>,
): void {
  if (statements.length === 0) return
  const of = counts.get(locus) ?? { persons: 0, all: 0, most: 0, none: 0, single: 0, callers: new Map<string, CallerAgreement>() } // prettier-ignore
  counts.set(locus, of)
  if (voters > 0) of.persons += 1
  if (voters === 1) of.single += 1
  else if (voters > 1) of[agreed === undefined ? 'none' : supporters.length === voters ? 'all' : 'most'] += 1
  for (const statement of statements) {
    const caller = of.callers.get(statement.caller) ?? { compared: 0, agree: 0, failed: 0 }
    of.callers.set(statement.caller, caller)
    if (statement.typing === undefined) caller.failed += 1
    else if (voters > 1) caller.compared += 1
    if (agreed !== undefined && voters > 1 && supporters.includes(statement)) caller.agree += 1
  }
}

/** `A: 20 persons, all agree 12, most 5, no majority 2, one caller 1; as written: OptiType 17 of 19, T1K 16 of 19` */
export function consensusLines(counts: ConsensusCounts): string[] {
  return [...counts].map(([locus, { persons, all, most, none, single, callers }]) => {
    const parts = [['all agree', all], ['most', most], ['no majority', none], ['one caller', single]] as const // prettier-ignore
    const shown = parts
      .filter(([, count]) => count > 0)
      .map(([name, count]) => `${name} ${formatCount(count)}`)
    const by = [...callers].flatMap(([name, { compared, agree, failed }]) => {
      const lost = failed === 0 ? '' : ` (${formatCount(failed)} failed)`
      return compared + failed === 0
        ? []
        : [`${name} ${formatCount(agree)} of ${formatCount(compared)}${lost}`]
    })
    const of = `${formatCount(persons)} ${persons === 1 ? 'person' : 'persons'}`
    const agreement = by.length === 0 ? '' : `; as written: ${by.join(', ')}`
    return `${locus}: ${[of, ...shown].join(', ')}${agreement}`
  })
}

export type ConsensusRecord = Readonly<
  Record<
    string,
    Omit<LocusAgreement, 'callers'> & { readonly callers: Readonly<Record<string, CallerAgreement>> }
  >
>

export function consensusRecord(counts: ConsensusCounts): ConsensusRecord {
  return Object.fromEntries(
    [...counts].map(([locus, one]) => [locus, { ...one, callers: Object.fromEntries(one.callers) }]),
  )
}
