/** permissions.list and get: the permissions of an item are shown to its editors (spec 11.2). */
import type { Caller } from '../../contract/caller.ts'
import type { Database } from '../../persistence/database/database.ts'
import { mustBeOfApp, type SeenFile, seenFile } from '../access/access.ts'
import { driveForAdmin } from '../drives/drive-admin.ts'
import {
  effectivePermission,
  type PermissionView,
  viewPermission,
  viewPermissions,
} from './permission-view.ts'
import { mustBeAble } from '../access/powers.ts'
import { findPrincipalByKey } from '../access/principals.ts'

export interface SharedItem {
  readonly id: string
  /** `useDomainAdminAccess`: administrators manage any shared drive. */
  readonly asAdmin?: boolean | undefined
}

/** Only for callers who may edit: readers do not see with whom else an item is shared. @throws 404, 403 */
export function listPermissions(db: Database, caller: Caller, item: SharedItem): PermissionView[] {
  const file = findSharedItem(db, caller, item, 'read')
  mustBeAble(db, file, 'canEdit')
  return viewPermissions(db, caller, file)
}

export interface PermissionName extends SharedItem {
  /** `me` is the caller. */
  readonly permission: string
}

/** Callers always see their own; `me` is the strongest that applies to them, a group's or a domain's included. @throws 404, 403 */
export function getPermission(db: Database, caller: Caller, name: PermissionName): PermissionView {
  const file = findSharedItem(db, caller, name, 'read')
  if (name.permission === 'me') return effectivePermission(db, caller, file)
  if (!isOwn(db, caller, name)) mustBeAble(db, file, 'canEdit')
  return viewPermission(db, caller, file, name.permission)
}

/** Decided by the id alone, so that the answer does not tell who else has a permission. */
export function isOwn(db: Database, { user }: Caller, { permission }: PermissionName): boolean {
  return permission === 'me' || permission === findPrincipalByKey(db, user)?.id
}

/** @throws 404; 403 — the program is confined to what it made */
export function findSharedItem(
  db: Database,
  caller: Caller,
  { id, asAdmin }: SharedItem,
  to: 'read' | 'write',
): SeenFile {
  const drive = asAdmin === true ? driveForAdmin(db, caller, id) : undefined
  const file = drive ?? seenFile(db, caller, id)
  mustBeOfApp(caller, file, to)
  return file
}
