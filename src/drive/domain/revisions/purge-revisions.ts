/** Old revisions go by themselves: the head and those that are pinned stay (spec 14). */
import type { PurgeInput, Purged } from '../upkeep/purge-step.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { charge, type ChargedItem, payerFor } from '../accounts/quota.ts'

/** Files in one step. */
const SLICE = 2000

interface Doomed extends ChargedItem {
  readonly pk: number
  readonly file: number
  readonly size: number
}

/**
 * Files with keys behind `after`. A revision is as old as what took its place: who stores a file again after years has as long
 * to think better of it.
 */
export function oldRevisions(tx: Transaction, input: PurgeInput): Purged {
  const { after, keepRevisions = tx.now, mostRevisions = Number.MAX_SAFE_INTEGER } = input
  const end = findSliceEnd(tx, after)
  if (end === undefined) return { removed: 0, next: undefined }
  const doomed = tx.all<Doomed>(OLD, after, end, tx.now - keepRevisions, mostRevisions)
  for (const { pk, file, owner, drive, size } of doomed) {
    tx.run('DELETE FROM revisions WHERE pk = ?', pk)
    tx.run('UPDATE files SET used = used - ?, version = version + 1 WHERE pk = ?', size, file)
    charge(tx, payerFor(tx, { owner, drive }), -size)
  }
  return { removed: doomed.length, next: end }
}

/** Key of the last file of the step that begins behind `after`; undefined: there are no more. */
export function findSliceEnd(db: Database, after: number): number | undefined {
  const sql = 'SELECT max(pk) AS pk FROM (SELECT pk FROM files WHERE pk > ? ORDER BY pk LIMIT ?)'
  return db.get<{ pk: number | null }>(sql, after, SLICE)?.pk ?? undefined
}

/** ?1 to ?2 the files, ?3 when the next one came, ?4 how many may stay. */
const OLD = `SELECT r.pk, r.file, f.owner, f.drive, r.size FROM files f JOIN revisions r ON r.file = f.pk
  WHERE f.pk > ?1 AND f.pk <= ?2 AND r.pinned = 0 AND r.pk <> f.head AND (
  (SELECT min(n.modified) FROM revisions n WHERE n.file = f.pk AND n.pk > r.pk) < ?3
  OR (SELECT count(*) FROM revisions n WHERE n.file = f.pk AND n.pk > r.pk AND n.pinned = 0 AND n.pk <> f.head) >= ?4)`
