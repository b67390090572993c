/** Turns the changes of a command into messages to the channels whose users see them, in the command's transaction; selects the messages that are due, and records their delivery (spec 16). */
import { assured } from '../../../errors.ts'
import type { Commands, Database, Transaction } from '../../persistence/database/database.ts'
import { type ChangeSet, clearChangeSet, takeChangeSet } from '../changes/change-log.ts'
import { type ChangeChoice, listChanges } from '../changes/list-changes.ts'
import type { Caller } from '../../contract/failure.ts'
import { readScopes } from '../accounts/tokens.ts'
import { digestText } from '../../protocol/etags.ts'
import { isOpenTo } from '../access/access.ts'
import { type FileView, viewFiles } from '../items/file-view.ts'

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
  for (const channel of tx.all<ChannelRow & { readonly item: number }>(sql, keys, tx.now))
    queueFileNotices(tx, channel, folders.has(channel.item))
  if (first !== undefined) queueLogNotices(tx, first)
}

function queueFileNotices(
  tx: Transaction,
  channel: ChannelRow & { readonly item: number },
  hasOtherChildren: boolean,
): void {
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
  /** JSON of `ChangeChoice`. */
  readonly search: string | null
  /** JSON of `WatchedState`; null if the file is out of reach. */
  readonly seen: string | null
  readonly messages: number
  readonly waiting: number
}

export const CHANNEL =
  'SELECT pk, client, user, scopes, hides_drives, item, search, seen, messages, waiting FROM channels'

/** Caller that opened the channel, with the scopes its token had then. */
function restoreWatcher({ user, client, scopes, hides_drives: hides }: ChannelRow): Caller {
  return { user, client, scopes: readScopes(scopes), hidesDrives: hides === 1 }
}

function restoreSearch({ search }: ChannelRow): ChangeChoice {
  // only channels.ts writes this column
  return JSON.parse(
    assured(search ?? undefined, 'a channel on the change log has its search'),
  ) as ChangeChoice
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
    SELECT pk, messages, ?2, ?3, ?4 FROM channels WHERE pk = ?1`
  tx.run(sql, channel.pk, notice.state, notice.changed ?? null, tx.now)
}

interface Last {
  readonly pk: number
  readonly state: ResourceState
  readonly changed: string | null
}

/** Merges a notice into the last message, which is unsent because others come before it. */
function mergeIntoLast(tx: Transaction, channel: number, { state, changed }: NotificationContent): void {
  const sql = 'SELECT pk, state, changed FROM deliveries WHERE channel = ? ORDER BY pk DESC LIMIT 1'
  const last = assured(tx.get<Last>(sql, channel), `channel ${channel} has nothing waiting`)
  const parts = new Set([last.changed, changed].flatMap((text) => text?.split(',') ?? []))
  const merged = state === 'update' ? last.state : state
  const all = merged === 'update' && parts.size > 0 ? [...parts].join() : null
  tx.run('UPDATE deliveries SET state = ?, changed = ? WHERE pk = ?', merged, all, last.pk)
}

type ResourceState = 'sync' | 'add' | 'remove' | 'update' | 'trash' | 'untrash' | 'change'

interface NotificationContent {
  readonly state: ResourceState
  /** Comma-separated parts, such as `content,parents`. */
  readonly changed: string | undefined
}

/**
 * State of a watched file as its watcher sees it. Plain data: short texts, each of which changes with the part it
 * stands for.
 */
interface WatchedState {
  readonly etag: string
  readonly isTrashed: boolean
  readonly content: string
  readonly properties: string
  readonly parents: string
  readonly permissions: string
}

/** Undefined if the file is deleted or out of the caller's reach. */
export function readWatchedState(db: Database, caller: Caller, item: number): WatchedState | undefined {
  const [view] = viewFiles(db, caller, [item])
  return view === undefined || !isOpenTo(caller, view.row) ? undefined : describeState(view)
}

function describeState({ row, etag, head, parents, properties, mine, role }: FileView): WatchedState {
  const { title, mime, extra, original_name: name } = row
  return {
    etag,
    isTrashed: row.trashed === 1,
    content: `${head?.id} ${head?.sha256}`,
    properties: digestValue([title, mime, extra, name, properties, mine.isStarred, mine.viewedAt]),
    parents: digestValue(parents.map(({ id }) => id).toSorted()),
    permissions: `${row.acl} ${role}`,
  }
}

function digestValue(value: unknown): string {
  return digestText(JSON.stringify(value))
}

const PARTS = ['content', 'properties', 'parents', 'permissions'] as const

/** Undefined if this watcher sees no difference, e.g. after another user starred the file. */
function describeNotification(
  before: WatchedState | undefined,
  after: WatchedState | undefined,
  hasOtherChildren: boolean,
): NotificationContent | undefined {
  if (after === undefined) return before === undefined ? undefined : { state: 'remove', changed: undefined }
  if (before === undefined) return { state: 'add', changed: undefined }
  if (before.isTrashed !== after.isTrashed)
    return { state: after.isTrashed ? 'trash' : 'untrash', changed: undefined }
  if (before.etag === after.etag && !hasOtherChildren) return undefined
  const parts: string[] = PARTS.filter((part) => before[part] !== after[part])
  if (hasOtherChildren) parts.push('children')
  return { state: 'update', changed: parts.length === 0 ? undefined : parts.join() }
}

export interface Delivery {
  readonly pk: number
  /** Key of the channel. */
  readonly channel: number
  /** Key of the user who opened the channel. */
  readonly user: number
  readonly number: number
  readonly state: ResourceState
  readonly changed: string | null
  readonly attempts: number
  readonly id: string
  readonly address: string
  readonly token: string | null
  readonly resource: string
  readonly uri: string
  /** ms since 1970 */
  readonly expires: number
}

/** Reads the index of channels with a message to send, longest waiting first. */
const DUE = `SELECT d.pk, d.channel, d.number, d.state, d.changed, c.attempts, c.user, c.id, c.address, c.token, c.resource, c.uri, c.expires
  FROM channels c CROSS JOIN deliveries d ON d.pk = (SELECT min(pk) FROM deliveries WHERE channel = c.pk)
  WHERE c.due <= ?1 AND c.expires > ?1 ORDER BY c.due`

/** First message of each channel that is due. */
export function dueDeliveries(db: Database, now: number): IterableIterator<Delivery> {
  return db.each<Delivery>(DUE, now)
}

export function hasAnyChannel(db: Database): boolean {
  return db.get('SELECT 1 FROM channels LIMIT 1') !== undefined
}

export function hasExpiredChannels(db: Database, now: number): boolean {
  return db.get('SELECT 1 FROM channels WHERE expires <= ? LIMIT 1', now) !== undefined
}

export interface ChannelCounts {
  readonly channels: number
  readonly waiting: number
}

/** Counts channels that have not ended, and their messages. */
export function channelCounts(db: Database, now: number): ChannelCounts {
  const sql =
    'SELECT count(*) AS channels, coalesce(sum(waiting), 0) AS waiting FROM channels WHERE expires > ?'
  return assured(db.get<ChannelCounts>(sql, now), 'a count has a row')
}

/** Clock of the store: it never runs backwards, even if the machine's clock does. */
export function storeNow(db: Database): number {
  const now = Date.now()
  const last = db.get<{ at: number }>('SELECT at FROM changes ORDER BY seq DESC LIMIT 1')?.at ?? now
  return Math.max(last, now)
}

interface DeliveryResult {
  readonly delivery: number
  readonly outcome: 'done' | 'dropped' | 'again'
  /** Number of the last change-log entry at the time of sending. */
  readonly upTo: number
  /** ms until the next attempt. */
  readonly delay: number
}

interface DeliveryRow {
  readonly channel: number
  readonly state: ResourceState
  readonly created: number
}

/** ms: an undelivered message is dropped at this age. */
const MAX_TRIED_MS = 86_400_000

/** Records a delivery result; does nothing if the channel was stopped meanwhile. */
export function recordDelivery(tx: Transaction, _caller: Caller, settle: DeliveryResult): void {
  const { delivery, outcome, upTo, delay } = settle
  const row = tx.get<DeliveryRow>('SELECT channel, state, created FROM deliveries WHERE pk = ?', delivery)
  if (row === undefined) return
  if (outcome === 'again' && tx.now - row.created < MAX_TRIED_MS) {
    const sql = 'UPDATE channels SET attempts = attempts + 1, due = ? WHERE pk = ?'
    tx.run(sql, tx.now + delay, row.channel)
    return
  }
  tx.run('DELETE FROM deliveries WHERE pk = ?', delivery)
  const next = `UPDATE channels SET waiting = waiting - 1, attempts = 0, due = CASE WHEN waiting > 1 THEN ?2 END
    WHERE pk = ?1`
  tx.run(next, row.channel, tx.now)
  const channel = tx.get<ChannelRow>(`${CHANNEL} WHERE pk = ?`, row.channel)
  if (row.state === 'change' && channel !== undefined) queueFollowUp(tx, channel, upTo + 1)
}
