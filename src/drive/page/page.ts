/** Page of the store: sign-in, navigation and search. */
import { button, byId, element, icon, part } from '../../web/page/elements.ts'
import { menuEntries } from './actions/actions.ts'
import { adminView } from './admin/admin.ts'
import { isAdministrator } from './admin/admin-list.ts'
import { type About, type PageItem, isFolder } from './answers.ts'
import { takeDroppedFiles, watchDrags } from './drag.ts'
import { drivesView, fetchDrives, fileView, folderView, newInMyDrive } from './folder.ts'
import {
  closeDetails,
  isShown,
  offerDetails,
  refreshDetails,
  showDetails,
  toggleDetails,
  watchDetails,
} from './details.ts'
import { saveFile } from './file/formats.ts'
import { openSharing } from './file/sharing.ts'
import { foldersAbove, guestView, showForms, takeSignedIn, watchForms } from './sign-in.ts'
import { listing } from './list/listing.ts'
import { MY_FILES, type PageRoute, formatRoute, parseRoute } from './route.ts'
import {
  Refusal,
  call,
  describeError,
  fetchItem,
  fetchWays,
  isSignedIn,
  keepTokenAlone,
  signOut,
  whenBusy,
  whenChanged,
  whenRefused,
} from './service.ts'
import { DRAWINGS, attempt, say, sayFailure, showStoreName, showTitle, whenUndone } from './panel.ts'
import { watchKeys } from './keyboard.ts'
import { closeUploads, stopUploads } from './upload/uploads.ts'
import { confirmed } from '../../web/page/dialog.ts'
import { type MenuEntry, menuButton } from '../../web/page/menu.ts'
import { sizeText } from '../../web/page/size.ts'

const [tokenBox, searchBox] = [byId('token', HTMLInputElement), byId('search', HTMLInputElement)]

/** Elements shown only after sign-in. */
const SIGNED_IN = ['store', 'toolbar', 'views', 'sign-out', 'storage', 'show-keys']

/** Number of the latest navigation; late responses of earlier ones are ignored. */
let latest = 0

let shownHash: string | undefined

watchForms(() => enter(true))
part('sign-out').addEventListener('click', () => {
  // reloads, so that neither shown data nor running uploads remain
  void signOut().finally(() => location.replace(location.pathname))
})
part('search-form').addEventListener('submit', (event) => {
  event.preventDefault()
  location.hash = formatRoute({ kind: 'search', text: searchBox.value.trim() })
})
part('close-uploads').addEventListener('click', closeUploads)
part('stop-uploads').addEventListener('click', stopUploads)
watchDrags()
watchDetails()
watchKeys()
whenBusy((isBusy) => (part('busy').hidden = !isBusy))
whenUndone(again)
const heights = new ResizeObserver((entries) => {
  for (const { target } of entries) {
    const height = target.getBoundingClientRect().height
    document.documentElement.style.setProperty(`--${target.id}`, `${height}px`)
  }
})
for (const id of ['bar', 'uploads']) heights.observe(part(id))
part('skip').addEventListener('click', () => part(isSignedIn() ? 'title' : 'token').focus())
window.addEventListener('hashchange', () => void show(true))
whenRefused(askAgain)
whenChanged(() => void refreshStorage())
takeSignedIn()
await showStoreName()
void enter(false)

/** `isAsked` is true after a user's action; the focus then moves to the view. */
async function enter(isAsked: boolean): Promise<void> {
  showForms(!isSignedIn())
  if (!isSignedIn()) return visit()
  try {
    const { user } = await fetchAbout()
    const [before, who] = [part('who').textContent, user.emailAddress ?? user.displayName]
    if (before !== '' && before !== who) {
      keepTokenAlone()
      return location.reload()
    }
    part('who').textContent = who
    const isAdmin = await showViews()
    part('token-status').textContent = ''
    if (isAsked && isAdmin && location.hash === '' && (await fetchWays()).isNew === true) {
      // the first thing to do in a new store
      history.replaceState(null, '', formatRoute({ kind: 'admin', tab: 'users' }))
    }
    for (const id of SIGNED_IN) part(id).hidden = false
    await show(isAsked)
  } catch (error) {
    if (isSignedIn()) sayFailure(error, () => enter(isAsked))
  }
}

/** Shows a guest what is open to anyone, or the sign-in forms if the route is not. */
async function visit(): Promise<void> {
  const turn = (latest += 1)
  const route = parseRoute(location.hash)
  const guest = await guestView(route, visit).catch((error: unknown) => {
    say(describeError(error), true)
    return undefined
  })
  if (turn !== latest || isSignedIn()) return
  part('store').hidden = guest === undefined
  showForms(guest === undefined)
  if (guest === undefined) {
    if ('id' in route && route.id !== MY_FILES.id)
      say('Sign in to open this. A link to it that asked for a password must be opened again, or has ended.')
    return
  }
  say('')
  showTitle(guest.item.title, guest.item)
  showAbove(guest.above)
  const signIn = button('Sign in', () => {
    showForms(true)
    byId('email', HTMLInputElement).focus()
  })
  part('title-actions').replaceChildren(...guest.actions, signIn)
  part('view').replaceChildren(...guest.view)
}

/** @returns whether the user is an administrator */
async function showViews(): Promise<boolean> {
  const [drives, isAdmin] = await Promise.all([fetchDrives(), isAdministrator()])
  const views: readonly (readonly [PageRoute, string, string])[] = [
    [MY_FILES, 'My Drive', DRAWINGS.drive],
    [{ kind: 'shared' }, 'Shared with me', DRAWINGS.shared],
    [{ kind: 'recent' }, 'Recent', DRAWINGS.recent],
    [{ kind: 'starred' }, 'Starred', DRAWINGS.starred],
    [{ kind: 'drives' }, 'Shared drives', DRAWINGS.drives],
    ...drives.map(({ id, name }) => [{ kind: 'folder', id }, name, DRAWINGS.folder] as const),
    [{ kind: 'trash' }, 'Trash', DRAWINGS.trash],
    ...(isAdmin ? [[{ kind: 'admin', tab: 'users' }, 'Administration', DRAWINGS.settings] as const] : []),
  ]
  part('views').replaceChildren(
    ...views.map(([route, text, lines]) =>
      element('a', { href: formatRoute(route) }, icon('view', lines), text),
    ),
  )
  return isAdmin
}

async function show(isAsked: boolean): Promise<void> {
  if (!isSignedIn()) return visit()
  const [turn, from] = [(latest += 1), document.activeElement]
  say('')
  takeDroppedFiles(undefined)
  try {
    const view = await openView(parseRoute(location.hash))
    if (turn !== latest) return
    const { title, above = [] } = view
    // other views do not show what was found
    if (isSearch(shownHash) && !isSearch(location.hash)) searchBox.value = ''
    showTitle(title, view.item)
    showAbove(above)
    part('title-actions').replaceChildren(...(view.actions ?? []), ...itemTools(view))
    part('tools').replaceChildren(...(view.tools ?? [newInMyDrive()]))
    part('view').replaceChildren(...view.view)
    showDetailsOf(view)
    shownHash = location.hash
    markRoute()
    void refreshStorage()
    // does not take the focus if the user has moved it meanwhile
    const { activeElement } = document
    if (isAsked && (activeElement === from || activeElement === document.body)) part('title').focus()
  } catch (error) {
    if (turn !== latest || !isSignedIn()) return
    if (shownHash !== location.hash) showNothing()
    sayFailure(error, again)
  }
}

/** Buttons for the details and the other actions of the open file or folder. */
function itemTools({ item, entries, changed = again }: View): Node[] {
  if (item === undefined) return []
  const details = button('Details', () => toggleDetails(item, changed), {
    id: 'show-details',
    'data-item': item.id,
    'aria-expanded': 'false',
  })
  const more = entries?.() ?? []
  const isShared =
    item.capabilities['canShare'] === true && (item.parents.length > 0 || item.driveId !== undefined)
  const share = button(
    item.driveId === item.id ? 'Members' : 'Share',
    () => openSharing(item, () => void refreshDetails()),
    {
      id: 'share',
    },
  )
  return [
    ...(isShared ? [share] : []),
    details,
    ...(more.length === 0 ? [] : [menuButton('⋮', `Actions for ${item.title}`, () => more)]),
  ]
}

/** Details of a route that is rendered again stay open; a file offers its own. */
function showDetailsOf({ item, changed = again }: View): void {
  if (item !== undefined && shownHash === location.hash && isShown(item)) {
    return showDetails(item, { changed, isQuiet: true })
  }
  closeDetails()
  if (item !== undefined && !isFolder(item)) offerDetails(item, changed)
}

function again(): Promise<void> {
  return show(false)
}

function isSearch(hash = ''): boolean {
  return parseRoute(hash).kind === 'search'
}

/** Clears the view, so that the former route is not mistaken for the requested one. */
function showNothing(): void {
  showTitle('This cannot be shown')
  showAbove([])
  for (const id of ['title-actions', 'tools', 'view']) part(id).replaceChildren()
  closeDetails()
  shownHash = undefined
  markRoute()
}

interface View {
  readonly title: string
  readonly view: readonly Node[]
  /** Folders above, topmost first. */
  readonly above?: readonly PageItem[]
  /** Tools that add something here. */
  readonly tools?: readonly Node[]
  /** Open file or folder, with its main actions and the entries of its menu. */
  readonly item?: PageItem
  readonly actions?: readonly Node[]
  readonly entries?: () => readonly MenuEntry[]
  /** Refreshes the view after a change in the details panel. */
  readonly changed?: () => Promise<void>
}

async function openView(route: PageRoute): Promise<View> {
  switch (route.kind) {
    case 'folder':
    case 'file': {
      const item = await fetchItem(route.id)
      const above = await foldersAbove(item, itemOrNone)
      const onward = () => goOn(item)
      const view = isFolder(item)
        ? await folderView(item, onward)
        : { ...fileView(item, onward), entries: () => menuEntries(item, onward) }
      return { title: item.title, above, item, ...view }
    }
    case 'download':
      // going back or reloading shows the file without a new download
      history.replaceState(null, '', formatRoute({ kind: 'file', id: route.id }))
      return downloaded(route.id)
    case 'search':
      searchBox.value = route.text
      return listed(route, `Results for “${route.text}”`)
    case 'shared':
      return listed(route, 'Shared with me')
    case 'recent':
      return listed(route, 'Recent')
    case 'starred':
      return listed(route, 'Starred')
    case 'drives': {
      const changed = async () => {
        await showViews()
        await show(false)
      }
      return { title: 'Shared drives', ...(await drivesView(changed)) }
    }
    case 'trash':
      return listed(route, 'Trash')
    case 'admin':
      return { ...adminView(route.tab), tools: [] }
  }
}

/** Renders the page again, or goes to the trash if the item was deleted. */
async function goOn({ id }: PageItem): Promise<void> {
  if ((await itemOrNone(id)) === undefined) location.hash = formatRoute({ kind: 'trash' })
  else await again()
}

/** Marks the present view in the list of views. */
function markRoute(): void {
  const route = parseRoute(location.hash)
  const shown = formatRoute(route.kind === 'admin' ? { kind: 'admin', tab: 'users' } : route)
  for (const link of part('views').querySelectorAll('a')) {
    if (link.getAttribute('href') === shown) link.setAttribute('aria-current', 'page')
    else link.removeAttribute('aria-current')
  }
}

/** Ignores failures; the next response updates it. */
async function refreshStorage(): Promise<void> {
  const about = await fetchAbout().catch(() => undefined)
  if (about !== undefined) showStorage(about)
}

async function downloaded(id: string): Promise<View> {
  const view = await openView({ kind: 'file', id })
  void attempt(undefined, () => saveFile(id, view.title))
  return view
}

async function listed(route: PageRoute, title: string): Promise<View> {
  const list = listing(route)
  await list.reload()
  const actions = route.kind === 'trash' ? [emptyTrashButton(list.reload)] : []
  return { title, actions, view: [list.node] }
}

function askAgain(): void {
  showForms(true)
  for (const id of SIGNED_IN) part(id).hidden = true
  part('token-status').textContent = 'This token is unknown or has expired: sign in again.'
  tokenBox.focus()
}

/** Undefined for a folder that the user may not see. */
async function itemOrNone(id: string): Promise<PageItem | undefined> {
  try {
    return await fetchItem(id)
  } catch (error) {
    if (error instanceof Refusal && error.status === 404) return undefined
    throw error
  }
}

function showAbove(above: readonly PageItem[]): void {
  const links = above.map(({ id, title }) =>
    element('li', {}, element('a', { href: formatRoute({ kind: 'folder', id }) }, title)),
  )
  part('above').replaceChildren(element('ol', { class: 'above' }, ...links))
  part('above').hidden = above.length === 0
}

function emptyTrashButton(reload: () => Promise<void>): HTMLElement {
  const empty = async () => {
    const text =
      'All your items in the trash are deleted, with all their versions, and cannot be restored. Items in the trash of shared drives stay.'
    if (!(await confirmed('Empty the trash?', text, 'Empty trash'))) return
    await attempt('All your items in the trash are deleted.', async () => {
      await call('files/trash', {}, undefined, 'DELETE')
      await reload()
    })
  }
  return button('Empty trash', () => void empty(), { id: 'empty-trash' })
}

function fetchAbout(): Promise<About> {
  return call<About>('about', {
    fields: 'user,quotaBytesUsed,quotaBytesTotal,quotaBytesUsedInTrash,quotaType',
  })
}

function showStorage({ quotaBytesUsed, quotaBytesTotal, quotaBytesUsedInTrash, quotaType }: About): void {
  const [used, trashed] = [Number(quotaBytesUsed), Number(quotaBytesUsedInTrash ?? 0)]
  const isBound = quotaType === 'LIMITED' && quotaBytesTotal !== undefined
  const total = Number(quotaBytesTotal ?? 0)
  const text = `${sizeText(used)}${isBound ? ` of ${sizeText(total)}` : ''} used${trashed === 0 ? '' : `, ${sizeText(trashed)} of it in the trash`}`
  part('storage').replaceChildren(
    ...(isBound
      ? [
          element('meter', {
            min: '0',
            max: `${total}`,
            high: `${total * 0.9}`,
            value: `${used}`,
            'aria-label': 'Storage used',
          }),
        ]
      : []),
    text,
  )
}
