/** What lies in the trash goes by itself in time, with everything that its owner has in it (spec 10). */
import type { PurgeInput, Purged } from '../upkeep/purge-step.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { findSliceEnd } from '../revisions/purge-revisions.ts'
import { BELOW, removeItems } from '../files/remove-items.ts'

interface Trashed {
  readonly pk: number
  /** Null in a shared drive. */
  readonly owner: number | null
}

/** Among the files with keys behind `after`. */
export function oldTrash(tx: Transaction, { after, keepTrash }: PurgeInput): Purged {
  const end = keepTrash === undefined ? undefined : findSliceEnd(tx, after)
  if (keepTrash === undefined || end === undefined) return { removed: 0, next: undefined }
  const trashed = tx.all<Trashed>(OLD, after, end, tx.now - keepTrash, MOST)
  let items = 0
  for (const [at, one] of trashed.entries()) {
    const leaves = holdsTooMany(tx, one) ? listLeaves(tx, one) : []
    // its turn comes again
    if (removeItems(tx, leaves, one.owner) > 0) return { removed: at, next: one.pk - 1 }
    items += removeItems(tx, [one.pk], one.owner)
    if (items >= MANY) return { removed: at + 1, next: one.pk }
  }
  return { removed: trashed.length, next: trashed.length < MOST ? end : trashed.at(-1)?.pk }
}

/** In one step; fewer when so many lay in them: others wait for the writer. */
const MOST = 20
const MANY = 5000
/** Items of one folder that go with it at once; else those in which nothing lies go first, so many in a step. */
const WHOLE = 10_000

function holdsTooMany(tx: Transaction, { pk, owner }: Trashed): boolean {
  return tx.all(`${BELOW} LIMIT ?3`, JSON.stringify([pk]), owner, WHOLE + 1).length > WHOLE
}

function listLeaves(tx: Transaction, { pk, owner }: Trashed): readonly number[] {
  const sql = `${BELOW} AND NOT EXISTS (SELECT 1 FROM parents l WHERE l.parent = f.pk) LIMIT ?3`
  return tx.all<{ pk: number }>(sql, JSON.stringify([pk]), owner, MANY).map((leaf) => leaf.pk)
}

const OLD = `SELECT pk, owner FROM files
  WHERE pk > ? AND pk <= ? AND explicit_trash = 1 AND trashed_at <= ? ORDER BY pk LIMIT ?`
