/** What table mode says on stderr while it converts, and at the end.  [disk] */
import { writeFileSync } from 'node:fs'
import { writeAll } from '../../../../io/stdout.ts'
import { failureText } from '../../../../table/output/failure-report.ts'
import { noteTexts, summaryText } from '../../../../table/output/summary.ts'
import { openProgress } from './progress.ts'
import { noteReadings } from './table-messages.ts'
import type { Beginning, TableReporter, TableResult } from '../../../../table/run/table-job.ts'
import type { SummaryChoice } from '../table-requests.ts'
import { MOST_SHOWN } from '../../reporter.ts'
import type { TableRun } from '../table-run.ts'

type Reported = Pick<TableRun, 'source' | 'options' | 'quiet' | 'reporter'>

export function tableReporter(run: Reported, choice: SummaryChoice): TableReporter {
  const { source, options, quiet, reporter } = run
  return {
    planned: (plan) => noteReadings({ reporter }, plan),
    warned: (note) => reporter.note({ level: 'note', ...note }),
    begun: (beginning) => reporter.note({ level: 'note', code: 'resume', message: beginningText(beginning) }),
    progress: (watched) => openProgress(options.progress, quiet, watched),
    ...failuresShown(source.name),
    finished: (result) => tellSummary(run, result, choice),
  }
}

/** The first are shown, the others are in the report, or counted. `table`: its name. */
export function failuresShown(table: string): Pick<TableReporter, 'failed' | 'allFailed'> {
  return {
    failed(failure, count) {
      if (count <= MOST_SHOWN) writeAll(2, `hla: ${failureText(failure, table)}\n`)
    },
    allFailed(count, report) {
      if (count <= MOST_SHOWN) return
      const where = report === undefined ? '' : ` in ${report}`
      writeAll(2, `hla: … ${(count - MOST_SHOWN).toLocaleString('en-US')} more${where}\n`)
    },
  }
}

function beginningText(beginning: Beginning): string {
  if (beginning.kind === 'resumed') return `going on after ${beginning.rows.toLocaleString('en-US')} rows`
  const { kind, output, isRemote } = beginning
  if (kind === 'dropped')
    return `an interrupted run of ${output} is dropped; --resume would have gone on with it`
  return `there is nothing to resume ${isRemote ? 'of' : 'beside'} ${output}: it is begun anew`
}

function tellSummary({ reporter, quiet }: Reported, result: TableResult, choice: SummaryChoice): void {
  const { tally, distinct, record, wrote } = result
  const json = `${JSON.stringify(record)}\n`
  if (choice.file !== undefined) writeFileSync(choice.file, json)
  else if (choice.kind === 'json') writeAll(2, json)
  if (quiet) return
  if (choice.kind === 'text' || choice.file !== undefined)
    writeAll(2, `hla: ${summaryText(tally, distinct, record)}\n`)
  for (const note of noteTexts(tally)) reporter.note({ level: 'note', ...note })
  if (wrote.length > 0) writeAll(2, `hla: wrote ${wrote.join(', ')}\n`)
}
