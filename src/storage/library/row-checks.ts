/** What a check of a store looks at beyond what the store itself knows of. */
import type { Database, Transaction } from '../store/database.ts'
import type { RowCheck, WrongRow } from '../store/row-checks.ts'
import { type AclEntry, digestOf, internAcl } from './acl.ts'
import { reindex } from './reindex.ts'

export const LIBRARY_CHECKS: readonly RowCheck[] = [
  {
    find: `SELECT pk AS key, 'words of ' || id || ' are not indexed' AS what FROM files
      WHERE is_root = 0 AND NOT EXISTS (SELECT 1 FROM words w WHERE w.rowid = files.pk)`,
    mend: reindex,
  },
  { find: wrongSets, mend: mendSet },
]

/** Equal sets of rights are found by their digest. */
function wrongSets(db: Database): WrongRow[] {
  const wrong: WrongRow[] = []
  for (const { pk, digest } of db.each<{ pk: number; digest: string }>('SELECT pk, digest FROM acls')) {
    if (digestOf(entriesOf(db, pk)) !== digest)
      wrong.push({ key: pk, what: `set of rights ${pk} is not what it was` })
  }
  return wrong
}

interface Row {
  readonly principal: number
  readonly role: AclEntry['role']
  readonly is_listed: 0 | 1
}

function entriesOf(db: Database, acl: number): AclEntry[] {
  const rows = db.all<Row>('SELECT principal, role, is_listed FROM acl_entries WHERE acl = ?', acl)
  return rows.map(({ principal, role, is_listed: isListed }) => ({
    principal,
    role,
    isListed: isListed === 1,
  }))
}

/** What it says now is what counts: that is who can see the files. */
function mendSet(tx: Transaction, acl: number): void {
  const right = internAcl(tx, entriesOf(tx, acl))
  tx.run('UPDATE files SET acl = ? WHERE acl = ?', right, acl)
  tx.run('DELETE FROM acl_entries WHERE acl = ?', acl)
  tx.run('DELETE FROM acls WHERE pk = ?', acl)
}
