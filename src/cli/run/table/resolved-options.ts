/** All that a command line decides about a table, with the defaults. Pure. */
import type { TableRun } from './table-run.ts'
import { layoutFor } from '../../../table/plan/layouts.ts'
import { readRequest, writeRequest } from '../../../table/plan/table-wishes.ts'
import type { Source } from '../../../io/door.ts'

export function resolvedOptions(run: AskedOfTable) {
  const layout = layoutFor(run.options.layout, run.source.title)
  return {
    reading: readRequest(run.options, layout, run.accept),
    writing: writeRequest(run.options, ...resultColumns(run)),
    engine: engineOf(run),
  }
}

export type AskedOfTable = Pick<TableRun, 'options' | 'operation' | 'inputs' | 'accept'> & {
  readonly source: Pick<Source, 'title'>
}

/** What was asked about each typing, whichever column it fills. */
function engineOf({ operation, inputs }: AskedOfTable): Record<string, unknown> {
  const { reduction_method: _, ...engine } = inputs[0] ?? {}
  return { operation: operation.name, ...engine }
}

/** The columns of all questions, and how many one of them fills. */
function resultColumns({ operation: { cells }, inputs, options }: AskedOfTable): [string[], number] {
  // inputs are of the operation
  const names = inputs.map((input) => cells.columns(input as never, options.details === true))
  return [names.flat(), names[0]?.length ?? 1]
}
