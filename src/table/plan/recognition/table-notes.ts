/** Notes about how a table is read, which its result does not show: columns, sheets, digits, cells of several typings, files. Pure. */
import { type Advice, advice, messageText, option } from '../../../advice.ts'
import { isHlaError } from '../../../errors.ts'
import { fitsText } from '../../cells/digits.ts'
import { splitCell } from '../../cells/joined/joined.ts'
import type { MadeFacts } from '../../input/input.ts'
import type { FileNote } from '../../input/records/gathering/places.ts'
import { type PlannedGroup, type TablePlan, tryRead } from '../plan.ts'
import { planNotes } from './plan-notes.ts'
import { formatCount } from '../../../format-count.ts'

export interface TableNote {
  readonly level: 'warning' | 'note'
  readonly code: string
  readonly message: string
}

/** `notes`: those of the plan. */
export function tableNotes(
  plan: TablePlan,
  notes: readonly TableNote[] = planNotes(plan),
): readonly TableNote[] {
  const { groups, header, aside, workbook, made } = plan
  const note = (code: string, message: string): TableNote => ({ level: 'note', code, message })
  return [
    ...notes,
    ...(workbook === undefined || workbook.others.length === 0
      ? []
      : [
          note(
            'sheets',
            text(
              advice`sheet ${workbook.sheet} is read; there are also cells in ${workbook.others.join(', ')}: ${option('sheet')} reads one of them`,
            ),
          ),
        ]),
    ...(made === undefined ? [] : [note('records', recordsText(made)), ...fileNotes(made)]),
    ...(aside.length === 0
      ? []
      : [
          note(
            'result-columns',
            text(
              advice`${aside.map((column) => header.labels[column]).join(' ')}: results of an earlier conversion are not read as typings; ${option('columns')} reads them`,
            ),
          ),
        ]),
    ...joinedMessages(groups, header).map((message) => note('cell-separator', message)),
    ...digitMessages(plan).map((message) => note('bare-digits', message)),
  ]
}

function recordsText({ format, reading, left, ignored }: MadeFacts): string {
  const lost = left.length === 0 ? '' : `; left out: ${left.join(', ')}`
  const other = ignored.length === 0 ? '' : `; not read: ${ignored.join(', ')}`
  return `read as ${format} (${reading})${lost}${other}`
}

/** Readings of tables among several files; equal ones together. */
export function readingNotes(notes: readonly FileNote[]): readonly TableNote[] {
  const alike = new Map<string, { readonly note: TableNote; readonly files: string[] }>()
  for (const { file, ...note } of notes) {
    const known = alike.get(`${note.code} ${note.message}`) ?? { note, files: [] }
    alike.set(`${note.code} ${note.message}`, { ...known, files: [...known.files, file] })
  }
  return [...alike.values()].map(({ note, files }) => ({ ...note, message: `${listed(files)}: ${note.message}` })) // prettier-ignore
}

/** Reading of tables among the files, files left out, and persons found in several files. */
function fileNotes({ notes = [], skipped = [], repeated = [] }: MadeFacts): readonly TableNote[] {
  const reasons = new Map<string, string[]>()
  for (const { name, reason } of skipped) reasons.set(reason, [...(reasons.get(reason) ?? []), name])
  const note = (code: string, message: string): TableNote => ({ level: 'note', code, message })
  return [
    ...readingNotes(notes),
    ...[...reasons].map(([reason, names]) => note('left-out', `not read: ${listed(names)}: ${reason}`)),
    ...(repeated.length === 0
      ? []
      : [
          note(
            'repeated-samples',
            text(
              advice`samples in several files, with a row from each file: ${listed(repeated)}; ${option('merge')} makes one row per sample`,
            ),
          ),
        ]),
  ]
}

function listed(names: readonly string[]): string {
  const more = names.length > 3 ? ` and ${formatCount(names.length - 3)} more` : ''
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
  const message = text(
    advice`${columnNames(undecided, header)}: digits without ":" are not read (${fitsIn(undecided)}); ${option('bare-digits', 'antigen')}, first-field, v2 or mixed says what they are`,
  )
  return [...read, message]
}

/** Findings in the first rows. */
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

const ASKED = text(
  advice`cells may be two typings, or possible alleles of one, and are not read; ${option('cell-separator')} says which`,
)

/** Only the command line shows these notes. */
function text(note: Advice): string {
  return messageText(note, 'command-line')
}

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
