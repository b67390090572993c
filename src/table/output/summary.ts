/** The summary of a conversion, for people and for programs. */
import type { TablePlan } from '../plan/plan.ts'
import { type UnreadRecord, unreadRecords } from '../plan/recognition/unread-columns.ts'
import type { Tally } from './tally.ts'

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
    ...(tally.kinds.size === 0 ? [`${number(statuses.ok)} ok`] : kinds),
    ...(['absent', 'unknown', 'untyped', 'new'] as const)
      .filter((status) => statuses[status] > 0)
      .map((status) => `${number(statuses[status])} ${status}`),
    ...(statuses.error === 0 ? [] : [failedText(tally)]),
  ]
  const distinct = isExact && count < tally.typings ? ` (${number(count)} distinct)` : ''
  const columns = unread.flatMap((one) => one.columns).length
  const left = columns === 0 ? '' : `; ${plural(columns, 'column')} like typings not read`
  return `${plural(tally.rows, 'row')}, ${plural(tally.typings, 'typing')}${distinct}: ${shown.join(', ')}${left}`
}

/** `4 failed (1 bad-character, …)`; where kinds are told apart, `4 failed: 2 invalid, 2 malformed (…)` */
function failedText(tally: Tally): string {
  const kinds = kindTexts(tally, true)
  const of = kinds.length === 0 ? '' : `: ${kinds.join(', ')}`
  return `${number(tally.statuses.error)} failed${of} (${codesText(tally)})`
}

function kindTexts({ kinds }: Tally, isNo: boolean): string[] {
  return [...kinds]
    .filter(([, kind]) => kind.count > 0 && kind.isNo === isNo)
    .map(([name, { count }]) => `${number(count)} ${name}`)
}

function codesText({ codes }: Tally): string {
  const sorted = [...codes].sort(([a], [b]) => (a < b ? -1 : 1))
  return sorted.map(([code, count]) => `${number(count)} ${code}`).join(', ')
}

/** One line a kind of note, without `hla: note:`. */
export function noteTexts({ notes }: Tally): { readonly code: string; readonly message: string }[] {
  return [...notes].map(([code, { count, said }]) => {
    const list = [...said].sort()
    if (code === 'antigen-as-xx')
      return {
        code,
        message: `${plural(count, 'typing')} ${count === 1 ? 'is not an antigen and was' : 'are not antigens and were'} read as first-field codes (${list.join(' ')})`,
      }
    if (code === 'accepted')
      return {
        code,
        message: `${plural(count, 'typing')} repaired as allowed by --accept, such as ${list[0] ?? ''}`,
      }
    if (code === 'spreadsheet-marks')
      return {
        code,
        message: `${plural(count, 'typing')} read without the marks of a spreadsheet, such as ${list[0] ?? ''}`,
      }
    return { code, message: `${plural(count, 'typing')}: ${[...said][0] ?? ''}` }
  })
}

export interface SummaryRecord {
  readonly rows: number
  readonly typings: number
  /** null: more than were kept count of. */
  readonly distinct: number | null
  readonly status: Readonly<Record<string, number>>
  readonly codes: Readonly<Record<string, number>>
  /** Only where answers are told apart by kind. */
  readonly kinds?: Readonly<Record<string, number>>
  readonly notes: Readonly<Record<string, number>>
  /** Columns that look like typings and were not read; only where there are any. */
  readonly unread?: readonly UnreadRecord[]
}

export function summaryRecord(
  tally: Tally,
  { count, isExact }: Distinct,
  { unread, header }: Pick<TablePlan, 'unread' | 'header'>,
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
    ...(unread.length === 0 ? {} : { unread: unreadRecords(unread, header) }),
  }
}

function plural(count: number, word: string): string {
  return `${number(count)} ${word}${count === 1 ? '' : 's'}`
}

function number(count: number): string {
  return count.toLocaleString('en-US')
}
