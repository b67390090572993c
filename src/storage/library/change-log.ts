/** The log of changes: written with every change, one entry for each principal and item, the latest. */
import type { Transaction } from '../store/database.ts'
import { noteChange } from './change-notes.ts'

/** An item as the log names it. */
export interface ChangedItem {
  readonly pk: number
  readonly id: string
  readonly acl: number
}

/** For everybody who has the item in his lists, or for `principals` alone. @returns the number of the entry */
export function recordChange(tx: Transaction, item: ChangedItem, principals?: readonly number[]): number {
  const seq = append(tx, item, 0)
  if (principals === undefined) tx.run(FOR_LISTED, item.pk, seq, 0, item.acl)
  else for (const one of principals) tx.run(FOR_ONE, item.pk, seq, 0, one)
  return seq
}

/**
 * For `principals` the item is out of reach; without them it is about to be deleted, and whoever has it in his lists
 * or has opened it is told. @returns the number of the entry
 */
export function recordRemoval(tx: Transaction, item: ChangedItem, principals?: readonly number[]): number {
  const seq = append(tx, item, principals === undefined ? 1 : 0)
  if (principals === undefined) {
    tx.run(FOR_LISTED, item.pk, seq, 1, item.acl)
    tx.run(FOR_THOSE_WHO_USED_IT, item.pk, seq, 1)
  } else for (const one of principals) tx.run(FOR_ONE, item.pk, seq, 1, one)
  return seq
}

/** ?1 item, ?2 number of the entry, ?3 whether the item is out of reach, ?4 whom it is for. */
const FOR_LISTED = entering('SELECT principal, ?1, ?2, ?3 FROM acl_entries WHERE acl = ?4 AND is_listed = 1')
const FOR_ONE = entering('SELECT ?4, ?1, ?2, ?3 WHERE 1')
const FOR_THOSE_WHO_USED_IT = entering('SELECT user, ?1, ?2, ?3 FROM user_state WHERE item = ?1')

function entering(select: string): string {
  return (
    `INSERT INTO change_index(principal, item, seq, is_removed) ${select} ` +
    'ON CONFLICT(principal, item) DO UPDATE SET seq = excluded.seq, is_removed = excluded.is_removed'
  )
}

function append(tx: Transaction, { pk, id }: ChangedItem, isGone: number): number {
  const sql = 'INSERT INTO changes(item, item_id, at, is_gone) VALUES (?, ?, ?, ?)'
  const { lastKey } = tx.run(sql, pk, id, tx.now, isGone)
  noteChange(tx, pk, lastKey)
  return lastKey
}
