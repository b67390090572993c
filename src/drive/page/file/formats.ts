/** Saves contents to disk, which are never opened as pages of this origin; and the export formats of a converted table or text. */
import { button, choice, element } from '../../../web/page/elements.ts'
import { type PageItem, filePath } from '../answers.ts'
import { call, send } from '../service.ts'
import { attempt } from '../panel.ts'

const TITLES: ReadonlyMap<string, string> = new Map([
  ['text/csv', 'CSV'],
  ['text/tab-separated-values', 'TSV'],
  ['application/vnd.openxmlformats-officedocument.spreadsheetml.sheet', 'Excel (XLSX)'],
  ['application/jsonl', 'JSON Lines'],
  ['text/plain', 'Text'],
])

/** True for a document, which has no bytes of its own. */
export function isDocument({ exportLinks }: PageItem): boolean {
  return exportLinks !== undefined
}

/** Lets the user choose a format and save the file in it. */
export async function formats(item: PageItem): Promise<Node[]> {
  const { exportFormats } = await call<About>('about', { fields: 'exportFormats' })
  const types = exportFormats.find(({ source }) => source === item.mimeType)?.targets ?? []
  const format = choice({ 'aria-label': 'Format' }, types.map((type) => [type, formatTitle(type)])) // prettier-ignore
  const get = () => void attempt(undefined, () => saveExport(item, format.value))
  return [element('div', { class: 'row' }, format, button('Download in this format', get))]
}

interface About {
  readonly exportFormats: readonly { readonly source: string; readonly targets: readonly string[] }[]
}

/** `text/csv; hla-method=lgx` -> `CSV, reduced to lgx` */
export function formatTitle(type: string): string {
  const [plain = '', method] = type.split('; hla-method=')
  const title = TITLES.get(plain) ?? plain
  return method === undefined ? title : `${title}, reduced to ${method}`
}

/** `revision` is the id of an older revision. */
export async function saveExport(item: PageItem, type: string, revision?: string): Promise<void> {
  const answer = await openExport(item, type, revision)
  const said = /filename\*=UTF-8''(\S+)/.exec(answer.headers.get('content-disposition') ?? '')?.[1]
  const content = new Blob([await answer.blob()], { type: 'application/octet-stream' })
  saveBlob(content, said === undefined ? item.title : decodeURIComponent(said))
}

/** First export format: CSV for a table, text for a text. */
export function firstFormat({ exportLinks = {} }: PageItem): string {
  return Object.keys(exportLinks)[0] ?? 'text/csv'
}

export function openExport(item: PageItem, type: string, revision?: string): Promise<Response> {
  const query = { mimeType: type, ...(revision === undefined ? {} : { revisionId: revision }) }
  return send(`drive/v2/${filePath(item.id)}/export`, { query })
}

/** `source` `thumbnail` marks an image that a list shows; the store records it as opened, not as downloaded. */
export async function fetchContent(path: string, source?: 'thumbnail'): Promise<Blob> {
  const answer = await send(`drive/v2/${path}`, { query: { alt: 'media', source } })
  return new Blob([await answer.blob()], { type: 'application/octet-stream' })
}

export function saveFile(id: string, name: string): Promise<void> {
  return save(filePath(id), name)
}

/** Fetches the content, because a link cannot send the token's header. */
export async function save(path: string, name: string): Promise<void> {
  saveBlob(await fetchContent(path), name)
}

export function saveBlob(content: Blob, name: string): void {
  const href = URL.createObjectURL(content)
  element('a', { href, download: name }).click()
  // the browser has read the content by then
  setTimeout(() => URL.revokeObjectURL(href), 60_000)
}
