/** Typings of DRB3, DRB4 and DRB5 that a person cannot have: more than two, or what DRB1 excludes. Their cells fail where `--drbx` joins them. */
import { findMisfits } from '../../engine/blend.ts'
import { HlaError } from '../../errors.ts'
import type { CellAnswer } from '../cells/answers.ts'
import { thirdCopyError } from '../input/records/gathering/surplus.ts'
import { type DrbxFacts, drbxTypings, gatherDrbx } from '../output/drbx-pair.ts'
import type { GlStyle } from '../output/gl-column.ts'
import type { PlannedGroup } from '../plan/plan.ts'

interface PairedRow {
  /** As they are read. */
  readonly values: ReadonlyMap<number, string>
  readonly style: GlStyle
}

/** A typing by itself is good, and keeps its result. */
export function failUnfitDrbx(
  groups: readonly PlannedGroup[],
  answers: Map<number, CellAnswer>,
  { values, style }: PairedRow,
): void {
  for (const subject of new Set(groups.map((group) => group.subject))) {
    const facts = gatherDrbx(groups.filter((group) => group.subject === subject), answers, style) // prettier-ignore
    const errors = findExcluded(facts)
    for (const [column, error] of errors.size > 0 ? errors : findThird(facts, values)) {
      const answer = answers.get(column)
      if (answer !== undefined) answers.set(column, { ...answer, status: 'error', error })
    }
  }
}

/** Column -> why it fails. */
function findExcluded({ drb1, copies }: DrbxFacts): ReadonlyMap<number, HlaError> {
  const errors = new Map<number, HlaError>()
  if (drb1 === undefined) return errors
  for (const { gene, isHeterozygous, error } of findMisfits(drb1, drbxTypings(copies))) {
    const found = copies.filter((copy) => copy.gene === gene)
    const unfit = isHeterozygous ? found.filter(({ text }) => text !== found[0]?.text) : found
    for (const { column } of unfit) errors.set(column, withAdvice(error))
  }
  return errors
}

function withAdvice({ code, message, offending, hint = '', facts }: HlaError): HlaError {
  const advice = `${hint}; without --drbx each typing is converted by itself`
  return new HlaError(code, message, { offending, hint: advice, facts })
}

/** Those that are two already keep their places. */
function findThird({ copies }: DrbxFacts, values: PairedRow['values']): ReadonlyMap<number, HlaError> {
  const errors = new Map<number, HlaError>()
  const kept = new Set<string>()
  for (const column of new Set(copies.map((copy) => copy.column))) {
    const texts = copies.filter((copy) => copy.column === column).map(({ text }) => text)
    const all = new Set([...kept, ...texts])
    if (all.size > 2) errors.set(column, thirdCopyError(values.get(column) ?? '', [...kept]))
    else for (const text of texts) kept.add(text)
  }
  return errors
}
