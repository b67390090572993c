/** What a link opens for who is not signed in: a file with a preview, or what is in a folder. Nothing is changed here. */
import { element, table } from '../../web/page/elements.ts'
import { sizeText } from '../../web/page/size.ts'
import { FOLDER, type PageItem, ITEM } from './answers.ts'
import { fetchItem } from './file/file.ts'
import { formatTitle, isDocument } from './file/formats.ts'
import { preview } from './file/preview.ts'
import { panel } from './panel.ts'
import { formatPlace, type PagePlace } from './place.ts'
import { callAll, isPublic } from './service.ts'
import { dateText } from './talk.ts'

export interface GuestView {
  readonly title: string
  readonly view: readonly (Node | string)[]
}

/** Undefined: it is open to nobody, or no item is asked for. */
export async function guestView(place: PagePlace): Promise<GuestView | undefined> {
  if (!('id' in place) || !(await isPublic(place.id))) return undefined
  const item = await fetchItem(place.id)
  const view = item.mimeType === FOLDER ? [await folderTable(item)] : fileParts(item)
  return { title: item.title, view }
}

function fileParts(item: PageItem): Node[] {
  const { fileSize, modifiedDate, capabilities } = item
  const facts = `${fileSize === undefined ? '' : `${sizeText(Number(fileSize))} · `}changed ${dateText(modifiedDate)}`
  const links = isDocument(item) ? exportLinks(item) : [['Download', contentLink(item)] as const]
  const downloads = links.map(([text, href]) =>
    element('p', {}, element('a', { href, class: 'download' }, text)),
  )
  return [
    element('p', { class: 'hint' }, facts),
    ...(capabilities['canDownload'] === true ? downloads : []),
    panel('Preview', () => preview(item)).node,
  ]
}

/** A browser follows it by itself: what is open to anyone needs no token. */
function contentLink({ id }: PageItem): string {
  return `drive/v2/files/${encodeURIComponent(id)}?alt=media&source=webContentLink`
}

/** Of this origin, whatever the service is called elsewhere. */
function exportLinks({ exportLinks: links = {} }: PageItem): (readonly [text: string, href: string])[] {
  return Object.entries(links).map(([type, address]) => {
    const { pathname, search } = new URL(address)
    return [`Download as ${formatTitle(type)}`, pathname.slice(1) + search] as const
  })
}

async function folderTable({ id }: PageItem): Promise<HTMLElement> {
  const items = await callAll<PageItem>('files', {
    q: `'${id}' in parents and trashed = false`,
    orderBy: 'folder,title_natural',
    maxResults: 1000,
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    fields: `nextPageToken,items(${ITEM})`,
  })
  const rows = items.map((item) => {
    const kind = item.mimeType === FOLDER ? 'folder' : 'file'
    const link = element('a', { href: formatPlace({ kind, id: item.id }) }, item.title || 'Untitled')
    const size = item.fileSize === undefined ? '' : sizeText(Number(item.fileSize))
    return [element('span', { class: kind }, link), dateText(item.modifiedDate), size]
  })
  const heads = [{ title: 'Name' }, { title: 'Changed' }, { title: 'Size' }]
  return element('div', { class: 'listing' }, table(`${items.length} items`, heads, rows))
}
