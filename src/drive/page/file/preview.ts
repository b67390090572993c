/** The beginning of a file: the first rows of a table, the first lines of a text, an image. Text is text, whatever it says. */
import { element } from '../../../web/page/elements.ts'
import type { PageItem } from '../answers.ts'
import { firstFormat, isDocument, openExport } from './formats.ts'
import { mediaType, showMedia } from './media.ts'
import { splitRows, guessSeparator } from '../../../web/page/csv.ts'
import { describeError, send } from '../service.ts'
import { showVerdicts } from './verdicts.ts'

/** Bytes that are asked for. */
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
  const answer = await send(`drive/v2/files/${encodeURIComponent(item.id)}`, {
    query: { alt: 'media' },
    headers: { range: `bytes=0-${START - 1}` },
  })
  const isWhole = size <= START
  // a sign cut in two at the end is left out
  const text = new TextDecoder().decode(await answer.arrayBuffer(), { stream: !isWhole })
  return kind === 'table' ? showTable(text, isWhole) : [region(element('pre', {}, text)), ...more(isWhole)]
}

/** Of a converted table or text, which the service writes as a whole. */
async function previewExport(item: PageItem): Promise<Node[]> {
  const type = firstFormat(item)
  const content = await (await openExport(item, type)).blob()
  const isWhole = content.size <= START
  const text = new TextDecoder().decode(await content.slice(0, START).arrayBuffer(), { stream: !isWhole })
  if (type === 'text/csv') return showTable(text, isWhole)
  return [region(element('pre', {}, text)), ...more(isWhole)]
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
    // the table is there without them
    (error: unknown) => (verdicts.textContent = describeError(error)),
  )
  return [region(made), verdicts]
}

function rowCount(count: number): string {
  return count === 1 ? '1 row' : `${count} rows`
}

/** Wider than the page: whoever has no mouse scrolls it with the arrow keys. */
function region(content: Node): HTMLElement {
  return element(
    'div',
    { class: 'scroll', tabindex: '0', role: 'region', 'aria-label': 'Beginning of the file' },
    content,
  )
}

function more(isWhole: boolean): Node[] {
  return isWhole ? [] : [hint('Only the beginning is shown.')]
}

function hint(text: string): HTMLElement {
  return element('p', { class: 'hint' }, text)
}
