/** A failure in a table that was a sheet of a workbook: where the cell stands there, for whoever corrects it. */
import { HlaError } from '../../errors.ts'
import type { Failure } from '../output/failure-report.ts'
import type { OpenTable } from '../plan/open-table.ts'

export function inSheet(failure: Failure, { input, plan }: Pick<OpenTable, 'input' | 'plan'>): Failure {
  const { workbook } = input
  if (workbook === undefined) return failure
  // columns of a table that was made of records are none of the sheet
  const column = plan.made === undefined ? plan.header.labels.indexOf(failure.column) : -1
  const line = workbook.rowAt(failure.line)
  const address = workbook.address(line, column < 0 ? undefined : column)
  const { code, message, offending, position, suggestions, hint, facts } = failure.error
  const details = { offending, position, suggestions, hint, facts, cause: failure.error }
  return { ...failure, line, error: new HlaError(code, `${address}: ${message}`, details) }
}
