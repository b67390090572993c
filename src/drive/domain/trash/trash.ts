/** files.trash, untrash and emptyTrash (spec 10). */
import { type Caller, conditionNotMet, notFound } from '../../contract/failure.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { type VisibleFile, requireVisibleFile } from '../access/access.ts'
import { recordChange } from '../changes/change-log.ts'
import { type TaggedFile, requireMatch } from '../items/preconditions.ts'
import { type FileView, viewFile } from '../items/file-view.ts'
import { findHome, unlinkAll } from '../folders/find-folders.ts'
import { link } from '../folders/parents.ts'
import { requireFile, requireCapability, recomputeTrash, recomputeRights } from '../access/rights.ts'
import { OWNED_BELOW, removeItems } from '../files/remove-items.ts'
import type { PurgeInput, Purged } from '../upkeep/purge-step.ts'
import { findSliceEnd } from '../revisions/revisions.ts'

/** Idempotent. @throws 404, 403, 412 */
export function trashFile(tx: Transaction, caller: Caller, tagged: TaggedFile): FileView {
  const file = fileToTrash(tx, caller, tagged.id)
  requireMatch(tx, caller, file, tagged)
  if (tagged.conditions?.empty === true && tx.get(CHILD, file.pk) !== undefined)
    throw conditionNotMet('X-Hla-If', 'The folder is not empty.')
  putIntoTrash(tx, caller, file)
  return viewFile(tx, caller, file.pk)
}

const CHILD = `SELECT 1 FROM parents l CROSS JOIN files f ON f.pk = l.child
  WHERE l.parent = ? AND f.trashed = 0 LIMIT 1`

/** @throws 404, 403, 412 */
export function untrashFile(tx: Transaction, caller: Caller, { id, ifMatch }: TaggedFile): FileView {
  const file = fileToTrash(tx, caller, id)
  requireMatch(tx, caller, file, { ifMatch })
  takeOutOfTrash(tx, file)
  return viewFile(tx, caller, file.pk)
}

/** Id of a shared drive, whose trash an organizer empties; undefined for items the caller owns. */
export interface EmptyTrash {
  readonly drive: string | undefined
}

/** Deletes explicitly trashed items with their descendants; in My Drive only those that the caller owns. @throws 404, 403 */
export function emptyTrash(tx: Transaction, caller: Caller, { drive: id }: EmptyTrash): void {
  if (id !== undefined) return emptyDriveTrash(tx, caller, id)
  const sql = 'SELECT pk FROM files WHERE owner = ? AND explicit_trash = 1 AND drive IS NULL'
  const items = tx.all<{ pk: number }>(sql, caller.user).map(({ pk }) => pk)
  removeItems(tx, items, caller.user)
}

function emptyDriveTrash(tx: Transaction, caller: Caller, id: string): void {
  const drive = requireVisibleFile(tx, caller, id, 'driveId')
  if (drive.drive !== drive.pk) throw notFound('Shared drive', id, 'driveId')
  requireCapability(tx, drive, 'canDeleteChildren')
  const sql = 'SELECT pk FROM files WHERE drive = ? AND explicit_trash = 1'
  const items = tx.all<{ pk: number }>(sql, drive.pk).map(({ pk }) => pk)
  removeItems(tx, items, null)
}

/** @throws 404, 403 — the item is a root, or the role is too weak (owner in My Drive, fileOrganizer in a shared drive) */
export function fileToTrash(tx: Transaction, caller: Caller, id: string): VisibleFile {
  return requireFile(tx, caller, id, 'canTrash')
}

export function putIntoTrash(tx: Transaction, caller: Caller, file: VisibleFile): void {
  if (file.explicit_trash === 1) return
  const sql =
    'UPDATE files SET explicit_trash = 1, trashed_at = ?, trasher = ?, version = version + 1 WHERE pk = ?'
  tx.run(sql, tx.now, caller.user, file.pk)
  recomputeTrash(tx, file.pk)
  recordChange(tx, file)
}

/** An item that is trashed only through its folders leaves them for its owner's root (spec 10). */
export function takeOutOfTrash(tx: Transaction, file: VisibleFile): void {
  if (file.trashed === 0) return
  const sql =
    'UPDATE files SET explicit_trash = 0, trashed_at = NULL, trasher = NULL, version = version + 1 WHERE pk = ?'
  tx.run(sql, file.pk)
  recomputeTrash(tx, file.pk)
  if (isTrashed(tx, file.pk)) {
    unlinkAll(tx, file.pk)
    link(tx, findHome(tx, file), file.pk)
    recomputeTrash(tx, file.pk)
    recomputeRights(tx, [file.pk])
  }
  recordChange(tx, file)
}

function isTrashed(tx: Transaction, file: number): boolean {
  return tx.get('SELECT 1 FROM files WHERE pk = ? AND trashed = 1', file) !== undefined
}

interface Trashed {
  readonly pk: number
  /** Null in a shared drive. */
  readonly owner: number | null
}

/** Deletes old trash among the files with keys above `after`. */
export function oldTrash(tx: Transaction, { after, keepTrash }: PurgeInput): Purged {
  const end = keepTrash === undefined ? undefined : findSliceEnd(tx, after)
  if (keepTrash === undefined || end === undefined) return { removed: 0, next: undefined }
  const trashed = tx.all<Trashed>(OLD, after, end, tx.now - keepTrash, STEP_ITEMS)
  let items = 0
  for (const [at, one] of trashed.entries()) {
    const leaves = holdsTooMany(tx, one) ? listLeaves(tx, one) : []
    // the item itself is deleted in a later step
    if (removeItems(tx, leaves, one.owner) > 0) return { removed: at, next: one.pk - 1 }
    items += removeItems(tx, [one.pk], one.owner)
    if (items >= STEP_DELETIONS) return { removed: at + 1, next: one.pk }
  }
  return { removed: trashed.length, next: trashed.length < STEP_ITEMS ? end : trashed.at(-1)?.pk }
}

/** Trashed items per step. A step ends early after `STEP_DELETIONS` deletions, because other commands wait for the writer. */
const STEP_ITEMS = 20
const STEP_DELETIONS = 5000
/** Largest tree deleted at once. Of a larger tree the leaves go first, `STEP_DELETIONS` per step. */
const MAX_TREE_ITEMS = 10_000

function holdsTooMany(tx: Transaction, { pk, owner }: Trashed): boolean {
  return (
    tx.all(`${OWNED_BELOW} LIMIT ?3`, JSON.stringify([pk]), owner, MAX_TREE_ITEMS + 1).length > MAX_TREE_ITEMS
  )
}

function listLeaves(tx: Transaction, { pk, owner }: Trashed): readonly number[] {
  const sql = `${OWNED_BELOW} AND NOT EXISTS (SELECT 1 FROM parents l WHERE l.parent = f.pk) LIMIT ?3`
  return tx.all<{ pk: number }>(sql, JSON.stringify([pk]), owner, STEP_DELETIONS).map((leaf) => leaf.pk)
}

const OLD = `SELECT pk, owner FROM files
  WHERE pk > ? AND pk <= ? AND explicit_trash = 1 AND trashed_at <= ? ORDER BY pk LIMIT ?`
