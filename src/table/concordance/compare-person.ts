/** One person who is in both files, locus by locus. */
import type { Executor } from '../../operations/executor.ts'
import { type ComparisonCounts, countVerdict, isCompared, isConcordant } from './counts.ts'
import type { CompareRequest } from './compare-request.ts'
import type { LeftPersons } from './left-persons.ts'
import type { LocusSlots } from './locus-slots.ts'
import type { Reductions } from './reductions.ts'
import { NO_LOCUS } from './known-cells.ts'
import type { PersonRow, SideReader } from './side-reader.ts'
import { NOTHING_SAID, statementText } from './statements.ts'
import { compareSides, differInCopies, type LocusSide, readSide, reducedText, slotsText, type Verdict } from './verdicts.ts' // prettier-ignore

export interface ComparedMethod {
  readonly method: string
  readonly counts: ComparisonCounts
  readonly left: Reductions
  readonly right: Reductions
}

export interface MetPerson {
  readonly person: number
  readonly row: PersonRow
}

export interface PersonComparison {
  readonly met: MetPerson
  readonly persons: LeftPersons
  readonly readers: { readonly left: SideReader; readonly right: SideReader }
  readonly executor: Executor
  readonly request: Pick<CompareRequest, 'failed' | 'differs'>
}

export function comparePerson(comparison: PersonComparison, method: ComparedMethod): void {
  const { met, persons, executor } = comparison
  const { counts } = method
  const { person, row } = met
  const loci = new Set([...persons.loci(), ...row.loci.keys()])
  let [compared, concordant] = [0, 0]
  for (const locus of loci) {
    const slots = {
      left: leftSlots(persons, person, locus),
      right: row.loci.get(locus) ?? row.loci.get(NO_LOCUS),
    }
    const left = readSide(slots.left, method.left, executor)
    const right = readSide(slots.right, method.right, executor)
    const verdict = compareSides(left, right)
    if (verdict === undefined) continue
    const areCopiesOther = differInCopies(locus, left, right)
    countVerdict(counts, locus, verdict, areCopiesOther)
    if (isCompared(verdict)) compared += 1
    if (isConcordant(verdict)) concordant += 1
    tell({ locus, slots, left, right, verdict, areCopiesOther }, comparison, method)
  }
  if (compared > 0) counts.compared += 1
  if (compared > 0 && compared === concordant) counts.concordant += 1
}

/** A cell that says nothing that can be read may have been about any locus. */
function leftSlots(persons: LeftPersons, person: number, locus: string): LocusSlots {
  const own = persons.slots(person, locus)
  return own.first === NOTHING_SAID ? persons.slots(person, NO_LOCUS) : own
}

interface Told {
  readonly locus: string
  readonly slots: { readonly left: LocusSlots | undefined; readonly right: LocusSlots | undefined }
  readonly left: LocusSide
  readonly right: LocusSide
  readonly verdict: Verdict
  readonly areCopiesOther: boolean
}

function tell(
  { locus, slots, left, right, verdict, areCopiesOther }: Told,
  { met: { person, row }, persons, readers, request }: PersonComparison,
  { method }: ComparedMethod,
): void {
  const places = { left: persons.place(person), right: { row: row.row, line: row.line } }
  const sides = [
    [left, readers.left, places.left],
    [right, readers.right, places.right],
  ] as const
  for (const [side, reader, place] of sides) {
    if (side.kind !== 'fault') continue
    const statement = reader.statements().get(side.id)
    // what reading the cell said was told then
    if (statement.kind === 'fault') continue
    reader.fail({ id: row.id, ...place, locus, value: statementText(statement), error: side.error })
  }
  if (verdict === 'identical' && !areCopiesOther) return
  const reason = [left, right].flatMap((side) => (side.kind === 'fault' ? [side.error.message] : []))
  request.differs({
    person: row.id,
    locus,
    method,
    verdict: verdict === 'identical' ? 'copies' : verdict,
    left: slotsText(slots.left, readers.left.statements()),
    right: slotsText(slots.right, readers.right.statements()),
    leftReduced: reducedText(left),
    rightReduced: reducedText(right),
    leftLine: places.left.line,
    rightLine: row.line,
    reason: reason.join('; '),
  })
}
