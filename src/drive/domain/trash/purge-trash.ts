/** What lies in the trash goes by itself in time, with everything that its owner has in it (spec 10). */
import type { PurgeInput, Purged } from '../upkeep/purge-step.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { findSliceEnd } from '../revisions/purge-revisions.ts'
import { removeItems } from '../files/remove-items.ts'

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
  for (const [at, { pk, owner }] of trashed.entries()) {
    items += removeItems(tx, [pk], owner)
    if (items >= MANY) return { removed: at + 1, next: pk }
  }
  return { removed: trashed.length, next: trashed.length < MOST ? end : trashed.at(-1)?.pk }
}

/** In one step; fewer when so many lay in them: others wait for the writer. */
const MOST = 20
const MANY = 5000

const OLD = `SELECT pk, owner FROM files
  WHERE pk > ? AND pk <= ? AND explicit_trash = 1 AND trashed_at <= ? ORDER BY pk LIMIT ?`
