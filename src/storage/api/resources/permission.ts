/** `drive#permission` of what a file's view knows: the caller's own, and the owner's. */
import type { FileView } from '../../library/file-view.ts'
import type { UserView } from '../../library/user-view.ts'
import { quotedEtag } from '../json-text.ts'
import type { Links } from '../links.ts'

/** What the caller may do, under the id `me`; as JSON. */
export function ownPermission({ row, role, etag }: FileView, links: Links): string {
  const rights = role === 'commenter' ? '"role":"reader","additionalRoles":["commenter"]' : `"role":"${role}"`
  return (
    `{"kind":"drive#permission","etag":${quotedEtag(etag)},"id":"me",` +
    `"selfLink":"${links.to(`files/${row.id}/permissions/me`)}",${rights},"type":"user"}`
  )
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
