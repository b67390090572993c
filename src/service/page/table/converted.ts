/** A converted table: downloads, counts, the cells that failed, and how the table was read. */
import type { ErrorRecord } from '../answers.ts'
import { guessSeparator, splitRows } from '../../../web/page/csv.ts'
import { element, part, table } from '../../../web/page/elements.ts'
import { typingText } from '../typing/typing-text.ts'
import { formatSentence } from '../service.ts'

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
  readonly columns: readonly {
    readonly name: string
    readonly read: 'typing' | 'id' | 'no'
    readonly locus: string
  }[]
}

export interface ConvertedOnPage {
  readonly plan: string
  readonly table: File | undefined
  readonly errors: File | undefined
  readonly summary: Summary | undefined
  /** Why there is no whole table. */
  readonly failure: string | undefined
}

/** The last part of an answer says whether it is complete. */
export async function readConverted(answer: Response): Promise<ConvertedOnPage> {
  const form = await answer.formData()
  const [plan, summary, error] = [textIn(form, 'plan'), textIn(form, 'summary'), textIn(form, 'error')]
  return {
    plan: plan ?? '',
    table: fileIn(form, 'table'),
    errors: fileIn(form, 'errors'),
    // both as the service writes them
    summary: summary === undefined ? undefined : (JSON.parse(summary) as Summary),
    failure: error === undefined ? undefined : formatSentence(JSON.parse(error) as ErrorRecord),
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
  const { plan, table: file, errors, summary, failure } = converted
  const reading = element('details', {}, element('summary', {}, 'How the table was read'), planText(plan))
  const box = part('converted')
  box.hidden = false
  if (summary === undefined || file === undefined || failure !== undefined)
    return box.replaceChildren(reading)
  box.replaceChildren(
    element(
      'div',
      { class: 'row' },
      download(file, `Download ${summary.name}`, 'button main'),
      errors === undefined
        ? undefined
        : download(
            errors,
            `Report of ${count(summary.failed)} failed cell${summary.failed === 1 ? '' : 's'}`,
            'button',
          ),
    ),
    counts(summary),
    ...saidNotes(summary),
    ...failures(summary),
    ...(await firstRows(file, summary)),
    reading,
  )
  part('download').focus()
}

export function saidNotes({ said }: Summary): HTMLElement[] {
  return said.map(({ message }) => element('p', { class: 'hint' }, `Note: ${message}`))
}

const [SHOWN_ROWS, SHOWN_BYTES] = [10, 64 * 1024]

/** The first rows of a converted table; of a document there are none to be shown. */
export async function firstRows(
  file: File,
  { name, rows }: Summary,
  label = 'Converted rows',
): Promise<HTMLElement[]> {
  if (!/\.(?:csv|tsv|tab|txt)$/i.test(name) || rows === 0) return []
  const text = new TextDecoder().decode(await file.slice(0, SHOWN_BYTES).arrayBuffer(), { stream: true })
  const all = splitRows(text, guessSeparator(text), SHOWN_ROWS + 1, file.size <= SHOWN_BYTES)
  const hasHeader = all.length > Math.min(rows, SHOWN_ROWS)
  const shown = all.slice(0, SHOWN_ROWS + Number(hasHeader))
  const body = hasHeader ? shown.slice(1) : shown
  const cells = (row: readonly string[], tag: 'th' | 'td') =>
    row.map((cell) => element(tag, { scope: tag === 'th' ? 'col' : undefined }, cell))
  const made = element(
    'table',
    { class: 'preview' },
    element(
      'caption',
      {},
      rows > body.length ? `The first ${body.length} rows, converted` : 'All rows, converted',
    ),
    element('thead', {}, ...(hasHeader ? [element('tr', {}, ...cells(shown[0] ?? [], 'th'))] : [])),
    element('tbody', {}, ...body.map((row) => element('tr', {}, ...cells(row, 'td')))),
  )
  // wider than the page: whoever has no mouse scrolls it with the arrow keys
  return [element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, made)]
}

function download(file: File, title: string, style: string): HTMLElement {
  const href = URL.createObjectURL(file)
  offered.push(href)
  const id = style.includes('main') ? 'download' : 'download-errors'
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
      message,
      ...[suggestion, path].filter((one) => one !== '').map((one) => element('div', { class: 'hint' }, one)),
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

export function planText(plan: string, label = 'How the table was read'): HTMLElement {
  // wider than the page: whoever has no mouse scrolls it with the arrow keys
  return element('pre', { tabindex: '0', role: 'region', 'aria-label': label }, plan)
}

function count(number: number): string {
  return number.toLocaleString('en')
}
