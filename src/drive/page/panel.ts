/** Panel: a part of the page that loads independently, and again after each change. */
import { button, element, part, icon } from '../../web/page/elements.ts'
import { type SignInWays, describeError, fetchWays, mayRetry } from './service.ts'
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
      ...(mayRetry(error) ? [button('Retry', () => void reload())] : []),
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

/** Moves the messages into a modal dialog, which would otherwise cover them, or back to the page. */
export function showMessagesIn(box: Element): void {
  box.append(part('said'))
}

/** Button beside a message. */
export interface Offer {
  readonly text: string
  readonly press: () => void
}

export function say(text: string, isFailure = false, offer?: Offer): void {
  const status = part('status')
  status.className = isFailure ? 'failed' : ''
  status.textContent = text
  const press = () => {
    say('')
    offer?.press()
  }
  part('offer').replaceChildren(
    ...(offer === undefined ? [] : [button(offer.text, press, { class: 'small' })]),
  )
}

/** Reports a failure, with a button that repeats what failed if that may help. */
export function sayFailure(error: unknown, again: () => unknown): void {
  const retry = { text: 'Retry', press: () => void again() }
  say(describeError(error), true, mayRetry(error) ? retry : undefined)
}

let refresh = () => Promise.resolve()

/** `act` renders the view again. */
export function whenUndone(act: () => Promise<void>): void {
  refresh = act
}

/** Undoes a change wherever the user is by then. */
export function undoing(done: string, act: () => Promise<unknown>): Offer {
  const undo = async () => {
    await act()
    await refresh()
  }
  return { text: 'Undo', press: () => void attempt(done, undo) }
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
    sayFailure(error, () => attempt(done, act))
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

/** `21 Nov 2026, 20:15:09` */
export function secondText(date: string): string {
  return new Date(date).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })
}

/** `21 Nov 2026, 20:15` */
export function dateText(date: string): string {
  return new Date(date).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' })
}

export interface ItemChange {
  readonly act: (item: PageItem) => Promise<unknown>
  /** Reverses `act`. */
  readonly undo?: (item: PageItem) => Promise<unknown>
}

/** `done` describes an item afterwards, as in `donors.csv is restored.` `then` refreshes the view. */
export async function doWithEach(
  items: readonly PageItem[],
  done: string,
  change: ItemChange,
  then: () => Promise<void>,
): Promise<void> {
  const { act, undo } = change
  say('')
  const failures: { item: PageItem; error: unknown }[] = []
  const changed: PageItem[] = []
  for (const [at, item] of items.entries()) {
    if (items.length > 1) say(`${at + 1} of ${items.length}: ${item.title}`)
    try {
      await act(item)
      changed.push(item)
    } catch (error) {
      failures.push({ item, error })
    }
  }
  await then()
  const count = changed.length
  const back = undo && count > 0 ? undoing('Undone.', () => Promise.all(changed.map(undo))) : undefined
  const whole = items.length === 1 ? `${items[0]?.title} is ${done}.` : `${count} items are ${done}.`
  if (failures.length === 0) return say(whole, false, back)
  const some = items.length === 1 ? '' : `${count} of ${items.length} items are ${done}. `
  const reasons = failures.map(({ item, error }) => `${item.title}: ${describeError(error)}`)
  const again = () => void doWithEach(failures.map(({ item }) => item), done, change, then) // prettier-ignore
  const mayHelp = failures.every(({ error }) => mayRetry(error))
  say(`${some}${reasons.join(' ')}`, true, mayHelp ? { text: 'Retry', press: again } : back)
}

/** Lines of icons that stand for views. */
export const DRAWINGS = {
  drive: 'M4 6h16v12H4zM4 14h16M7 16h.01',
  shared:
    'M9 11a3 3 0 1 0 0-6 3 3 0 0 0 0 6zM3 19c0-3 3-5 6-5s6 2 6 5M16 11a2.5 2.5 0 1 0 0-5M17 14c2.5.3 4 2 4 5',
  recent: 'M12 4a8 8 0 1 0 0 16 8 8 0 0 0 0-16zM12 8v4l3 2',
  starred: 'M12 4l2.4 5 5.6.8-4 3.9 1 5.5-5-2.7-5 2.7 1-5.5-4-3.9 5.6-.8z',
  drives: 'M4 8l8-4 8 4-8 4zM4 12l8 4 8-4M4 16l8 4 8-4',
  folder: 'M3 6h6l2 2.5h10V19H3z',
  trash: 'M5 7h14M9 7V4h6v3M7 7l1 13h8l1-13M10 11v5M14 11v5',
  settings: 'M4 7h10M18 7h2M4 17h2M10 17h10M14 5v4M18 5v4M6 15v4M10 15v4',
} as const

const SHEET = 'M6 3h8l4 4v14H6zM14 3v4h4'

/** The first matching pattern determines the icon. */
const LINES: readonly (readonly [type: RegExp, kind: string, lines: string])[] = [
  [/^image\//, 'image', 'M4 5h16v14H4zM4 16l4.5-5 4 4.5 2.5-2.5 5 5M15.5 9h.01'],
  [/csv|tab-separated|spreadsheet|excel/, 'table', `${SHEET}M9 11h6v7H9zM9 14.5h6M12 11v7`],
  [/zip|gzip|tar/, 'archive', `${SHEET}M12 10v1.5M12 13v1.5M12 16v1.5`],
  [/^text\/|json|xml|pdf|document|word/, 'text', `${SHEET}M9 11.5h6M9 14.5h6M9 17.5h4`],
]

/** Icon of an item, chosen by its type. */
export function itemIcon(mimeType: string): SVGElement {
  if (mimeType === FOLDER) return icon('folder', DRAWINGS.folder)
  const [, kind, lines] = LINES.find(([type]) => type.test(mimeType)) ?? [/./, 'other', SHEET]
  return icon(kind, lines)
}
