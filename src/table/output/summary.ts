/** Counts of a conversion, and their summary as text and as data. */
import type { Face } from '../../advice.ts'
import type { TablePlan } from '../plan/plan.ts'
import { repeatedHeaderText } from '../plan/recognition/odd-rows.ts'
import { type UnreadRecord, unreadRecords } from '../plan/recognition/unread-text.ts'
import type { CellAnswer } from '../cells/answers.ts'
import type { TokenStatus } from '../cells/tokens.ts'
import { RENAMED_MEMBER } from '../../engine/expand/renamed-members.ts'
import type { RenamedMember } from '../../errors.ts'
import { readLocus } from '../../nomenclature/allele.ts'
import { compareNames, compareText } from '../../nomenclature/order.ts'
import { formatCount, counted } from '../../format-count.ts'

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

/** One line per kind of note, without `hla: note:`; for renamed members one per name, with their codes if `details`. */
export function noteTexts({ notes, renamed }: Tally, details = false): NoteText[] {
  return [...notes].flatMap(([code, { count, said }]): NoteText | NoteText[] => {
    if (code === REPEATED_HEADER) return { code, message: repeatedHeaderText([...said].map(Number), count) }
    // an older service does not report the names
    if (code === RENAMED_MEMBER && renamed.size > 0)
      return renamedLines(renamed, details).map((message) => ({ code, message }))
    const list = [...said].sort()
    if (code === 'antigen-as-xx')
      return {
        code,
        message: `${counted(count, 'typing')} ${count === 1 ? 'is not an antigen and was' : 'are not antigens and were'} read as first-field codes (${list.join(' ')})`,
      }
    if (code === 'accepted')
      return {
        code,
        message: `${counted(count, 'typing')} repaired as allowed, such as ${list[0] ?? ''}`,
      }
    if (code === 'spreadsheet-marks')
      return {
        code,
        message: `${counted(count, 'typing')} read without spreadsheet quoting, such as ${list[0] ?? ''}`,
      }
    return { code, message: `${counted(count, 'typing')}: ${[...said][0] ?? ''}` }
  })
}

export interface SummaryRecord {
  readonly rows: number
  readonly typings: number
  /** null when the number exceeds what could be counted. */
  readonly distinct: number | null
  readonly status: Readonly<Record<string, number>>
  readonly codes: Readonly<Record<string, number>>
  /** Only for operations that distinguish kinds of answers. */
  readonly kinds?: Readonly<Record<string, number>>
  readonly notes: Readonly<Record<string, number>>
  /** Renamed members of codes; absent when there are none. */
  readonly renamed?: readonly RenamedRecord[]
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
    ...(tally.renamed.size === 0 ? {} : { renamed: renamedRecords(tally.renamed) }),
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
  readonly renamed: RenamedCounts
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
    renamed: new Map(),
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
  countRenamed(tally.renamed, notes)
  const noted = new Set<string>()
  for (const note of notes) {
    const known = tally.notes.get(note.code) ?? { count: 0, said: new Set() }
    // counts typings, however many of their parts have the note
    if (!noted.has(note.code)) known.count += 1
    noted.add(note.code)
    if (known.said.size < MAX_SAID) known.said.add('reading' in note ? note.reading : note.message)
    tally.notes.set(note.code, known)
  }
}

/** Counts a repeated header as a note; its line is among the readings. */
export function countRepeatedHeader(tally: Tally, line: number): void {
  const known = tally.notes.get(REPEATED_HEADER) ?? { count: 0, said: new Set() }
  known.count += 1
  if (known.said.size < MAX_SAID) known.said.add(String(line))
  tally.notes.set(REPEATED_HEADER, known)
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

/** Counts since the last call. */
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

/** `linesBefore`: number of lines before those of the second tally. */
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
      if (known.said.size < MAX_SAID)
        known.said.add(code === REPEATED_HEADER ? String(Number(one) + linesBefore) : one)
    tally.notes.set(code, known)
  }
  addRenamed(tally.renamed, renamed)
}

interface RenamedCount extends Omit<RenamedMember, 'code'> {
  cells: number
  /** Distinct codes, the first `MAX_CODES` of the table. */
  readonly codes: Set<string>
}

/** Key: member and present name. */
export type RenamedCounts = Map<string, RenamedCount>

/** Maximum number of codes distinguished per name. */
const MAX_CODES = 10_000

/** Counts a cell once per name, however many codes and methods note it. */
export function countRenamed(counts: RenamedCounts, notes: CellAnswer['notes']): void {
  const noted = new Set<RenamedCount>()
  for (const note of notes) {
    if (!('renamed' in note) || note.renamed === undefined) continue
    const count = findCount(counts, note.renamed)
    if (!noted.has(count)) count.cells += 1
    noted.add(count)
    addCode(count, note.renamed.code)
  }
}

/** `more` was counted after `counts`. */
export function addRenamed(counts: RenamedCounts, more: RenamedCounts): void {
  for (const renamed of more.values()) {
    const count = findCount(counts, renamed)
    count.cells += renamed.cells
    for (const code of renamed.codes) addCode(count, code)
  }
}

function findCount(
  counts: RenamedCounts,
  { member, name, lifted }: Omit<RenamedMember, 'code'>,
): RenamedCount {
  const key = `${member} ${name}`
  const known = counts.get(key)
  if (known !== undefined) return known
  const count = { member, name, ...(lifted === true ? { lifted } : {}), cells: 0, codes: new Set<string>() }
  counts.set(key, count)
  return count
}

function addCode({ codes }: RenamedCount, code: string): void {
  if (codes.size < MAX_CODES) codes.add(code)
}

/** Maximum number of names shown. */
const MAX_LINES = 10

/**
 * `B*14:78 is B*14:78N now: 12 codes, 40 cells`, in the order of the names: those with the most cells, and the number
 * of others. `details`: all of them, with the codes.
 */
export function renamedLines(counts: RenamedCounts, details: boolean): string[] {
  const all = inOrder(counts)
  if (details) return all.map((one) => `${renamedLine(one)} (${[...one.codes].sort(compareNames).join(' ')})`)
  const shown = new Set([...all].sort((a, b) => b.cells - a.cells).slice(0, MAX_LINES))
  const lines = all.filter((one) => shown.has(one)).map(renamedLine)
  const more = all.length - lines.length
  return more === 0
    ? lines
    : [
        ...lines,
        `${counted(more, 'more member')} of codes ${more === 1 ? 'is' : 'are'} now named differently`,
      ]
}

function renamedLine({ member, name, lifted, cells, codes }: RenamedCount): string {
  const read = lifted === true ? ', and read under that name' : ''
  const most = codes.size < MAX_CODES ? '' : ' or more'
  return `${member} is ${name} now${read}: ${counted(codes.size, 'code')}${most}, ${counted(cells, 'cell')}`
}

/** JSON form. */
interface RenamedRecord extends Omit<RenamedMember, 'code'> {
  /** Number of codes. */
  readonly codes: number
  readonly cells: number
}

export function renamedRecords(counts: RenamedCounts): RenamedRecord[] {
  return inOrder(counts).map(({ cells, codes, ...renamed }) => ({ ...renamed, codes: codes.size, cells }))
}

/** By locus, then in the order of names. */
function inOrder(counts: RenamedCounts): RenamedCount[] {
  const locus = ({ member }: RenamedCount) => readLocus(member)
  return [...counts.values()].sort(
    (a, b) =>
      compareText(locus(a), locus(b)) || compareNames(a.member, b.member) || compareNames(a.name, b.name),
  )
}
