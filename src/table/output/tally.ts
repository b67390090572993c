/** Counts of a conversion: rows, typings by status, failures by code, what was noted. */
import type { CellAnswer } from '../cells/answers.ts'
import type { TokenStatus } from '../cells/tokens.ts'

export interface NoteCount {
  count: number
  /** What typings were read as, or the first message; some of many. */
  readonly said: Set<string>
}

export interface KindCount {
  count: number
  /** Answers of it count as failures too. */
  isNo: boolean
}

export interface Tally {
  rows: number
  typings: number
  readonly statuses: Record<'ok' | 'error' | TokenStatus, number>
  readonly codes: Map<string, number>
  /** Answers of each kind, for operations that tell kinds apart. */
  readonly kinds: Map<string, KindCount>
  readonly notes: Map<string, NoteCount>
}

/** `kinds` are those that are told even when there is none. */
export function newTally(kinds: readonly string[] = []): Tally {
  return {
    rows: 0,
    typings: 0,
    statuses: { ok: 0, absent: 0, unknown: 0, untyped: 0, new: 0, error: 0 },
    codes: new Map(),
    kinds: new Map(kinds.map((kind) => [kind, { count: 0, isNo: false }])),
    notes: new Map(),
  }
}

/** Different readings remembered of one note. */
export const MOST_SAID = 20

export function countAnswer(tally: Tally, { status, kind, error, notes }: CellAnswer): void {
  tally.typings += 1
  tally.statuses[status] += 1
  if (kind !== undefined)
    tally.kinds.set(kind, { count: (tally.kinds.get(kind)?.count ?? 0) + 1, isNo: error !== undefined })
  if (error !== undefined) countCode(tally, error.code, 1)
  const counted = new Set<string>()
  for (const note of notes) {
    const known = tally.notes.get(note.code) ?? { count: 0, said: new Set() }
    // typings are counted, however many of their parts are noted
    if (!counted.has(note.code)) known.count += 1
    counted.add(note.code)
    if (known.said.size < MOST_SAID) known.said.add('reading' in note ? note.reading : note.message)
    tally.notes.set(note.code, known)
  }
}

/** All typings of a row that cannot be read. */
export function countBadRow(tally: Tally, code: string, typings: number): void {
  tally.typings += typings
  tally.statuses.error += typings
  countCode(tally, code, typings)
}

function countCode(tally: Tally, code: string, by: number): void {
  tally.codes.set(code, (tally.codes.get(code) ?? 0) + by)
}
