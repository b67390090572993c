/** `drive#permission` of what a file's view knows: the caller's own, and the owner's. */
import type { FileView } from '../../library/file-view.ts'
import type { UserView } from '../../library/user-view.ts'
import type { Role } from '../../model/role.ts'
import type { Links } from '../links.ts'

/** What the caller may do, under the id `me`. */
export function ownPermission({ row, role, etag }: FileView, links: Links) {
  return {
    kind: 'drive#permission',
    etag,
    id: 'me',
    selfLink: links.to(`files/${row.id}/permissions/me`),
    ...roleMembers(role),
    type: 'user',
  }
}

/** A commenter is a reader with one more role. */
export function roleMembers(role: Role) {
  return role === 'commenter' ? { role: 'reader', additionalRoles: ['commenter'] } : { role }
}

export function ownerPermission({ row, etag }: FileView, owner: UserView, links: Links) {
  return {
    kind: 'drive#permission',
    etag,
    id: owner.id,
    selfLink: links.to(`files/${row.id}/permissions/${owner.id}`),
    name: owner.name,
    ...(owner.email === null
      ? {}
      : { emailAddress: owner.email, domain: owner.email.slice(owner.email.indexOf('@') + 1) }),
    role: 'owner',
    type: 'user',
    deleted: false,
    pendingOwner: false,
  }
}
