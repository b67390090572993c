/** Preview of a file: the first rows of a table, the first lines of a text, or an image. Text is never interpreted. */
import { element, hint } from '../../../web/page/elements.ts'
import { type PageItem, describeCount, filePath } from '../answers.ts'
import { firstFormat, isDocument, openExport, fetchContent } from './formats.ts'
import { guessSeparator, splitRows } from '../../../web/page/csv.ts'
import { describeError, isSignedIn, send } from '../service.ts'
import { sizeText } from '../../../web/page/size.ts'

/** Bytes requested. */
const START = 64 * 1024
const [MOST_ROWS, MOST_COLUMNS] = [50, 100]

export async function preview(item: PageItem): Promise<Node[]> {
  const kind = previewKind(item)
  const size = Number(item.fileSize ?? 0)
  if (kind === 'none' && !isDocument(item)) return [hint('There is no preview for files of this kind.')]
  if (size === 0 && !isDocument(item)) return [hint('The file is empty.')]
  if (item.capabilities['canDownload'] !== true) return [hint('You cannot download this file.')]
  if (isDocument(item)) return previewExport(item)
  if (kind === 'media') return showMedia(item, mediaType(item) ?? '')
  const headers = { range: `bytes=0-${START - 1}` }
  const answer = await send(`drive/v2/${filePath(item.id)}`, { query: { alt: 'media' }, headers })
  return showStart(await answer.arrayBuffer(), size <= START, kind === 'table')
}

/** Preview of a converted table or text, which the service exports whole. */
async function previewExport(item: PageItem): Promise<Node[]> {
  const type = firstFormat(item)
  const content = await (await openExport(item, type)).blob()
  const start = await content.slice(0, START).arrayBuffer()
  return showStart(start, content.size <= START, type === 'text/csv')
}

function showStart(start: ArrayBuffer, isWhole: boolean, isTable: boolean): Node[] {
  // drops a character that is cut in two at the end
  const text = new TextDecoder().decode(start, { stream: !isWhole })
  if (isTable) return showTable(text, isWhole)
  const more = isWhole ? [] : [hint('Only the beginning is shown.')]
  return [region(element('pre', {}, text)), ...more]
}

function previewKind(item: PageItem): 'table' | 'text' | 'media' | 'none' {
  const { mimeType, title } = item
  if (mediaType(item) !== undefined) return 'media'
  if (/\.(?:csv|tsv|tab)$/i.test(title) || /^text\/(?:csv|tab-separated-values)\b/.test(mimeType))
    return 'table'
  const isText = mimeType.startsWith('text/') || mimeType === 'application/json'
  return isText || /\.(?:txt|md|log|json|ya?ml|toml)$/i.test(title) ? 'text' : 'none'
}

function showTable(text: string, isWhole: boolean): Node[] {
  const rows = splitRows(text, guessSeparator(text), MOST_ROWS + 2, isWhole)
  const [titles = [], ...rest] = rows.map((row) => row.slice(0, MOST_COLUMNS))
  const body = rest.slice(0, MOST_ROWS)
  const isAll = isWhole && body.length === rest.length
  const cells = (row: readonly string[], tag: 'th' | 'td') =>
    row.map((cell) => element(tag, { scope: tag === 'th' ? 'col' : undefined }, cell))
  const made = element(
    'table',
    { class: 'preview' },
    element('caption', {}, isAll ? rowCount(body.length) : `The first ${rowCount(body.length)}`),
    element('thead', {}, element('tr', {}, ...cells(titles, 'th'))),
    element('tbody', {}, ...body.map((row) => element('tr', {}, ...cells(row, 'td')))),
  )
  const verdicts = element('div', { 'aria-live': 'polite' })
  void showVerdicts(made, [titles, ...body]).then(
    (shown) => verdicts.replaceChildren(...shown),
    // the table stays visible without verdicts
    (error: unknown) => (verdicts.textContent = describeError(error)),
  )
  return [region(made), verdicts]
}

function rowCount(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`
}

/** Scrollable region wider than the page; it takes the focus, so that the arrow keys scroll it. */
function region(content: Node): HTMLElement {
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Beginning of the file' },
    content,
  )
}

const IMAGES = ['image/png', 'image/jpeg', 'image/gif', 'image/webp', 'image/avif', 'image/bmp']
const PDF = 'application/pdf'
const ENDINGS: ReadonlyMap<string, string> = new Map([
  ['png', 'image/png'],
  ['jpg', 'image/jpeg'],
  ['jpeg', 'image/jpeg'],
  ['gif', 'image/gif'],
  ['webp', 'image/webp'],
  ['avif', 'image/avif'],
  ['bmp', 'image/bmp'],
  ['pdf', PDF],
])
const MAX_PREVIEW_BYTES = 50e6

/** Type for displaying an image or a PDF; undefined for other files. */
function mediaType({ mimeType, title }: PageItem): string | undefined {
  const [type = ''] = mimeType.split(';')
  if (IMAGES.includes(type) || type === PDF) return type
  const ending = title.split('.').at(-1)?.toLowerCase() ?? ''
  return type === 'application/octet-stream' ? ENDINGS.get(ending) : undefined
}

/** Type for displaying an image; undefined for other files. */
export function imageType(item: PageItem): string | undefined {
  const type = mediaType(item)
  return type === PDF ? undefined : type
}

/** Displays the content with the type from `mediaType`, so that no content runs as a page. */
async function showMedia(item: PageItem, type: string): Promise<Node[]> {
  const size = Number(item.fileSize ?? 0)
  if (size > MAX_PREVIEW_BYTES)
    return [hint(`Files of more than ${sizeText(MAX_PREVIEW_BYTES)} are not shown here; they can be saved.`)]
  const content = new Blob([await fetchContent(filePath(item.id))], { type })
  const src = URL.createObjectURL(content)
  if (type === PDF) return [element('iframe', { src, class: 'media', title: item.title })]
  const image = element('img', { src, class: 'media', alt: item.title })
  const broken = () => image.replaceWith(hint('This browser cannot show the image.'))
  image.addEventListener('load', () => URL.revokeObjectURL(src))
  image.addEventListener('error', broken)
  return [image]
}

interface CellVerdict {
  /** Line in the table; the header is 1. */
  readonly line: number
  readonly column: string
  readonly value: string
  readonly why: string
  /** True if the installed data cannot decide. */
  readonly isUndecided: boolean
}

interface Verdicts {
  readonly release: string
  readonly typings: number
  readonly found: number
  readonly cells: readonly CellVerdict[]
}

const MAX_LISTED = 20

/** `rows` are the shown rows, header first. Shows nothing to guests, or for a table without typings. */
async function showVerdicts(table: HTMLElement, rows: readonly (readonly string[])[]): Promise<Node[]> {
  if (!isSignedIn() || rows.length < 2) return []
  const answer = await send('drive/typings/v1/check', {
    method: 'POST',
    headers: { 'content-type': 'text/csv' },
    body: writeRows(rows),
  })
  // the type of the service's response
  const looked = (await answer.json()) as Verdicts | { readonly why: string }
  if ('why' in looked || looked.typings === 0) return []
  const { release, typings, found, cells } = looked
  for (const verdict of cells) markCell(table, rows, verdict)
  const undecided = cells.filter(({ isUndecided }) => isUndecided).length
  const wrong = found - undecided
  const unknown =
    undecided === 0 ? [] : [`${undecided.toLocaleString('en')} that the installed data cannot check`]
  const said =
    wrong === 0 ? [...unknown, 'the others valid'] : [`${wrong.toLocaleString('en')} not valid`, ...unknown]
  const summary =
    found === 0
      ? `${describeCount(typings, 'typing')}, valid in ${release}.`
      : `${describeCount(typings, 'typing')} by ${release}: ${said.join(', ')}.`
  const lines = cells
    .slice(0, MAX_LISTED)
    .map(({ line, column, value, why }) => element('li', {}, `Row ${line - 1}, ${column}, ${value}: ${why}`))
  const rest = found > lines.length ? [element('li', {}, `and ${found - lines.length} more`)] : []
  return [
    element('p', { class: found === 0 ? 'hint' : '' }, summary),
    ...(found === 0 ? [] : [element('ul', { class: 'wrong' }, ...lines, ...rest)]),
  ]
}

/** Adds the reason to the cell, for screen readers and as a tooltip. */
function markCell(
  table: HTMLElement,
  rows: readonly (readonly string[])[],
  { line, column, value, why, isUndecided }: CellVerdict,
): void {
  const [titles = []] = rows
  const at = titles.findIndex((title, index) => title === column && rows[line - 1]?.[index] === value)
  const cell = table.querySelectorAll('tbody tr')[line - 2]?.querySelectorAll('td')[at]
  if (cell === undefined) return
  cell.classList.add(isUndecided ? 'undecided' : 'invalid')
  cell.title = why
  cell.append(element('span', { class: 'heard' }, ` (${isUndecided ? 'not known' : 'not valid'}: ${why})`))
}

/** CSV with one line per row, so that the lines of verdicts are rows. */
function writeRows(rows: readonly (readonly string[])[]): string {
  const quoted = (cell: string) => `"${cell.replaceAll('"', '""').replaceAll(/[\r\n]+/g, ' ')}"`
  return rows.map((row) => `${row.map(quoted).join(',')}\n`).join('')
}
