/** Plan as text: one line per locus, with examples of how cells are read. */
import { advice, clause, option, type Advice } from '../../../advice.ts'
import { adviceText, errorText, messageText, type Face } from '../../../operations/faces.ts'
import { type Dialect, delimiterTitle } from '../../input/dialect.ts'
import { visibleLine } from '../../../io/visible-text.ts'
import { ENCODING_TITLES } from '../../input/encoding.ts'
import { type OutputColumns, appendedNames } from '../output-columns.ts'
import { groupBy } from '../../words/group-by.ts'
import { type PlannedGroup, type TablePlan, tryRead } from '../plan.ts'
import { MAX_WORDS, missingOption, collectWords } from '../recognition/table-notes.ts'
import { labelsIn, remedyFor } from '../recognition/unread-text.ts'
import type { WriteRequest } from '../table-request.ts'
import { isHlaError } from '../../../errors.ts'
import { nameAntigen } from '../../../nomenclature/antigen.ts'
import { type Joined, splitCell } from '../../cells/joined/joined.ts'
import { DRB345_TITLE } from '../../words/locus-header.ts'
import { type TypingShape, recognizeShape } from '../../words/typing-shape.ts'

export interface PlanContext {
  readonly dialect: Dialect
  readonly compression: string | undefined
  readonly operation: string
  /** Methods of a reduction. */
  readonly methods: readonly string[]
  /** `3.58.0`, or `3.58.0, names of 3.29.0` */
  readonly release: string
  /** Default: command line. */
  readonly face?: Face | undefined
  /** undefined when no table is written. */
  readonly written: { readonly request: WriteRequest; readonly output: OutputColumns } | undefined
}

export function planText(plan: TablePlan, context: PlanContext): string {
  const { face = 'command-line' } = context
  const lines = [
    ...linesBefore(plan, context),
    line('id', plan.idColumn === undefined ? '(none)' : (plan.header.labels[plan.idColumn] ?? '')),
    ...plan.groups.map((group) => groupLine(group, plan, face)),
    ...tokenLines(plan),
    ...wordLines(plan, face),
    ...asideLines(plan),
    ...unreadLines(plan, face),
    ...linesAfter(plan, context),
  ]
  return `${lines.map(({ name, text }) => visibleLine(`${pad(name, NAME)}${text}`)).join('\n')}\n`
}

/** A line of the plan. Lines that follow one of the same kind have no name. */
export interface PlanLine {
  readonly name: string
  readonly text: string
}

/** The plan without its columns. */
export function planLines(plan: TablePlan, context: PlanContext): PlanLine[] {
  const lines = [
    ...linesBefore(plan, context),
    ...tokenLines(plan),
    ...wordLines(plan, context.face ?? 'command-line'),
    ...linesAfter(plan, context),
  ]
  return lines.map(({ name, text }) => ({ name, text: visibleLine(text) }))
}

function linesBefore(plan: TablePlan, context: PlanContext): PlanLine[] {
  const { face = 'command-line' } = context
  return [
    line('input', `${plan.header.table}  ${inputTraits(plan, context).join(', ')}`),
    ...sourceLines(plan, face),
  ]
}

function linesAfter(plan: TablePlan, context: PlanContext): PlanLine[] {
  const { face = 'command-line', written } = context
  return [
    ...plan.rowNotes.map(({ message }) => line('rows', messageText(message, face))),
    ...sheetLines(plan, face),
    askedLine(context),
    ...(written === undefined ? [] : outputLines(plan, written, context.dialect)),
  ]
}

function line(name: string, text: string): PlanLine {
  return { name, text }
}

/** Origin of gathered rows: `read as    long table: sample ID, locus Locus, allele Allele`. */
function sourceLines({ source }: TablePlan, face: Face): PlanLine[] {
  if (source === undefined) return []
  const { format, reading, files, kept, left, ignored } = source
  const several = files > 1 ? `, ${files} files` : ''
  const listed = (name: string, columns: readonly string[], why: string) =>
    columns.length === 0 ? [] : [line(name, `${columns.join(', ')} (${why})`)]
  return [
    line('read as', `${reading}${several}; converted to one row per person`),
    ...listed('kept', kept, 'one value per person'),
    ...listed(
      'left out',
      left,
      messageText(
        advice`more than one value per person${clause`; ${option('long', `scores=${left.join(',')}`)} gives each typing its own`}`,
        face,
      ),
    ),
    ...listed('ignored', ignored, `no typing of ${format}`),
  ]
}

function askedLine({ operation, methods, release }: PlanContext): PlanLine {
  const by = methods.length === 0 ? '' : `${methods.join(' ')}, `
  return line(operation === 'redux' ? 'method' : operation, `${by}release ${release}`)
}

function inputTraits(
  { headerRow, upperRow, workbook, source }: TablePlan,
  { dialect, compression }: PlanContext,
): string[] {
  const { delimiter, encoding, bom, eol, preamble } = dialect
  // the form of the records' file is not that of its rows
  if (source !== undefined)
    return [source.format, ENCODING_TITLES[encoding], ...(compression === undefined ? [] : [compression])]
  return [
    workbook === undefined ? delimiterTitle(delimiter) : `sheet ${workbook.sheet}`,
    ...(preamble > 0 ? [`${preamble} line${preamble === 1 ? '' : 's'} before the header`] : []),
    headerRow === undefined ? 'no header' : upperRow === undefined ? 'header' : 'header of two lines',
    ENCODING_TITLES[encoding] + (bom > 0 ? ' with byte order mark' : ''),
    eol === '\r\n' ? 'CRLF' : eol === '\r' ? 'CR' : 'LF',
    ...(compression === undefined ? [] : [compression]),
  ]
}

/** One line per token and meaning: `tokens     00:00 -> absent (DRB3 DRB4 DRB5)`. */
function tokenLines({ groups }: TablePlan): PlanLine[] {
  const where = new Map<string, Set<string>>()
  for (const group of groups) {
    for (const [token, status] of group.tokensSeen) {
      const key = `${shorten(token)} -> ${status}`
      const loci = where.get(key) ?? new Set()
      where.set(key, loci.add(groupTitle(group)))
    }
  }
  return [...where].map(([key, loci], at) =>
    line(at === 0 ? 'tokens' : '', `${key} (${[...loci].join(' ')})`),
  )
}

/** `words      failed 3x, pending 1x (A B) -> --missing failed,pending` */
function wordLines({ groups }: TablePlan, face: Face): PlanLine[] {
  const words = collectWords(groups)
  if (words.length === 0) return []
  const loci = groups.filter((group) => group.words.length > 0).map(groupTitle)
  const shown = words.slice(0, MAX_WORDS).map(([word, count]) => `${shorten(word)} ${count}x`)
  const more = words.length > shown.length ? ` and ${words.length - shown.length} more` : ''
  return [
    line(
      'words',
      `${shown.join(', ')}${more} (${[...new Set(loci)].join(' ')})${remedy(missingOption(words), face)}`,
    ),
  ]
}

function unreadLines({ unread, header }: TablePlan, face: Face): PlanLine[] {
  return unread.map((one, at) =>
    line(
      at === 0 ? 'unread' : '',
      `${pad(shorten(labelsIn(one.columns, header)), COLUMNS)}${one.why}${remedy(remedyFor(one), face)}`,
    ),
  )
}

function sheetLines({ workbook }: TablePlan, face: Face): PlanLine[] {
  const { others = [] } = workbook ?? {}
  return others.length === 0
    ? []
    : [
        line(
          'not read',
          messageText(advice`sheets ${others.join(', ')} (${option('sheet')} reads one)`, face),
        ),
      ]
}

/** ` -> --missing failed`, or nothing when the face has no such option. */
function remedy(what: Advice, face: Face): string {
  const text = adviceText(what, face)
  return text === undefined ? '' : ` -> ${text}`
}

function asideLines({ aside, header }: TablePlan): PlanLine[] {
  if (aside.length === 0) return []
  const columns = aside.map((column) => header.labels[column] ?? '').join(' ')
  return [line('not read', `${columns} (results of an earlier conversion)`)]
}

function outputLines(
  plan: TablePlan,
  { request, output }: NonNullable<PlanContext['written']>,
  dialect: Dialect,
): PlanLine[] {
  const { into, dropSource, format, consensus, delimiter = dialect.delimiter } = request
  if (consensus !== undefined) {
    const loci = new Set(plan.groups.flatMap(({ locus }) => locus ?? []))
    const agree = consensus === 'all' ? 'all callers' : 'more than half of the callers'
    return [line('output', `one row per sample, what ${agree} say at ${[...loci].join(' ')}`)]
  }
  if (format !== undefined) return [line('output', `format ${format}`)]
  const appended = appendedNames(output, into)
  const results = [...output.results.values()].flat().join(' ')
  const place =
    into === 'replace'
      ? `in place of ${plan.groups.flatMap(({ columns }) => columns.map((at) => plan.header.labels[at])).join(' ')}`
      : into === 'append' || into === 'none'
        ? `new columns at the end: ${appended.join(' ')}`
        : `new columns ${dropSource ? 'instead of' : 'after'} each source: ${results}`
  const extra =
    into === 'append' || into === 'none' || appended.length === 0
      ? []
      : [line('', `at the end: ${appended.join(' ')}`)]
  const other = delimiter === dialect.delimiter ? [] : [line('', delimiterTitle(delimiter))]
  return [line('output', place), ...extra, ...other]
}

const NAME = 11
const COLUMNS = 17
const KIND = 28
const GAP = '      '
const MAX_EXAMPLES = 3
const MAX_LENGTH = 60

/** Pads to `width`, with at least two spaces. */
function pad(text: string, width: number): string {
  return text.padEnd(Math.max(width, text.length + 2))
}

function shorten(text: string): string {
  return text.length > MAX_LENGTH ? `${text.slice(0, MAX_LENGTH - 1)}…` : text
}

function groupLine(group: PlannedGroup, { header }: TablePlan, face: Face): PlanLine {
  const name = groupTitle(group)
  const columns = group.columns.map((column) => header.labels[column] ?? '').join(' ')
  return line(
    name,
    `${pad(columns, COLUMNS)}${pad(describeKinds(group), KIND)}${chooseExamples(group, face).join(GAP)}`.trimEnd(),
  )
}

/** `donor A`, `GL` */
function groupTitle({ subject, locus, among }: PlannedGroup): string {
  const title = locus ?? (among === undefined ? 'GL' : DRB345_TITLE)
  return [subject, title].filter((part) => part !== '').join(' ')
}

const SHAPE_TITLES: Readonly<Record<Exclude<TypingShape, 'digits'>, string>> = {
  fields: 'fields, no locus',
  named: 'names with locus',
  antigen: 'antigens',
  pair: 'several typings per cell',
  phenotype: 'phenotypes',
  other: 'other',
}

const DIGIT_TITLES = {
  antigen: 'bare digits -> antigen',
  'first-field': 'bare digits -> first field',
  v2: 'bare digits -> v2 names',
  mixed: 'bare digits -> by length',
  error: 'bare digits -> undecided',
} as const

/** `fields, no locus` */
export function describeKinds({ locus, values, faults, hasDigits, context }: PlannedGroup): string {
  if (values.length === 0 && faults.length === 0) return 'no typing yet'
  const joined = describeJoined(context.joined)
  if (locus === undefined && joined !== undefined) return joined
  if (locus === undefined && context.isNotation === true) return 'names without *'
  if (locus === undefined)
    return values.some((value) => /[\^+|]/.test(value)) ? 'GL Strings' : 'names with locus'
  const separator = context.joined?.kind === 'split' ? context.joined.separator : undefined
  const typings = separator === undefined ? values : values.flatMap((value) => splitCell(value, separator))
  const unread = faults.flatMap(({ value }) => value.split(' '))
  const shapes = new Set([...typings, ...unread].map(recognizeShape))
  const titles = (['fields', 'named', 'antigen', 'pair', 'other'] as const)
    .filter((shape) => shapes.has(shape))
    .map((shape) => SHAPE_TITLES[shape])
  const genotypes = values.some((value) => value.includes('+')) ? ['genotypes'] : []
  return [
    ...(joined === undefined ? [] : [joined]),
    ...(hasDigits ? [DIGIT_TITLES[context.digits]] : []),
    ...genotypes,
    ...titles,
    ...(context.isNotation === true ? ['names without *'] : []),
  ].join('; ')
}

function describeJoined(joined: Joined | undefined): string | undefined {
  if (joined?.kind === 'phenotype') return 'phenotypes'
  return joined?.kind === 'split' ? `two typings per cell, split at "${joined.separator}"` : undefined
}

/** First value, and one for each other way in which values of the sample are read. */
export function chooseExamples(group: PlannedGroup, face: Face): string[] {
  const byWay = new Map<string, string[]>()
  for (const value of group.values) {
    const way = describeWay(value, group)
    byWay.set(way, [...(byWay.get(way) ?? []), value])
  }
  const ways = [...byWay].map(([way, values]) => (way === 'plain' ? (values[0] ?? '') : findSmallest(values)))
  const read = ways.map((value) => formatExample(value, group, face))
  return [...read, ...faultExamples(group, face)].slice(0, MAX_EXAMPLES)
}

/** One of each code. */
function faultExamples({ faults }: PlannedGroup, face: Face): string[] {
  const byCode = groupBy(faults, ({ error }) => error?.code ?? '')
  return [...byCode.values()].flatMap((alike) => {
    const smallest = findSmallest(alike.map(({ value }) => value))
    const error = alike.find(({ value }) => value === smallest)?.error
    return error === undefined ? [] : [formatError(smallest, error, face)]
  })
}

function describeWay(value: string, { context }: PlannedGroup): string {
  const read = tryRead(value, context)
  if (read instanceof Error) return isHlaError(read) ? read.code : 'error'
  return read.kind === 'token' ? read.status : (read.notes[0]?.code ?? 'plain')
}

function findSmallest(values: readonly string[]): string {
  return [...values].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))[0] ?? ''
}

function formatError(value: string, error: Error, face: Face): string {
  const reason = isHlaError(error) ? errorText(error, face) : error.message
  return `${shorten(value)} -> error: ${shorten(reason)}`
}

function formatExample(value: string, { context, locus }: PlannedGroup, face: Face): string {
  const read = tryRead(value, context)
  if (read instanceof Error) return formatError(value, read, face)
  if (read.kind === 'token') return `${shorten(value)} -> ${read.status}`
  const [note] = read.notes
  const antigen = locus === undefined ? undefined : nameAntigen(value, locus)
  const why = note?.code === 'antigen-as-xx' && antigen !== undefined ? ` (no antigen ${antigen})` : ''
  return read.glString === value ? shorten(value) : `${shorten(value)} -> ${shorten(read.glString)}${why}`
}
