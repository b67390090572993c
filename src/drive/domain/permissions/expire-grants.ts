/** Rights that were given for a time: from its end on they count for nothing (spec 11.4). */
import type { Caller } from '../../contract/caller.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { recordChange } from '../changes/change-log.ts'
import { recomputeRights } from '../access/recompute-rights.ts'
import { noteShared } from '../items/user-state.ts'

/** When the first of them ends: ms since 1970. Undefined: none does. */
export function nextExpiry(db: Database): number | undefined {
  const sql = 'SELECT min(expires) AS next FROM grants WHERE expires IS NOT NULL'
  return db.get<{ next: number | null }>(sql)?.next ?? undefined
}

interface Expired {
  readonly item: number
  readonly principal: number
  readonly id: string
}

const EXPIRED = `SELECT g.item, g.principal, f.id FROM grants g JOIN files f ON f.pk = g.item WHERE g.expires <= ?`

/** @returns how many there were */
export function expireGrants(tx: Transaction, _caller: Caller): number {
  const expired = tx.all<Expired>(EXPIRED, tx.now)
  for (const { item, principal } of expired) {
    tx.run('DELETE FROM grants WHERE item = ? AND principal = ?', item, principal)
    noteShared(tx, principal, item, undefined)
    tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', item)
  }
  const items = new Map(expired.map(({ item, id }) => [item, id]))
  recomputeRights(tx, [...items.keys()])
  for (const [pk, id] of items) recordChange(tx, { pk, id })
  return expired.length
}
