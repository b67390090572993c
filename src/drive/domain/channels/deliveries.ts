/** Outgoing messages of channels: selects those due and records delivery results (spec 16). */
import type { Caller } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { CHANNEL, type ChannelRow, queueFollowUp } from './notifications.ts'
import type { ResourceState } from './watched-file.ts'

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
  return db.get<ChannelCounts>(sql, now) ?? { channels: 0, waiting: 0 }
}

/** Clock of the store: it never runs backwards, even if the machine's clock does. */
export function storeNow(db: Database): number {
  const last = db.get<{ at: number }>('SELECT at FROM changes ORDER BY seq DESC LIMIT 1')?.at ?? 0
  return Math.max(last, Date.now())
}

export interface DeliveryResult {
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
const MAX_TRIED = 86_400_000

/** Records a delivery result; does nothing if the channel was stopped meanwhile. */
export function recordDelivery(tx: Transaction, _caller: Caller, settle: DeliveryResult): void {
  const { delivery, outcome, upTo, delay } = settle
  const row = tx.get<DeliveryRow>('SELECT channel, state, created FROM deliveries WHERE pk = ?', delivery)
  if (row === undefined) return
  if (outcome === 'again' && tx.now - row.created < MAX_TRIED) {
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
