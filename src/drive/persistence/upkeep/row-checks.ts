/** Consistency rules between the rows of a store, as statements that find violations. */
import type { Database, Transaction } from '../database/database.ts'
import { DESCRIBED, PAID } from '../database/tables/counted.ts'

/** A violation: key of the row, and a description. */
export interface WrongRow {
  readonly key: number
  readonly what: string
}

export interface RowCheck {
  /** Statement that selects `key` and `what`, or a function if SQL does not suffice. */
  readonly find: string | ((database: Database) => readonly WrongRow[])
  /** Repairs one row. A statement has the key as its only placeholder. */
  readonly mend?: string | ((transaction: Transaction, key: number) => void)
  /** True for a content or text that cannot be restored. */
  readonly isLoss?: boolean
}

/** Order matters: later checks rely on repairs of earlier ones. */
export const ROW_CHECKS: readonly RowCheck[] = [
  {
    find: `SELECT r.pk AS key, 'revision ' || r.id || ' of file ' || coalesce(f.id, r.file) || ' names no content' AS what
      FROM revisions r LEFT JOIN blobs b ON b.pk = r.blob LEFT JOIN files f ON f.pk = r.file WHERE b.pk IS NULL`,
    isLoss: true,
  },
  {
    find: `SELECT blob AS key, 'bytes of no content' AS what FROM blob_data
      WHERE NOT EXISTS (SELECT 1 FROM blobs WHERE pk = blob AND kind = 'inline')`,
    mend: 'DELETE FROM blob_data WHERE blob = ?',
  },
  {
    find: `SELECT pk AS key, 'content ' || sha256 || ' of no revision' AS what FROM blobs
      WHERE NOT EXISTS (SELECT 1 FROM revisions WHERE blob = blobs.pk)`,
    mend(tx, blob) {
      // the clean-up removes its file
      for (const sql of ['DELETE FROM blob_data WHERE blob = ?', 'DELETE FROM blobs WHERE pk = ?'])
        tx.run(sql, blob)
    },
  },
  {
    find: `SELECT pk AS key, 'revision ' || id || ' of no file' AS what FROM revisions
      WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.pk = file)`,
    mend: 'DELETE FROM revisions WHERE pk = ?',
  },
  {
    find: `SELECT pk AS key, 'file ' || id || ' has none of its revisions as head' AS what FROM files
      WHERE kind = 'file' AND NOT EXISTS (SELECT 1 FROM revisions r WHERE r.pk = head AND r.file = files.pk)`,
    mend: 'UPDATE files SET head = (SELECT max(r.pk) FROM revisions r WHERE r.file = files.pk) WHERE pk = ?',
  },
  {
    find: `SELECT r.pk AS key, 'revision ' || r.id || ' has not the size of its content' AS what
      FROM revisions r JOIN blobs b ON b.pk = r.blob WHERE r.size <> b.size`,
    mend: 'UPDATE revisions SET size = (SELECT b.size FROM blobs b WHERE b.pk = blob) WHERE pk = ?',
  },
  {
    find: `SELECT f.pk AS key, 'file ' || f.id || ' has not the size of its head' AS what
      FROM files f JOIN revisions r ON r.pk = f.head WHERE f.size <> r.size`,
    mend: 'UPDATE files SET size = (SELECT r.size FROM revisions r WHERE r.pk = head) WHERE pk = ?',
  },
  {
    find: `SELECT pk AS key, 'file ' || id || ' does not count its revisions' AS what FROM files
      WHERE used <> (SELECT coalesce(sum(r.size), 0) FROM revisions r WHERE r.file = files.pk)`,
    mend: 'UPDATE files SET used = (SELECT coalesce(sum(r.size), 0) FROM revisions r WHERE r.file = files.pk) WHERE pk = ?',
  },
  {
    find: `SELECT pk AS key, 'used bytes of ' || coalesce(email, id) || ' do not add up' AS what FROM principals
      LEFT JOIN (SELECT payer, sum(bytes) AS paid FROM (${PAID}) GROUP BY payer) ON payer = pk WHERE used <> coalesce(paid, 0)`,
    mend: `UPDATE principals SET used = (SELECT coalesce(sum(bytes), 0) FROM (${PAID}) WHERE payer = ?1) WHERE pk = ?1`,
  },
  {
    find: `SELECT pk AS key, 'metadata of ' || coalesce(email, id) || ' do not add up' AS what FROM principals
      LEFT JOIN (SELECT payer, sum(bytes) AS paid FROM (${DESCRIBED}) GROUP BY payer) ON payer = pk WHERE metadata <> coalesce(paid, 0)`,
    mend: `UPDATE principals SET metadata = (SELECT coalesce(sum(bytes), 0) FROM (${DESCRIBED}) WHERE payer = ?1) WHERE pk = ?1`,
  },
  dangling('parents', 'child'),
  dangling('parents', 'parent'),
  dangling('properties', 'file'),
  dangling('grants', 'item'),
  dangling('comments', 'file'),
  dangling('file_labels', 'file'),
  {
    find: `SELECT pk AS key, 'reply ' || id || ' to no comment' AS what FROM replies
      WHERE NOT EXISTS (SELECT 1 FROM comments c WHERE c.pk = comment)`,
    mend: 'DELETE FROM replies WHERE pk = ?',
  },
  {
    find: `SELECT pk AS key, 'message ' || number || ' of no channel' AS what FROM deliveries
      WHERE NOT EXISTS (SELECT 1 FROM channels c WHERE c.pk = channel)`,
    mend: 'DELETE FROM deliveries WHERE pk = ?',
  },
  {
    find: `SELECT pk AS key, 'channel ' || id || ' does not count its messages' AS what FROM channels
      WHERE waiting <> (SELECT count(*) FROM deliveries d WHERE d.channel = channels.pk)`,
    mend: 'UPDATE channels SET waiting = (SELECT count(*) FROM deliveries d WHERE d.channel = channels.pk) WHERE pk = ?',
  },
  dangling('user_state', 'item'),
  dangling('indexable', 'file'),
  dangling('rules', 'folder'),
  dangling('words', 'rowid'),
  {
    find: `SELECT pk AS key, 'file ' || id || ' has no set of rights' AS what FROM files
      WHERE NOT EXISTS (SELECT 1 FROM acls a WHERE a.pk = acl)`,
  },
  {
    find: `SELECT pk AS key, 'file ' || id || ' is in a shared drive that is not there' AS what FROM files
      WHERE drive IS NOT NULL AND NOT EXISTS (SELECT 1 FROM drives d WHERE d.root = drive)`,
  },
  {
    find: `SELECT root AS key, 'a shared drive has no root' AS what FROM drives
      WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.pk = root AND f.drive = f.pk)`,
    mend: 'DELETE FROM drives WHERE root = ?',
  },
  {
    find: `SELECT DISTINCT acl AS key, 'rights of no set' AS what FROM acl_entries
      WHERE NOT EXISTS (SELECT 1 FROM acls a WHERE a.pk = acl)`,
    mend: 'DELETE FROM acl_entries WHERE acl = ?',
  },
  {
    find: `SELECT rowid AS key, 'change ' || seq || ' of ' || principal || ' is not in the log' AS what FROM
      (SELECT min(principal) AS principal, seq, seq AS rowid FROM change_index GROUP BY seq)
      WHERE NOT EXISTS (SELECT 1 FROM changes c WHERE c.seq = key)`,
    mend: 'DELETE FROM change_index WHERE seq = ?',
  },
]

/** Rows that refer to a missing file. */
function dangling(table: string, column: string): RowCheck {
  return {
    find: `SELECT DISTINCT ${column} AS key, '${table} of no file: ' || ${column} AS what FROM ${table}
      WHERE NOT EXISTS (SELECT 1 FROM files f WHERE f.pk = ${table}.${column})`,
    mend: `DELETE FROM ${table} WHERE ${column} = ?`,
  }
}

interface Edge {
  readonly parent: number
  readonly child: number
}

/** Finds edges whose removal leaves no cycle. */
export function cycleEdges(database: Database): Edge[] {
  const children = new Map<number, number[]>()
  const sql = `SELECT parent, child FROM parents JOIN files ON pk = child WHERE kind = 'folder'`
  for (const { parent, child } of database.each<Edge>(sql)) {
    const known = children.get(parent)
    if (known === undefined) children.set(parent, [child])
    else known.push(child)
  }
  return backEdges(children)
}

/** Depth-first without recursion, because folders may be deeply nested. An edge to a folder being visited closes a cycle. */
function backEdges(children: ReadonlyMap<number, readonly number[]>): Edge[] {
  const state = new Map<number, 'visiting' | 'done'>()
  const found: Edge[] = []
  for (const top of children.keys()) {
    const path = [{ folder: top, next: 0 }]
    if (state.has(top)) continue
    state.set(top, 'visiting')
    for (let here = path.at(-1); here !== undefined; here = path.at(-1)) {
      const child = children.get(here.folder)?.[here.next++]
      if (child === undefined) {
        state.set(here.folder, 'done')
        path.pop()
      } else if (state.get(child) === 'visiting') found.push({ parent: here.folder, child })
      else if (!state.has(child)) {
        state.set(child, 'visiting')
        path.push({ folder: child, next: 0 })
      }
    }
  }
  return found
}

export type StoreProblem =
  /** The database file itself. */
  | 'damaged-database'
  /** A content is missing, too short, or changed. A backup may have it. */
  | 'lost-content'
  | 'damaged-content'
  /** Rows contradict each other. */
  | 'inconsistent'

export interface Finding {
  readonly problem: StoreProblem
  /** Description, such as `file abc has no revision`. */
  readonly what: string
  readonly isRepaired: boolean
}

export interface FsckReport {
  readonly findings: readonly Finding[]
  readonly files: number
  readonly contents: number
  readonly bytes: number
  /** Files that no row names, left by interrupted requests. The clean-up removes them later. */
  readonly leftovers: number
}
