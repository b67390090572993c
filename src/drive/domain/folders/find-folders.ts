/** Changes the parents of an item: the work behind children, parents and moves by files.update (spec 9). */
import { BELOW_BY_DEPTH, BELOW } from './tree.ts'
import { type Caller, badRequest, noPermission, StorageFailure } from '../../contract/failure.ts'
import { isAtLeast } from '../../contract/kinds.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, findVisibleFile, readEntries } from '../access/access.ts'
import { markFolderChanged } from '../changes/change-log.ts'
import type { FileRow } from '../items/file-row.ts'
import { checkDepth, foldersToFill, link, measureDepth, parentCountError } from './parents.ts'
import { isAllowed, requireCapability, recomputeTrash, recomputeRights } from '../access/rights.ts'
import { readExtra, writeExtra } from '../files/file-facts.ts'
import { charge, payerFor, withinQuota } from '../accounts/quota.ts'

/** Ids of folders. */
export interface Move {
  /** New folders; undefined keeps the present ones. An item of another owner also stays in folders that the caller does not see. */
  readonly to?: readonly string[] | undefined
  readonly add?: readonly string[] | undefined
  /** Folders that do not hold the item are ignored. */
  readonly remove?: readonly string[] | undefined
}

/** @returns true if the item's folders changed. @throws 404, 403, 400 — folder not found, not a folder, a cycle, too deep */
export function moveItem(tx: Transaction, caller: Caller, file: VisibleFile, move: Move): boolean {
  const before = new Set(findFolders(tx, file.pk))
  const wanted = new Set(move.to === undefined ? before : keysToFill(tx, caller, move.to, before))
  if (move.to !== undefined)
    for (const folder of keptBy(tx, caller, file, { before, wanted })) wanted.add(folder)
  for (const folder of keysToFill(tx, caller, move.add ?? [], before)) wanted.add(folder)
  // folders that the caller does not see stay
  for (const id of move.remove ?? []) wanted.delete(findVisibleFile(tx, caller, id)?.pk ?? 0)
  return putInto(tx, caller, file, { before, wanted })
}

/** With `keepsHome` an item whose last folder this was goes to its owner's root. @returns false if the folder did not hold the item */
export function takeFromFolder(
  tx: Transaction,
  caller: Caller,
  file: VisibleFile,
  { folder, keepsHome }: { readonly folder: number; readonly keepsHome: boolean },
): boolean {
  const before = new Set(findFolders(tx, file.pk))
  if (!before.has(folder)) return false
  const wanted = new Set([...before].filter((one) => one !== folder))
  if (wanted.size === 0 && keepsHome) wanted.add(findHome(tx, file))
  putInto(tx, caller, file, { before, wanted })
  return true
}

/** Keys of the folders that hold an item. */
export function findFolders(db: Database, file: number): number[] {
  return db
    .all<{ parent: number }>('SELECT parent FROM parents WHERE child = ?', file)
    .map((row) => row.parent)
}

/** Folder of an item without parents: its owner's root, or that of its shared drive. */
export function findHome(
  db: Database,
  { pk, owner, drive }: Pick<FileRow, 'pk' | 'owner' | 'drive'>,
): number {
  if (drive !== null) return drive
  const row = db.get<{ root: number | null }>('SELECT root FROM principals WHERE pk = ?', owner)
  if (row?.root == null) throw new Error(`the owner of item ${pk} has no root`)
  return row.root
}

export function unlinkAll(tx: Transaction, file: number): void {
  for (const folder of findFolders(tx, file)) markFolderChanged(tx, folder)
  tx.run('DELETE FROM parents WHERE child = ?', file)
}

interface ParentSets {
  readonly before: ReadonlySet<number>
  readonly wanted: ReadonlySet<number>
}

function putInto(
  tx: Transaction,
  caller: Caller,
  file: VisibleFile,
  { before, wanted }: ParentSets,
): boolean {
  const added = [...wanted].filter((folder) => !before.has(folder))
  const removed = [...before].filter((folder) => !wanted.has(folder))
  if (added.length === 0 && removed.length === 0) return false
  if (file.is_root === 1) throw noPermission(file.id)
  for (const folder of added) checkFolder(tx, file, folder)
  for (const folder of removed) requireRemovable(tx, caller, file, folder)
  const drive = findSharedDrive(tx, [...wanted])
  if ((drive ?? file.drive) !== null && wanted.size !== 1) throw parentCountError()
  const isMoveWithinDrive = drive !== null && drive === file.drive
  const sharesFreely = isMoveWithinDrive || isAllowed(tx, file, 'canShare')
  if (drive !== file.drive) changeDrive(tx, caller, file, drive)
  for (const folder of removed) {
    tx.run('DELETE FROM parents WHERE parent = ? AND child = ?', folder, file.pk)
    markFolderChanged(tx, folder)
  }
  for (const folder of added) link(tx, folder, file.pk)
  recomputeTrash(tx, file.pk)
  recomputeRights(tx, [file.pk])
  if (!sharesFreely) refuseWiderAccess(tx, file)
  return true
}

/** Owners may remove their items from any folder; others need `canRemoveChildren` on it. @throws 403 */
function requireRemovable(db: Database, caller: Caller, file: VisibleFile, folder: number): void {
  if (file.owner === caller.user) return
  const seen = findSeenFolder(db, caller, folder)
  if (seen !== undefined) requireCapability(db, seen, 'canRemoveChildren')
}

/** Callers who may not share an item must not widen its access by moving it. @throws 403 */
function refuseWiderAccess(tx: Transaction, { pk, id, acl: before }: VisibleFile): void {
  const acl = tx.get<{ acl: number }>('SELECT acl FROM files WHERE pk = ?', pk)?.acl ?? before
  const had = new Map(readEntries(tx, before).map(({ principal, role }) => [principal, role]))
  const isSpread = readEntries(tx, acl).some(({ principal, role }) => {
    const was = had.get(principal)
    return was === undefined || !isAtLeast(was, role)
  })
  if (isSpread) throw noPermission(id)
}

/** Folders the caller does not see keep an item that the caller does not own, unless it moves into a shared drive. */
function keptBy(db: Database, caller: Caller, file: VisibleFile, { before, wanted }: ParentSets): number[] {
  if (file.owner === caller.user || findSharedDrive(db, [...wanted]) !== null) return []
  return [...before].filter((folder) => findSeenFolder(db, caller, folder) === undefined)
}

export function findSeenFolder(db: Database, caller: Caller, folder: number): VisibleFile | undefined {
  const row = db.get<{ id: string }>('SELECT id FROM files WHERE pk = ?', folder)
  return row === undefined ? undefined : findVisibleFile(db, caller, row.id)
}

/** Present parents need no right to add children. */
function keysToFill(
  tx: Transaction,
  caller: Caller,
  ids: readonly string[],
  before: ReadonlySet<number>,
): number[] {
  return ids.flatMap((id) => {
    const key = findVisibleFile(tx, caller, id)?.pk
    if (key !== undefined && before.has(key)) return [key]
    return foldersToFill(tx, caller, [id]).map(({ pk }) => pk)
  })
}

const HEIGHT = `${BELOW_BY_DEPTH}
  SELECT max(depth) AS height, max(pk = ?2) AS is_above FROM below`

/** @throws 400 — the folder is below the item, or in another space; 403 — the tree becomes too deep */
function checkFolder(tx: Transaction, file: VisibleFile, folder: number): void {
  if (file.kind === 'folder') {
    const { height, is_above } = tx.get<{ height: number; is_above: number }>(HEIGHT, file.pk, folder) ?? {
      height: 0,
      is_above: 0,
    }
    if (is_above === 1)
      throw badRequest('A folder cannot be moved into itself or into a folder inside it.', 'parents')
    checkDepth(tx, measureDepth(tx, folder) + height, file.drive !== null)
  } else checkDepth(tx, measureDepth(tx, folder), file.drive !== null)
  const space = tx.get<{ space: string }>('SELECT space FROM files WHERE pk = ?', folder)?.space
  if (space !== file.space) throw badRequest('An item cannot be moved to another space.', 'parents')
}

/** Key of the shared drive that holds the folders; null for My Drive, or without folders. */
function findSharedDrive(db: Database, folders: readonly number[]): number | null {
  const sql =
    'SELECT max(drive) AS drive FROM files WHERE pk IN (SELECT value FROM json_each(?)) AND drive IS NOT NULL'
  return db.get<{ drive: number | null }>(sql, JSON.stringify(folders))?.drive ?? null
}

/**
 * Moves an item into a shared drive, where it has no owner, or out of one, where the mover becomes the owner (spec
 * 19). Only its owner can move an item in; only an organizer can move an item out. Changes owner and drive; the caller
 * updates rights and folders. @throws 403
 */
function changeDrive(tx: Transaction, caller: Caller, file: VisibleFile, to: number | null): void {
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
