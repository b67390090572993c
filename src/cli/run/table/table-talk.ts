/** What table mode says on stderr: how digits are read, the summary, what was written.  [disk] */
import type { TableRun } from './table-run.ts'
import { writeFileSync } from 'node:fs'
import { type PlannedGroup, type TablePlan, tryRead } from '../../../table/plan/plan.ts'
import { type Distinct, noteTexts, type SummaryRecord, summaryText } from '../../../table/output/summary.ts'
import type { Tally } from '../../../table/output/tally.ts'
import { writeAll } from '../../../io/stdout.ts'
import type { SummaryChoice } from './table-requests.ts'

/** Readings that the cells themselves do not show. Antigens keep their name, old names do not. */
export function noteReadings({ talk }: Pick<TableRun, 'talk'>, { groups, header, aside }: TablePlan): void {
  if (aside.length > 0) {
    const names = aside.map((column) => header.labels[column]).join(' ')
    const message = `${names}: results of an earlier conversion are not read as typings; -c reads them`
    talk.note({ level: 'note', code: 'result-columns', message })
  }
  for (const [digits, kind] of [
    ['v2', 'v2 names'],
    ['first-field', 'first fields'],
  ] as const) {
    const alike = groups.filter(({ context, hasDigits }) => hasDigits && context.digits === digits)
    const example = alike.map(exampleOf).find((one) => one !== undefined)
    if (example === undefined) continue
    const names = alike.flatMap(({ columns }) => columns.map((column) => header.labels[column])).join(' ')
    const message = `${names}: digits without ":" read as ${kind} (${example})`
    talk.note({ level: 'note', code: 'bare-digits', message })
  }
}

/** `0301 -> 03:01` */
function exampleOf({ values, context, locus }: PlannedGroup): string | undefined {
  const example = values.find((value) => /^\d+$/.test(value))
  const read = example === undefined ? undefined : tryRead(example, context)
  if (read === undefined || read instanceof Error || read.kind === 'token') return undefined
  return `${example} -> ${read.glString.replace(`${locus}*`, '')}`
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
