/** The beginning of a file: the first rows of a table, the first lines of a text. All of it is text, whatever it says. */
import { element } from '../../../web/page/elements.ts'
import type { PageItem } from '../answers.ts'
import { splitRows, guessSeparator } from './csv.ts'
import { send } from '../service.ts'

/** Bytes that are asked for. */
const START = 64 * 1024
const [MOST_ROWS, MOST_COLUMNS] = [50, 100]

export async function preview(item: PageItem): Promise<Node[]> {
  const kind = previewKind(item)
  const size = Number(item.fileSize ?? 0)
  if (kind === 'none') return [hint('There is no preview for files of this kind.')]
  if (size === 0) return [hint('The file is empty.')]
  if (item.capabilities['canDownload'] !== true) return [hint('You cannot download this file.')]
  const answer = await send(`drive/v2/files/${encodeURIComponent(item.id)}`, {
    query: { alt: 'media' },
    headers: { range: `bytes=0-${START - 1}` },
  })
  const isWhole = size <= START
  // a sign cut in two at the end is left out
  const text = new TextDecoder().decode(await answer.arrayBuffer(), { stream: !isWhole })
  return kind === 'table' ? showTable(text, isWhole) : [region(element('pre', {}, text)), ...more(isWhole)]
}

function previewKind({ mimeType, title }: PageItem): 'table' | 'text' | 'none' {
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
  return [region(made)]
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
