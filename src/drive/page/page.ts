/** The page of the store: who signed in, where one is, what is searched. */
import { byId, element, part } from '../../web/page/elements.ts'
import { aboveList, foldersAbove } from './above.ts'
import { isFolder, type SharedDrive, type User } from './answers.ts'
import { fileView, fetchItem } from './file/file.ts'
import { saveFile } from './file/save.ts'
import { folderView } from './folder.ts'
import { listing } from './listing.ts'
import { formatPlace, MY_FILES, type PagePlace, parsePlace } from './place.ts'
import {
  call,
  callAll,
  isSignedIn,
  keepTokenAlone,
  signOut,
  useToken,
  whenRefused,
  describeError,
} from './service.ts'
import { attempt, say } from './talk.ts'

const [tokenBox, searchBox] = [byId('token', HTMLInputElement), byId('search', HTMLInputElement)]

part('token-form').addEventListener('submit', (event) => {
  event.preventDefault()
  useToken(tokenBox.value.trim())
  tokenBox.value = ''
  void enter(true)
})
part('sign-out').addEventListener('click', () => {
  signOut()
  // nothing of what was shown, and no upload under way, stays
  location.replace(location.pathname)
})
part('search-form').addEventListener('submit', (event) => {
  event.preventDefault()
  location.hash = formatPlace({ kind: 'search', text: searchBox.value.trim() })
})
part('skip').addEventListener('click', () => part(isSignedIn() ? 'title' : 'token').focus())
window.addEventListener('hashchange', () => void show(true))
whenRefused(askAgain)
void enter(false)

/** `isAsked`: by pressing something, so that the focus goes along. */
async function enter(isAsked: boolean): Promise<void> {
  part('token-form').hidden = isSignedIn()
  if (!isSignedIn()) return
  try {
    const { user } = await call<{ readonly user: User }>('about', { fields: 'user' })
    const [before, who] = [part('who').textContent?.trim(), user.emailAddress ?? user.displayName]
    if (before !== '' && before !== who) {
      keepTokenAlone()
      return location.reload()
    }
    part('who').textContent = who
    const drives = await callAll<SharedDrive>('drives', {
      maxResults: 100,
      fields: 'nextPageToken,items(id,name)',
    })
    showPlaces(drives)
    part('token-status').textContent = ''
    for (const id of ['store', 'places', 'sign-out']) part(id).hidden = false
    await show(isAsked)
  } catch (error) {
    if (isSignedIn()) say(describeError(error), true)
  }
}

function showPlaces(drives: readonly SharedDrive[]): void {
  const places: readonly (readonly [PagePlace, string])[] = [
    [MY_FILES, 'My files'],
    [{ kind: 'shared' }, 'Shared with me'],
    ...drives.map(({ id, name }) => [{ kind: 'folder', id }, name] as const),
    [{ kind: 'trash' }, 'Trash'],
  ]
  part('places').replaceChildren(
    ...places.map(([place, text]) => element('a', { href: formatPlace(place) }, text)),
  )
}

/** Where one was going when the last answer came; answers that come late are left. */
let latest = 0

async function show(isAsked: boolean): Promise<void> {
  const [turn, from] = [(latest += 1), document.activeElement]
  say('')
  try {
    const { title, above, view } = await openView(parsePlace(location.hash))
    if (turn !== latest) return
    document.title = `${title} · Files`
    part('above').replaceChildren(...(above.length === 0 ? [] : above))
    part('above').hidden = above.length === 0
    part('title').textContent = title
    part('view').replaceChildren(...view)
    // whoever went on meanwhile (into the search box, say) is not pulled back
    const { activeElement } = document
    if (isAsked && (activeElement === from || activeElement === document.body)) part('title').focus()
  } catch (error) {
    if (turn === latest && isSignedIn()) say(describeError(error), true)
  }
}

interface View {
  readonly title: string
  readonly above: readonly Node[]
  readonly view: readonly (Node | string)[]
}

async function openView(place: PagePlace): Promise<View> {
  switch (place.kind) {
    case 'folder':
    case 'file': {
      const item = await fetchItem(place.id)
      const above = await foldersAbove(item)
      const again = () => show(false)
      const view = isFolder(item) ? await folderView(item, again) : fileView(item, again)
      return { title: item.title, above: above.length === 0 ? [] : [aboveList(above)], view }
    }
    case 'download':
      // whoever comes back here, or loads the page again, sees the file alone
      history.replaceState(null, '', formatPlace({ kind: 'file', id: place.id }))
      return downloaded(place.id)
    case 'search':
      searchBox.value = place.text
      return listed(place, `Found for “${place.text}”`)
    case 'shared':
      return listed(place, 'Shared with me')
    case 'trash':
      return listed(place, 'Trash')
  }
}

async function downloaded(id: string): Promise<View> {
  const view = await openView({ kind: 'file', id })
  void attempt(undefined, () => saveFile(id, view.title))
  return view
}

async function listed(place: PagePlace, title: string): Promise<View> {
  const list = listing(place)
  await list.reload()
  return { title, above: [], view: [list.node] }
}

function askAgain(): void {
  part('token-form').hidden = false
  for (const id of ['store', 'places', 'sign-out']) part(id).hidden = true
  part('token-status').textContent = 'This token is unknown or has expired.'
  tokenBox.focus()
}
