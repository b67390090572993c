/** Moves items into a shared drive, where they have no owner, or out of one, where the mover becomes the owner (spec 19). */
import type { Caller } from '../model/caller.ts'
import { StorageFailure } from '../model/failure.ts'
import type { Database, Transaction } from '../store/database.ts'
import type { SeenFile } from './access.ts'
import { readExtra, writeExtra } from './extra.ts'
import { mustBeAble } from './powers.ts'
import { charge } from './quota.ts'

/** The shared drive that the folders are in; null: My Drive, or no folders. */
export function driveOfFolders(db: Database, folders: readonly number[]): number | null {
  const sql =
    'SELECT max(drive) AS drive FROM files WHERE pk IN (SELECT value FROM json_each(?)) AND drive IS NOT NULL'
  return db.get<{ drive: number | null }>(sql, JSON.stringify(folders))?.drive ?? null
}

/** Rights and folders are the caller's to settle. @throws 403 */
export function changeDrive(tx: Transaction, caller: Caller, file: SeenFile, to: number | null): void {
  if (file.drive === null) mustBeAble(tx, file, 'canEdit')
  else mustBeAble(tx, file, 'canMoveItemOutOfDrive')
  if (to === null) takeOut(tx, caller, file)
  else putIn(tx, caller, file, to)
}

function putIn(tx: Transaction, caller: Caller, file: SeenFile, to: number): void {
  if (file.kind === 'folder')
    throw refused('teamDrivesFolderMoveInNotSupported', 'Folders cannot be moved into a shared drive.')
  if (file.owner !== null) {
    if (file.owner !== caller.user && !hasRole(tx, file.owner, to))
      throw refused(
        'fileOwnerNotMemberOfTeamDrive',
        'The owner of the file is not a member of the shared drive.',
      )
    charge(tx, file.owner, -file.used)
  }
  const extra = writeExtra({ ...readExtra(file.extra), wasOwned: true })
  tx.run('UPDATE files SET owner = NULL, drive = ?, extra = ? WHERE pk = ?', to, extra, file.pk)
}

const BELOW = `WITH RECURSIVE below(pk) AS (
  SELECT ?1 UNION SELECT l.child FROM below JOIN parents l ON l.parent = below.pk)`

/** With everything in it. */
function takeOut(tx: Transaction, caller: Caller, { pk }: SeenFile): void {
  const sql = `${BELOW} SELECT sum(used) AS used FROM files WHERE pk IN (SELECT pk FROM below)`
  charge(tx, caller.user, tx.get<{ used: number }>(sql, pk)?.used ?? 0)
  tx.run(
    `${BELOW} UPDATE files SET owner = ?2, drive = NULL WHERE pk IN (SELECT pk FROM below)`,
    pk,
    caller.user,
  )
}

const ROLE = `SELECT 1 FROM acl_entries WHERE acl = (SELECT acl FROM files WHERE pk = ?2)
  AND principal IN (SELECT ?1 UNION ALL SELECT grp FROM members WHERE member = ?1)`

function hasRole(db: Database, user: number, item: number): boolean {
  return db.get(ROLE, user, item) !== undefined
}

function refused(reason: string, message: string): StorageFailure {
  return new StorageFailure(403, reason, message)
}
