/** Shared drives as their members see them (spec 19). */
import type { Caller } from '../../contract/caller.ts'
import { notFound } from '../../contract/failure.ts'
import type { Role } from '../../contract/role.ts'
import type { Database } from '../../persistence/database/database.ts'
import { findSeen, type SeenFile } from '../access/access.ts'
import { driveForAdmin } from './drive-admin.ts'
import type { Restrictions } from './drive-facts.ts'

/** Plain data: it comes back from the writer thread. */
export interface DriveView {
  readonly id: string
  readonly name: string
  readonly created: number
  /** Of the caller. */
  readonly role: Role
  /** The caller does not want to see it. */
  readonly isHidden: boolean
  readonly theme: string | null
  readonly color: string | null
  readonly restrictions: Restrictions
}

export interface DriveName {
  readonly id: string
  /** `useDomainAdminAccess`: administrators manage any shared drive. */
  readonly asAdmin?: boolean | undefined
}

/** @throws 404 */
export function getDrive(db: Database, caller: Caller, name: DriveName): DriveView {
  return driveView(db, caller, driveRoot(db, caller, name))
}

/** @throws 404 — there is no such drive, or the caller is no member of it */
export function driveRoot(db: Database, caller: Caller, { id, asAdmin }: DriveName): SeenFile {
  const root = (asAdmin === true ? driveForAdmin(db, caller, id) : undefined) ?? findSeen(db, caller, id)
  if (root === undefined || root.drive !== root.pk) throw notFound('Shared drive', id, 'driveId')
  return root
}

interface DriveRow {
  readonly theme: string | null
  readonly color: string | null
  readonly restrictions: string
  readonly is_hidden: number
}

const ROW = `SELECT theme, color, restrictions, coalesce(
  (SELECT is_hidden FROM user_state WHERE user = ?2 AND item = root), 0) AS is_hidden FROM drives WHERE root = ?1`

export function driveView(db: Database, { user }: Caller, root: SeenFile): DriveView {
  const row = db.get<DriveRow>(ROW, root.pk, user)
  if (row === undefined) throw new Error(`there is no shared drive ${root.id}`)
  const { theme, color, is_hidden: isHidden } = row
  return {
    id: root.id,
    name: root.title,
    created: root.created,
    role: root.role,
    isHidden: isHidden === 1,
    theme,
    color,
    // a column that only drives.ts writes
    restrictions: JSON.parse(row.restrictions) as Restrictions,
  }
}
