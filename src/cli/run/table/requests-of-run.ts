/** What a run over a table asks for, with all defaults: what is wrong with it is found before anything is opened. */
import { layoutFor } from '../../../table/plan/layouts.ts'
import { checkpointPace } from './progress/resume.ts'
import { resolvedOptions } from './resolved-options.ts'
import { reportFile } from './table-failures.ts'
import { parseMaxErrors, parseSummary } from './table-requests.ts'
import type { TableRun } from './table-run.ts'
import { jobCount } from './workers/job-count.ts'
import { provenanceFile } from './write-provenance.ts'

export function requestsOf(run: TableRun) {
  const { options, source, output, beside } = run
  return {
    layout: layoutFor(options.layout, source.title),
    options: resolvedOptions(run),
    summary: parseSummary(options.summary),
    provenance: provenanceFile(run),
    maxErrors: parseMaxErrors(options.maxErrors),
    jobs: jobCount(options.jobs, source.size),
    pace: checkpointPace(run),
    report: reportFile({ asked: options.errors, output, beside }),
  }
}

export type Requests = ReturnType<typeof requestsOf>
