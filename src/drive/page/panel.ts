/** Panel: a part of the page that loads independently, and again after each change. */
import { button, element, part } from '../../web/page/elements.ts'
import { itemIcon } from './list/item-icon.ts'
import { type SignInWays, describeError, fetchWays } from './service.ts'
import type { List, PageItem } from './answers.ts'

export interface Panel {
  readonly node: HTMLElement
  readonly heading: HTMLElement
  readonly reload: () => Promise<void>
}

export function panel(title: string, load: (reload: () => Promise<void>) => Promise<Node[]>): Panel {
  const id = `panel-${title.toLowerCase().replaceAll(' ', '-')}`
  const heading = element('h3', { id, tabindex: '-1' }, title)
  const body = element('div', { 'aria-busy': 'true' })
  const node = element('section', { 'aria-labelledby': id }, heading, body)
  const reload = async () => {
    const made = await load(reload).catch((error: unknown) => [
      element('p', { class: 'problem' }, describeError(error)),
    ])
    const drafts = draftsIn(body)
    refill(body, made, heading)
    for (const text of body.querySelectorAll('textarea')) text.value = drafts.get(text.id) ?? ''
    body.removeAttribute('aria-busy')
  }
  void reload()
  return { node, heading, reload }
}

/** Replaces the content; focus inside it moves to the heading. */
export function refill(box: HTMLElement, made: readonly Node[], heading: HTMLElement): void {
  const wasHere = box.contains(document.activeElement)
  box.replaceChildren(...made)
  if (wasHere) heading.focus()
}

/** Unsent texts: id of the box -> text. */
function draftsIn(body: HTMLElement): ReadonlyMap<string, string> {
  return new Map([...body.querySelectorAll('textarea')].map((text) => [text.id, text.value]))
}

export function say(text: string, isFailure = false): void {
  const status = part('status')
  status.className = isFailure ? 'failed' : ''
  status.textContent = text
}

/** Shows the name of the store in the header. */
export async function showStoreName(): Promise<void> {
  const { name = 'Files' } = await fetchWays().catch((): SignInWays => ({}))
  part('store-name').textContent = name
  document.title = name
}

export interface PagedList {
  readonly node: HTMLElement
  readonly reload: () => Promise<void>
}

interface Pages<Item> {
  /** Class of the list's element. */
  readonly style: string
  /** Selector of the control, in each row, that gets the focus when more rows are shown. */
  readonly control: string
  readonly load: (pageToken: string | undefined) => Promise<List<Item>>
  /** `more` shows the next page; undefined on the last one. */
  readonly show: (node: HTMLElement, items: readonly Item[], more: readonly Node[] | undefined) => void
}

/** List that is loaded by page. */
export function pagedList<Item>({ style, control, load, show }: Pages<Item>): PagedList {
  const node = element('div', { class: style })
  let shown: readonly Item[] = []
  const open = async (pageToken?: string) => {
    const { items, nextPageToken: next } = await load(pageToken)
    shown = pageToken === undefined ? items : [...shown, ...items]
    const showNext = async () => {
      const count = shown.length
      await attempt(undefined, () => open(next))
      node.querySelectorAll('tbody tr')[count]?.querySelector<HTMLElement>(control)?.focus()
    }
    show(node, shown, next === undefined ? undefined : [button('Show more', () => void showNext())])
  }
  return { node, reload: () => attempt(undefined, open) }
}

/** Titles the view and the window; an item has its icon. */
export function showTitle(title: string, item?: PageItem): void {
  document.title = `${title} · ${part('store-name').textContent}`
  part('title').replaceChildren(...(item === undefined ? [] : [itemIcon(item.mimeType)]), title)
}

/** Runs an action, and reports its success or failure. */
export async function attempt(done: string | undefined, act: () => Promise<unknown>): Promise<void> {
  if (done !== undefined) say('')
  try {
    await act()
    if (done !== undefined) say(done)
  } catch (error) {
    say(describeError(error), true)
  }
}

/** Copies the text of the box. Browsers offer the clipboard only to pages over https and of this machine; elsewhere it selects the text. */
export async function copyBox(box: HTMLInputElement, what: string, done: string): Promise<void> {
  try {
    await navigator.clipboard.writeText(box.value)
    say(done)
  } catch {
    box.focus()
    box.select()
    say(`This browser cannot copy from this page: the ${what} is selected, copy it yourself.`, true)
  }
}

/** `21 Nov 2026, 20:15` */
export function dateText(date: string): string {
  return new Date(date).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

/** `done` describes an item afterwards, as in `donors.csv is restored.` `then` refreshes the view. */
export async function doWithEach(
  items: readonly PageItem[],
  done: string,
  act: (item: PageItem) => Promise<unknown>,
  then: () => Promise<void>,
): Promise<void> {
  say('')
  const failures: string[] = []
  for (const [at, item] of items.entries()) {
    if (items.length > 1) say(`${at + 1} of ${items.length}: ${item.title}`)
    try {
      await act(item)
    } catch (error) {
      failures.push(`${item.title}: ${describeError(error)}`)
    }
  }
  await then()
  const count = items.length - failures.length
  const whole = items.length === 1 ? `${items[0]?.title} is ${done}.` : `${count} items are ${done}.`
  if (failures.length === 0) return say(whole)
  const some = items.length === 1 ? '' : `${count} of ${items.length} items are ${done}. `
  say(`${some}${failures.join(' ')}`, true)
}
