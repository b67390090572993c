/** A converted table: downloads, counts, the cells that failed, and how the table was read. */
import type { ErrorRecord } from '../answers.ts'
import { element, part, table } from '../../../web/page/elements.ts'
import { typingText } from '../typing/typing-text.ts'
import { PageFailure, sentence } from '../service.ts'
import { describeCells, MOST_COLUMNS, planFacts, type ReadColumn } from './columns.ts'
import { firstRows } from './first-rows.ts'

interface Failure {
  readonly line: number
  readonly id: string
  readonly column: string
  readonly value: string
  readonly message: string
  readonly suggestion: string
  /** In a document. */
  readonly path?: string
}

export interface Summary {
  readonly name: string
  readonly text: string
  readonly rows: number
  readonly typings: number
  readonly status: Readonly<Record<string, number>>
  readonly said: readonly { readonly message: string }[]
  readonly failed: number
  readonly failures: readonly Failure[]
  readonly columns: readonly ReadColumn[]
  /** How the table was read, but for its columns. */
  readonly plan: readonly { readonly name: string; readonly text: string }[]
}

export interface ConvertedOnPage {
  /** The query of the request. */
  readonly query: URLSearchParams
  readonly table: File | undefined
  readonly errors: File | undefined
  readonly summary: Summary | undefined
  /** Why there is no whole table. */
  readonly failure: string | undefined
}

/** The last part of an answer says whether it is complete. */
export async function readConverted(answer: Response, query: URLSearchParams): Promise<ConvertedOnPage> {
  const form = await answer.formData()
  const [summary, error] = [textIn(form, 'summary'), textIn(form, 'error')]
  return {
    query,
    table: fileIn(form, 'table'),
    errors: fileIn(form, 'errors'),
    // both as the service writes them
    summary: summary === undefined ? undefined : (JSON.parse(summary) as Summary),
    failure: error === undefined ? undefined : new PageFailure(JSON.parse(error) as ErrorRecord).message,
  }
}

function textIn(form: FormData, name: string): string | undefined {
  const value = form.get(name)
  return typeof value === 'string' ? value : undefined
}

function fileIn(form: FormData, name: string): File | undefined {
  const value = form.get(name)
  return value instanceof File ? value : undefined
}

const offered: string[] = []

/** What was offered is let go, so that it does not stay in memory. */
export function forgetFiles(): void {
  for (const url of offered.splice(0)) URL.revokeObjectURL(url)
}

export async function showConverted(converted: ConvertedOnPage): Promise<void> {
  const { table: file, summary, failure } = converted
  const box = part('converted')
  if (summary === undefined || file === undefined || failure !== undefined) return box.replaceChildren()
  box.hidden = false
  box.replaceChildren(
    element(
      'div',
      { class: 'row' },
      download(file, `Download ${summary.name}`, 'button main'),
      ...reportLink(converted),
    ),
    counts(summary),
    ...saidNotes(summary),
    ...failures(summary),
    ...(await firstRows(converted)),
    element('details', {}, element('summary', {}, 'How the table was read'), ...readingParts(summary)),
  )
  part('download').focus()
}

/** Downloads the report of the failed cells; nothing without such cells. */
export function reportLink({ errors, summary }: ConvertedOnPage): HTMLElement[] {
  if (errors === undefined || summary === undefined) return []
  const cells = `${count(summary.failed)} failed cell${summary.failed === 1 ? '' : 's'}`
  return [download(errors, `Download the report of ${cells}`, 'button')]
}

function readingParts({ columns, plan }: Summary): HTMLElement[] {
  const rows = columns
    .slice(0, MOST_COLUMNS)
    .map((column) => [column.name, holdsText(column), describeCells(column)])
  const titles = [{ title: 'Column' }, { title: 'Holds' }, { title: 'Cells' }]
  return [planFacts(plan), table('Columns', titles, rows)]
}

function holdsText({ read, locus }: ReadColumn): string {
  if (read === 'id') return 'The name of the person'
  if (read === 'no') return 'Left as it is'
  return locus === '' ? 'Typings with their locus' : `Typings of ${locus}`
}

export function saidNotes({ said }: Summary): HTMLElement[] {
  return said.map(({ message }) => element('p', { class: 'hint' }, `Note: ${sentence(message)}`))
}

function download(file: File, title: string, style: string): HTMLElement {
  const href = URL.createObjectURL(file)
  offered.push(href)
  const id = style.includes('main') ? 'download' : undefined
  return element('a', { href, download: file.name, class: style, id }, title)
}

function counts({ rows, status }: Summary): HTMLElement {
  const shown = Object.entries(status).filter(([name, number]) => number > 0 || name === 'ok')
  const boxes = shown.map(([name, number]) =>
    element(
      'div',
      { class: name === 'error' ? 'bad' : undefined },
      element('dt', {}, name === 'error' ? 'failed' : name === 'ok' ? 'reduced' : name),
      element('dd', {}, count(number)),
    ),
  )
  const rowBox = element('div', {}, element('dt', {}, 'rows'), element('dd', {}, count(rows)))
  return element('dl', { class: 'counts' }, rowBox, ...boxes)
}

function failures({ failures: shown, failed }: Summary): HTMLElement[] {
  if (shown.length === 0) return []
  const rows = shown.map(({ line, id, column, value, message, suggestion, path = '' }) => [
    `${line}`,
    id,
    column,
    typingText(value),
    element(
      'span',
      {},
      sentence(message),
      ...[sentence(suggestion), path]
        .filter((one) => one !== '')
        .map((one) => element('div', { class: 'hint' }, one)),
    ),
  ])
  const columns = [
    { title: 'Line' },
    { title: 'Row' },
    { title: 'Column', style: 'name' },
    { title: 'Value', style: 'name' },
    { title: 'What is wrong' },
  ]
  const which =
    failed > shown.length
      ? `The first ${shown.length} of ${count(failed)} cells that could not be reduced`
      : 'Cells that could not be reduced'
  return [table(which, columns, rows)]
}

function count(number: number): string {
  return number.toLocaleString('en')
}
