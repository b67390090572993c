/** A list of the administration: page by page, found by the beginning of an address. */
import { button, type Child, element, part, table } from '../../../web/page/elements.ts'
import { describeCount } from '../count.ts'
import { refill } from '../panel.ts'
import type { List } from '../answers.ts'
import type { Query } from '../service.ts'
import { attempt } from '../talk.ts'
import { askAdmin } from './requests.ts'

export interface AdminListing<Item> {
  readonly path: string
  /** Of one: `1 user`. */
  readonly what: string
  readonly columns: readonly string[]
  /** `reload`: shows the list anew. */
  readonly row: (item: Item, reload: () => Promise<void>) => readonly Child[]
  /** What one looks for: the parameter, and what stands before the box. */
  readonly search?: { readonly name: string; readonly label: string }
}

export interface ShownListing {
  readonly node: HTMLElement
  readonly reload: () => Promise<void>
}

export function adminListing<Item>(listing: AdminListing<Item>): ShownListing {
  const { path, what, columns, row, search } = listing
  const box = element('div', { class: 'listing' })
  const state: { items: readonly Item[]; next: string | undefined; query: Query } = {
    items: [],
    next: undefined,
    query: {},
  }
  const load = async (pageToken?: string) => {
    const { items, nextPageToken } = await askAdmin<List<Item>>(path, { ...state.query, pageToken })
    state.items = pageToken === undefined ? items : [...state.items, ...items]
    state.next = nextPageToken
    show()
  }
  const reload = () => attempt(undefined, load)
  const showMore = async () => {
    const shown = state.items.length
    await attempt(undefined, () => load(state.next))
    box.querySelectorAll<HTMLElement>('tbody tr')[shown]?.querySelector<HTMLElement>('button')?.focus()
  }
  const show = () => {
    const { items, next } = state
    const count = describeCount(items.length, what)
    const made = table(
      next === undefined ? count : `The first ${count}`,
      columns.map((title) => ({ title })),
      items.map((item) => row(item, reload)),
    )
    const more = next === undefined ? [] : [button('Show more', () => void showMore())]
    refill(box, items.length === 0 ? [hint('There is nothing here.')] : [made, ...more], part('title'))
  }
  const searching = (text: string) => {
    state.query = search === undefined || text === '' ? {} : { [search.name]: text }
    return reload()
  }
  const form = search === undefined ? undefined : searchForm(search.label, searching)
  const node = element('div', {}, form, box)
  void reload()
  return { node, reload }
}

function searchForm(label: string, find: (text: string) => Promise<void>): HTMLElement {
  const input = element('input', { id: 'admin-search', type: 'search', autocomplete: 'off' })
  const form = element(
    'form',
    { class: 'row' },
    element('label', { for: 'admin-search' }, label),
    input,
    element('button', {}, 'Find'),
  )
  form.addEventListener('submit', (event) => {
    event.preventDefault()
    void find(input.value.trim())
  })
  return form
}

export function hint(text: string): HTMLElement {
  return element('p', { class: 'hint' }, text)
}
