/** Deletes items, with everything below them that has the same owner. */
import { ALL_BELOW } from '../folders/tree.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import {
  type ChangedItem,
  hasChannels,
  markFolderChanged,
  recordChange,
  recordRemoval,
} from '../changes/change-log.ts'
import { link } from '../folders/parents.ts'
import { type ChargedItem, charge, payerFor } from '../accounts/quota.ts'
import { recomputeRights, requireFile, recomputeTrash } from '../access/rights.ts'
import type { Caller } from '../../contract/failure.ts'
import { type TaggedFile, requireMatch } from '../items/preconditions.ts'

interface Doomed extends ChangedItem, ChargedItem {
  readonly used: number
}

/**
 * Items of other owners stay: they lose the folder, and move to their owner's root if they have no other (spec 5.7).
 * @returns the number deleted
 */
export function removeItems(tx: Transaction, items: readonly number[], owner: number | null): number {
  const doomed = tx.all<Doomed>(OWNED_BELOW, JSON.stringify(items), owner)
  if (doomed.length === 0) return 0
  const keys = JSON.stringify(doomed.map(({ pk }) => pk))
  for (const item of doomed) recordRemoval(tx, item)
  noteFolders(tx, keys)
  for (const { pk, root } of tx.all<Orphan>(ORPHANS, keys)) link(tx, root, pk)
  const left = tx.all<ChangedItem>(LEFT, keys)
  for (const sql of REMOVALS) tx.run(sql, keys)
  tx.runDeferred(`DELETE FROM words WHERE rowid ${IN_DOOMED}`, keys)
  settleLeft(tx, left)
  const freed = new Map<number | null, number>()
  for (const item of doomed) {
    const payer = payerFor(tx, item)
    freed.set(payer, (freed.get(payer) ?? 0) + item.used)
  }
  for (const [payer, used] of freed) charge(tx, payer, -used)
  return doomed.length
}

/** Walks through folders of other owners too. ?1 topmost items as JSON, ?2 their owner. */
export const OWNED_BELOW = `${ALL_BELOW}
  SELECT f.pk, f.id, f.used, f.owner, f.drive FROM below JOIN files f ON f.pk = below.pk WHERE (f.owner IS ?2 OR f.drive IS NOT NULL)`

const IN_DOOMED = 'IN (SELECT value FROM json_each(?1))'

/** Selects items of other owners. */
const LEFT = `SELECT DISTINCT f.pk, f.id FROM parents l JOIN files f ON f.pk = l.child
  WHERE l.parent ${IN_DOOMED} AND l.child NOT ${IN_DOOMED}`

interface Orphan {
  readonly pk: number
  readonly root: number
}

const ORPHANS = `SELECT DISTINCT f.pk, p.root FROM parents l JOIN files f ON f.pk = l.child
  JOIN principals p ON p.pk = f.owner
  WHERE l.parent ${IN_DOOMED} AND l.child NOT ${IN_DOOMED}
  AND NOT EXISTS (SELECT 1 FROM parents o WHERE o.child = l.child AND o.parent NOT ${IN_DOOMED})`

/** Updates items that have lost a folder: their trash state, their inherited rights and their parents. */
function settleLeft(tx: Transaction, left: readonly ChangedItem[]): void {
  for (const { pk } of left) {
    tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', pk)
    recomputeTrash(tx, pk)
  }
  recomputeRights(
    tx,
    left.map(({ pk }) => pk),
  )
  for (const item of left) recordChange(tx, item)
}

/** Notifies watchers of the remaining folders, whose contents have shrunk. */
function noteFolders(tx: Transaction, keys: string): void {
  if (!hasChannels(tx)) return
  const sql = `SELECT DISTINCT parent FROM parents WHERE child ${IN_DOOMED} AND parent NOT ${IN_DOOMED}`
  for (const { parent } of tx.all<{ parent: number }>(sql, keys)) markFolderChanged(tx, parent)
}

/** Contents stay until the sweep, because other files may share them. */
const REMOVALS = [
  `DELETE FROM parents WHERE parent ${IN_DOOMED}`,
  `DELETE FROM parents WHERE child ${IN_DOOMED}`,
  `DELETE FROM grants WHERE item ${IN_DOOMED}`,
  `DELETE FROM user_state WHERE item ${IN_DOOMED}`,
  `DELETE FROM revisions WHERE file ${IN_DOOMED}`,
  `DELETE FROM properties WHERE file ${IN_DOOMED}`,
  `DELETE FROM file_labels WHERE file ${IN_DOOMED}`,
  `DELETE FROM replies WHERE comment IN (SELECT pk FROM comments WHERE file ${IN_DOOMED})`,
  `DELETE FROM comments WHERE file ${IN_DOOMED}`,
  `DELETE FROM indexable WHERE file ${IN_DOOMED}`,
  `DELETE FROM rules WHERE folder ${IN_DOOMED}`,
  `DELETE FROM files WHERE pk ${IN_DOOMED}`,
]

/** @throws 404, 403, 412 */
export function deleteFile(tx: Transaction, caller: Caller, tagged: TaggedFile): void {
  const file = requireFile(tx, caller, tagged.id, 'canDelete')
  requireMatch(tx, caller, file, tagged)
  removeItems(tx, [file.pk], file.owner)
}
