/** Sign-in forms, by address and password or by token; and the view for guests. */
import { button, byId, element, hint, part, table } from '../../web/page/elements.ts'
import {
  type Opening,
  type SignInWays,
  describeError,
  fetchChildren,
  fetchItem,
  fetchOpening,
  fetchWays,
  noteSession,
  signIn,
  useToken,
} from './service.ts'
import { menuButton } from '../../web/page/menu.ts'
import { sizeText } from '../../web/page/size.ts'
import { type PageItem, describeCount, filePath, isFolder } from './answers.ts'
import { describeItem } from './details.ts'
import { formatTitle, isDocument, saveExport, saveFile } from './file/formats.ts'
import { preview } from './file/preview.ts'
import { itemIcon, attempt, panel } from './panel.ts'
import { whenText } from './list/listing.ts'
import { type PageRoute, formatRoute } from './route.ts'

/** `enter` runs after a sign-in. */
export function watchForms(enter: () => Promise<void>): void {
  part('password-form').addEventListener('submit', (event) => {
    event.preventDefault()
    void enterByPassword(enter)
  })
  part('token-form').addEventListener('submit', (event) => {
    event.preventDefault()
    const box = byId('token', HTMLInputElement)
    useToken(box.value.trim())
    box.value = ''
    void enter()
  })
}

export function showForms(isShown: boolean): void {
  part('sign-in').hidden = !isShown
  part('sign-in-title').textContent = `Sign in to ${location.host}`
  if (isShown) void offerWays()
}

const BACK = '#signed-in/'

/** Completes a return from the OpenID provider, and restores the route the user was going to. */
export function takeSignedIn(): void {
  if (!location.hash.startsWith(BACK)) return
  noteSession()
  const to = decodeURIComponent(location.hash.slice(BACK.length))
  history.replaceState(null, '', to.startsWith('#') ? to : '#')
}

/** Shows only the forms if the service does not answer. */
async function offerWays(): Promise<void> {
  const { openId, isNew = false }: SignInWays = await fetchWays().catch(() => ({}))
  part('new-store').hidden = !isNew
  // then the only way in
  part('token-form').querySelector('button')?.classList.toggle('main', isNew)
  part('openid').hidden = openId === undefined
  if (openId === undefined) return
  const href = `${openId.start}?${new URLSearchParams({ to: location.hash }).toString()}`
  part('openid').replaceChildren(element('a', { href, class: 'button' }, `Sign in with ${openId.name}`))
}

async function enterByPassword(enter: () => Promise<void>): Promise<void> {
  const [email, password] = [byId('email', HTMLInputElement), byId('password', HTMLInputElement)]
  try {
    await signIn(email.value, password.value)
    password.value = ''
    part('token-status').textContent = ''
    await enter()
  } catch (error) {
    part('token-status').textContent = describeError(error)
    password.select()
  }
}

interface GuestView {
  readonly item: PageItem
  readonly above: readonly PageItem[]
  readonly actions: readonly Node[]
  readonly view: readonly Node[]
}

/** Undefined if the item is not open to anyone, or the route names no item. `again` renders the view again. */
export async function guestView(
  route: PageRoute,
  again: () => Promise<void>,
): Promise<GuestView | undefined> {
  if (!('id' in route)) return undefined
  const opening = await fetchOpening(route.id)
  if (!opening.isOpen) return undefined
  const item = await fetchItem(route.id)
  const above = await foldersAbove(item, async (id) =>
    (await fetchOpening(id)).isOpen ? fetchItem(id) : undefined,
  )
  const { sharedBy } = opening
  const facts = `${describeItem(item)}${typeof sharedBy === 'string' ? ` · shared by ${sharedBy}` : ''}`
  const parts = isFolder(item)
    ? { actions: [], view: [await folderTable(item)] }
    : fileParts(item, opening, again)
  return { item, above, ...parts, view: [hint(facts), ...parts.view] }
}

/** Folders above the item, topmost first, along each first parent as far as `find` answers one. */
export async function foldersAbove(
  item: PageItem,
  find: (id: string) => Promise<PageItem | undefined>,
): Promise<PageItem[]> {
  const above: PageItem[] = []
  let [parent] = item.parents
  while (parent !== undefined) {
    const folder = await find(parent.id)
    if (folder === undefined) break
    above.unshift(folder)
    ;[parent] = folder.parents
  }
  return above
}

/** A preview would count against the downloads that a link allows. */
function fileParts(
  item: PageItem,
  { sharedBy, downloadsLeft: left = null }: Opening,
  again: () => Promise<void>,
) {
  if (item.capabilities['canDownload'] !== true || left === 0) {
    const why =
      left === 0
        ? `This link has been used for as many downloads as it allows. Ask ${sharedBy ?? 'the person who sent it'} for another one.`
        : 'You cannot download this file.'
    return { actions: [], view: [element('p', { class: 'problem' }, why)] }
  }
  if (left === null)
    return {
      actions: downloads(item).map(([text, , href]) => element('a', { href, class: 'button main' }, text)),
      view: [panel('Preview', () => preview(item)).node],
    }
  const save = (run: () => Promise<void>) => void attempt(undefined, () => run().finally(again))
  return {
    actions: downloads(item).map(([text, run]) => button(text, () => save(run), { class: 'main' })),
    view: [
      element(
        'p',
        {},
        `This link allows ${describeCount(left, 'more download')}. There is no preview, because it would count as one.`,
      ),
    ],
  }
}

type Download = readonly [text: string, run: () => Promise<void>, href: string]

/** Links that a browser can follow without a token: those of exports at this origin, which may differ from the service's public URL. */
function downloads(item: PageItem): Download[] {
  const { id, title, exportLinks = {} } = item
  if (!isDocument(item)) {
    const href = `drive/v2/${filePath(id)}?alt=media&source=webContentLink`
    return [['Download', () => saveFile(id, title), href]]
  }
  return Object.entries(exportLinks).map(([type, address]) => {
    const { pathname, search } = new URL(address)
    return [`Download as ${formatTitle(type)}`, () => saveExport(item, type), pathname.slice(1) + search]
  })
}

async function folderTable({ id }: PageItem): Promise<HTMLElement> {
  const items = await fetchChildren(id, { orderBy: 'folder,title_natural' })
  const rows = items.map((item) => {
    const { title, mimeType, modifiedDate, lastModifyingUserName, fileSize } = item
    const href = formatRoute({ kind: isFolder(item) ? 'folder' : 'file', id: item.id })
    const label = element('span', { class: 'label' }, element('a', { href, title }, title || 'Untitled'))
    const open = { text: 'Open', press: () => void (location.hash = href) }
    const saves = isFolder(item) || item.capabilities['canDownload'] !== true ? [] : downloads(item)
    const entries = saves.map(([text, run]) => ({ text, press: () => void attempt(undefined, run) }))
    return [
      element('span', { class: 'named' }, itemIcon(mimeType), label),
      lastModifyingUserName,
      whenText(modifiedDate),
      fileSize === undefined ? '' : sizeText(Number(fileSize)),
      menuButton('⋮', `Actions for ${title}`, () => [open, ...entries]),
    ]
  })
  const columns = ['Name', { title: 'Changed by', style: 'who' }, 'Changed', 'Size', 'Actions']
  return element('div', { class: 'listing files' }, table(describeCount(items.length, 'item'), columns, rows))
}
