/** Administration: users, groups, keys, sessions, limits, and the log of changes. */
import { button, element, hint } from '../../../web/page/elements.ts'
import { formatRoute } from '../route.ts'
import { groupsView, membersView, usersView } from './users.ts'
import { keysView } from './keys.ts'
import { settingsView } from './settings.ts'
import { dateText } from '../panel.ts'
import { type AdminRecord, type AdminToken, adminListing, adminPath, change } from './admin-list.ts'

function sessionsView(): Node[] {
  const text =
    'A user whose session is ended can sign in again. To prevent it, set another password or disable the user under Users.'
  const { node } = adminListing<AdminToken>({
    path: 'sessions',
    what: 'session',
    columns: ['User', 'Where', 'Since', 'Until', 'Actions'],
    row: describeSession,
    search: { name: 'user', label: 'Address of the user' },
  })
  return [hint(text), node]
}

function describeSession(
  { id, user, client, label, created, expires }: AdminToken,
  reload: () => Promise<void>,
) {
  const since = dateText(created)
  const end = () =>
    change(`The session of ${user} is ended.`, reload, adminPath('sessions', id), {}, undefined, 'DELETE')
  return [
    user,
    label === null ? `in the program ${client}` : 'on the page',
    since,
    expires === null ? '' : dateText(expires),
    button('End', () => void end(), { 'aria-label': `End the session of ${user} since ${since}` }),
  ]
}

const WORDS: ReadonlyMap<string, string> = new Map([
  ['addUser', 'added the user'],
  ['changeUser', 'changed the user'],
  ['removeUser', 'removed the user'],
  ['setPassword', 'changed the password of'],
  ['addGroup', 'added the group'],
  ['changeGroup', 'changed the group'],
  ['removeGroup', 'removed the group'],
  ['addMembers', 'added members to'],
  ['removeMembers', 'removed members from'],
  ['addToken', 'made the token'],
  ['revokeToken', 'revoked the token'],
  ['addAccount', 'added the service account'],
  ['removeAccount', 'removed the service account'],
  ['addKey', 'added a key to'],
  ['changeKey', 'changed the key'],
  ['rotateKey', 'replaced the key'],
  ['removeKey', 'revoked the key'],
  ['addClient', 'added the program'],
  ['changeClient', 'changed the program'],
  ['removeClient', 'removed the program'],
  ['putLabel', 'defined the label'],
  ['removeLabel', 'removed the label'],
  ['setLimit', 'set the limit'],
  ['setName', 'named the store'],
])

function logView(): Node[] {
  const { node } = adminListing<AdminRecord>({
    path: 'log',
    what: 'entry',
    columns: ['When', 'Who', 'Action', 'Details'],
    row: ({ date, by, command, subject, detail }) => [
      element('time', { datetime: date }, dateText(date)),
      by ?? 'the operator',
      `${WORDS.get(command) ?? command} ${subject}`,
      Object.entries(detail)
        .filter(([, value]) => value !== subject)
        .map(([name, value]) => `${name}: ${describeValue(name, value)}`)
        .join(', '),
    ],
  })
  return [node]
}

function describeValue(name: string, value: unknown): string {
  if (value === null) return 'none'
  if (name === 'expires' && typeof value === 'number') return dateText(new Date(value).toISOString())
  if (Array.isArray(value)) return value.join(' ')
  return typeof value === 'string' ? value : JSON.stringify(value)
}

const TABS: ReadonlyMap<string, readonly [title: string, view: () => Node[]]> = new Map([
  ['users', ['Users', usersView]],
  ['groups', ['Groups', groupsView]],
  ['keys', ['Keys', keysView]],
  ['sessions', ['Sessions', sessionsView]],
  ['limits', ['Settings', settingsView]],
  ['log', ['Log', logView]],
])

const GROUP = 'group:'

export interface AdminView {
  readonly title: string
  readonly view: readonly Node[]
}

/** View of a tab, or of one group's members; an unknown tab shows the first. */
export function adminView(tab: string): AdminView {
  if (tab.startsWith(GROUP)) {
    const email = tab.slice(GROUP.length)
    return { title: `Members of ${email}`, view: [tabList('groups'), ...membersView(email)] }
  }
  const chosen = TABS.has(tab) ? tab : 'users'
  const [title, view] = TABS.get(chosen) ?? ['Users', usersView]
  return { title, view: [tabList(chosen), ...view()] }
}

function tabList(chosen: string): HTMLElement {
  const links = [...TABS].map(([tab, [title]]) =>
    element(
      'li',
      {},
      element(
        'a',
        {
          href: formatRoute({ kind: 'admin', tab }),
          'aria-current': tab === chosen ? 'page' : undefined,
        },
        title,
      ),
    ),
  )
  return element('nav', { 'aria-label': 'Administration' }, element('ul', { class: 'tabs' }, ...links))
}
