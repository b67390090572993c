/** Members of a file's resource that are about people. */
import type { UserView } from '../../library/user-view.ts'
import { formatDate } from '../../query/dates.ts'
import type { Field, Seeing } from './field.ts'
import { userResource } from './user.ts'

export const PEOPLE_FIELDS: Readonly<Record<string, Field>> = {
  owners: ({ owner }, { caller }) => (owner === undefined ? undefined : [userResource(owner, caller)]),
  ownerNames: ({ owner }) => (owner === undefined ? undefined : [owner.name]),
  ownedByMe: ({ row }, { caller }) => (row.drive === null ? row.owner === caller.user : undefined),
  lastModifyingUser: ({ modifier }, seeing) => person(modifier, seeing),
  lastModifyingUserName: ({ modifier }) => modifier?.name,
  sharedWithMeDate: ({ mine }) => (mine.sharedAt === null ? undefined : formatDate(mine.sharedAt)),
  sharingUser: ({ sharer }, seeing) => person(sharer, seeing),
  trashingUser: ({ row, trasher }, seeing) => (row.drive === null ? undefined : person(trasher, seeing)),
}

function person(user: UserView | undefined, { caller }: Seeing) {
  return user === undefined ? undefined : userResource(user, caller)
}
