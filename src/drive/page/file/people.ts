/** Addresses that are offered where one is asked for: of those with whom something is shared already, people and groups. */
import { element } from '../../../web/page/elements.ts'
import type { List, Permission, User } from '../answers.ts'
import { call } from '../service.ts'

interface Known {
  readonly owners?: readonly User[]
  readonly sharingUser?: User
  readonly lastModifyingUser?: User
  readonly permissions?: readonly Permission[]
}

const FIELDS = 'displayName,emailAddress'

/** Of a list of addresses; empty until the service has answered. The interface has no list of users: nobody sees strangers. */
export function suggestPeople(id: string): HTMLDataListElement {
  const list = element('datalist', { id })
  void knownPeople()
    .then((people) =>
      list.replaceChildren(
        ...[...people].map(([address, name]) => element('option', { value: address }, name)),
      ),
    )
    // an address can be written without
    .catch(() => undefined)
  return list
}

/** Address -> name; the same for the whole page. */
let known: Promise<ReadonlyMap<string, string>> | undefined

function knownPeople(): Promise<ReadonlyMap<string, string>> {
  known ??= askPeople()
  known.catch(() => (known = undefined))
  return known
}

/** Somebody new has something. */
export function forgetPeople(): void {
  known = undefined
}

async function askPeople(): Promise<ReadonlyMap<string, string>> {
  const { items } = await call<List<Known>>('files', {
    q: 'trashed = false',
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
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
