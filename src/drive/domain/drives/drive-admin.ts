/** Administrators manage shared drives without being members of them (spec 19, `useDomainAdminAccess`). */
import type { Caller } from '../../contract/caller.ts'
import type { Database } from '../../persistence/database/database.ts'
import type { SeenFile } from '../access/access.ts'
import { FILE_COLUMNS, type RowCells, rowFrom } from '../items/file-row.ts'

export function isAdmin(db: Database, { user }: Caller): boolean {
  return db.get('SELECT 1 FROM principals WHERE pk = ? AND is_admin = 1', user) !== undefined
}

const DRIVE = `SELECT json_array(${FILE_COLUMNS}) AS cells FROM files f WHERE f.id = ? AND f.drive = f.pk`

/** The root of a shared drive, as an organizer sees it. Undefined: the caller is no administrator, or there is no such drive. */
export function driveForAdmin(db: Database, caller: Caller, id: string): SeenFile | undefined {
  if (caller.hidesDrives === true || !isAdmin(db, caller)) return undefined
  const row = db.get<{ cells: string }>(DRIVE, id)
  if (row === undefined) return undefined
  // as the statement puts them together
  return { ...rowFrom(JSON.parse(row.cells) as RowCells), role: 'organizer' }
}
