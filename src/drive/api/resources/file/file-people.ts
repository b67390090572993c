/** Members of a file's resource that are about people. */
import type { UserView } from '../../../domain/accounts/user-view.ts'
import { dateText, quoted } from '../../answers/json-text.ts'
import type { Field, Seeing } from './field.ts'
import { userResource } from '../user.ts'

export const PEOPLE_FIELDS: Readonly<Record<string, Field>> = {
  owners: ({ owner }, seeing) => (owner === undefined ? undefined : `[${personText(owner, seeing)}]`),
  ownerNames: ({ owner }) => (owner === undefined ? undefined : `[${quoted(owner.name)}]`),
  ownedByMe: ({ row }, { caller }) => (row.drive === null ? String(row.owner === caller.user) : undefined),
  lastModifyingUser: ({ modifier }, seeing) => person(modifier, seeing),
  lastModifyingUserName: ({ modifier }) => (modifier === undefined ? undefined : quoted(modifier.name)),
  sharedWithMeDate: ({ mine }) => (mine.sharedAt === null ? undefined : dateText(mine.sharedAt)),
  sharingUser: ({ sharer }, seeing) => person(sharer, seeing),
  trashingUser: ({ row, trasher }, seeing) => (row.drive === null ? undefined : person(trasher, seeing)),
}

function person(user: UserView | undefined, seeing: Seeing): string | undefined {
  return user === undefined ? undefined : personText(user, seeing)
}

interface Known {
  readonly user: UserView
  readonly caller: number
  readonly text: string
}

const known = new Map<number, Known>()
const MOST_KNOWN = 10_000

/** Few people are in many items. */
function personText(user: UserView, { caller }: Seeing): string {
  const found = known.get(user.pk)
  if (found !== undefined && found.caller === caller.user && isSame(found.user, user)) return found.text
  const text = JSON.stringify(userResource(user, caller))
  if (known.size >= MOST_KNOWN) known.clear()
  known.set(user.pk, { user, caller: caller.user, text })
  return text
}

function isSame(one: UserView, other: UserView): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    one.email === other.email &&
    one.picture === other.picture
  )
}
