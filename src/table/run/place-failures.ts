/** Failures of a table that was made of typing records, told where they stand in their file. */
import type { MadeTable } from '../input/records/made-table.ts'
import type { Failure } from '../output/failure-report.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { inSheet } from './in-sheet.ts'
import type { Tally } from '../output/tally.ts'

/** In a sheet of a workbook each has its address too. */
export function placeFailures(
  table: Pick<OpenTable, 'input' | 'plan'>,
  tally?: Pick<Tally, 'codes'>,
): (failure: Failure) => Failure {
  const placed = placeRecords(table.input.made, tally)
  return (failure) => inSheet(placed(failure), table)
}

/** What is wrong with the records themselves is told in place of what their joined text gives. */
function placeRecords(
  made: MadeTable | undefined,
  tally?: Pick<Tally, 'codes'>,
): (failure: Failure) => Failure {
  if (made === undefined) return (failure) => failure
  const { places, columns } = made
  const count = (code: string, more: number) => {
    if (tally === undefined) return
    const sum = (tally.codes.get(code) ?? 0) + more
    if (sum === 0) tally.codes.delete(code)
    else tally.codes.set(code, sum)
  }
  return (failure) => {
    const found = places.find(failure.line, columns.get(failure.column) ?? -1)
    if (found === undefined) return failure
    const { line, file, error = failure.error } = found
    if (error !== failure.error) {
      count(failure.error.code, -1)
      count(error.code, 1)
    }
    return { ...failure, line, file, error }
  }
}
