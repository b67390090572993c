/** The operations on permissions. */
import { command } from '../../domain/commands.ts'
import { readLimits } from '../../domain/limits.ts'
import {
  getPermission,
  type SharedItem,
  listPermissions,
  type PermissionName,
} from '../../domain/permissions/permissions.ts'
import type { PermissionView } from '../../domain/permissions/permission-view.ts'
import { mustBeAddress, permissionId } from '../../domain/access/principals.ts'
import { readMethodBody } from '../../protocol/bodies/body.ts'
import { selectFields } from '../../protocol/answers/fields.ts'
import { type CallAnswer, type Call, idIn, NOTHING, resource } from '../requests/call.ts'
import { listAnswer } from '../answers/list-answer.ts'
import { listEtag } from '../answers/list-etag.ts'
import { linkTo, nextMembers, readPosition } from '../answers/paging.ts'
import { permissionResource } from '../resources/permission.ts'

export function listAllPermissions(call: Call): CallAnswer {
  const { drive, caller, links, parameters } = call
  const all = listPermissions(drive.store.read, caller, readItem(call))
  const inDrive = all.some((permission) => permission.inDrive)
  const rest = behind(call, all)
  const page = rest.slice(
    0,
    parameters.maxResults ??
      (inDrive ? Math.min(100, readLimits(drive.store.read)['page-items']) : all.length),
  )
  const last = page.length < rest.length ? page.at(-1) : undefined
  const more = nextMembers(call, last && [last.since, last.principal.pk])
  const etag = listEtag([...page.map((permission) => permission.etag), more['nextPageToken']])
  return listAnswer({
    etag,
    envelope: { kind: 'drive#permissionList', etag, selfLink: linkTo(call), ...withoutLink(more) },
    items: (selection) => page.map((one) => selectFields(permissionResource(one, links), selection)),
  })
}

/** The schema of this list has no `nextLink`. */
function withoutLink({ nextPageToken }: Record<string, string>): Record<string, string> {
  return nextPageToken === undefined ? {} : { nextPageToken }
}

/** What comes after the page before. */
function behind(call: Call, all: readonly PermissionView[]): readonly PermissionView[] {
  const position = readPosition(call)
  if (position === undefined) return all
  const [since = 0, key = 0] = position.map(Number)
  return all.filter((one) => one.since < since || (one.since === since && one.principal.pk < key))
}

export function getOnePermission(call: Call): CallAnswer {
  return permissionAnswer(getPermission(call.drive.store.read, call.caller, readPermissionName(call)), call)
}

export async function insertPermission(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body, parameters } = call
  const view = await command(drive.store, 'insertPermission', caller, {
    ...readItem(call),
    body: readMethodBody(method, 'Permission', body),
    movesToRoot: parameters.moveToNewOwnersRoot,
  })
  return permissionAnswer(view, call)
}

/** PUT and PATCH mean the same (spec 1). */
export async function updatePermission(call: Call): Promise<CallAnswer> {
  const { drive, caller, method, body, parameters, ifMatch } = call
  const view = await command(drive.store, 'changePermission', caller, {
    ...readPermissionName(call),
    body: readMethodBody(method, 'Permission', body),
    ifMatch,
    transfersOwnership: parameters.transferOwnership,
    removesExpiration: parameters.removeExpiration,
  })
  return permissionAnswer(view, call)
}

export async function deletePermission(call: Call): Promise<CallAnswer> {
  const { drive, caller, ifMatch } = call
  await command(drive.store, 'removePermission', caller, { ...readPermissionName(call), ifMatch })
  return NOTHING
}

/** The same for an address whether anybody has it or not: one may share ahead of its sign-up. */
export function getIdForEmail(call: Call): CallAnswer {
  const email = idIn(call, 'email')
  mustBeAddress(email, 'email')
  const body = { kind: 'drive#permissionId', id: permissionId(email) }
  return resource(undefined, (selection) => selectFields(body, selection))
}

function readItem(call: Call): SharedItem {
  return { id: idIn(call, 'fileId'), asAdmin: call.parameters.useDomainAdminAccess }
}

function readPermissionName(call: Call): PermissionName {
  return { ...readItem(call), permission: idIn(call, 'permissionId') }
}

function permissionAnswer(permission: PermissionView, { links, drive }: Call): CallAnswer {
  if (permission.expires !== undefined) drive.expiry.note(permission.expires)
  return resource(permission.etag, (selection) =>
    selectFields(permissionResource(permission, links), selection),
  )
}
