/** How a table is read, where the cells themselves do not show it. */
import { isHlaError } from '../../../../errors.ts'
import { splitCell } from '../../../../table/cells/joined/joined.ts'
import { planNotes } from '../../../../table/output/plan-notes.ts'
import type { Reporter } from '../../reporter.ts'
import { type PlannedGroup, type TablePlan, tryRead } from '../../../../table/plan/plan.ts'

/** Antigens keep their name, old names do not. */
export function noteReadings({ reporter }: { readonly reporter: Reporter }, plan: TablePlan): void {
  const { groups, header, aside, workbook, made } = plan
  for (const note of planNotes(plan)) reporter.note(note)
  if (workbook !== undefined && workbook.others.length > 0) {
    const message = `sheet ${workbook.sheet} is read; there is something in ${workbook.others.join(', ')} too: --sheet reads one of them`
    reporter.note({ level: 'note', code: 'sheets', message })
  }
  if (made !== undefined) {
    const { format, reading, left, unread } = made
    const lost = left.length === 0 ? '' : `; left out: ${left.join(', ')}`
    const other = unread.length === 0 ? '' : `; not read: ${unread.join(' ')}`
    reporter.note({
      level: 'note',
      code: 'records',
      message: `read as ${format} (${reading})${lost}${other}`,
    })
  }
  if (aside.length > 0) {
    const names = aside.map((column) => header.labels[column]).join(' ')
    const message = `${names}: results of an earlier conversion are not read as typings; -c reads them`
    reporter.note({ level: 'note', code: 'result-columns', message })
  }
  for (const message of joinedMessages(groups, header))
    reporter.note({ level: 'note', code: 'cell-separator', message })
  for (const [digits, kind] of READINGS) {
    const alike = groups.filter(({ context, hasDigits }) => hasDigits && context.digits === digits)
    const example = alike.map(findExample).find((one) => one !== undefined)
    if (example === undefined) continue
    const message = `${columnNames(alike, header)}: digits without ":" read as ${kind} (${example})`
    reporter.note({ level: 'note', code: 'bare-digits', message })
  }
  const undecided = groups.filter(({ context, hasDigits }) => hasDigits && context.digits === 'error')
  if (undecided.length === 0) return
  const message = `${columnNames(undecided, header)}: digits without ":" are not read; --bare-digits antigen, first-field, v2 or mixed says what they are`
  reporter.note({ level: 'note', code: 'bare-digits', message })
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
