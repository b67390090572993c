/** What table mode says on stderr: how the table is read, where its cells do not show it; while it converts; at the end.  [disk] */
import { writeFileSync } from 'node:fs'
import { naming } from '../../../../io/atomic-write.ts'
import { tell, writeAll } from '../../../../io/stdout.ts'
import { visibleLine } from '../../../../io/visible-text.ts'
import { failureText } from '../../../../table/output/failure-report.ts'
import { RENAMED_MEMBER } from '../../../../engine/expand/renamed-members.ts'
import { noteTexts, summaryText } from '../../../../table/output/summary.ts'
import { openProgress } from './progress.ts'
import type { TableReporter, TableResult } from '../../../../table/run/table-job.ts'
import type { SummaryChoice } from '../../../options/table-options.ts'
import { MOST_SHOWN, type Reporter } from '../../reporter.ts'
import type { TableRun } from '../table-run.ts'
import { isHlaError } from '../../../../errors.ts'
import { fitsText } from '../../../../table/cells/digits.ts'
import { splitCell } from '../../../../table/cells/joined/joined.ts'
import { notesBefore, planNotes } from '../../../../table/plan/recognition/plan-notes.ts'
import { type PlannedGroup, type TablePlan, tryRead } from '../../../../table/plan/plan.ts'

type Reported = Pick<TableRun, 'source' | 'options' | 'quiet' | 'reporter'>

export function tableReporter(run: Reported, choice: SummaryChoice): TableReporter {
  const { source, options, quiet, reporter } = run
  return {
    planned: (plan) => noteReadings({ reporter }, plan, notesBefore(plan)),
    warned: (note) => reporter.note({ level: 'note', ...note }),
    progress: (watched) => openProgress(options.progress, quiet, watched),
    ...failuresShown(source.name),
    finished: (result) => tellSummary(run, result, choice),
  }
}

/** The first are shown, the others are in the report, or counted. `table`: its name. */
export function failuresShown(table: string): Pick<TableReporter, 'failed' | 'allFailed'> {
  return {
    failed(failure, count) {
      if (count <= MOST_SHOWN) tell(`hla: ${visibleLine(failureText(failure, table))}\n`)
    },
    allFailed(count, report) {
      if (count <= MOST_SHOWN) return
      const where = report === undefined ? '' : ` in ${report}`
      tell(`hla: … ${(count - MOST_SHOWN).toLocaleString('en-US')} more${visibleLine(where)}\n`)
    },
  }
}

function tellSummary(
  { reporter, quiet, options }: Reported,
  result: TableResult,
  choice: SummaryChoice,
): void {
  const { tally, distinct, record, wrote } = result
  const json = `${JSON.stringify(record)}\n`
  const { file } = choice
  if (file !== undefined) naming(file, () => writeFileSync(file, json))
  else if (choice.kind === 'json') writeAll(2, json)
  if (quiet) return
  if (choice.kind === 'text' || choice.file !== undefined)
    tell(`hla: ${summaryText(tally, distinct, record)}\n`)
  for (const note of noteTexts(tally, options.details))
    reporter.note({ level: 'note', ...note }, options.details === true && note.code === RENAMED_MEMBER)
  reporter.more()
  if (wrote.length > 0) tell(`hla: wrote ${wrote.map(visibleLine).join(', ')}\n`)
}

/** Antigens keep their name, old names do not. */
export function noteReadings(
  { reporter }: { readonly reporter: Reporter },
  plan: TablePlan,
  notes = planNotes(plan),
): void {
  const { groups, header, aside, workbook, made } = plan
  for (const note of notes) reporter.note(note)
  if (workbook !== undefined && workbook.others.length > 0) {
    const message = `sheet ${workbook.sheet} is read; there is something in ${workbook.others.join(', ')} too: --sheet reads one of them`
    reporter.note({ level: 'note', code: 'sheets', message })
  }
  if (made !== undefined) {
    const { format, reading, left, ignored } = made
    const lost = left.length === 0 ? '' : `; left out: ${left.join(', ')}`
    const other = ignored.length === 0 ? '' : `; not read: ${ignored.join(', ')}`
    reporter.note({
      level: 'note',
      code: 'records',
      message: `read as ${format} (${reading})${lost}${other}`,
    })
  }
  if (made !== undefined) noteFiles(reporter, made)
  if (aside.length > 0) {
    const names = aside.map((column) => header.labels[column]).join(' ')
    const message = `${names}: results of an earlier conversion are not read as typings; -c reads them`
    reporter.note({ level: 'note', code: 'result-columns', message })
  }
  for (const message of joinedMessages(groups, header))
    reporter.note({ level: 'note', code: 'cell-separator', message })
  for (const message of digitMessages(plan)) reporter.note({ level: 'note', code: 'bare-digits', message })
}

/** Files of folders that were left out, and persons of several files. */
function noteFiles(
  reporter: Reporter,
  { skipped = [], repeated = [] }: NonNullable<TablePlan['made']>,
): void {
  const reasons = new Map<string, string[]>()
  for (const { name, reason } of skipped) reasons.set(reason, [...(reasons.get(reason) ?? []), name])
  for (const [reason, names] of reasons)
    reporter.note({ level: 'note', code: 'left-out', message: `not read: ${listed(names)}: ${reason}` })
  if (repeated.length === 0) return
  const message = `in several files, with a row of each: ${listed(repeated)}; --merge makes one row of a sample`
  reporter.note({ level: 'note', code: 'repeated-samples', message })
}

function listed(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${(names.length - 3).toLocaleString('en-US')} more` : ''
  return `${names.slice(0, 3).join(', ')}${more}`
}

function digitMessages({ groups, header }: TablePlan): string[] {
  const read = READINGS.flatMap(([digits, kind]) => {
    const alike = groups.filter(({ context, hasDigits }) => hasDigits && context.digits === digits)
    const example = alike.map(findExample).find((one) => one !== undefined)
    if (example === undefined) return []
    return `${columnNames(alike, header)}: digits without ":" read as ${kind} (${example}; ${fitsIn(alike)})`
  })
  const undecided = groups.filter(({ context, hasDigits }) => hasDigits && context.digits === 'error')
  if (undecided.length === 0) return read
  const message = `${columnNames(undecided, header)}: digits without ":" are not read (${fitsIn(undecided)}); --bare-digits antigen, first-field, v2 or mixed says what they are`
  return [...read, message]
}

/** What the first rows show. */
function fitsIn(groups: readonly PlannedGroup[]): string {
  return `${fitsText(groups.flatMap(({ digitFits }) => digitFits ?? []))} in the first rows`
}

const READINGS = [
  ['antigen', 'antigens'],
  ['v2', 'v2 names'],
  ['first-field', 'first fields'],
  ['mixed', 'first fields or v2 names, by their length'],
] as const

function columnNames(groups: readonly PlannedGroup[], { labels }: TablePlan['header']): string {
  return groups.flatMap(({ columns }) => columns.map((column) => labels[column])).join(' ')
}

/** One line a way that cells of several typings are read, or are not. */
function joinedMessages(groups: readonly PlannedGroup[], header: TablePlan['header']): string[] {
  const ways = new Map<string, { readonly groups: PlannedGroup[]; readonly example: string }>()
  for (const group of groups) {
    const found = describeJoined(group)
    if (found === undefined) continue
    const { groups: alike } = ways.get(found.way) ?? { groups: [] }
    ways.set(found.way, { example: found.example, ...ways.get(found.way), groups: [...alike, group] })
  }
  return [...ways].map(
    ([way, { groups: alike, example }]) => `${columnNames(alike, header)}: ${way} (${example})`,
  )
}

function describeJoined({ context, values }: PlannedGroup): { way: string; example: string } | undefined {
  const { joined } = context
  if (joined === undefined) return undefined
  for (const value of values) {
    const read = tryRead(value, context)
    if (joined.kind === 'asked') {
      if (isHlaError(read) && read.code === 'ambiguous-separator') return { way: ASKED, example: value }
    } else if (!(read instanceof Error) && read.kind === 'typing' && /[+^]/.test(read.glString)) {
      const way =
        joined.kind === 'split'
          ? `cells are two typings, split at "${joined.separator}"`
          : 'cells are phenotypes'
      return { way, example: `${value} -> ${read.glString}` }
    }
  }
  return undefined
}

const ASKED =
  'cells may be two typings, or possible alleles of one, and are not read; --cell-separator says which'

/** `0301 -> 03:01`: one that is read as something else than its digits. */
function findExample({ values, context, locus }: PlannedGroup): string | undefined {
  const separator = context.joined?.kind === 'split' ? context.joined.separator : undefined
  const typings = separator === undefined ? values : values.flatMap((value) => splitCell(value, separator))
  for (const value of typings) {
    const read = /^\d+$/.test(value) ? tryRead(value, context) : undefined
    if (read === undefined || read instanceof Error || read.kind === 'token') continue
    const name = read.glString.replace(`${locus}*`, '')
    if (name !== value) return `${value} -> ${name}`
  }
  return undefined
}
