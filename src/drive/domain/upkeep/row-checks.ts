/** Checks of a store's rows that the persistence layer cannot make. */
import { assured } from '../../../errors.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { RowCheck, WrongRow } from '../../persistence/upkeep/row-checks.ts'
import { digestAcl, internAcl, readEntries } from '../access/access.ts'
import { reindex } from '../items/search-terms.ts'
import { hasStaleRights, recomputeRights, WRONG_TRASH, recomputeTrash } from '../access/rights.ts'
import { randomBytes } from 'node:crypto'
import type { Caller } from '../../contract/failure.ts'
import { OWN_CLIENT, addClient } from '../accounts/clients.ts'
import { writeSetting } from '../settings.ts'
import { addToken } from '../accounts/tokens.ts'
import { addUser } from '../accounts/users.ts'

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

/** Equal access lists are found by their digest, so a wrong digest is an error. */
function wrongSets(db: Database): WrongRow[] {
  const wrong: WrongRow[] = []
  for (const { pk, digest, drive } of db.each<CheckedRow>('SELECT pk, digest, drive FROM acls')) {
    if (digestAcl({ drive, entries: readEntries(db, pk) }) !== digest)
      wrong.push({ key: pk, what: `set of rights ${pk} has changed unexpectedly` })
  }
  return wrong
}

interface CheckedRow {
  readonly pk: number
  readonly digest: string
  readonly drive: number | null
}

/** Keeps the entries as they are now, since they decide who sees the files, and corrects the digest. */
function mendSet(tx: Transaction, acl: number): void {
  const drive = tx.get<CheckedRow>('SELECT pk, digest, drive FROM acls WHERE pk = ?', acl)?.drive ?? null
  const right = internAcl(tx, { drive, entries: readEntries(tx, acl) })
  tx.run('UPDATE files SET acl = ? WHERE acl = ?', right, acl)
  tx.run('DELETE FROM acl_entries WHERE acl = ?', acl)
  tx.run('DELETE FROM acls WHERE pk = ?', acl)
}

/** Finds items whose access list does not follow from their folders, grants and owners. */
function wrongRights(db: Database): WrongRow[] {
  const wrong: WrongRow[] = []
  for (const { pk, id } of db.each<{ pk: number; id: string }>('SELECT pk, id FROM files')) {
    if (hasStaleRights(db, pk, 'entries'))
      wrong.push({ key: pk, what: `rights to ${id} differ from the permissions granted` })
  }
  return wrong
}

interface StoreFacts extends Readonly<Record<string, number>> {
  readonly users: number
  readonly files: number
  readonly folders: number
  readonly trashed: number
  readonly revisions: number
  readonly contents: number
  /** Bytes of the contents, each counted once. */
  readonly bytes: number
  readonly uploads: number
  readonly largestChange: number
}

const COUNTS = `SELECT
  (SELECT count(*) FROM principals WHERE kind = 'user' AND is_known = 1) AS users,
  (SELECT count(*) FROM files WHERE kind <> 'folder') AS files,
  (SELECT count(*) FROM files WHERE kind = 'folder' AND is_root = 0) AS folders,
  (SELECT count(*) FROM files WHERE trashed = 1) AS trashed,
  (SELECT count(*) FROM revisions) AS revisions,
  (SELECT count(*) FROM blobs) AS contents,
  (SELECT coalesce(sum(size), 0) FROM blobs) AS bytes,
  (SELECT count(*) FROM uploads WHERE state = 'open') AS uploads,
  (SELECT coalesce(max(seq), 0) FROM changes) AS largestChange`

export function storeFacts(db: Database): StoreFacts {
  return assured(db.get<StoreFacts>(COUNTS), 'the store counts nothing')
}

interface SetUp {
  /** Address of the owner, who becomes an administrator. */
  readonly email: string
  /** Digest of the owner's token. */
  readonly digest: string
}

/** Call it once for a new store. */
export function setUp(tx: Transaction, caller: Caller, { email, digest }: SetUp): void {
  for (const name of ['id-key', 'page-key'] as const)
    writeSetting(tx, name, randomBytes(32).toString('base64url'))
  const client = addClient(tx, caller, { id: OWN_CLIENT }).pk
  const user = addUser(tx, caller, { email, isAdmin: true }).pk
  addToken(tx, caller, {
    digest,
    user,
    client,
    // together these scopes open every operation
    scopes: ['drive', 'drive.apps.readonly'],
    kind: 'access',
    expires: tx.now + 30 * 86_400_000,
    label: 'made at first start',
  })
}
