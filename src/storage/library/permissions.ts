/** permissions.list and get: who may see an item, shown to those who may change it (spec 11.2). */
import type { Caller } from '../model/caller.ts'
import type { Database } from '../store/database.ts'
import { mustBeOfApp, type SeenFile, seenFile } from './access.ts'
import { driveForAdmin } from './drive-admin.ts'
import { type PermissionView, permissionOf, permissionsOf } from './permission-view.ts'
import { mustBeAble } from './powers.ts'
import { principalOfKey } from './principals.ts'

export interface Item {
  readonly id: string
  /** Who administers the service may look after any shared drive. */
  readonly asAdmin?: boolean | undefined
}

/** Who may neither change nor share it does not see whom else it is shared with. @throws 404, 403 */
export function listPermissions(db: Database, caller: Caller, item: Item): PermissionView[] {
  const file = itemOf(db, caller, item, 'read')
  mustBeAble(db, file, 'canEdit')
  return permissionsOf(db, caller, file)
}

export interface PermissionName extends Item {
  /** `me` is the caller. */
  readonly permission: string
}

/** Everybody sees his own. @throws 404, 403 */
export function getPermission(db: Database, caller: Caller, name: PermissionName): PermissionView {
  const file = itemOf(db, caller, name, 'read')
  if (!isOwn(db, caller, name)) mustBeAble(db, file, 'canEdit')
  return permissionOf(db, caller, file, name.permission)
}

/** Whether he has another is not told to whoever may not see it. */
export function isOwn(db: Database, { user }: Caller, { permission }: PermissionName): boolean {
  return permission === 'me' || permission === principalOfKey(db, user)?.id
}

/** @throws 404; 403 — the program is confined to what it made */
export function itemOf(db: Database, caller: Caller, { id, asAdmin }: Item, to: 'read' | 'write'): SeenFile {
  const drive = asAdmin === true ? driveForAdmin(db, caller, id) : undefined
  const file = drive ?? seenFile(db, caller, id)
  mustBeOfApp(caller, file, to)
  return file
}
