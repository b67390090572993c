/** Failed cells grouped by value, with replacements. Pure. */
import { type Face, errorText, hintLine } from '../../operations/faces.ts'
import type { HlaError } from '../../errors.ts'
import type { Failure } from '../../table/output/failure-report.ts'

export interface FailedValue {
  /** Empty for a failure of a whole row. */
  readonly value: string
  readonly locus: string
  readonly code: string
  /** Message of the first cell. */
  readonly message: string
  /** Hint; empty without one. */
  readonly hint: string
  /** Whole cells that could replace this one. */
  readonly replacements: readonly string[]
  /** Number of cells. */
  cells: number
  readonly columns: string[]
  /** Lines of the first cells. */
  readonly lines: number[]
}

const [MAX_VALUES, MAX_LINES] = [100, 3]

/** Keeps the first `MAX_VALUES` values; `add` counts further cells of those. */
export function groupFailedValues(face: Face) {
  const values = new Map<string, FailedValue>()
  return {
    values: (): readonly FailedValue[] => [...values.values()],
    add({ value, locus, column, line, error }: Failure) {
      // a failure of a whole row has no value: rows are grouped by message
      const key = `${error.code} ${locus} ${value === '' ? error.message : value}`
      const existing = values.get(key)
      if (existing === undefined && values.size >= MAX_VALUES) return
      const group = existing ?? {
        value,
        locus,
        code: error.code,
        message: errorText(error, face),
        hint: hintLine(error, face) ?? '',
        replacements: replacementsFor(value, locus, error),
        cells: 0,
        columns: [],
        lines: [],
      }
      values.set(key, group)
      group.cells += 1
      if (!group.columns.includes(column)) group.columns.push(column)
      if (group.lines.length < MAX_LINES && !group.lines.includes(line)) group.lines.push(line)
    },
  }
}

/** Characters around a name in a cell with several. */
const BOUNDARY = /^[\^|+~/?,;\s]?$/

/** The cell with the wrong name replaced by each suggestion; none where the name's place in the cell is not certain. */
function replacementsFor(text: string, locus: string, { offending = '', suggestions }: HlaError): string[] {
  if (offending === '' || text === '') return []
  if (offending === text || offending === `${locus}*${text}`) return [...suggestions]
  const start = text.indexOf(offending)
  const end = start + offending.length
  const isOnce = start >= 0 && !text.includes(offending, start + 1)
  if (!isOnce || !BOUNDARY.test(text.charAt(start - 1)) || !BOUNDARY.test(text.charAt(end))) return []
  return suggestions.map((suggestion) => text.slice(0, start) + suggestion + text.slice(end))
}
