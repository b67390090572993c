/** The operations on permissions. */
import { readLimits } from '../../domain/settings.ts'
import {
  type PermissionDetail,
  type PermissionName,
  type PermissionView,
  type SharedItem,
  getPermission,
  listPermissions,
} from '../../domain/permissions/permissions.ts'
import { requireAddress, permissionId } from '../../domain/access/principals.ts'
import {
  type Call,
  type CallAnswer,
  type Handlers,
  change,
  changeOnly,
  pathId,
  readCallBody,
  shown,
} from '../requests/call.ts'
import { listAnswer, listEtag, nextMembers, readPosition } from '../answers/paging.ts'
import type { FileView } from '../../domain/items/file-view.ts'
import type { Role } from '../../contract/kinds.ts'
import { formatDate } from '../../protocol/dates.ts'
import { type Links, quotedEtag } from '../answers/json.ts'

export const PERMISSIONS: Handlers = {
  'permissions.list': listAllPermissions,
  'permissions.get': (call) =>
    permissionAnswer(getPermission(call.drive.store.read, call.caller, readPermissionName(call)), call),
  async 'permissions.insert'(call) {
    const view = await change(call, 'insertPermission', {
      ...readItem(call),
      body: readCallBody(call, 'Permission'),
      movesToRoot: call.parameters.moveToNewOwnersRoot,
    })
    return permissionAnswer(view, call)
  },
  'permissions.patch': updatePermission,
  'permissions.update': updatePermission,
  'permissions.delete': (call) =>
    changeOnly(call, 'removePermission', { ...readPermissionName(call), ifMatch: call.ifMatch }),
  /** The id depends on the address alone, so a file can be shared before the user signs up. */
  'permissions.getIdForEmail'(call) {
    const email = pathId(call, 'email')
    requireAddress(email, 'email')
    return shown({ kind: 'drive#permissionId', id: permissionId(email) })
  },
}

function listAllPermissions(call: Call): CallAnswer {
  const { drive, caller, links, parameters } = call
  const all = listPermissions(drive.store.read, caller, readItem(call))
  const inDrive = all.some((permission) => permission.inDrive)
  const rest = behind(call, all)
  const usual = inDrive ? Math.min(100, readLimits(drive.store.read)['page-items']) : all.length
  const page = rest.slice(0, parameters.maxResults ?? usual)
  const last = page.length < rest.length ? page.at(-1) : undefined
  const more = nextMembers(call, last && [last.since, last.principal.pk])
  const etag = listEtag([...page.map((permission) => permission.etag), more.nextPageToken])
  const items = page.map((one) => permissionResource(one, links))
  return listAnswer(call, { kind: 'drive#permissionList', etag, ...more }, items)
}

/** Permissions after the last one of the previous page. */
function behind(call: Call, all: readonly PermissionView[]): readonly PermissionView[] {
  const position = readPosition(call)
  if (position === undefined) return all
  const [since = 0, key = 0] = position.map(Number)
  return all.filter((one) => one.since < since || (one.since === since && one.principal.pk < key))
}

/** PUT and PATCH mean the same (spec 1). */
async function updatePermission(call: Call): Promise<CallAnswer> {
  const { parameters, ifMatch } = call
  const view = await change(call, 'changePermission', {
    ...readPermissionName(call),
    body: readCallBody(call, 'Permission'),
    ifMatch,
    transfersOwnership: parameters.transferOwnership,
    removesExpiration: parameters.removeExpiration,
  })
  return permissionAnswer(view, call)
}

function readItem(call: Call): SharedItem {
  return { id: pathId(call, 'fileId'), asAdmin: call.parameters.useDomainAdminAccess }
}

function readPermissionName(call: Call): PermissionName {
  return { ...readItem(call), permission: pathId(call, 'permissionId') }
}

function permissionAnswer(permission: PermissionView, { links, drive }: Call): CallAnswer {
  if (permission.expires !== undefined) drive.expiry.note(permission.expires)
  return shown(permissionResource(permission, links), permission.etag)
}

/** The caller's own permission, with the id `me`, as JSON text. */
export function ownPermission({ row, role, etag }: FileView, links: Links): string {
  const rights = role === 'commenter' ? '"role":"reader","additionalRoles":["commenter"]' : `"role":"${role}"`
  return (
    `{"kind":"drive#permission","etag":${quotedEtag(etag)},"id":"me",` +
    `"selfLink":"${links.to(`files/${row.id}/permissions/me`)}",${rights},"type":"user"}`
  )
}

export function permissionResource(permission: PermissionView, links: Links) {
  const { file, id, etag, principal, role, withLink, expires, details, inDrive } = permission
  const { kind, email, domain, name, picture } = principal
  const type = kind === 'link' ? 'anyone' : kind
  const isPerson = type === 'user' || type === 'group'
  // a name is shown only for a known account; without one the user sees that the account does not exist yet
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

/** The API represents a commenter as a reader with an additional role. */
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

/** The same details under the older name. */
function formatTeamDetail(detail: PermissionDetail) {
  const { permissionType: teamDrivePermissionType, ...rest } = formatDetail(detail)
  return { teamDrivePermissionType, ...rest }
}
