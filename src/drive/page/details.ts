/** Details of an item in tabs: access, versions or rules, comments and activity. Beside the list, or a dialog on a narrow screen. */
import { byId, button, element, hint, part } from '../../web/page/elements.ts'
import { sizeText } from '../../web/page/size.ts'
import { type PageItem, isFolder } from './answers.ts'
import { activity, comments } from './file/activity.ts'
import { accessList, openSharing } from './file/sharing.ts'
import { versions } from './file/versions.ts'
import { type Panel, attempt, dateText, panel, showMessagesIn } from './panel.ts'
import { parseRoute } from './route.ts'
import { conversions, rules } from './rules/rules.ts'
import { fetchItem } from './service.ts'

export type DetailsTab = 'Sharing' | 'Versions' | 'Rules' | 'Activity'

export interface DetailsRequest {
  /** Tab to show, with the focus on it; by default the one that was open last. */
  readonly tab?: DetailsTab
  /** Refreshes the view behind after a change of the item. */
  readonly changed: () => Promise<void>
  /** True leaves the focus where it is. */
  readonly isQuiet?: boolean
}

interface Shown {
  item: PageItem
  readonly request: DetailsRequest
  readonly name: HTMLElement
  readonly facts: HTMLElement
  /** Panels of the open tab. */
  panels: readonly Panel[]
  /** Element that gets the focus back. */
  readonly opener: Element | null
}

const narrow = matchMedia('(max-width: 60rem)')

let shown: Shown | undefined
/** True after the user has closed the details of a file: those of the next file stay closed. */
let isUnwanted = false

/** Installs the listeners; call it once. */
export function watchDetails(): void {
  const box = byId('details', HTMLDialogElement)
  box.addEventListener('close', () => {
    if (!box.open) forget()
  })
  narrow.addEventListener('change', () => {
    if (shown === undefined) return
    // opened by the page alone, it must not cover the file
    if (narrow.matches && shown.request.isQuiet === true) return closeDetails()
    box.close()
    openBox(box)
  })
}

/** Opens the details of the page's own file, unless they would cover it or the user has closed them. */
export function offerDetails(item: PageItem, changed: () => Promise<void>): void {
  if (!narrow.matches && !isUnwanted) showDetails(item, { changed, isQuiet: true })
}

/** Shows another item in open details: the one that the user has selected. */
export function followDetails(item: PageItem, changed: () => Promise<void>): void {
  if (shown !== undefined && !isShown(item)) showDetails(item, { changed, isQuiet: true })
}

export function isShown({ id }: PageItem): boolean {
  return shown?.item.id === id
}

export function toggleDetails(item: PageItem, changed: () => Promise<void>): void {
  if (isShown(item)) return closeByUser()
  isUnwanted = false
  showDetails(item, { changed })
}

export function showDetails(item: PageItem, request: DetailsRequest): void {
  const box = byId('details', HTMLDialogElement)
  const opener = box.contains(document.activeElement) ? (shown?.opener ?? null) : document.activeElement
  const name = element('p', { class: 'item' }, item.title)
  const facts = hint(describeItem(item))
  const now: Shown = { item, request, name, facts, panels: [], opener }
  shown = now
  const title = element('h2', { id: 'details-title', tabindex: '-1' }, 'Details')
  const head = element(
    'div',
    { class: 'head' },
    title,
    button('✕', closeByUser, { 'aria-label': 'Close details' }),
  )
  const tabs = tabsOf(now)
  showMessagesIn(part('bar'))
  box.replaceChildren(head, ...(isOwnFile(item) ? [] : [name, facts]), ...tabs.nodes)
  openBox(box)
  markOpener()
  if (request.isQuiet === true) return
  if (request.tab === undefined) title.focus()
  else tabs.focus()
}

/** Loads again what a change of the item changes; closes the details of a deleted item. */
export async function refreshDetails(): Promise<void> {
  const now = shown
  if (now === undefined) return
  const item = await fetchItem(now.item.id).catch(() => undefined)
  if (shown !== now) return
  if (item === undefined) return closeDetails()
  now.item = item
  now.name.textContent = item.title
  now.facts.textContent = describeItem(now.item)
  await Promise.all(now.panels.map(({ reload }) => reload()))
}

export function closeDetails(): void {
  const box = byId('details', HTMLDialogElement)
  if (shown === undefined) return
  // the event comes later, when other details may be open
  forget()
  box.close()
}

function closeByUser(): void {
  const { item, opener } = shown ?? {}
  if (item !== undefined && isOwnFile(item)) isUnwanted = true
  closeDetails()
  if (opener instanceof HTMLElement && opener.isConnected) opener.focus()
  else part('title').focus()
}

function forget(): void {
  shown = undefined
  showMessagesIn(part('bar'))
  byId('details', HTMLDialogElement).replaceChildren()
  markOpener()
}

/** Moves the status messages into a modal dialog, which would otherwise cover them. */
function openBox(box: HTMLDialogElement): void {
  if (narrow.matches) {
    if (!box.open) box.showModal()
    showMessagesIn(box.firstElementChild ?? box)
  } else {
    box.open = true
    showMessagesIn(part('bar'))
  }
}

/** Tells the page's own button whether its details are open. */
function markOpener(): void {
  const opener = document.getElementById('show-details')
  opener?.setAttribute('aria-expanded', String(shown?.item.id === opener.dataset['item']))
}

function isOwnFile({ id }: PageItem): boolean {
  const route = parseRoute(location.hash)
  return route.kind === 'file' && route.id === id
}

/** Tab that was open last, also for the next item. */
let lastTab: DetailsTab = 'Sharing'

/** Tabs and the panel of the open one, whose requests are sent when it is opened. */
function tabsOf(now: Shown) {
  const panels = panelsOf(now)
  const names = [...panels.keys()]
  const box = element('div', { role: 'tabpanel', id: 'tab-panel' })
  const buttons = names.map((name) =>
    button(name, () => open(name), { id: tabId(name), role: 'tab', 'aria-controls': 'tab-panel' }),
  )
  const open = (name: DetailsTab) => {
    lastTab = name
    for (const [at, one] of buttons.entries()) {
      const isOpen = names[at] === name
      one.setAttribute('aria-selected', String(isOpen))
      one.tabIndex = isOpen ? 0 : -1
    }
    box.setAttribute('aria-labelledby', tabId(name))
    now.panels = panels.get(name)?.() ?? []
    box.replaceChildren(...now.panels.map(({ node }) => node))
  }
  const list = element(
    'div',
    { role: 'tablist', 'aria-labelledby': 'details-title', class: 'tabs' },
    ...buttons,
  )
  list.addEventListener('keydown', (event) => {
    const step = event.key === 'ArrowRight' ? 1 : event.key === 'ArrowLeft' ? -1 : 0
    if (step === 0) return
    event.preventDefault()
    const next = buttons.at(
      (buttons.findIndex((one) => one === document.activeElement) + step) % buttons.length,
    )
    next?.click()
    next?.focus()
  })
  const [first] = names
  const wanted = now.request.tab ?? lastTab
  const chosen = names.includes(wanted) ? wanted : first
  if (chosen !== undefined) open(chosen)
  return { nodes: [list, box], focus: () => buttons.find(({ tabIndex }) => tabIndex === 0)?.focus() }
}

function tabId(name: DetailsTab): string {
  return `tab-${name.toLowerCase()}`
}

function panelsOf(now: Shown): ReadonlyMap<DetailsTab, () => readonly Panel[]> {
  const { item } = now
  const panels = new Map<DetailsTab, () => readonly Panel[]>()
  const isShareable = !isFolder(item) || item.parents.length > 0 || item.driveId !== undefined
  const share = () => openSharing(now.item, () => void refreshDetails())
  if (isShareable) panels.set('Sharing', () => [panel('Who has access', () => accessList(now.item, share))])
  const happened = () => panel('Activity', () => activity(now.item))
  if (isFolder(item)) {
    const mayAdd = item.capabilities['canAddChildren'] === true && !item.labels.trashed
    if (mayAdd) panels.set('Rules', () => [panel('Rules', (reload) => rules(now.item, reload))])
    panels.set('Activity', () => [happened()])
    return panels
  }
  const changed = () =>
    attempt(undefined, async () => {
      await now.request.changed()
      await refreshDetails()
    })
  panels.set('Versions', () => {
    const made = panel('Conversions', () => conversions(now.item))
    // most files have no conversions
    made.node.className = 'optional'
    return [panel('Versions', () => versions(now.item, () => void changed())), made]
  })
  panels.set('Activity', () => {
    const all = happened()
    const said = panel('Comments', (reload) =>
      comments(now.item, async () => {
        await Promise.all([reload(), all.reload()])
      }),
    )
    return [said, all]
  })
  return panels
}

/** Size, type, date and user of the last change. */
export function describeItem(item: PageItem): string {
  const { fileSize, modifiedDate, lastModifyingUserName, mimeType, labels } = item
  return [
    ...(labels.trashed ? ['in the trash'] : []),
    ...(fileSize === undefined ? [] : [sizeText(Number(fileSize))]),
    isFolder(item) ? 'folder' : mimeType,
    `changed ${dateText(modifiedDate)}${lastModifyingUserName === undefined ? '' : ` by ${lastModifyingUserName}`}`,
  ].join(' · ')
}
