/** Access to an item: shows the permissions, and shares it with others. */
import { button, choice, element, formFor, hint, labelled, part, table } from '../../../web/page/elements.ts'
import { type List, type PageItem, type Permission, type User, filePath, isFolder } from '../answers.ts'
import { IN_ALL_DRIVES, call, callAll } from '../service.ts'
import { openNote } from '../../../web/page/dialog.ts'
import { attempt, copyBox, dateText, panel, say, showMessagesIn } from '../panel.ts'
import { formatRoute } from '../route.ts'

const GRANTEES = {
  user: 'a person',
  group: 'a group',
  domain: 'everyone in a domain',
  anyone: 'anyone with the link',
} as const

/** Dialog that shows and changes who has access. `closed` runs when it is closed. */
export function openSharing(item: PageItem, closed: () => void): void {
  const title = `${item.driveId === item.id ? 'Members of' : 'Share'} ${item.title}`
  const body = panel(item.driveId === item.id ? 'Members' : 'Sharing', (reload) => sharing(item, reload))
  const box = openNote(title, [body.node], () => {
    showMessagesIn(document.querySelector('#details:modal .head') ?? part('bar'))
    closed()
  })
  box.classList.add('sharing')
  say('')
  showMessagesIn(box)
}

/** Who has access; `share` opens the dialog that changes it. */
export async function accessList(item: PageItem, share: () => void): Promise<Node[]> {
  if (item.capabilities['canShare'] !== true)
    return [linkRow(item), hint('Only people who can share this see who has access.')]
  const all = await callAll<Permission>(`${filePath(item.id)}/permissions`)
  const rows = all.map((permission) =>
    element('li', {}, `${describeGrantee(permission)} · ${describeRole(readRole(permission))}`),
  )
  return [
    element('ul', { class: 'access' }, ...rows),
    button(item.driveId === item.id ? 'Change members' : 'Change access', share),
  ]
}

async function sharing(item: PageItem, reload: () => Promise<void>): Promise<Node[]> {
  if (item.capabilities['canShare'] !== true)
    return [linkRow(item), hint('Only people who can share this see who has access.')]
  const asked: Sharing = { path: `${filePath(item.id)}/permissions`, roles: rolesFor(item), reload }
  const all = await callAll<Permission>(asked.path)
  const rows = all.map((permission) => permissionRow(permission, asked))
  const isDrive = item.driveId === item.id
  return [
    linkRow(item),
    table(
      all.length > 1 ? `${all.length} have access` : isDrive ? '1 has access' : 'Not shared',
      ['Who', 'Access', 'Actions'],
      rows,
    ),
    shareForm(asked, isDrive),
  ]
}

interface Sharing {
  readonly path: string
  readonly roles: Roles
  readonly reload: () => Promise<void>
}

function permissionRow(permission: Permission, { path, roles, reload }: Sharing) {
  const { id, expirationDate, permissionDetails = [] } = permission
  const [name, role] = [describeGrantee(permission), readRole(permission)]
  const who = isUnknown(permission) ? `${name} (no account yet)` : name
  const own = `${path}/${encodeURIComponent(id)}`
  const isInherited = permissionDetails.length > 0 && permissionDetails.every(({ inherited }) => inherited)
  const until = expirationDate === undefined ? '' : ` until ${dateText(expirationDate)}`
  if (isInherited || !Object.hasOwn(roles, role))
    return [who, `${describeRole(role)}${until}${isInherited ? ', inherited from a folder' : ''}`, '']
  const access = choice({ 'aria-label': `Access of ${who}` }, Object.entries(roles), role)
  const change = (chosen: string) =>
    attempt(`${who} ${describeRole(chosen)}.`, () => call(own, {}, permissionBody(chosen), 'PATCH')).then(
      reload,
    )
  access.addEventListener('change', () => void change(access.value))
  const remove = () =>
    attempt(`${who} no longer has access.`, () => call(own, {}, undefined, 'DELETE')).then(reload)
  return [
    who,
    element('span', {}, access, until),
    button('Remove', () => void remove(), { 'aria-label': `Remove ${who}` }),
  ]
}

/** Members of a shared drive can only be people and groups. */
function shareForm({ path, roles, reload }: Sharing, isDrive: boolean): HTMLElement {
  const grantees = Object.entries(GRANTEES).filter(
    ([type]) => !isDrive || type === 'user' || type === 'group',
  )
  const who = choice({ id: 'share-type' }, grantees, 'user')
  const value = element('input', { id: 'share-value', autocomplete: 'off', required: true, list: 'people' })
  const label = element('label', { for: 'share-value' }, 'Address')
  const role = choice({ id: 'share-role' }, Object.entries(roles), 'reader')
  const until = element('input', { id: 'share-until', type: 'date' })
  who.addEventListener('change', () => {
    for (const part of [label, value]) part.hidden = who.value === 'anyone'
    value.required = who.value !== 'anyone'
    label.textContent = who.value === 'domain' ? 'Domain' : 'Address'
  })
  const share = () => {
    const given = {
      type: who.value,
      ...(who.value === 'anyone' ? { withLink: true } : { value: value.value.trim() }),
      ...(until.value === '' ? {} : { expirationDate: endOfDay(until.value) }),
    }
    const query = { sendNotificationEmails: false }
    void attempt(undefined, async () => {
      say('')
      const made = await call<Permission>(path, query, { ...given, ...permissionBody(role.value) })
      forgetPeople()
      await reload()
      say(
        isUnknown(made)
          ? `Shared with ${describeGrantee(made)}, who has no account here yet: they can open it once the address has one.`
          : 'Shared.',
      )
    })
  }
  return formFor(
    share,
    { class: 'row' },
    labelled('share-type', 'Share with', who),
    element('span', { class: 'field' }, label, value),
    labelled('share-role', 'Access', role),
    labelled('share-until', 'Until', until),
    element('button', {}, isDrive ? 'Add member' : 'Share'),
    suggestPeople('people'),
  )
}

/** True for an address without an account, which may be a typing error. */
function isUnknown({ type, name }: Permission): boolean {
  return (type === 'user' || type === 'group') && name === undefined
}

/** End of the chosen day in the browser's time zone. */
function endOfDay(day: string): string {
  return new Date(`${day}T23:59:59`).toISOString()
}

function describeGrantee({ type, name, emailAddress, domain }: Permission): string {
  if (type === 'anyone') return GRANTEES.anyone
  if (type === 'domain') return `everyone in ${domain ?? name ?? ''}`
  if (emailAddress === undefined) return name ?? ''
  return name === undefined || name === emailAddress ? emailAddress : `${name} (${emailAddress})`
}

function linkRow(item: PageItem): HTMLElement {
  const { id } = item
  const address = new URL(formatRoute({ kind: isFolder(item) ? 'folder' : 'file', id }), location.href).href
  const box = element('input', { id: 'link', value: address, readonly: true })
  box.addEventListener('focus', () => box.select())
  return element(
    'div',
    { class: 'row' },
    element('label', { for: 'link' }, 'Link'),
    box,
    button(
      'Copy link',
      () => void copyBox(box, 'link', 'The link is copied. It opens for everyone with access.'),
    ),
  )
}

interface Known {
  readonly owners?: readonly User[]
  readonly sharingUser?: User
  readonly lastModifyingUser?: User
  readonly permissions?: readonly Permission[]
}

const FIELDS = 'displayName,emailAddress'

/** Suggested addresses, empty until the service has answered. They come from the user's own files, because the API does not list users. */
function suggestPeople(id: string): HTMLDataListElement {
  const list = element('datalist', { id })
  void knownPeople()
    .then((people) =>
      list.replaceChildren(
        ...[...people].map(([address, name]) => element('option', { value: address }, name)),
      ),
    )
    // the user can type an address without suggestions
    .catch(() => undefined)
  return list
}

/** Address -> name, cached for the whole page. */
let known: Promise<ReadonlyMap<string, string>> | undefined

function knownPeople(): Promise<ReadonlyMap<string, string>> {
  known ??= askPeople()
  known.catch(() => (known = undefined))
  return known
}

/** Empties the cache after the item was shared with someone new. */
function forgetPeople(): void {
  known = undefined
}

async function askPeople(): Promise<ReadonlyMap<string, string>> {
  const { items } = await call<List<Known>>('files', {
    q: 'trashed = false',
    ...IN_ALL_DRIVES,
    orderBy: 'modifiedDate desc',
    maxResults: 200,
    fields: `items(owners(${FIELDS}),sharingUser(${FIELDS}),lastModifyingUser(${FIELDS}),permissions(type,name,emailAddress))`,
  })
  const people = new Map<string, string>()
  const add = (address: string | undefined, name: string) => {
    if (address !== undefined && !people.has(address)) people.set(address, name)
  }
  for (const { owners = [], sharingUser, lastModifyingUser, permissions = [] } of items) {
    for (const user of [...owners, sharingUser, lastModifyingUser])
      if (user !== undefined) add(user.emailAddress, user.displayName)
    for (const { type, emailAddress, name = '' } of permissions)
      add(emailAddress, type === 'group' ? `${name} (group)` : name)
  }
  return people
}

/** Role in the API -> its description. */
type Roles = Readonly<Record<string, string>>

const ROLES: Roles = { reader: 'can view', commenter: 'can comment', writer: 'can edit' }
const MEMBERS: Roles = { ...ROLES, fileOrganizer: 'can move and delete', organizer: 'organizer' }
const WORDS: ReadonlyMap<string, string> = new Map([...Object.entries(MEMBERS), ['owner', 'owner']])

/** Roles that can be given; a shared drive has further ones for its members. */
function rolesFor({ id, driveId }: PageItem): Roles {
  return id === driveId ? MEMBERS : ROLES
}

function describeRole(role: string): string {
  return WORDS.get(role) ?? role
}

/** The API represents a commenter as a reader with an additional role. */
function permissionBody(role: string) {
  return role === 'commenter'
    ? { role: 'reader', additionalRoles: ['commenter'] }
    : { role, additionalRoles: [] }
}

function readRole({ role, additionalRoles = [] }: Permission): string {
  return additionalRoles.includes('commenter') ? 'commenter' : role
}
