/**
 * Moves items into a shared drive, where they have no owner, or out of one, where the mover becomes the owner (spec
 * 19). Only its owner can move an item in; only an organizer can move an item out.
 */
import { BELOW } from '../folders/tree.ts'
import { type Caller, StorageFailure } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { VisibleFile } from '../access/access.ts'
import { readExtra, writeExtra } from '../files/file-facts.ts'
import { requireCapability } from '../access/rights.ts'
import { charge, payerFor, withinQuota } from '../accounts/quota.ts'

/** Key of the shared drive that holds the folders; null for My Drive, or without folders. */
export function findSharedDrive(db: Database, folders: readonly number[]): number | null {
  const sql =
    'SELECT max(drive) AS drive FROM files WHERE pk IN (SELECT value FROM json_each(?)) AND drive IS NOT NULL'
  return db.get<{ drive: number | null }>(sql, JSON.stringify(folders))?.drive ?? null
}

/** Changes owner and drive; the caller updates rights and folders. @throws 403 */
export function changeDrive(tx: Transaction, caller: Caller, file: VisibleFile, to: number | null): void {
  if (file.drive !== null) requireCapability(tx, file, 'canMoveItemOutOfDrive')
  if (to === null) takeOut(tx, caller, file)
  else putIn(tx, file, to)
}

function putIn(tx: Transaction, file: VisibleFile, to: number): void {
  if (file.kind === 'folder')
    throw new StorageFailure(
      403,
      'teamDrivesFolderMoveInNotSupported',
      'Folders cannot be moved into a shared drive.',
    )
  if (file.owner !== null) {
    requireCapability(tx, file, 'canMoveItemIntoTeamDrive')
    tx.run(KEPT_BY_OWNER, file.pk, file.owner, tx.now)
  }
  const payer = payerFor(tx, { owner: null, drive: to })
  withinQuota(tx, payer, () => {
    charge(tx, payerFor(tx, file), -file.used)
    charge(tx, payer, file.used)
    const extra = writeExtra({ ...readExtra(file.extra), wasOwned: true })
    tx.run('UPDATE files SET owner = NULL, drive = ?, extra = ? WHERE pk = ?', to, extra, file.pk)
  })
}

/** Moves the item and everything in it out of the drive. */
function takeOut(tx: Transaction, caller: Caller, file: VisibleFile): void {
  const { pk } = file
  const sql = `${BELOW} SELECT sum(used) AS used FROM files WHERE pk IN (SELECT pk FROM below)`
  const { used = 0 } = tx.get<{ used: number }>(sql, pk) ?? {}
  withinQuota(tx, caller.user, () => {
    charge(tx, payerFor(tx, file), -used)
    charge(tx, caller.user, used)
    tx.run(
      `${BELOW} UPDATE files SET owner = ?2, drive = NULL WHERE pk IN (SELECT pk FROM below)`,
      pk,
      caller.user,
    )
    // an owner has every right; a grant beside it could not be removed, and would outlast the ownership
    tx.run(
      `${BELOW} DELETE FROM grants WHERE item IN (SELECT pk FROM below) AND principal = ?2`,
      pk,
      caller.user,
    )
  })
}

/**
 * The mover can write in the target folder, and keeps that right when the membership ends. An organizer's role comes
 * from the drive itself.
 */
const KEPT_BY_OWNER = `INSERT OR REPLACE INTO grants(item, principal, role, created, granter)
  VALUES (?1, ?2, 'writer', ?3, ?2)`
