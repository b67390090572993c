/** Panel: a part of the page that loads independently, and again after each change. */
import { button, element, part, icon } from '../../web/page/elements.ts'
import { type SignInWays, describeError, fetchWays } from './service.ts'
import { type List, type PageItem, FOLDER } from './answers.ts'

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

const SHEET = 'M6 3h8l4 4v14H6zM14 3v4h4'
const FOLDER_LINES = 'M3 6h6l2 2.5h10V19H3z'

/** The first matching pattern determines the icon. */
const LINES: readonly (readonly [type: RegExp, kind: string, lines: string])[] = [
  [/^image\//, 'image', 'M4 5h16v14H4zM4 16l4.5-5 4 4.5 2.5-2.5 5 5M15.5 9h.01'],
  [/csv|tab-separated|spreadsheet|excel/, 'table', `${SHEET}M9 11h6v7H9zM9 14.5h6M12 11v7`],
  [/zip|gzip|tar/, 'archive', `${SHEET}M12 10v1.5M12 13v1.5M12 16v1.5`],
  [/^text\/|json|xml|pdf|document|word/, 'text', `${SHEET}M9 11.5h6M9 14.5h6M9 17.5h4`],
]

/** Icon of an item, chosen by its type. */
export function itemIcon(mimeType: string): SVGElement {
  if (mimeType === FOLDER) return icon('folder', FOLDER_LINES)
  const [, kind, lines] = LINES.find(([type]) => type.test(mimeType)) ?? [/./, 'other', SHEET]
  return icon(kind, lines)
}
