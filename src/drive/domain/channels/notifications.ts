/** Turns the changes of a command into messages to the channels whose users see them, in the command's transaction. */
import { assured } from '../../../errors.ts'
import type { Commands, Database, Transaction } from '../../persistence/database/database.ts'
import { type ChangeSet, clearChangeSet, takeChangeSet } from '../changes/change-log.ts'
import { type ChangeSearch, listChanges } from '../changes/list-changes.ts'
import {
  type NotificationContent,
  type ResourceState,
  type WatchedState,
  describeNotification,
  readWatchedState,
} from './watched-file.ts'
import type { Caller } from '../../contract/failure.ts'
import { readScopes } from '../accounts/tokens.ts'

/** Wraps each command so that it queues messages for its changes. */
export function withNotifications<Table extends Commands>(table: Table): Table {
  const commands = Object.entries(table).map(([name, run]): [string, Commands[string]] => [
    name,
    (tx, caller, input) => {
      clearChangeSet(tx)
      const result = run(tx, caller, input)
      const noted = takeChangeSet(tx)
      if (noted !== undefined) queueAll(tx, noted)
      return result
    },
  ])
  // `entries` keeps the names and the types of the functions
  return Object.fromEntries(commands) as unknown as Table
}

function queueAll(tx: Transaction, { items, folders, first }: ChangeSet): void {
  const sql = `${CHANNEL} WHERE item IN (SELECT value FROM json_each(?)) AND expires > ?`
  const keys = JSON.stringify([...new Set([...items, ...folders])])
  for (const channel of tx.all<ChannelRow>(sql, keys, tx.now))
    queueFileNotices(tx, channel, folders.has(channel.item ?? 0))
  if (first !== undefined) queueLogNotices(tx, first)
}

function queueFileNotices(tx: Transaction, channel: ChannelRow, hasOtherChildren: boolean): void {
  if (channel.item === null) return
  const after = readWatchedState(tx, restoreWatcher(channel), channel.item)
  const notice = describeNotification(lastSeen(channel), after, hasOtherChildren)
  if (notice === undefined) return
  const seen = after === undefined ? null : JSON.stringify(after)
  tx.run('UPDATE channels SET seen = ? WHERE pk = ?', seen, channel.pk)
  queueNotification(tx, channel, notice)
}

/** Skips channels that still have an unsent `change` message, which covers this change too. */
function queueLogNotices(tx: Transaction, first: number): void {
  const sql = `${CHANNEL} WHERE item IS NULL AND expires > ?
    AND NOT EXISTS (SELECT 1 FROM deliveries WHERE channel = channels.pk AND state = 'change')`
  const known = new Map<string, boolean>()
  for (const channel of tx.all<ChannelRow>(sql, tx.now)) {
    const key = [channel.user, channel.client, channel.scopes, channel.hides_drives, channel.search].join()
    let isShown = known.get(key)
    if (isShown === undefined) known.set(key, (isShown = showsChanges(tx, channel, first)))
    if (isShown) queueNotification(tx, channel, { state: 'change', changed: undefined })
  }
}

/** Queues another message after a delivery, if entries were written after it was sent. */
export function queueFollowUp(tx: Transaction, channel: ChannelRow, from: number): void {
  const waiting = "SELECT 1 FROM deliveries WHERE channel = ? AND state = 'change'"
  if (tx.get(waiting, channel.pk) === undefined && showsChanges(tx, channel, from))
    queueNotification(tx, channel, { state: 'change', changed: undefined })
}

/** True if the change list would show the watcher an entry from that number on. */
function showsChanges(db: Database, channel: ChannelRow, from: number): boolean {
  const search = { ...restoreSearch(channel), from, most: 1 }
  return listChanges(db, restoreWatcher(channel), search).changes.length > 0
}

export interface ChannelRow {
  readonly pk: number
  readonly client: number
  readonly user: number
  readonly scopes: string
  readonly hides_drives: number
  /** Key of the watched file; null for a channel on the change log. */
  readonly item: number | null
  /** JSON of `WatchedChanges`. */
  readonly search: string | null
  /** JSON of `WatchedState`; null if the file is out of reach. */
  readonly seen: string | null
  readonly messages: number
  readonly waiting: number
}

/** Search that a channel on the change log watches. */
export type WatchedChanges = Omit<ChangeSearch, 'from' | 'most'>

export const CHANNEL =
  'SELECT pk, client, user, scopes, hides_drives, item, search, seen, messages, waiting FROM channels'

/** Caller that opened the channel, with the scopes its token had then. */
function restoreWatcher({ user, client, scopes, hides_drives: hides }: ChannelRow): Caller {
  return { user, client, scopes: readScopes(scopes), hidesDrives: hides === 1 }
}

function restoreSearch({ search }: ChannelRow): WatchedChanges {
  // only channels.ts writes this column
  return JSON.parse(search ?? '{}') as WatchedChanges
}

function lastSeen({ seen }: ChannelRow): WatchedState | undefined {
  // only `readWatchedState` values are written to this column
  return seen === null ? undefined : (JSON.parse(seen) as WatchedState)
}

/** Maximum waiting messages per channel. Beyond it new messages are merged into the last. */
const MAX_WAITING = 1000

/** Queues a message in the transaction of the change. */
export function queueNotification(tx: Transaction, channel: ChannelRow, notice: NotificationContent): void {
  if (channel.waiting >= MAX_WAITING) return mergeIntoLast(tx, channel.pk, notice)
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

/** Merges a notice into the last message, which is unsent because others come before it. */
function mergeIntoLast(tx: Transaction, channel: number, { state, changed = '' }: NotificationContent): void {
  const sql = 'SELECT pk, state, changed FROM deliveries WHERE channel = ? ORDER BY pk DESC LIMIT 1'
  const last = assured(tx.get<Last>(sql, channel), `channel ${channel} has nothing waiting`)
  const parts = new Set(
    [...(last.changed ?? '').split(','), ...changed.split(',')].filter((part) => part !== ''),
  )
  const merged = state === 'update' ? last.state : state
  const all = merged === 'update' && parts.size > 0 ? [...parts].join() : null
  tx.run('UPDATE deliveries SET state = ?, changed = ? WHERE pk = ?', merged, all, last.pk)
}
