/** The columns of one person as their first rows show them: what is decided for all of them together. Pure. */
import type { ColumnGroup } from '../../plan/infer-columns.ts'
import { withoutMarks } from '../damage.ts'
import { decideDigits, type DigitColumns, type DigitReading } from '../digits.ts'
import { decideJoined, type JoinedRequest } from './decide-joined.ts'
import { type Joined, splitCell } from './joined.ts'

export interface SampledGroup extends ColumnGroup {
  /** Distinct typings of the sample, in the order they occur. */
  readonly values: readonly string[]
  readonly joined: Joined | undefined
  /** Some typings are digits alone. */
  readonly hasDigits: boolean
  /** undefined: there are none. */
  readonly digits: DigitReading | undefined
}

/** `typings`: the values of a column that are typings. */
export function samplePerson(
  groups: readonly ColumnGroup[],
  typings: (column: number) => readonly string[],
  request: JoinedRequest,
): SampledGroup[] {
  const sampled = groups.map((group) => ({
    group,
    locus: group.locus,
    isAlone: group.columns.length === 1,
    values: [...new Set(group.columns.flatMap((column) => typings(column)))],
  }))
  const joined = decideJoined(sampled, request)
  const written = sampled.map(({ locus, values }, at): DigitColumns[] =>
    locus === undefined ? [] : [{ locus, values: splitValues(values, joined[at]).flatMap(listDigits) }],
  )
  const digits = decideDigits(written.flat(), request.facts)
  return sampled.map(({ group, locus, values }, at) => ({
    ...group,
    values,
    joined: joined[at],
    hasDigits: written[at]?.some((one) => one.values.length > 0) === true,
    digits: locus === undefined ? undefined : digits.get(locus),
  }))
}

function splitValues(values: readonly string[], joined: Joined | undefined): readonly string[] {
  if (joined?.kind !== 'split') return values
  return [...new Set(values.flatMap((value) => splitCell(withoutMarks(value), joined.separator)))]
}

/** `2`, `*0101` and both of `1+3`, but not the `02` of `01:01/02`. */
function listDigits(value: string): string[] {
  const leaves = withoutMarks(value.trim()).split(/[\^|+~/]/)
  return leaves.every((leaf) => /^\d+$/.test(leaf)) ? leaves : []
}
