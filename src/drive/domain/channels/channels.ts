/** Push channels: opening, stopping and deleting them (spec 16). */
import { assured } from '../../../errors.ts'
import { type Transaction, countRows } from '../../persistence/database/database.ts'
import { createHmac } from 'node:crypto'
import type { ChannelBody } from '../../contract/bodies.ts'
import { type Caller, StorageFailure, invalid, required } from '../../contract/failure.ts'
import { fileToRead } from '../access/access.ts'
import {
  CHANNEL,
  type ChannelRow,
  queueNotification,
  queueFollowUp,
  readWatchedState,
} from './notifications.ts'
import type { ChangeChoice } from '../changes/list-changes.ts'
import { setHasChannels } from '../changes/change-log.ts'
import { endChannel } from '../accounts/end-tokens.ts'
import { idKey, readLimits } from '../settings.ts'
import { requireLiveToken } from '../accounts/tokens.ts'
import { userView } from '../access/principals.ts'

/** Plain data: it comes back from the writer thread. */
export interface ChannelView {
  readonly id: string
  readonly resource: string
  readonly uri: string
  readonly token: string | undefined
  /** ms since 1970 */
  readonly expires: number
}

interface OpenChannel {
  /** Channel request; its address has already been checked. */
  readonly body: ChannelBody
}

export interface WatchFile extends OpenChannel {
  readonly file: string
  /** Prefix of a file's address, before the id. */
  readonly link: string
}

export interface WatchChanges extends OpenChannel {
  readonly search: ChangeChoice
  /** Number of a change-log entry. Entries from there that already exist are notified at once. */
  readonly from: number | undefined
  readonly uri: string
}

/** ms: longest life of a channel */
const FILE_LIFE_MS = 86_400_000
const CHANGES_LIFE_MS = 7 * 86_400_000

/** @throws 400, 404, 403 */
export function watchFile(tx: Transaction, caller: Caller, { body, file: id, link }: WatchFile): ChannelView {
  const asked = { body, ...readChannel(body, tx.now, FILE_LIFE_MS) }
  const file = fileToRead(tx, caller, id)
  const state = readWatchedState(tx, caller, file.pk)
  const seen = state === undefined ? null : JSON.stringify(state)
  const thing = { item: file.pk, search: null, seen, uri: `${link}${file.id}?alt=json` }
  return open(tx, caller, { ...asked, ...thing, resource: resourceId(tx, ['file', file.id]) }).view
}

/** @throws 400, 403 */
export function watchChanges(tx: Transaction, caller: Caller, input: WatchChanges): ChannelView {
  const { body, search, from, uri } = input
  const asked = { body, ...readChannel(body, tx.now, CHANGES_LIFE_MS) }
  const user = assured(userView(tx, caller.user), 'a caller has an account')
  const resource = resourceId(tx, ['changes', user.id])
  const thing = { item: null, search: JSON.stringify(search), seen: null, uri }
  const { row, view } = open(tx, caller, { ...asked, ...thing, resource })
  if (from !== undefined) queueFollowUp(tx, row, from)
  return view
}

interface Opening {
  readonly body: ChannelBody
  readonly id: string
  readonly token: string | undefined
  readonly expires: number
  readonly item: number | null
  readonly search: string | null
  readonly seen: string | null
  readonly resource: string
  readonly uri: string
}

/** Inserts a channel and queues its `sync` message. */
function open(
  tx: Transaction,
  caller: Caller,
  opening: Opening,
): { readonly row: ChannelRow; readonly view: ChannelView } {
  const { body, id, token, expires, item, search, seen, resource, uri } = opening
  requireLiveToken(tx, caller)
  requireFreeId(tx, caller, id)
  const sql = `INSERT INTO channels(id, client, user, scopes, hides_drives, item, search, seen, resource, uri, address, token, expires, via)
    VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)`
  const who = [caller.client, caller.user, caller.scopes.join(' '), Number(caller.hidesDrives ?? false)]
  const where = [resource, uri, body.address ?? '', token ?? null, expires, JSON.stringify(caller.via ?? [])]
  const { lastKey } = tx.run(sql, id, ...who, item, search, seen, ...where)
  setHasChannels(tx, true)
  const row = assured(tx.get<ChannelRow>(`${CHANNEL} WHERE pk = ?`, lastKey), `channel ${id} was not made`)
  queueNotification(tx, row, { state: 'sync', changed: undefined })
  return { row, view: { id, resource, uri, token, expires } }
}

/** @throws 400 — the client has a channel of that id; 403 — the user has too many */
function requireFreeId(tx: Transaction, caller: Caller, id: string): void {
  const sql = 'SELECT pk, expires FROM channels WHERE client = ? AND id = ?'
  const known = tx.get<{ pk: number; expires: number }>(sql, caller.client, id)
  if (known !== undefined && known.expires > tx.now)
    throw new StorageFailure(400, 'channelIdNotUnique', `Channel id ${id} not unique`, { location: 'id' })
  if (known !== undefined) remove(tx, known.pk)
  const count = 'SELECT count(*) AS count FROM channels WHERE user = ? AND expires > ?'
  const most = readLimits(tx)['user-channels']
  if (countRows(tx, count, caller.user, tx.now) < most) return
  throw new StorageFailure(403, 'channelLimitExceeded', `A user has at most ${most} channels.`)
}

/** Resource id: equal for all channels on one file, and for all channels of a user on the change log. */
function resourceId(tx: Transaction, thing: readonly string[]): string {
  return createHmac('sha256', idKey(tx))
    .update(JSON.stringify(['resource', ...thing]))
    .digest('base64url')
    .slice(0, 27)
}

export interface StopChannel {
  readonly id: string
  readonly resource: string
}

/** @throws 404 — this user and client have no such channel for the resource */
export function stopChannel(tx: Transaction, caller: Caller, { id, resource }: StopChannel): void {
  const sql =
    'SELECT pk FROM channels WHERE client = ? AND id = ? AND user = ? AND resource = ? AND expires > ?'
  const row = tx.get<{ pk: number }>(sql, caller.client, id, caller.user, resource, tx.now)
  if (row === undefined) throw new StorageFailure(404, 'notFound', `Channel '${id}' not found`)
  endChannel(tx, row.pk)
}

/** Deletes ended channels, up to 1000. @returns the number deleted */
export function forgetChannels(tx: Transaction): number {
  setHasChannels(tx, tx.get('SELECT 1 FROM channels LIMIT 1') !== undefined)
  const ended = tx.all<{ pk: number }>('SELECT pk FROM channels WHERE expires <= ? LIMIT 1000', tx.now)
  for (const { pk } of ended) remove(tx, pk)
  return ended.length
}

function remove(tx: Transaction, channel: number): void {
  tx.run('DELETE FROM deliveries WHERE channel = ?', channel)
  tx.run('DELETE FROM channels WHERE pk = ?', channel)
}

interface ChannelRequest {
  readonly id: string
  readonly token: string | undefined
  /** ms since 1970 */
  readonly expires: number
}

const ID = /^[\w\-+/=]{1,64}$/
/** Text that a header can carry unchanged. */
const TOKEN = /^[!-~](?:[ -~]{0,254}[!-~])?$/
const TYPES: ReadonlySet<string> = new Set(['web_hook', 'webhook'])

/** ms: life of a channel that names none */
const DEFAULT_LIFE_MS = 3_600_000

/** Validates a channel request. `longest`: ms. @throws 400 */
function readChannel(body: ChannelBody, now: number, longest: number): ChannelRequest {
  const { id, type, token } = body
  if (id === undefined || id === '') throw required('id')
  if (!ID.test(id)) throw invalid('The id of a channel has 1 to 64 letters, digits and -_+/=.', 'id')
  if (type === undefined || type === '') throw required('type')
  if (!TYPES.has(type)) throw invalid('The type of a channel must be web_hook.', 'type')
  if (token !== undefined && token !== '' && !TOKEN.test(token))
    throw invalid('The token of a channel has at most 256 characters, all of visible ASCII.', 'token')
  return {
    id,
    token: token === '' ? undefined : token,
    expires: Math.min(chooseEnd(body, now), now + longest),
  }
}

/** Chooses when the channel ends; the expiration takes precedence over the time to live. */
function chooseEnd({ expiration, params }: ChannelBody, now: number): number {
  if (expiration !== undefined) {
    if (expiration <= now) throw invalid('The expiration of a channel must be in the future.', 'expiration')
    return expiration
  }
  const ttl = params?.['ttl']
  if (ttl === undefined) return now + DEFAULT_LIFE_MS
  if (!/^[1-9]\d{0,9}$/.test(ttl))
    throw invalid('The ttl of a channel must be a number of seconds.', 'params.ttl')
  return now + Number(ttl) * 1000
}
