/** Lists of items: of a folder, of what was found, shared or thrown away; page by page, sorted as asked. */
import { button, element, part, table } from '../../web/page/elements.ts'
import { sizeText } from '../../web/page/size.ts'
import { FOLDER, isFolder, type PageItem, ITEM, type List, SHORTCUT } from './answers.ts'
import { refill } from './panel.ts'
import { formatPlace, type PagePlace } from './place.ts'
import { call, type Query } from './service.ts'
import { attempt, dateText, say } from './talk.ts'

export interface Listing {
  readonly node: HTMLElement
  readonly reload: () => Promise<void>
}

const SORTERS = { title_natural: 'Name', modifiedDate: 'Changed', quotaBytesUsed: 'Size' } as const
type Sorter = keyof typeof SORTERS

/** Stays from folder to folder. */
const order: { by: Sorter; isDown: boolean } = { by: 'title_natural', isDown: false }

/** `folder`: the item, of a folder. */
export function listing(place: PagePlace, folder?: PageItem): Listing {
  const node = element('div', { class: 'listing' })
  const state: { items: readonly PageItem[]; next: string | undefined } = { items: [], next: undefined }
  const load = async (pageToken?: string) => {
    const query = { ...listingQuery(place, folder), fields: `nextPageToken,items(${ITEM})`, pageToken }
    const { items, nextPageToken } = await call<List<PageItem>>('files', query)
    const shown = place.kind === 'trash' ? items.filter((item) => item.explicitlyTrashed) : items
    state.items = pageToken === undefined ? shown : [...state.items, ...shown]
    state.next = nextPageToken
    show()
  }
  const reload = () => attempt(undefined, load)
  const sortBy = async (by: Sorter) => {
    Object.assign(order, { by, isDown: order.by === by && !order.isDown })
    await reload()
    node.querySelector<HTMLElement>(`[data-sorter="${by}"]`)?.focus()
    say(`Sorted by ${SORTERS[by].toLowerCase()}${order.isDown ? ', descending' : ''}.`)
  }
  const showMore = async () => {
    const shown = state.items.length
    await attempt(undefined, () => load(state.next))
    node.querySelectorAll<HTMLElement>('tbody th a')[shown]?.focus()
  }
  const show = () => {
    const { items, next } = state
    if (items.length === 0 && next === undefined)
      return refill(node, [element('p', { class: 'hint' }, 'There is nothing here.')], part('title'))
    const rows = items.map((item) => itemRow(item, place, reload))
    const caption = next === undefined ? countText(items.length) : `The first ${countText(items.length)}`
    const more = next === undefined ? [] : [button('Show more', () => void showMore())]
    refill(node, [table(caption, columns(place, sortBy), rows), ...more], part('title'))
  }
  return { node, reload }
}

function listingQuery(place: PagePlace, folder: PageItem | undefined): Query {
  const all = { maxResults: 100, corpora: 'allDrives', includeItemsFromAllDrives: true }
  const orderBy = `folder,${order.by}${order.isDown ? ' desc' : ''}`
  switch (place.kind) {
    case 'folder':
    case 'file':
    case 'download': {
      // of a folder in the trash everything is
      const alive = folder?.labels.trashed === true ? '' : ' and trashed = false'
      return { ...all, orderBy, q: `${quoted(folder?.id ?? place.id)} in parents${alive}` }
    }
    case 'shared':
      return { ...all, orderBy, q: 'sharedWithMe and trashed = false' }
    case 'trash':
      return { ...all, orderBy, q: 'trashed = true' }
    case 'search': {
      const words = quoted(place.text)
      // what is found comes by relevance, which cannot be ordered
      return { ...all, q: `(title contains ${words} or fullText contains ${words}) and trashed = false` }
    }
  }
}

/** A text of the search language. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

function columns(place: PagePlace, sortBy: (by: Sorter) => Promise<void>) {
  const sorted = order.isDown ? ('descending' as const) : ('ascending' as const)
  const sorters = Object.entries(SORTERS).map(([name, title]) => {
    if (place.kind === 'search') return { title }
    const by = name as Sorter // its keys
    const isIt = order.by === by
    return {
      title,
      sorter: button(title, () => void sortBy(by), { class: 'sorter', 'data-sorter': by }),
      sorted: isIt ? sorted : undefined,
    }
  })
  return [...sorters, { title: 'Actions' }]
}

function itemRow(item: PageItem, place: PagePlace, reload: () => Promise<void>) {
  const { title, modifiedDate, lastModifyingUserName, fileSize, mimeType, shortcutDetails } = item
  const target = mimeType === SHORTCUT ? shortcutDetails : undefined
  const kind = (target?.targetMimeType ?? mimeType) === FOLDER ? 'folder' : 'file'
  const link = element(
    'a',
    { href: formatPlace({ kind, id: target?.targetId ?? item.id }) },
    title || 'Untitled',
  )
  const by = lastModifyingUserName === undefined ? '' : ` by ${lastModifyingUserName}`
  return [
    element(
      'span',
      { class: kind },
      link,
      isFolder(item) ? element('span', { class: 'kind' }, ' folder') : undefined,
    ),
    `${dateText(modifiedDate)}${by}`,
    fileSize === undefined ? '' : sizeText(Number(fileSize)),
    place.kind === 'trash' ? restoreButton(item, reload) : trashButton(item, reload),
  ]
}

export function trashButton({ id, title, capabilities }: PageItem, then: () => Promise<void>): Node | string {
  if (capabilities['canTrash'] !== true) return ''
  const trash = () =>
    attempt(`${title} is in the trash.`, async () => {
      await call(`files/${encodeURIComponent(id)}/trash`, {}, undefined, 'POST')
      await then()
    })
  return button('Move to trash', () => void trash(), { 'aria-label': `Move to trash: ${title}` })
}

export function restoreButton(
  { id, title, capabilities }: PageItem,
  then: () => Promise<void>,
): Node | string {
  if (capabilities['canUntrash'] !== true) return ''
  const restore = () =>
    attempt(`${title} is restored.`, async () => {
      await call(`files/${encodeURIComponent(id)}/untrash`, {}, undefined, 'POST')
      await then()
    })
  return button('Restore', () => void restore(), { 'aria-label': `Restore ${title}` })
}

function countText(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}
