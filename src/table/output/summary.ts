/** Counts of a conversion, and their summary as text and as data. */
import type { Face } from '../../operations/faces.ts'
import type { TablePlan } from '../plan/plan.ts'
import { repeatedHeaderText } from '../plan/recognition/odd-rows.ts'
import { type UnreadRecord, unreadRecords } from '../plan/recognition/unread-text.ts'
import type { CellAnswer } from '../answers/answers.ts'
import type { TokenStatus } from '../cells/tokens.ts'
import { MEMBER_NOTES } from '../../engine/expand/expand-mac.ts'
import { EXPRESSION_LOST } from '../../engine/reduce/reduce-leaf.ts'
import type { LossKind } from '../../errors.ts'
import {
  consensusLines,
  type ConsensusCounts,
  type ConsensusRecord,
  consensusRecord,
} from './consensus/consensus.ts'
import { formatCount, counted } from '../../format-count.ts'
import {
  countLosses,
  type LossCounts,
  lossLines,
  type LossRecords,
  lossRecords,
  newLossCounts,
} from './losses.ts'

export interface Distinct {
  readonly count: number
  readonly isExact: boolean
}

/** `3 rows, 12 typings: 4 ok, 1 absent, 4 failed (1 bad-character, …)` */
export function summaryText(
  tally: Tally,
  { count, isExact }: Distinct,
  { unread = [] }: Pick<SummaryRecord, 'unread'>,
): string {
  const { statuses } = tally
  const kinds = kindTexts(tally, false)
  const shown = [
    ...(tally.kinds.size === 0 ? [`${formatCount(statuses.ok)} ok`] : kinds),
    ...(['absent', 'unknown', 'untyped', 'new'] as const)
      .filter((status) => statuses[status] > 0)
      .map((status) => `${formatCount(statuses[status])} ${status}`),
    ...(statuses.error === 0 ? [] : [failedText(tally)]),
  ]
  const distinct = isExact && count < tally.typings ? ` (${formatCount(count)} distinct)` : ''
  const columns = unread.flatMap((one) => one.columns).length
  const left = columns === 0 ? '' : `; not read: ${counted(columns, 'column')} that may hold typings`
  return `${counted(tally.rows, 'row')}, ${counted(tally.typings, 'typing')}${distinct}: ${shown.join(', ')}${left}`
}

/** `4 failed (1 bad-character, …)`; with kinds, `4 failed: 2 invalid, 2 malformed (…)` */
function failedText(tally: Tally): string {
  const kinds = kindTexts(tally, true)
  const of = kinds.length === 0 ? '' : `: ${kinds.join(', ')}`
  return `${formatCount(tally.statuses.error)} failed${of} (${codesText(tally)})`
}

function kindTexts({ kinds }: Tally, isNo: boolean): string[] {
  return [...kinds]
    .filter(([, kind]) => kind.count > 0 && kind.isNo === isNo)
    .map(([name, { count }]) => `${formatCount(count)} ${name}`)
}

function codesText({ codes }: Tally): string {
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([code, count]) => `${formatCount(count)} ${code}`).join(', ')
}

export interface NoteText {
  readonly code: string
  readonly message: string
}

/** One line per kind of note, without `hla: note:`; for members of codes one per name. `details`: every lost name, and its codes. */
export function noteTexts({ notes, losses, consensus }: Tally, details = false): NoteText[] {
  const agreement = consensus === undefined ? [] : consensusLines(consensus)
  const texts = [...notes].flatMap(([code, { count, said }]): NoteText | NoteText[] => {
    if (code === REPEATED_HEADER) return { code, message: repeatedHeaderText([...said].map(Number), count) }
    const kind = LOSS_CODES.get(code)
    const lines = kind === undefined ? [] : lossLines(losses, kind, details)
    // other services do not report the names
    if (lines.length > 0) return lines.map((message) => ({ code, message }))
    const list = [...said].sort()
    if (code === 'antigen-as-xx')
      return {
        code,
        message: `${counted(count, 'typing')} ${count === 1 ? 'is not an antigen and was' : 'are not antigens and were'} read as first-field codes (${list.join(' ')})`,
      }
    const action = SUCH_AS.get(code)
    if (action !== undefined)
      return { code, message: `${counted(count, 'typing')} ${action}, such as ${list[0] ?? ''}` }
    return { code, message: `${counted(count, 'typing')}: ${[...said][0] ?? ''}` }
  })
  return [...texts, ...agreement.map((message) => ({ code: 'consensus', message }))]
}

/** Code of a note that shows one reading -> what was done. */
const SUCH_AS: ReadonlyMap<string, string> = new Map([
  ['accepted', 'repaired as allowed'],
  ['spreadsheet-marks', 'read without spreadsheet quoting'],
])

/** Codes of notes about lost names. */
export const LOSS_CODES: ReadonlyMap<string, LossKind> = new Map([
  [EXPRESSION_LOST, 'letter'],
  ...MEMBER_NOTES.map(([kind, code]) => [code, kind] as const),
])

export interface SummaryRecord extends LossRecords {
  readonly rows: number
  readonly typings: number
  /** null when the number exceeds what could be counted. */
  readonly distinct: number | null
  readonly status: Readonly<Record<string, number>>
  readonly codes: Readonly<Record<string, number>>
  /** Only for operations that distinguish kinds of answers. */
  readonly kinds?: Readonly<Record<string, number>>
  readonly notes: Readonly<Record<string, number>>
  /** Agreement of callers by locus; absent without a consensus. */
  readonly consensus?: ConsensusRecord
  /** Columns that look like typings and were not read; absent when there are none. */
  readonly unread?: readonly UnreadRecord[]
}

export function summaryRecord(
  tally: Tally,
  { count, isExact }: Distinct,
  { unread, header }: Pick<TablePlan, 'unread' | 'header'>,
  face: Face = 'command-line',
): SummaryRecord {
  return {
    rows: tally.rows,
    typings: tally.typings,
    distinct: isExact ? count : null,
    status: tally.statuses,
    codes: Object.fromEntries([...tally.codes].sort(([a], [b]) => (a < b ? -1 : 1))),
    ...(tally.kinds.size === 0
      ? {}
      : { kinds: Object.fromEntries([...tally.kinds].map(([kind, { count: of }]) => [kind, of])) }),
    notes: Object.fromEntries([...tally.notes].map(([code, { count: of }]) => [code, of])),
    ...lossRecords(tally.losses),
    ...(tally.consensus === undefined ? {} : { consensus: consensusRecord(tally.consensus) }),
    ...(unread.length === 0 ? {} : { unread: unreadRecords(unread, header, face) }),
  }
}

export interface NoteCount {
  count: number
  /** Readings, or the first message; limited to `MAX_SAID`. */
  readonly said: Set<string>
}

export interface KindCount {
  count: number
  /** True when its answers count as failures too. */
  isNo: boolean
}

export interface Tally {
  rows: number
  typings: number
  readonly statuses: Record<'ok' | 'error' | TokenStatus, number>
  readonly codes: Map<string, number>
  /** Answers by kind, for operations that distinguish kinds. */
  readonly kinds: Map<string, KindCount>
  readonly notes: Map<string, NoteCount>
  readonly losses: LossCounts
  /** Agreement of callers. */
  consensus?: ConsensusCounts | undefined
}

/** `kinds` are shown even with a count of 0. */
export function newTally(kinds: readonly string[] = []): Tally {
  return {
    rows: 0,
    typings: 0,
    statuses: { ok: 0, absent: 0, unknown: 0, untyped: 0, new: 0, error: 0 },
    codes: new Map(),
    kinds: new Map(kinds.map((kind) => [kind, { count: 0, isNo: false }])),
    notes: new Map(),
    losses: newLossCounts(),
  }
}

/** Maximum number of readings remembered per note. */
const MAX_SAID = 20

export function countAnswer(tally: Tally, { status, kind, error, notes }: CellAnswer): void {
  tally.typings += 1
  tally.statuses[status] += 1
  if (kind !== undefined)
    tally.kinds.set(kind, { count: (tally.kinds.get(kind)?.count ?? 0) + 1, isNo: error !== undefined })
  if (error !== undefined) countCode(tally, error.code, 1)
  if (notes.length === 0) return
  countLosses(tally.losses, notes)
  const noted = new Set<string>()
  for (const note of notes) {
    // counts typings, however many of their parts have the note
    countNote(tally, note.code, 'reading' in note ? note.reading : note.message, noted.has(note.code) ? 0 : 1)
    noted.add(note.code)
  }
}

/** Counts a repeated header as a note; its line is among the readings. */
export function countRepeatedHeader(tally: Tally, line: number): void {
  countNote(tally, REPEATED_HEADER, String(line), 1)
}

function countNote({ notes }: Tally, code: string, said: string, by: 0 | 1): void {
  const known = notes.get(code) ?? { count: 0, said: new Set() }
  known.count += by
  if (known.said.size < MAX_SAID) known.said.add(said)
  notes.set(code, known)
}

const REPEATED_HEADER = 'repeated-header'

/** Counts all typings of an unreadable row. */
export function countBadRow(tally: Tally, code: string, typings: number): void {
  tally.typings += typings
  tally.statuses.error += typings
  countCode(tally, code, typings)
}

/** Counts a field besides the typings that breaks a rule. */
export function countBroken(tally: Tally, code: string): void {
  tally.statuses.error += 1
  countCode(tally, code, 1)
}

function countCode(tally: Tally, code: string, by: number): void {
  tally.codes.set(code, (tally.codes.get(code) ?? 0) + by)
}
