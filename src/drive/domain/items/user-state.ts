/** State of an item for one user: starred, last viewed, last changed, shared by whom and when. */
import type { Transaction } from '../../persistence/database/database.ts'
import type { FileRow } from './file-row.ts'
import { forgetUsers } from '../access/principals.ts'

export interface StateChange {
  readonly isStarred?: boolean | undefined
  /** ms since 1970; null for not viewed. */
  readonly viewedAt?: number | null | undefined
}

/** @returns true if the state changed */
export function changeState(tx: Transaction, user: number, item: number, change: StateChange): boolean {
  const { isStarred, viewedAt } = change
  if (isStarred === undefined && viewedAt === undefined) return false
  const sql = 'SELECT starred, viewed_at FROM user_state WHERE user = ? AND item = ?'
  const { starred = 0, viewed_at = null } =
    tx.get<{ starred: number; viewed_at: number | null }>(sql, user, item) ?? {}
  const next = { starred: isStarred === undefined ? starred : Number(isStarred), viewed: viewedAt ?? null }
  if (viewedAt === undefined) next.viewed = viewed_at
  if (next.starred === starred && next.viewed === viewed_at) return false
  tx.run(
    `INSERT INTO user_state(user, item, starred, viewed_at, version) VALUES (?, ?, ?, ?, 1) ON CONFLICT(user, item)
     DO UPDATE SET starred = excluded.starred, viewed_at = excluded.viewed_at, version = version + 1`,
    user,
    item,
    next.starred,
    next.viewed,
  )
  return true
}

/** The row of an item holds its last modifier and time; those of the previous modifier are kept here. */
export function keepModifier(tx: Transaction, { pk, modifier, modified }: FileRow, next: number): void {
  if (modifier === next) return
  tx.run(
    `INSERT INTO user_state(user, item, modified_at) VALUES (?, ?, ?) ON CONFLICT(user, item)
     DO UPDATE SET modified_at = excluded.modified_at, version = version + 1`,
    modifier,
    pk,
    modified,
  )
}

/** Records who shared the item with the user. `sharer` is undefined after the direct grant was removed. */
export function recordSharer(tx: Transaction, user: number, item: number, sharer: number | undefined): void {
  if (sharer === user) return
  if (sharer === undefined) tx.run(UNSHARE, user, item)
  else tx.run(SHARE, user, item, tx.now, sharer)
}

/** Keeps the data of the first grant. */
const SHARE = `INSERT INTO user_state(user, item, shared_at, sharer) VALUES (?1, ?2, ?3, ?4) ON CONFLICT(user, item)
  DO UPDATE SET shared_at = excluded.shared_at, sharer = excluded.sharer, version = version + 1 WHERE shared_at IS NULL`
const UNSHARE = `UPDATE user_state SET shared_at = NULL, sharer = NULL, version = version + 1
  WHERE user = ? AND item = ? AND shared_at IS NOT NULL`

export function rename(tx: Transaction, principal: number, name: string): void {
  tx.run('UPDATE principals SET name = ? WHERE pk = ?', name, principal)
  forgetUsers(tx)
  tx.run(SHOWN, principal)
  tx.run('UPDATE revisions SET version = version + 1 WHERE modifier = ?', principal)
}

const SHOWN = `UPDATE files SET version = version + 1 WHERE ?1 IN (owner, modifier, trasher)
  OR acl IN (SELECT acl FROM acl_entries WHERE principal = ?1)
  OR pk IN (SELECT item FROM user_state WHERE sharer = ?1) OR json_extract(extra, '$.restriction.by') = ?1`
