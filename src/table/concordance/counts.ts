/** How many persons agree at a locus, by a method; and at all loci together. Pure. */
import { type Verdict, VERDICTS } from './verdicts.ts'

export interface LocusCounts {
  readonly verdicts: Record<Verdict, number>
  /** Of those that agree at DRB3, DRB4 or DRB5: in one file the typing is written once, in the other twice. */
  copies: number
}

export interface ComparisonCounts {
  readonly loci: Map<string, LocusCounts>
  /** Persons who were compared at a locus or more, and those who agree at all of these. */
  compared: number
  concordant: number
}

export function newCounts(): ComparisonCounts {
  return { loci: new Map(), compared: 0, concordant: 0 }
}

export function newLocusCounts(): LocusCounts {
  // each verdict has its number
  const verdicts = Object.fromEntries(VERDICTS.map((verdict) => [verdict, 0])) as Record<Verdict, number>
  return { verdicts, copies: 0 }
}

export function countVerdict(
  { loci }: ComparisonCounts,
  locus: string,
  verdict: Verdict,
  areCopiesOther: boolean,
): void {
  let counts = loci.get(locus)
  if (counts === undefined) loci.set(locus, (counts = newLocusCounts()))
  counts.verdicts[verdict] += 1
  if (areCopiesOther && isConcordant(verdict)) counts.copies += 1
}

export function isConcordant(verdict: Verdict): boolean {
  return verdict === 'identical' || verdict === 'compatible'
}

export function isCompared(verdict: Verdict): boolean {
  return isConcordant(verdict) || verdict === 'one-allele' || verdict === 'no-allele'
}

export interface CountsRecord {
  readonly compared: number
  readonly identical: number
  readonly compatible: number
  readonly one_allele: number
  readonly no_allele: number
  readonly missing_left: number
  readonly missing_right: number
  readonly unreadable: number
  readonly copies: number
  /** Share of the persons compared who agree in both copies, and of the copies that agree; null of nobody. */
  readonly concordance: number | null
  readonly allele_concordance: number | null
}

export function countsRecord({ verdicts, copies }: LocusCounts): CountsRecord {
  const { identical, compatible, 'one-allele': one, 'no-allele': none } = verdicts
  const compared = identical + compatible + one + none
  const agree = identical + compatible
  const share = (part: number, whole: number) =>
    whole === 0 ? null : Math.floor((part / whole) * 10_000) / 10_000
  return {
    compared,
    identical,
    compatible,
    one_allele: one,
    no_allele: none,
    missing_left: verdicts['missing-left'],
    missing_right: verdicts['missing-right'],
    unreadable: verdicts.unreadable + verdicts['unreadable-left'] + verdicts['unreadable-right'],
    copies,
    concordance: share(agree, compared),
    allele_concordance: share(2 * agree + one, 2 * compared),
  }
}

export function sumCounts(all: Iterable<LocusCounts>): LocusCounts {
  const sum = newLocusCounts()
  for (const { verdicts, copies } of all) {
    for (const verdict of VERDICTS) sum.verdicts[verdict] += verdicts[verdict]
    sum.copies += copies
  }
  return sum
}
