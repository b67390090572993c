/** Sign-in forms, by address and password or by token; and the view for guests. */
import { byId, element, part, table } from '../../web/page/elements.ts'
import {
  type SignInWays,
  callAll,
  describeError,
  fetchItem,
  fetchWays,
  isPublic,
  noteSession,
  signIn,
  useToken,
} from './service.ts'
import { sizeText } from '../../web/page/size.ts'
import { FOLDER, ITEM, type PageItem } from './answers.ts'
import { formatTitle, isDocument } from './file/formats.ts'
import { preview } from './file/preview.ts'
import { itemIcon } from './list/item-icon.ts'
import { dateText, panel } from './panel.ts'
import { type PagePlace, formatPlace } from './place.ts'

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

/** Completes a return from the OpenID provider, and restores the place the user was going to. */
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
  readonly title: string
  readonly view: readonly (Node | string)[]
}

/** Undefined if the item is not open to anyone, or the place names no item. */
export async function guestView(place: PagePlace): Promise<GuestView | undefined> {
  if (!('id' in place) || !(await isPublic(place.id))) return undefined
  const item = await fetchItem(place.id)
  const view = item.mimeType === FOLDER ? [await folderTable(item)] : fileParts(item)
  return { title: item.title, view }
}

function fileParts(item: PageItem): Node[] {
  const { fileSize, modifiedDate, capabilities } = item
  const facts = `${fileSize === undefined ? '' : `${sizeText(Number(fileSize))} · `}changed ${dateText(modifiedDate)}`
  const links = isDocument(item) ? exportLinks(item) : [['Download', contentLink(item)] as const]
  const downloads = links.map(([text, href]) =>
    element('p', {}, element('a', { href, class: 'button main' }, text)),
  )
  return [
    element('p', { class: 'hint' }, facts),
    ...(capabilities['canDownload'] === true ? downloads : []),
    panel('Preview', () => preview(item)).node,
  ]
}

/** Link that a browser can follow without a token, because the item is open to anyone. */
function contentLink({ id }: PageItem): string {
  return `drive/v2/files/${encodeURIComponent(id)}?alt=media&source=webContentLink`
}

/** Export links rewritten to this origin, which may differ from the service's public URL. */
function exportLinks({ exportLinks: links = {} }: PageItem): (readonly [text: string, href: string])[] {
  return Object.entries(links).map(([type, address]) => {
    const { pathname, search } = new URL(address)
    return [`Download as ${formatTitle(type)}`, pathname.slice(1) + search] as const
  })
}

async function folderTable({ id }: PageItem): Promise<HTMLElement> {
  const items = await callAll<PageItem>('files', {
    q: `'${id}' in parents and trashed = false`,
    orderBy: 'folder,title_natural',
    maxResults: 1000,
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    fields: `nextPageToken,items(${ITEM})`,
  })
  const rows = items.map((item) => {
    const kind = item.mimeType === FOLDER ? 'folder' : 'file'
    const link = element('a', { href: formatPlace({ kind, id: item.id }) }, item.title || 'Untitled')
    const size = item.fileSize === undefined ? '' : sizeText(Number(item.fileSize))
    return [
      element('span', { class: 'named' }, itemIcon(item.mimeType), link),
      dateText(item.modifiedDate),
      size,
    ]
  })
  const heads = [{ title: 'Name' }, { title: 'Changed' }, { title: 'Size' }]
  return element('div', { class: 'listing' }, table(`${items.length} items`, heads, rows))
}
