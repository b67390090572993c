/** Details of an item: versions or rules, sharing, comments and activity. Beside the list, or a dialog on a narrow screen. */
import { byId, button, element, hint, part } from '../../web/page/elements.ts'
import { sizeText } from '../../web/page/size.ts'
import { type PageItem, isFolder } from './answers.ts'
import { activity, comments } from './file/activity.ts'
import { sharing } from './file/sharing.ts'
import { versions } from './file/versions.ts'
import { type Panel, attempt, dateText, panel } from './panel.ts'
import { parsePlace } from './place.ts'
import { conversions, rules } from './rules/rules.ts'
import { fetchItem } from './service.ts'

export type DetailsSection = 'Sharing' | 'Versions' | 'Rules'

export interface DetailsRequest {
  /** Section to show first, with the focus on its heading. */
  readonly section?: DetailsSection
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
  /** Panels that a change of the content changes. */
  readonly ofContent: Panel[]
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
  const now: Shown = { item, request, name, facts, ofContent: [], opener }
  shown = now
  const panels = panelsOf(now)
  const first = panels.filter(({ title }) => title === request.section)
  const title = element('h2', { id: 'details-title', tabindex: '-1' }, 'Details')
  const head = element(
    'div',
    { class: 'head' },
    title,
    button('✕', closeByUser, { 'aria-label': 'Close details' }),
  )
  const sections = [...first, ...panels.filter((one) => !first.includes(one))].map(({ node }) => node)
  part('bar').append(part('status'))
  box.replaceChildren(head, ...(isOwnFile(item) ? [] : [name, facts]), ...sections)
  openBox(box)
  markOpener()
  if (request.isQuiet !== true) (first[0]?.heading ?? title).focus()
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
  await Promise.all(now.ofContent.map(({ reload }) => reload()))
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
  part('bar').append(part('status'))
  byId('details', HTMLDialogElement).replaceChildren()
  markOpener()
}

/** Moves the status messages into a modal dialog, which would otherwise cover them. */
function openBox(box: HTMLDialogElement): void {
  if (narrow.matches) {
    if (!box.open) box.showModal()
    box.firstElementChild?.append(part('status'))
  } else {
    box.open = true
    part('bar').append(part('status'))
  }
}

/** Tells the page's own button whether its details are open. */
function markOpener(): void {
  const opener = document.getElementById('show-details')
  opener?.setAttribute('aria-expanded', String(shown?.item.id === opener.dataset['item']))
}

function isOwnFile({ id }: PageItem): boolean {
  const place = parsePlace(location.hash)
  return place.kind === 'file' && place.id === id
}

interface TitledPanel extends Panel {
  readonly title: string
}

function panelsOf(now: Shown): readonly TitledPanel[] {
  const { item } = now
  const titled = (title: string, load: (reload: () => Promise<void>) => Promise<Node[]>) => ({
    title,
    ...panel(title, load),
  })
  const isDrive = item.driveId === item.id
  const isShareable = !isFolder(item) || item.parents.length > 0 || item.driveId !== undefined
  const access = isShareable
    ? [
        {
          ...titled(isDrive ? 'Members' : 'Sharing', (reload) => sharing(now.item, reload)),
          title: 'Sharing',
        },
      ]
    : []
  const happened = titled('Activity', () => activity(now.item))
  now.ofContent.push(happened)
  if (isFolder(item)) {
    const mayAdd = item.capabilities['canAddChildren'] === true && !item.labels.trashed
    return [...access, ...(mayAdd ? [titled('Rules', (reload) => rules(now.item, reload))] : []), happened]
  }
  const changed = () =>
    attempt(undefined, async () => {
      await now.request.changed()
      await refreshDetails()
    })
  const kept = titled('Versions', () => versions(now.item, () => void changed()))
  const made = titled('Conversions', () => conversions(now.item))
  // most files have no conversions
  made.node.className = 'optional'
  const said = titled('Comments', (reload) =>
    comments(now.item, async () => {
      await Promise.all([reload(), happened.reload()])
    }),
  )
  now.ofContent.push(kept, made)
  return [...access, kept, made, said, happened]
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
