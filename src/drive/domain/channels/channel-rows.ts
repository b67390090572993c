/** Rows of channels, and of the messages waiting in them (spec 16). */
import type { Caller } from '../../contract/caller.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { ChangeSearch } from '../changes/list-changes.ts'
import { readScopes } from '../accounts/tokens.ts'
import type { Notice, SeenState, ResourceState } from './watched-file.ts'

export interface ChannelRow {
  readonly pk: number
  readonly client: number
  readonly user: number
  readonly scopes: string
  readonly hides_drives: number
  /** null: the channel is of the change log. */
  readonly item: number | null
  /** JSON of `WatchedChanges`. */
  readonly search: string | null
  /** JSON of `SeenState`; null: the file is out of reach. */
  readonly seen: string | null
  readonly messages: number
  readonly waiting: number
}

/** What a channel of the change log looks for. */
export type WatchedChanges = Omit<ChangeSearch, 'from' | 'most'>

export const CHANNEL =
  'SELECT pk, client, user, scopes, hides_drives, item, search, seen, messages, waiting FROM channels'

/** The caller who opened the channel, with the scopes of the token at that time. */
export function restoreWatcher({ user, client, scopes, hides_drives: hides }: ChannelRow): Caller {
  return { user, client, scopes: readScopes(scopes), hidesDrives: hides === 1 }
}

export function restoreSearch({ search }: ChannelRow): WatchedChanges {
  // a column that only channels.ts writes
  return JSON.parse(search ?? '{}') as WatchedChanges
}

export function lastSeen({ seen }: ChannelRow): SeenState | undefined {
  // as above
  return seen === null ? undefined : (JSON.parse(seen) as SeenState)
}

/** Messages of one channel: a receiver that is away for long finds one in place of several. */
const MOST_WAITING = 1000

/** In the transaction of the change. */
export function queueNotice(tx: Transaction, channel: ChannelRow, notice: Notice): void {
  if (channel.waiting >= MOST_WAITING) return mergeIntoLast(tx, channel.pk, notice)
  const count = `UPDATE channels SET messages = messages + 1, waiting = waiting + 1, due = coalesce(due, ?2)
    WHERE pk = ?1`
  tx.run(count, channel.pk, tx.now)
  const sql = `INSERT INTO deliveries(channel, number, state, changed, created)
    SELECT pk, messages, ?2, ?3, ?4 FROM channels WHERE pk = ?1 ORDER BY pk`
  tx.run(sql, channel.pk, notice.state, notice.changed ?? null, tx.now)
}

interface Last {
  readonly pk: number
  readonly state: ResourceState
  readonly changed: string | null
}

/** It has not been sent: so many others come before it. */
function mergeIntoLast(tx: Transaction, channel: number, { state, changed = '' }: Notice): void {
  const sql = 'SELECT pk, state, changed FROM deliveries WHERE channel = ? ORDER BY pk DESC LIMIT 1'
  const last = tx.get<Last>(sql, channel)
  if (last === undefined) throw new Error(`channel ${channel} has nothing waiting`)
  const parts = new Set(
    [...(last.changed ?? '').split(','), ...changed.split(',')].filter((part) => part !== ''),
  )
  const merged = state === 'update' ? last.state : state
  const all = merged === 'update' && parts.size > 0 ? [...parts].join() : null
  tx.run('UPDATE deliveries SET state = ?, changed = ? WHERE pk = ?', merged, all, last.pk)
}

export function isWaiting(db: Database, channel: number, state: ResourceState): boolean {
  return db.get('SELECT 1 FROM deliveries WHERE channel = ? AND state = ?', channel, state) !== undefined
}
