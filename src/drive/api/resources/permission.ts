/** `drive#permission`. */
import type { FileView } from '../../domain/items/file-view.ts'
import type { PermissionDetail, PermissionView } from '../../domain/permissions/permission-view.ts'
import type { Role } from '../../contract/role.ts'
import { formatDate } from '../../protocol/dates.ts'
import { quotedEtag } from '../answers/json.ts'
import type { Links } from '../answers/links.ts'

/** What the caller may do, under the id `me`; as JSON. */
export function ownPermission({ row, role, etag }: FileView, links: Links): string {
  const rights = role === 'commenter' ? '"role":"reader","additionalRoles":["commenter"]' : `"role":"${role}"`
  return (
    `{"kind":"drive#permission","etag":${quotedEtag(etag)},"id":"me",` +
    `"selfLink":"${links.to(`files/${row.id}/permissions/me`)}",${rights},"type":"user"}`
  )
}

export function permissionResource(permission: PermissionView, links: Links) {
  const { file, id, etag, principal, role, withLink, expires, details, inDrive } = permission
  const { kind: type, email, domain, name, picture } = principal
  const isPerson = type === 'user' || type === 'group'
  // an address alone is nobody's name: whoever shared with it can see that it has no account yet
  const isNamed = type !== 'anyone' && name !== '' && principal.is_known === 1
  return {
    kind: 'drive#permission',
    etag,
    id,
    selfLink: links.to(`files/${file}/permissions/${id}`),
    ...(isNamed ? { name } : {}),
    ...(isPerson && email !== null ? { emailAddress: email } : {}),
    ...(domain === null ? {} : { domain }),
    ...(picture === null ? {} : { photoLink: picture }),
    ...formatRoles(role),
    type,
    ...(withLink === undefined ? {} : { withLink }),
    ...(expires === undefined ? {} : { expirationDate: formatDate(expires) }),
    ...(isPerson ? { deleted: false, pendingOwner: false } : {}),
    permissionDetails: details.map(formatDetail),
    ...(inDrive ? { teamDrivePermissionDetails: details.map(formatTeamDetail) } : {}),
  }
}

/** The interface knows commenters as readers who may do something more. */
function formatRoles(role: Role) {
  return role === 'commenter' ? { role: 'reader', additionalRoles: ['commenter'] } : { role }
}

function formatDetail({ role, isMember, isInherited, from }: PermissionDetail) {
  return {
    permissionType: isMember ? 'member' : 'file',
    ...formatRoles(role),
    inherited: isInherited,
    ...(from === undefined ? {} : { inheritedFrom: from }),
  }
}

/** The same by the older name. */
function formatTeamDetail(detail: PermissionDetail) {
  const { permissionType: teamDrivePermissionType, ...rest } = formatDetail(detail)
  return { teamDrivePermissionType, ...rest }
}
