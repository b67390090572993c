/** Lists of items: of a folder, a search, shared items or the trash; loaded by page, sortable, with actions on several items. */
import { button, element, part, table } from '../../../web/page/elements.ts'
import { FOLDER, ITEM, type List, type PageItem, SHORTCUT, filePath, isFolder, quoted } from '../answers.ts'
import { type PagedList, dateText, pagedList, refill, say, itemIcon } from '../panel.ts'
import { type PageRoute, formatRoute } from '../route.ts'
import { IN_ALL_DRIVES, type Query, call, fetchItem } from '../service.ts'
import { imageType } from '../file/preview.ts'
import { fetchContent } from '../file/formats.ts'
import { menuButton, opensMenu } from '../../../web/page/menu.ts'
import { sizeText } from '../../../web/page/size.ts'
import { actionsFor, menuEntries, trash } from '../actions/actions.ts'
import { roveRows } from '../keyboard.ts'
import { followDetails, refreshDetails } from '../details.ts'
import { dragRow } from '../drag.ts'

/** `folder` is the item of a folder's list. */
export function listing(route: PageRoute, folder?: PageItem): PagedList {
  const fetched: Thumbnails = new Map()
  const folders: Folders = new Map()
  const { node, reload } = pagedList<PageItem>({
    style: 'listing files',
    control: 'th a',
    async load(pageToken) {
      const query = { ...listingQuery(route, folder), fields: `nextPageToken,items(${ITEM})`, pageToken }
      const list = await call<List<PageItem>>('files', query)
      if (route.kind === 'search') await findFolders(list.items, folders)
      if (route.kind !== 'trash') return list
      return { ...list, items: list.items.filter((item) => item.explicitlyTrashed) }
    },
    show(box, items, more) {
      selection.offer(items)
      if (items.length === 0 && more === undefined)
        return refill(box, [element('p', { class: 'empty' }, emptyText(route))], part('title'))
      const rows = items.map((item) =>
        describeRow(item, {
          box: selection.box(item),
          fetched,
          folder: route.kind === 'search' ? folderLink(item, folders) : undefined,
          reload: changed,
        }),
      )
      const count = countText(items.length)
      const caption = more === undefined ? count : `The first ${count}`
      const made = table(caption, columns(route, sortBy), rows)
      markRows(made, items, selection.chosen, changed)
      // the rows take the focus, and the list is as wide as its box
      made.removeAttribute('tabindex')
      refill(box, [selection.bar, made, ...(more ?? [])], part('title'))
    },
  })
  const changed = () => Promise.all([reload(), refreshDetails()]).then(() => undefined)
  const selection = makeSelection(changed)
  const sortBy = async (by: Sorter) => {
    Object.assign(order, { by, isDown: order.by === by && !order.isDown })
    await reload()
    node.querySelector<HTMLElement>(`[data-sorter="${by}"]`)?.focus()
    say(`Sorted by ${SORTERS[by].toLowerCase()}${order.isDown ? ', descending' : ''}.`)
  }
  return { node, reload }
}

function columns(route: PageRoute, sortBy: (by: Sorter) => Promise<void>) {
  const sorted = order.isDown ? ('descending' as const) : ('ascending' as const)
  const sorters = Object.entries(SORTERS).map(([name, title]) => {
    if (!canBeSorted(route)) return { title }
    const by = name as Sorter // a key of SORTERS
    const isIt = order.by === by
    return {
      title,
      sorter: button(title, () => void sortBy(by), { class: 'sorter', 'data-sorter': by }),
      sorted: isIt ? sorted : undefined,
    }
  })
  const [name = { title: '' }, ...others] = sorters
  const second =
    route.kind === 'search' ? { title: 'Folder', style: 'where' } : { title: 'Changed by', style: 'who' }
  return [name, second, ...others, 'Actions']
}

function emptyText({ kind }: PageRoute): string {
  switch (kind) {
    case 'shared':
      return 'Nothing is shared with you yet. Files appear here when colleagues share them with you.'
    case 'starred':
      return 'Nothing is starred yet. To star a file or folder, choose Star in its menu.'
    case 'recent':
      return 'No file has changed yet.'
    case 'trash':
      return 'The trash is empty.'
    case 'search':
      return 'Nothing was found. Try fewer words, or the beginning of a word.'
    default:
      return 'This folder is empty. Files that are uploaded or dropped on the page appear here.'
  }
}

function countText(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}

const SORTERS = { title_natural: 'Name', modifiedDate: 'Changed', quotaBytesUsed: 'Size' } as const
type Sorter = keyof typeof SORTERS

/** Sort order, kept from folder to folder. */
const order: { by: Sorter; isDown: boolean } = { by: 'title_natural', isDown: false }

/** Search results are sorted by relevance, recent files by time. */
function canBeSorted({ kind }: PageRoute): boolean {
  return kind !== 'search' && kind !== 'recent'
}

function listingQuery(route: PageRoute, folder: PageItem | undefined): Query {
  const all = { maxResults: 100, ...IN_ALL_DRIVES }
  const orderBy = `folder,${order.by}${order.isDown ? ' desc' : ''}`
  switch (route.kind) {
    case 'folder':
    case 'file':
    case 'download': {
      // all items of a trashed folder are trashed
      const alive = folder?.labels.trashed === true ? '' : ' and trashed = false'
      return { ...all, orderBy, q: `${quoted(folder?.id ?? route.id)} in parents${alive}` }
    }
    case 'shared':
      return { ...all, orderBy, q: 'sharedWithMe and trashed = false' }
    case 'starred':
      return { ...all, orderBy, q: 'starred = true and trashed = false' }
    case 'recent':
      return { ...all, orderBy: 'recency desc', q: `mimeType != '${FOLDER}' and trashed = false` }
    case 'trash':
      return { ...all, orderBy, q: 'trashed = true' }
    case 'search': {
      const words = quoted(route.text)
      return { ...all, q: `(title contains ${words} or fullText contains ${words}) and trashed = false` }
    }
    case 'drives':
    case 'admin':
      return all
  }
}

/** Id -> folder; undefined for one that the user may not see. */
type Folders = Map<string, PageItem | undefined>

/** Fetches the folders of the items that are not known yet. */
async function findFolders(items: readonly PageItem[], folders: Folders): Promise<void> {
  const ids = new Set(items.flatMap(({ parents: [parent] }) => (parent === undefined ? [] : [parent.id])))
  await Promise.all(
    [...ids]
      .filter((id) => !folders.has(id))
      .map(async (id) => folders.set(id, await fetchItem(id).catch(() => undefined))),
  )
}

function folderLink({ parents: [parent] }: PageItem, folders: Folders): Node | string {
  const folder = parent === undefined ? undefined : folders.get(parent.id)
  if (folder === undefined) return 'Shared with me'
  return element('a', { href: formatRoute({ kind: 'folder', id: folder.id }) }, folder.title)
}

interface RowTools {
  /** Selects the item. */
  readonly box: Node
  readonly fetched: Thumbnails
  /** Shown instead of the user of the last change. */
  readonly folder: Node | string | undefined
  /** Loads the list again. */
  readonly reload: () => Promise<void>
}

function describeRow(item: PageItem, { box, fetched, folder, reload }: RowTools) {
  const { title, modifiedDate, lastModifyingUserName, fileSize, mimeType, shortcutDetails, labels } = item
  const target = mimeType === SHORTCUT ? shortcutDetails : undefined
  const kind = (target?.targetMimeType ?? mimeType) === FOLDER ? 'folder' : 'file'
  const link = element(
    'a',
    { href: formatRoute({ kind, id: target?.targetId ?? item.id }) },
    title || 'Untitled',
  )
  link.title = title
  return [
    element(
      'span',
      { class: `named ${kind}` },
      box,
      thumbnail(item, fetched),
      element(
        'span',
        { class: 'label' },
        link,
        isFolder(item) ? element('span', { class: 'heard' }, ' folder') : undefined,
        labels.starred
          ? element('span', { class: 'kind', role: 'img', 'aria-label': 'starred' }, ' ★')
          : undefined,
      ),
    ),
    folder ?? lastModifyingUserName,
    whenText(modifiedDate),
    fileSize === undefined ? '' : sizeText(Number(fileSize)),
    menuButton('⋮', `Actions for ${title}`, () => menuEntries(item, reload)),
  ]
}

/** Bytes of an image that a list shows itself. */
const MAX_THUMBNAIL = 1e6

/** `id revision` -> content, for one list: loading the list again fetches no image again. */
type Thumbnails = Map<string, Promise<Blob>>

function thumbnail(item: PageItem, fetched: Thumbnails): Element {
  const { mimeType, shortcutDetails, fileSize, capabilities } = item
  const drawn = itemIcon((mimeType === SHORTCUT ? shortcutDetails?.targetMimeType : undefined) ?? mimeType)
  const type = imageType(item)
  const size = Number(fileSize ?? 0)
  if (type === undefined || size === 0 || size > MAX_THUMBNAIL || capabilities['canDownload'] !== true)
    return drawn
  const box = element('span', { class: 'thumbnail' })
  box.append(drawn)
  const seen = new IntersectionObserver(([entry]) => {
    if (entry?.isIntersecting !== true) return
    seen.disconnect()
    // the icon stays where the image cannot be shown
    void showImage(box, item, type, fetched).catch(() => undefined)
  })
  seen.observe(box)
  return box
}

async function showImage(
  box: HTMLElement,
  { id, headRevisionId = '' }: PageItem,
  type: string,
  fetched: Thumbnails,
): Promise<void> {
  const key = `${id} ${headRevisionId}`
  const content = fetched.get(key) ?? fetchContent(filePath(id), 'thumbnail')
  fetched.set(key, content)
  content.catch(() => fetched.delete(key))
  const src = URL.createObjectURL(new Blob([await content], { type }))
  try {
    // the name of the file follows
    const image = element('img', { src, alt: '' })
    await image.decode()
    box.replaceChildren(image)
  } finally {
    URL.revokeObjectURL(src)
  }
}

/** Marks the time of day, which narrow screens hide. */
export function whenText(date: string): HTMLElement {
  const [day = '', hour = ''] = dateText(date).split(/(?=, )/)
  return element('span', {}, day, element('span', { class: 'hour' }, hour))
}

/** Makes the rows one tab stop, opens a row's menu on a right click, and makes rows draggable together with the selection; folder rows accept drops. */
function markRows(
  made: HTMLElement,
  items: readonly PageItem[],
  chosen: () => readonly PageItem[],
  reload: () => Promise<void>,
): void {
  const rows = [...made.querySelectorAll<HTMLElement>('tbody tr')]
  roveRows(rows, 0, (at) => {
    const item = items[at]
    if (item !== undefined) trash(chosen().length > 0 ? chosen() : [item], reload)
  })
  for (const [at, row] of rows.entries()) {
    const item = items[at]
    if (item === undefined) continue
    opensMenu(row)
    dragRow(row, () => (chosen().includes(item) ? chosen() : [item]), reload)
  }
}

interface Selection {
  /** Number of selected items, and their actions. */
  readonly bar: HTMLElement
  /** Sets the shown items; the selection keeps those among them. */
  readonly offer: (items: readonly PageItem[]) => void
  readonly box: (item: PageItem) => HTMLElement
  readonly chosen: () => readonly PageItem[]
}

function selectionBar() {
  const all = element('input', { type: 'checkbox', id: 'select-all' })
  const count = element('span', { role: 'status', class: 'count' })
  const things = element('span', { class: 'actions' })
  const bar = element(
    'div',
    { class: 'selection', role: 'group', 'aria-label': 'Selected items' },
    element('label', { class: 'choice' }, all, 'Select all'),
    count,
    things,
  )
  return { all, count, things, bar }
}

function makeSelection(reload: () => Promise<void>): Selection {
  let shown: readonly PageItem[] = []
  let ids = new Set<string>()
  let boxes: [PageItem, HTMLInputElement][] = []
  const { all, count, things, bar } = selectionBar()
  const chosen = () => shown.filter(({ id }) => ids.has(id))
  const update = () => {
    const items = chosen()
    for (const [{ id }, box] of boxes) box.checked = ids.has(id)
    all.checked = items.length > 0 && items.length === shown.length
    all.indeterminate = items.length > 0 && !all.checked
    bar.classList.toggle('some', items.length > 0)
    count.textContent = items.length === 0 ? '' : `${items.length} selected`
    things.replaceChildren(
      ...(items.length === 0 ? [] : actionsFor(items)).map(({ text, run }) =>
        button(text, () => void run(items, reload), { 'aria-label': `${text} (selected)` }),
      ),
    )
  }
  all.addEventListener('change', () => {
    ids = new Set(all.checked ? shown.map(({ id }) => id) : [])
    update()
  })
  return {
    bar,
    chosen,
    offer(items) {
      shown = items
      boxes = []
      const here = new Set(items.map(({ id }) => id))
      ids = new Set([...ids].filter((id) => here.has(id)))
      update()
    },
    box(item) {
      const box = element('input', { type: 'checkbox', 'aria-label': `Select ${item.title}` })
      box.checked = ids.has(item.id)
      box.addEventListener('change', () => {
        if (box.checked) ids.add(item.id)
        else ids.delete(item.id)
        update()
        const [one, ...others] = chosen()
        if (one !== undefined && others.length === 0) followDetails(one, reload)
      })
      boxes.push([item, box])
      return box
    },
  }
}
