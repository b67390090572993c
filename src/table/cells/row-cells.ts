/** Cells of a row that may hold typings, decoded. */
import type { Dialect } from '../input/dialect.ts'
import { readable } from '../input/encoding.ts'
import type { PlannedGroup, TablePlan } from '../plan/plan.ts'
import type { TableRow } from '../input/read-table.ts'

export interface RowCell {
  readonly group: PlannedGroup
  readonly column: number
  readonly value: string
}

export function readCells(
  { values }: TableRow,
  { plan, dialect }: { readonly plan: TablePlan; readonly dialect: Dialect },
): RowCell[] {
  return plan.groups.flatMap((group) =>
    group.columns.map((column) => ({
      group,
      column,
      value: readable(values[column] ?? '', dialect.encoding),
    })),
  )
}
