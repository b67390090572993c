/** Rows of compared pairs as CSV or TSV: the same cells as a record has, composed from parts that repeat. */
import { verdictOf } from '../../engine/match/match.ts'
import { unpack } from '../../engine/match/locus-pairs.ts'
import { matchColumns, rangeText, tceText, locusRecord } from '../../operations/answers/matching.ts'
import { unquoteField } from '../input/split-row.ts'
import { BOTH_UNTYPED, type ComparedCohorts, ONE_UNTYPED, rememberPairs, UNREAD } from './compare.ts'
import { UNTYPED } from './cohort.ts'

export interface PairRows {
  readonly head: string
  /** `packed`: counts at each locus. */
  readonly row: (patient: number, donor: number, packed: readonly number[]) => string
}

export function pairRows(cohorts: ComparedCohorts, counted: readonly number[], delimiter: string): PairRows {
  const { patients, donors, loci } = cohorts
  const quoted = (text: string) => unquoteField(text, { delimiter, quote: '"' }) ?? ''
  const parts = new Map<number, string>()
  const partOf = (packed: number) => {
    const known = parts.get(packed) ?? locusCells(packed).join(delimiter)
    parts.set(packed, known)
    return known
  }
  const epitopes = newEpitopeText(cohorts)
  const without = (is: (packed: number) => boolean, packed: readonly number[]) =>
    counted.flatMap((at) => (is(packed[at] ?? BOTH_UNTYPED) ? (loci[at] ?? []) : [])).join(' ')
  return {
    head: `${['patient', 'donor', ...matchColumns(loci)].join(delimiter)}\n`,
    row(patient, donor, packed) {
      const sums = [0, 0, 0, 0, 0, 0]
      let [of, isWhole] = [0, true]
      for (const at of counted) {
        const counts = packed[at] ?? BOTH_UNTYPED
        if (counts >= ONE_UNTYPED) {
          isWhole = false
          continue
        }
        of += 2
        for (let place = 0; place < 6; place += 1) sums[place] = (sums[place] ?? 0) + ((counts >> (2 * place)) & 3) // prettier-ignore
      }
      const [g1 = 0, g2 = 0, h1 = 0, h2 = 0, m1 = 0, m2 = 0] = sums
      const own = packed.map((counts, at) =>
        loci[at] === 'DPB1' ? `${partOf(counts)}${delimiter}${epitopes(patient, donor)}` : partOf(counts),
      )
      const cells = [
        quoted(patients.ids[patient] ?? ''),
        quoted(donors.ids[donor] ?? ''),
        rangeText([m1, m2]),
        rangeText([g1, g2]),
        rangeText([h1, h2]),
        ...own,
        String(of),
        isWhole ? '' : without((one) => one === ONE_UNTYPED || one === BOTH_UNTYPED, packed),
        isWhole ? '' : without((one) => one === UNREAD, packed),
      ]
      return `${cells.join(delimiter)}\n`
    },
  }
}

/** Verdict, GvH and HvG. */
function locusCells(packed: number): readonly string[] {
  if (packed === BOTH_UNTYPED) return ['', '', '']
  if (packed >= ONE_UNTYPED) return [packed === UNREAD ? 'unread' : 'untyped', '', '']
  const counts = unpack(packed)
  return [verdictOf(counts), rangeText(counts.gvh), rangeText(counts.hvg)]
}

function newEpitopeText({ patients, donors, loci, sides }: ComparedCohorts) {
  if (!loci.includes('DPB1')) return () => ''
  const [own, other] = [patients.at('DPB1'), donors.at('DPB1')]
  const textOf = rememberPairs((one, two) => {
    const { tce } = locusRecord(sides.matcher.compare('DPB1', sides.side('DPB1', one), sides.side('DPB1', two))) // prettier-ignore
    return tce === undefined ? '' : tceText(tce)
  })
  return (patient: number, donor: number): string => textOf(own[patient] ?? UNTYPED, other[donor] ?? UNTYPED)
}
