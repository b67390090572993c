/** What table mode says on stderr: how digits are read, the summary, what was written. */
import { writeFileSync } from 'node:fs'
import { type TablePlan, tryRead } from '../../batch/plan.ts'
import { type Distinct, noteTexts, type SummaryRecord, summaryText } from '../../batch/summary.ts'
import type { Tally } from '../../batch/tally.ts'
import { writeAll } from '../io/stdout.ts'
import type { SummaryChoice } from './table-requests.ts'
import type { TableRun } from './run-table.ts'

/** Readings that the cells themselves do not show. Antigens keep their name, old names do not. */
export function noteReadings({ talk }: TableRun, { groups, header }: TablePlan): void {
  for (const { columns, context, values, locus } of groups) {
    if (context.digits !== 'v2' && context.digits !== 'first-field') continue
    const example = values.find((value) => /^\d+$/.test(value))
    const read = example === undefined ? undefined : tryRead(example, context)
    if (read === undefined || read instanceof Error || read.kind === 'token') continue
    const names = columns.map((column) => header.labels[column]).join(' ')
    const kind = context.digits === 'v2' ? 'v2 names' : 'first fields'
    const result = read.glString.replace(`${locus}*`, '')
    const message = `${names}: digits without ":" read as ${kind} (${example} -> ${result})`
    talk.note({ level: 'note', code: 'bare-digits', message })
  }
}

export interface Finished {
  readonly tally: Tally
  readonly distinct: Distinct
  readonly record: SummaryRecord
  readonly choice: SummaryChoice
  readonly wrote: readonly string[]
}

export function tellSummary({ talk, quiet }: TableRun, finished: Finished): void {
  const { tally, distinct, record, choice, wrote } = finished
  const json = `${JSON.stringify(record)}\n`
  if (choice.file !== undefined) writeFileSync(choice.file, json)
  else if (choice.kind === 'json') writeAll(2, json)
  if (quiet) return
  if (choice.kind === 'text' || choice.file !== undefined)
    writeAll(2, `hla: ${summaryText(tally, distinct)}\n`)
  for (const note of noteTexts(tally)) talk.note({ level: 'note', ...note })
  if (wrote.length > 0) writeAll(2, `hla: wrote ${wrote.join(', ')}\n`)
}
