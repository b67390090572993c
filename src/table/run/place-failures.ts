/** Failures of a table that was made of typing records, told where they stand in their file. */
import type { MadeTable } from '../input/records/made-table.ts'
import type { Failure } from '../output/failure-report.ts'
import type { OpenTable } from '../plan/open-table.ts'
import { inSheet } from './in-sheet.ts'

/** In a sheet of a workbook each has its address too. */
export function placeFailures(table: Pick<OpenTable, 'input' | 'plan'>): (failure: Failure) => Failure {
  const placed = placeRecords(table.input.made)
  return (failure) => inSheet(placed(failure), table)
}

/** What is wrong with the records themselves is told with their lines; the code is what reading the cell gives. */
function placeRecords(made: MadeTable | undefined): (failure: Failure) => Failure {
  if (made === undefined) return (failure) => failure
  const { places, columns } = made
  return (failure) => {
    const found = places.find(failure.line, columns.get(failure.column) ?? -1)
    if (found === undefined) return failure
    const { line, file, error = failure.error } = found
    return { ...failure, line, file, error }
  }
}
