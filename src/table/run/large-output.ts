/** What is said of the size of an output before it is written. */
import type { OpenTable } from '../plan/open-table.ts'
import { estimateSize, estimateText, LARGE_RATIO, type SizeEstimate } from './size-estimate.ts'
import type { TableJob } from './table-job.ts'

type Sized = Pick<TableJob, 'answering' | 'operation' | 'inputs' | 'options' | 'source'>

/** Below it, the output is about as long as names are with their loci. */
const WORTH_A_LINE = 3
/** Bytes below which nobody minds. */
const SMALL = 1_000_000

/** For the plan; undefined: about that of the input. */
export function outputSize(job: Sized, table: OpenTable): string | undefined {
  const estimate = estimateFor(job, table)
  return estimate === undefined || estimate.ratio < WORTH_A_LINE
    ? undefined
    : estimateText(estimate, canKeep(job))
}

/** For who converts without a plan: maybe it should be stopped before it fills a disk. */
export function largeOutput(job: Sized, table: OpenTable): string | undefined {
  const estimate = estimateFor(job, table)
  if (estimate === undefined || estimate.ratio < LARGE_RATIO) return undefined
  if ((estimate.bytes ?? estimate.sampled) < SMALL) return undefined
  return `the output will be ${estimateText(estimate, canKeep(job))}`
}

function estimateFor(
  { answering, operation, inputs, options: { writing }, source }: Sized,
  table: OpenTable,
): SizeEstimate | undefined {
  const { executor, facts } = answering
  const asked = { executor, operation, inputs, width: writing.width, release: facts.label }
  return estimateSize(table, { ...asked, writing, size: source.size })
}

function canKeep({ operation }: Sized): boolean {
  return 'options' in operation.input.properties
}
