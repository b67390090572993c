/** Messages of table mode on stderr: ambiguous readings of the table, progress, and the summary.  [disk] */
import { writeFileSync } from 'node:fs'
import { addErrorPath } from '../../../../io/atomic-write.ts'
import { currentRun } from '../../../../io/run.ts'
import { tell, writeAll } from '../../../../io/stdout.ts'
import { visibleLine } from '../../../../io/visible-text.ts'
import { failureText } from '../../../../table/output/failure-report.ts'
import { LOSS_CODES, noteTexts, summaryText } from '../../../../table/output/summary.ts'
import { openProgress } from './progress.ts'
import type { TableJob, TableReporter, TableResult } from '../../../../table/run/table-job.ts'
import type { SummaryChoice, TableOptions } from '../../../options/table-options.ts'
import { MAX_MESSAGES, type Reporter } from '../../reporter.ts'
import type { FileNote } from '../../../../table/input/places.ts'
import { notesBefore, readingNotes, tableNotes } from '../../../../table/plan/recognition/table-notes.ts'
import { formatCount } from '../../../../format-count.ts'

interface ReportedRun extends Pick<TableJob, 'source'> {
  readonly options: TableOptions
  readonly quiet: boolean
  readonly reporter: Reporter
}

export function tableReporter(run: ReportedRun, choice: SummaryChoice): TableReporter {
  const { source, options, quiet, reporter } = run
  /** Readings of the files opened so far; a long run opens more later. */
  let readings: readonly FileNote[] = []
  let notesShown = 0
  return {
    planned(plan) {
      readings = plan.source?.notes ?? []
      notesShown = readings.length
      for (const note of tableNotes(plan, notesBefore(plan))) reporter.note(note)
    },
    warned: (note) => reporter.note({ level: 'note', ...note }),
    progress: (observed) => openProgress(options.progress, quiet, observed),
    ...failuresShown(source.name),
    finished(result) {
      for (const note of readingNotes(readings.slice(notesShown))) reporter.note(note)
      tellSummary(run, result, choice)
    },
  }
}

/** Prints the first failures; the report lists the others, or they are counted. `table` is its name. */
export function failuresShown(table: string): Pick<TableReporter, 'failed' | 'allFailed'> {
  return {
    failed(failure, count) {
      if (count <= MAX_MESSAGES) tell(`hla: ${visibleLine(failureText(failure, table))}\n`)
    },
    allFailed(count, report) {
      if (count <= MAX_MESSAGES) return
      const where = report === undefined ? '' : ` in ${report}`
      tell(`hla: … ${formatCount(count - MAX_MESSAGES)} more${visibleLine(where)}\n`)
    },
  }
}

function tellSummary(
  { reporter, quiet, options }: ReportedRun,
  result: TableResult,
  choice: SummaryChoice,
): void {
  const { tally, distinct, record, wrote } = result
  const json = `${JSON.stringify(record)}\n`
  const { file } = choice
  if (file !== undefined) addErrorPath(file, () => writeFileSync(file, json))
  else if (choice.kind === 'json') writeAll(currentRun().messages, json)
  if (quiet) return
  if (choice.kind === 'text' || choice.file !== undefined)
    tell(`hla: ${summaryText(tally, distinct, record)}\n`)
  const details = options.details === true || reporter.isVerbose
  for (const note of noteTexts(tally, details))
    reporter.note({ level: 'note', ...note }, details && LOSS_CODES.has(note.code))
  reporter.more()
  if (wrote.length > 0) tell(`hla: wrote ${wrote.map(visibleLine).join(', ')}\n`)
}
