/** First rows of a converted table, with failed cells and reasons. */
import { guessSeparator, splitRows } from '../../../web/page/csv.ts'
import { element } from '../../../web/page/elements.ts'
import { sentence } from '../service.ts'
import type { ConvertedOnPage, Summary } from './answer.ts'

export const [SHOWN_ROWS, SHOWN_BYTES] = [10, 64 * 1024]
const TEXT = /\.(?:csv|tsv|tab|txt)$/i

/** Failed cell from the report. */
interface FailedCell {
  /** Row number from 1, not counting the header. */
  readonly row: number
  readonly column: string
  readonly value: string
  readonly message: string
}

/** Returns nothing for a document. */
export async function firstRows(
  converted: ConvertedOnPage,
  label = 'Converted rows',
): Promise<HTMLElement[]> {
  const { table: file, summary } = converted
  if (file === undefined || summary === undefined || !TEXT.test(summary.name) || summary.rows === 0) return []
  const all = await readRows(file, SHOWN_ROWS + 1)
  const hasHeader = all.length > Math.min(summary.rows, SHOWN_ROWS)
  const shown = all.slice(0, SHOWN_ROWS + Number(hasHeader))
  const [header, body] = hasHeader ? [shown[0], shown.slice(1)] : [undefined, shown]
  const reasons = await findReasons(converted, summary, body)
  const made = element(
    'table',
    { class: 'preview' },
    element(
      'caption',
      {},
      summary.rows > body.length ? `The first ${body.length} rows, converted` : 'All rows, converted',
    ),
    element(
      'thead',
      {},
      ...(header === undefined
        ? []
        : [element('tr', {}, ...header.map((cell) => element('th', { scope: 'col' }, cell)))]),
    ),
    element(
      'tbody',
      {},
      ...body.map((row, y) =>
        element('tr', {}, ...row.map((cell, x) => cellOf(cell, reasons.get(`${y} ${x}`)))),
      ),
    ),
  )
  // scrollable by arrow keys, since it may be wider than the page
  return [element('div', { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': label }, made)]
}

function cellOf(text: string, reason: string | undefined): HTMLElement {
  if (reason === undefined) return element('td', {}, text)
  const shown = text === '' ? [] : [element('span', { class: 'wrong' }, text)]
  return element('td', { class: 'failed' }, ...shown, element('span', { class: 'reason' }, sentence(reason)))
}

export async function readRows(file: Blob, most: number): Promise<string[][]> {
  const text = await file.slice(0, SHOWN_BYTES).text()
  return splitRows(text, guessSeparator(text), most, file.size <= SHOWN_BYTES)
}

/** `row column` of a failed cell in the shown rows, from 0 -> reason. An ambiguous cell is not marked. */
async function findReasons(
  { query, errors }: ConvertedOnPage,
  { columns }: Summary,
  body: readonly (readonly string[])[],
): Promise<ReadonlyMap<string, string>> {
  const reasons = new Map<string, string>()
  if (errors === undefined) return reasons
  const places = resultPlaces(columns, query)
  const isReplaced = query.get('into') === 'replace'
  for (const { row, column, value, message } of await readReport(errors)) {
    const cells = body[row - 1]
    if (cells === undefined) continue
    const found = places.filter(
      ([name, x]) => name === column && (isReplaced || cells[x]?.trim() === value.trim()),
    )
    const [only] = found
    if (only !== undefined && found.length === 1) reasons.set(`${row - 1} ${only[1]}`, message)
  }
  return reasons
}

/** Name of each typing column -> its position in the converted table. */
function resultPlaces(columns: Summary['columns'], query: URLSearchParams): (readonly [string, number])[] {
  const results = query.get('into') === 'after' ? Math.max(1, query.getAll('method').length) : 0
  let before = 0
  return columns.flatMap(({ name, read }, at) =>
    read === 'typing' ? [[name, at + results * before++] as const] : [],
  )
}

async function readReport(errors: File): Promise<FailedCell[]> {
  const [head = [], ...records] = await readRows(errors, Number.POSITIVE_INFINITY)
  const member = (record: readonly string[], name: string) => record[head.indexOf(name)] ?? ''
  return records.map((record) => ({
    row: Number(member(record, 'row')),
    column: member(record, 'column'),
    value: member(record, 'value'),
    message: member(record, 'message'),
  }))
}
