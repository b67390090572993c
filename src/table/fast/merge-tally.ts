/** Counts of blocks that were converted apart, put together in the order of the blocks. */
import { addRenamed } from '../output/renamed-counts.ts'
import { MOST_SAID, newTally, REPEATED_HEADER, type Tally } from '../output/summary.ts'

/** What was counted since the last time. */
export function takeTally(tally: Tally): Tally {
  const taken = {
    ...tally,
    statuses: { ...tally.statuses },
    codes: new Map(tally.codes),
    kinds: new Map(tally.kinds),
    notes: new Map(tally.notes),
    renamed: new Map(tally.renamed),
  }
  const { rows, typings, statuses } = newTally()
  Object.assign(tally, { rows, typings })
  Object.assign(tally.statuses, statuses)
  tally.codes.clear()
  tally.kinds.clear()
  tally.notes.clear()
  tally.renamed.clear()
  return taken
}

/** `linesBefore`: of what the second counted. */
export function addTally(
  tally: Tally,
  { rows, typings, statuses, codes, kinds, notes, renamed }: Tally,
  linesBefore: number,
): void {
  tally.rows += rows
  tally.typings += typings
  for (const status of ['ok', 'error', 'untyped', 'absent', 'unknown', 'new'] as const)
    tally.statuses[status] += statuses[status]
  for (const [code, count] of codes) tally.codes.set(code, (tally.codes.get(code) ?? 0) + count)
  for (const [kind, { count, isNo }] of kinds)
    tally.kinds.set(kind, { count: (tally.kinds.get(kind)?.count ?? 0) + count, isNo })
  for (const [code, { count, said }] of notes) {
    const known = tally.notes.get(code) ?? { count: 0, said: new Set() }
    known.count += count
    for (const one of said)
      if (known.said.size < MOST_SAID)
        known.said.add(code === REPEATED_HEADER ? String(Number(one) + linesBefore) : one)
    tally.notes.set(code, known)
  }
  addRenamed(tally.renamed, renamed)
}
