/** The plan for people: one line a locus, with examples of how cells are read. */
import { type Dialect, delimiterTitle } from '../../input/dialect.ts'
import { visibleLine } from '../../../io/visible-text.ts'
import { ENCODING_TITLES } from '../../input/encoding.ts'
import { appendedNames, type OutputColumns } from '../output-columns.ts'
import type { TablePlan } from '../plan.ts'
import { MOST_WORDS, missingOption, wordsOf } from '../recognition/plan-notes.ts'
import { labelsIn } from '../recognition/unread-text.ts'
import type { WriteRequest } from '../table-request.ts'
import { COLUMNS, groupLine, groupTitle, NAME, pad, shorten } from './group-text.ts'

export interface PlanContext {
  readonly dialect: Dialect
  readonly compression: string | undefined
  readonly operation: string
  /** Of reductions. */
  readonly methods: readonly string[]
  /** `3.58.0`, or `3.58.0, names of 3.29.0` */
  readonly release: string
  /** Of what is written, when there is something to say about it. */
  readonly size?: string | undefined
  /** What is written, when it is the document itself. */
  readonly document?: string | undefined
  /** undefined: no table is written. */
  readonly written: { readonly request: WriteRequest; readonly output: OutputColumns } | undefined
}

export function planText(plan: TablePlan, context: PlanContext): string {
  const lines = [
    `${pad('input', NAME)}${plan.header.table}  ${inputTraits(plan, context).join(', ')}`,
    ...madeLines(plan, context.document !== undefined),
    `${pad('id', NAME)}${plan.idColumn === undefined ? '(none)' : plan.header.labels[plan.idColumn]}`,
    ...plan.groups.map((group) => groupLine(group, plan)),
    ...tokenLines(plan),
    ...wordLines(plan),
    ...asideLines(plan),
    ...unreadLines(plan),
    ...plan.rowNotes.map(({ message }) => `${pad('rows', NAME)}${message}`),
    ...sheetLines(plan),
    askedLine(context),
    ...(context.written === undefined ? [] : outputLines(plan, context.written)),
    ...(context.document === undefined ? [] : [`${pad('output', NAME)}${context.document}`]),
    ...(context.size === undefined ? [] : [`${pad('size', NAME)}${context.size}`]),
  ]
  return `${lines.map(visibleLine).join('\n')}\n`
}

/** What it was made of: `read as    long table: sample ID, locus Locus, allele Allele`. */
function madeLines({ made }: TablePlan, isDocument: boolean): string[] {
  if (made === undefined) return []
  const { format, reading, files, kept, left, ignored } = made
  const several = files > 1 ? `, ${files} files` : ''
  const line = (name: string, columns: readonly string[], why: string) =>
    columns.length === 0 ? [] : [`${pad(name, NAME)}${columns.join(', ')} (${why})`]
  return [
    `${pad('read as', NAME)}${reading}${several}${isDocument ? '' : '; a row a person is made of it'}`,
    ...line('kept', kept, 'one value a person'),
    ...line('left out', left, 'more than one value a person; --scores gives each typing its own'),
    ...line('ignored', ignored, `no typing of ${format}`),
  ]
}

function askedLine({ operation, methods, release }: PlanContext): string {
  const by = methods.length === 0 ? '' : `${methods.join(' ')}, `
  return `${pad(operation === 'redux' ? 'method' : operation, NAME)}${by}release ${release}`
}

function inputTraits(
  { headerRow, upperRow, workbook, made }: TablePlan,
  { dialect, compression }: PlanContext,
): string[] {
  const { delimiter, encoding, bom, eol, preamble } = dialect
  // how the file of the records is written is not how the table of them is
  if (made !== undefined)
    return [made.format, ENCODING_TITLES[encoding], ...(compression === undefined ? [] : [compression])]
  return [
    workbook === undefined ? delimiterTitle(delimiter) : `sheet ${workbook.sheet}`,
    ...(preamble > 0 ? [`${preamble} line${preamble === 1 ? '' : 's'} before the header`] : []),
    headerRow === undefined ? 'no header' : upperRow === undefined ? 'header' : 'header of two lines',
    ENCODING_TITLES[encoding] + (bom > 0 ? ' with byte order mark' : ''),
    eol === '\r\n' ? 'CRLF' : eol === '\r' ? 'CR' : 'LF',
    ...(compression === undefined ? [] : [compression]),
  ]
}

/** One line a token and meaning: `tokens     00:00 -> absent (DRB3 DRB4 DRB5)`. */
function tokenLines({ groups }: TablePlan): string[] {
  const where = new Map<string, Set<string>>()
  for (const group of groups) {
    for (const [token, status] of group.tokensSeen) {
      const key = `${shorten(token)} -> ${status}`
      const loci = where.get(key) ?? new Set()
      where.set(key, loci.add(groupTitle(group)))
    }
  }
  return [...where].map(
    ([key, loci], at) => `${pad(at === 0 ? 'tokens' : '', NAME)}${key} (${[...loci].join(' ')})`,
  )
}

/** `words      failed 3x, pending 1x (A B) -> --missing failed,pending` */
function wordLines({ groups }: TablePlan): string[] {
  const words = wordsOf(groups)
  if (words.length === 0) return []
  const loci = groups.filter((group) => group.words.length > 0).map(groupTitle)
  const shown = words.slice(0, MOST_WORDS).map(([word, count]) => `${shorten(word)} ${count}x`)
  const more = words.length > shown.length ? ` and ${words.length - shown.length} more` : ''
  return [
    `${pad('words', NAME)}${shown.join(', ')}${more} (${[...new Set(loci)].join(' ')}) -> ${missingOption(words)}`,
  ]
}

function unreadLines({ unread, header }: TablePlan): string[] {
  return unread.map(
    ({ columns, why, option }, at) =>
      `${pad(at === 0 ? 'unread' : '', NAME)}${pad(shorten(labelsIn(columns, header)), COLUMNS)}${why} -> ${option}`,
  )
}

function sheetLines({ workbook }: TablePlan): string[] {
  const { others = [] } = workbook ?? {}
  return others.length === 0
    ? []
    : [`${pad('not read', NAME)}sheets ${others.join(', ')} (--sheet reads one)`]
}

function asideLines({ aside, header }: TablePlan): string[] {
  if (aside.length === 0) return []
  const columns = aside.map((column) => header.labels[column] ?? '').join(' ')
  return [`${pad('not read', NAME)}${columns} (results of an earlier conversion)`]
}

function outputLines(plan: TablePlan, { request, output }: NonNullable<PlanContext['written']>): string[] {
  const { into, dropSource, format } = request
  if (format !== undefined) return [`${pad('output', NAME)}format ${format}`]
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
      : [`${pad('', NAME)}at the end: ${appended.join(' ')}`]
  return [`${pad('output', NAME)}${place}`, ...extra]
}
