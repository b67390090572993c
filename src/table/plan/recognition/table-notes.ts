/**
 * Notes about how a table is read, which its result does not show: unread columns, words without a declared meaning,
 * columns, sheets, digits, cells of several typings, files. Pure.
 */
import { type Advice, advice, clause, joinAdvice, option } from '../../../advice.ts'
import { type Face, messageText } from '../../../operations/faces.ts'
import { isHlaError } from '../../../errors.ts'
import { formatCount } from '../../../format-count.ts'
import { compareReleases } from '../../../reference/release-number.ts'
import { digitsAdvice, fitsText } from '../../cells/digits.ts'
import { splitCell } from '../../cells/joined/joined.ts'
import type { NameFacts } from '../../cells/name-facts.ts'
import { notedNames } from '../../cells/tokens.ts'
import type { SourceFacts } from '../table-input.ts'
import { hlaRelease } from '../../../reference/release-number.ts'
import type { FileNote } from '../../input/places.ts'
import type { Header } from '../header.ts'
import { type PlannedGroup, type TablePlan, tryRead } from '../plan.ts'
import { labelsIn, unreadText } from './unread-text.ts'

export interface TableNote {
  readonly level: 'warning' | 'note'
  readonly code: string
  readonly message: string
}

function note(code: string, message: string): TableNote {
  return { level: 'note', code, message }
}

/** Maximum number of words shown. */
export const MAX_WORDS = 8

/** Words of all columns, most frequent first. */
export function collectWords(
  groups: readonly { readonly words: readonly (readonly [string, number])[] }[],
): (readonly [string, number])[] {
  const counts = new Map<string, number>()
  for (const [word, count] of groups.flatMap(({ words }) => words))
    counts.set(word, (counts.get(word) ?? 0) + count)
  return [...counts].sort((a, b) => b[1] - a[1])
}

export function missingOption(words: readonly (readonly [string, number])[]): Advice {
  const list = words
    .slice(0, MAX_WORDS)
    .map(([word]) => word.trim())
    .join(',')
  return option('missing', list)
}

/** Notes on a plan before the first row. */
export function planNotes(
  { unread, header, groups, source, rowNotes }: TablePlan,
  face: Face = 'command-line',
): TableNote[] {
  const words = collectWords(groups)
  const shown = words.slice(0, MAX_WORDS).map(([word, count]) => `${JSON.stringify(word)} ${count}x`)
  const more = words.length > shown.length ? ` and ${words.length - shown.length} more` : ''
  const notes: TableNote[] = []
  if (unread.length > 0)
    notes.push({ level: 'warning', code: 'unread-columns', message: messageText(unreadText(unread, header), face) }) // prettier-ignore
  if (words.length > 0) {
    const message = advice`unrecognised values: ${shown.join(', ')}${more}${clause`; ${missingOption(words)} treats them as untyped`}`
    notes.push({ level: 'note', code: 'unknown-words', message: messageText(message, face) })
  }
  return [
    ...notes,
    ...rowNotes.map((note) => ({ ...note, message: messageText(note.message, face) })),
    ...notationNotes(groups, header),
    ...releaseNotes(source, groups[0]?.context.facts.label, face),
  ]
}

function notationNotes(groups: readonly PlannedGroup[], header: Header): TableNote[] {
  const noted = groups.filter(({ context }) => context.isNotation === true)
  const [example] = noted.flatMap(({ values, context: { facts } }) =>
    values.flatMap((value) => notedExample(value, facts)),
  )
  if (example === undefined) return []
  const columns = labelsIn(noted.flatMap((group) => group.columns), header) // prettier-ignore
  return [
    { level: 'note', code: 'notation', message: `${columns}: names are written without "*" (${example})` },
  ]
}

function notedExample(value: string, facts: NameFacts): string[] {
  const names = notedNames(value.trim(), facts)
  return names === undefined ? [] : [`${value.trim()} -> ${names}`]
}

/** Notes for a table whose rows are converted; notes counted during the conversion are reported there. */
export function notesBefore(plan: TablePlan, face?: Face): TableNote[] {
  return planNotes(plan, face).filter(({ code }) => plan.source !== undefined || code !== 'repeated-header')
}

/**
 * Notes on releases that typings state, which decide what alleles they could name. `label`: answering release,
 * `3.58.0`.
 */
function releaseNotes(source: TablePlan['source'], label: string | undefined, face: Face): TableNote[] {
  if (source === undefined || source.releases.size === 0) return []
  const { past } = source
  const all = [...source.releases]
  const isKnown = (name: string) => past?.isKnown(hlaRelease(name) ?? '') === true
  const isAskedFor = (name: string) =>
    !isKnown(name) && (past === undefined || !past.isKnown(label ?? '')) && isUpTo(name, label)
  const isOther = (name: string) => !isKnown(name) && !isAskedFor(name)
  const of = (is: (name: string) => boolean) => all.filter(([name]) => is(name))
  const parts = [
    ...partOf(of(isKnown), '; names that have changed since are translated'),
    ...partOf(of(isAskedFor), clause`; to translate names that have changed since, use ${option('lift')}`),
    ...partOf(of(isOther), `, which is unknown or later than ${label}: these names are read unchanged`),
  ]
  const message = messageText(advice`typings state that they were made with ${joinAdvice(parts, '; ')}`, face)
  return [{ level: 'note', code: 'source-releases', message }]
}

function partOf(releases: readonly (readonly [string, number])[], reading: Advice): Advice[] {
  return releases.length === 0 ? [] : [advice`${releaseList(releases)}${reading}`]
}

function releaseList(releases: readonly (readonly [string, number])[]): string {
  const shown = releases.slice(0, MAX_WORDS).map(([name, count]) => `${name} (${count})`)
  const more = releases.length > shown.length ? ` and ${releases.length - shown.length} more` : ''
  return shown.join(', ') + more
}

/** True for `IMGT/HLA 3.25.0`; false for a number that is malformed or newer than ours. */
function isUpTo(name: string, label: string | undefined): boolean {
  const release = hlaRelease(name.slice(name.lastIndexOf(' ') + 1))
  return release !== undefined && (label === undefined || compareReleases(release, label) <= 0)
}

/** All notes; `notes`: those of the plan. */
export function tableNotes(
  plan: TablePlan,
  notes: readonly TableNote[] = planNotes(plan),
): readonly TableNote[] {
  const { groups, header, aside, workbook, source } = plan
  const all = [...notes]
  if (workbook !== undefined && workbook.others.length > 0) {
    const message = advice`sheet ${workbook.sheet} is read; there are also cells in ${workbook.others.join(', ')}: ${option('sheet')} reads one of them`
    all.push(note('sheets', text(message)))
  }
  if (source !== undefined) all.push(note('records', recordsText(source)), ...fileNotes(source))
  if (aside.length > 0) {
    const message = advice`${aside.map((column) => header.labels[column]).join(' ')}: results of an earlier conversion are not read as typings; ${option('columns')} reads them`
    all.push(note('result-columns', text(message)))
  }
  return [
    ...all,
    ...joinedMessages(groups, header).map((message) => note('cell-separator', message)),
    ...digitMessages(plan).map((message) => note('bare-digits', message)),
  ]
}

function recordsText({ format, reading, left, ignored }: SourceFacts): string {
  const lost = left.length === 0 ? '' : `; left out: ${left.join(', ')}`
  const other = ignored.length === 0 ? '' : `; not read: ${ignored.join(', ')}`
  return `read as ${format} (${reading})${lost}${other}`
}

/** Readings of tables among several files; equal ones together. */
export function readingNotes(notes: readonly FileNote[]): TableNote[] {
  const alike = new Map<string, { readonly note: TableNote; readonly files: string[] }>()
  for (const { file, ...one } of notes) {
    const known = alike.get(`${one.code} ${one.message}`) ?? { note: one, files: [] }
    alike.set(`${one.code} ${one.message}`, { ...known, files: [...known.files, file] })
  }
  return [...alike.values()].map(({ note: one, files }) => ({ ...one, message: `${listed(files)}: ${one.message}` })) // prettier-ignore
}

/** Reading of tables among the files, files left out, and persons found in several files. */
function fileNotes({ notes = [], samples, skipped = [], repeated = [] }: SourceFacts): readonly TableNote[] {
  const reasons = new Map<string, string[]>()
  for (const { name, reason } of skipped) reasons.set(reason, [...(reasons.get(reason) ?? []), name])
  const all = [...readingNotes(notes), ...(samples?.() ?? [])]
  for (const [reason, names] of reasons) all.push(note('left-out', `not read: ${listed(names)}: ${reason}`))
  if (repeated.length > 0) {
    const message = advice`samples in several files, with a row from each file: ${listed(repeated)}; ${option('merge')} makes one row per sample`
    all.push(note('repeated-samples', text(message)))
  }
  return all
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
  const choices = digitsAdvice(undecided.flatMap(({ digitFits }) => digitFits ?? []))
  const message = text(
    advice`${columnNames(undecided, header)}: digits without ":" are not read (${fitsIn(undecided)})${choices === undefined ? '' : advice`; ${choices} says what they are`}`,
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
