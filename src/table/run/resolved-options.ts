/** All that is decided about a table by what somebody says about it, with the defaults. Pure. */
import type { Leniency } from '../../engine/accept.ts'
import type { CellOperation } from '../../operations/operation.ts'
import { layoutFor } from '../plan/layouts.ts'
import { readRequest, type RawTableOptions, writeRequest } from '../plan/raw-table-options.ts'
import type { ResolvedOptions } from './table-job.ts'

export interface TableQuestion {
  readonly source: { readonly title: string }
  /** `details`: also the columns that not everybody wants. */
  readonly options: RawTableOptions & { readonly details?: boolean }
  readonly operation: CellOperation
  /** What is asked about each typing: the properties of each question besides the typing. */
  readonly inputs: readonly Readonly<Record<string, unknown>>[]
  readonly accept: readonly Leniency[]
}

export function resolvedOptions(run: TableQuestion): ResolvedOptions {
  const layout = layoutFor(run.options.layout, run.source.title)
  return {
    reading: readRequest(run.options, layout, run.accept),
    writing: writeRequest(run.options, ...resultColumns(run)),
    engine: engineInputs(run),
  }
}

/** What was asked about each typing, whichever column it fills. */
function engineInputs({ operation, inputs }: TableQuestion): Record<string, unknown> {
  const { reduction_method: _, ...engine } = inputs[0] ?? {}
  return { operation: operation.name, ...engine }
}

/** The columns of all questions, and how many one of them fills. */
function resultColumns({ operation: { cells }, inputs, options }: TableQuestion): [string[], number] {
  // inputs are of the operation
  const names = inputs.map((input) => cells.columns(input as never, options.details === true))
  return [names.flat(), names[0]?.length ?? 1]
}
