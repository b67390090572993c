/** Who is signed in, on the page and in programs: ended one by one. */
import { button } from '../../../web/page/elements.ts'
import { attempt, dateText } from '../talk.ts'
import { adminListing, hint } from './admin-list.ts'
import { adminPath, type AdminToken, askAdmin } from './requests.ts'

export function sessionsView(): Node[] {
  const text = 'Whoever is to stay outside needs another password, too, or is disabled: see Users.'
  const { node } = adminListing<AdminToken>({
    path: 'sessions',
    what: 'session',
    columns: ['User', 'Where', 'Since', 'Until', 'Actions'],
    row: describeSession,
    search: { name: 'user', label: 'Of the user' },
  })
  return [hint(text), node]
}

function describeSession(
  { id, user, client, label, created, expires }: AdminToken,
  reload: () => Promise<void>,
) {
  const since = dateText(created)
  const end = () =>
    attempt(`The session of ${user} is ended.`, async () => {
      await askAdmin(adminPath('sessions', id), {}, undefined, 'DELETE')
      await reload()
    })
  return [
    user,
    label === null ? `in the program ${client}` : 'on the page',
    since,
    expires === null ? '' : dateText(expires),
    button('End', () => void end(), { 'aria-label': `End the session of ${user} since ${since}` }),
  ]
}
