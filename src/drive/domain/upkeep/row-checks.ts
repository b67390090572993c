/** What a check of a store looks at beyond what the store itself knows of. */
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { RowCheck, WrongRow } from '../../persistence/upkeep/row-checks.ts'
import { digestAcl, readEntries, internAcl } from '../access/acl.ts'
import { reindex } from '../items/reindex.ts'
import { hasStaleRights, recomputeRights } from '../access/recompute-rights.ts'
import { recomputeTrash, WRONG_TRASH } from '../trash/recompute-trash.ts'

export const LIBRARY_CHECKS: readonly RowCheck[] = [
  {
    find: `SELECT pk AS key, 'words of ' || id || ' are not indexed' AS what FROM files
      WHERE is_root = 0 AND NOT EXISTS (SELECT 1 FROM words w WHERE w.rowid = files.pk)`,
    mend: reindex,
  },
  { find: WRONG_TRASH, mend: recomputeTrash },
  { find: wrongSets, mend: mendSet },
  { find: wrongRights, mend: (tx, pk) => recomputeRights(tx, [pk]) },
]

/** Equal sets of rights are found by their digest. */
function wrongSets(db: Database): WrongRow[] {
  const wrong: WrongRow[] = []
  for (const { pk, digest, drive } of db.each<CheckedRow>('SELECT pk, digest, drive FROM acls')) {
    if (digestAcl({ drive, entries: readEntries(db, pk) }) !== digest)
      wrong.push({ key: pk, what: `set of rights ${pk} is not what it was` })
  }
  return wrong
}

interface CheckedRow {
  readonly pk: number
  readonly digest: string
  readonly drive: number | null
}

/** What it says now is what counts: that is who can see the files. */
function mendSet(tx: Transaction, acl: number): void {
  const drive = tx.get<CheckedRow>('SELECT pk, digest, drive FROM acls WHERE pk = ?', acl)?.drive ?? null
  const right = internAcl(tx, { drive, entries: readEntries(tx, acl) })
  tx.run('UPDATE files SET acl = ? WHERE acl = ?', right, acl)
  tx.run('DELETE FROM acl_entries WHERE acl = ?', acl)
  tx.run('DELETE FROM acls WHERE pk = ?', acl)
}

/** What items have is what follows from their folders, grants and owners. */
function wrongRights(db: Database): WrongRow[] {
  const wrong: WrongRow[] = []
  for (const { pk, id } of db.each<{ pk: number; id: string }>('SELECT pk, id FROM files')) {
    if (hasStaleRights(db, pk, 'entries'))
      wrong.push({ key: pk, what: `rights to ${id} are not those that were given` })
  }
  return wrong
}
