/** Lists of items: of a folder, of what was found, shared or thrown away; page by page, sorted as asked, several done at once. */
import { button, element, part, table } from '../../../web/page/elements.ts'
import { ITEM, type List, type PageItem } from '../answers.ts'
import { refill } from '../panel.ts'
import type { PagePlace } from '../place.ts'
import { call } from '../service.ts'
import { attempt, say } from '../talk.ts'
import { canBeSorted, listingQuery, order, SORTERS, type Sorter } from './order.ts'
import { describeRow, markRows } from './row.ts'
import { makeSelection } from './selection.ts'

export interface Listing {
  readonly node: HTMLElement
  readonly reload: () => Promise<void>
}

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
  const selection = makeSelection(reload)
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
    selection.offer(items)
    if (items.length === 0 && next === undefined)
      return refill(node, [element('p', { class: 'hint' }, 'There is nothing here.')], part('title'))
    const rows = items.map((item) => describeRow(item, selection.box(item), reload))
    const caption = next === undefined ? countText(items.length) : `The first ${countText(items.length)}`
    const more = next === undefined ? [] : [button('Show more', () => void showMore())]
    const made = table(caption, columns(place, sortBy), rows)
    markRows(made, items, selection.chosen, reload)
    refill(node, [selection.bar, made, ...more], part('title'))
  }
  return { node, reload }
}

function columns(place: PagePlace, sortBy: (by: Sorter) => Promise<void>) {
  const sorted = order.isDown ? ('descending' as const) : ('ascending' as const)
  const sorters = Object.entries(SORTERS).map(([name, title]) => {
    if (!canBeSorted(place)) return { title }
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

function countText(count: number): string {
  return count === 1 ? '1 item' : `${count} items`
}
