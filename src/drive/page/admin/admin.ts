/** What administrators see: users, groups, keys, sessions, limits, and what was done. */
import { element } from '../../../web/page/elements.ts'
import { formatPlace } from '../place.ts'
import { groupsView, membersView } from './groups.ts'
import { keysView } from './keys.ts'
import { limitsView } from './limits.ts'
import { logView } from './log.ts'
import { sessionsView } from './sessions.ts'
import { usersView } from './users.ts'

const TABS: ReadonlyMap<string, readonly [title: string, view: () => Node[]]> = new Map([
  ['users', ['Users', usersView]],
  ['groups', ['Groups', groupsView]],
  ['keys', ['Keys', keysView]],
  ['sessions', ['Sessions', sessionsView]],
  ['limits', ['Limits', limitsView]],
  ['log', ['Log', logView]],
])

const GROUP = 'group:'

export interface AdminView {
  readonly title: string
  readonly view: readonly Node[]
}

/** A group has a view of its own; what is no tab is the first. */
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
          href: formatPlace({ kind: 'admin', tab }),
          'aria-current': tab === chosen ? 'page' : undefined,
        },
        title,
      ),
    ),
  )
  return element('nav', { 'aria-label': 'Administration' }, element('ul', { class: 'tabs' }, ...links))
}
