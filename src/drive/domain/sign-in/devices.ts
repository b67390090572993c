/** Device sign-in for clients without a browser: the client shows a short code, and its user types it into a browser (RFC 8628). */
import { randomInt } from 'node:crypto'
import { type Caller, type Scope, StorageFailure } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { readScopes } from '../accounts/tokens.ts'
import { type NewTokens, addSignedIn } from './codes.ts'

/** ms in which the user can sign in. */
export const DEVICE_LIFE = 15 * 60_000

/** Minimum ms between two polls of a client. */
export const DEVICE_PAUSE = 5000

/** Maximum pending requests: per address, and in all. Beyond it new requests are refused. */
const MAX_PENDING_OF_ADDRESS = 50
const MAX_PENDING = 20_000

/** No vowels, so that no words occur, and no characters that look alike. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8

/** Code of the form `BCDF-GHJK`. */
export function newUserCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** Normalises a typed code. */
export function readUserCode(text: string): string {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return `${letters.slice(0, 4)}-${letters.slice(4, CODE_LENGTH)}`
}

export interface OpenDevice {
  readonly digest: string
  readonly userCode: string
  readonly client: number
  /** Scopes as the client wrote them. */
  readonly scope: string
  /** Digest of the network address that sent the request. */
  readonly address: string
}

/** @returns false if too many requests are pending */
export function openDevice(tx: Transaction, _caller: Caller, asked: OpenDevice): boolean {
  const { digest, userCode, client, scope, address } = asked
  tx.run('DELETE FROM device_requests WHERE expires <= ?', tx.now)
  const count = (sql: string, ...values: string[]) => tx.get<{ n: number }>(sql, ...values)?.n ?? 0
  const own = count('SELECT count(*) AS n FROM device_requests WHERE address = ?', address)
  if (own >= MAX_PENDING_OF_ADDRESS || count('SELECT count(*) AS n FROM device_requests') >= MAX_PENDING)
    return false
  const sql = `INSERT OR IGNORE INTO device_requests(digest, user_code, client, scopes, address, expires, state)
    VALUES (?, ?, ?, ?, ?, ?, 'waiting')`
  return tx.run(sql, digest, userCode, client, scope, address, tx.now + DEVICE_LIFE).changes === 1
}

export interface WaitingDevice {
  readonly client: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/** Finds a request that no user has allowed or refused. */
export function findWaitingDevice(db: Database, userCode: string): WaitingDevice | undefined {
  const sql = `SELECT c.id AS client, c.name, d.scopes FROM device_requests d JOIN clients c ON c.pk = d.client
    WHERE d.user_code = ? AND d.state = 'waiting' AND d.expires > ? AND c.is_disabled = 0`
  const row = db.get<{ client: string; name: string; scopes: string }>(sql, userCode, Date.now())
  return row === undefined ? undefined : { ...row, scopes: readScopes(row.scopes) }
}

export interface DecideDevice {
  readonly userCode: string
  /** Key of the user; 0 for a refusal without sign-in. */
  readonly user: number
  readonly isAllowed: boolean
}

/** @returns false if the request is no longer pending. @throws 403 — the user is disabled */
export function decideDevice(tx: Transaction, _caller: Caller, decision: DecideDevice): boolean {
  const { userCode, user, isAllowed } = decision
  const inUse = 'SELECT 1 FROM principals WHERE pk = ? AND is_known = 1 AND is_disabled = 0'
  if (isAllowed && tx.get(inUse, user) === undefined)
    throw new StorageFailure(403, 'disabled', 'The user is disabled.')
  const sql = `UPDATE device_requests SET state = ?2, user = ?3 WHERE user_code = ?1 AND state = 'waiting' AND expires > ?4`
  return tx.run(sql, userCode, isAllowed ? 'allowed' : 'refused', user, tx.now).changes === 1
}

export interface RedeemDevice extends NewTokens {
  readonly digest: string
  readonly client: number
}

/** Error codes of RFC 8628. */
type NotYet = 'authorization_pending' | 'slow_down' | 'access_denied' | 'expired_token' | 'invalid_grant'

export type RedeemedDevice = { readonly scope: string } | { readonly refused: NotYet }

interface DeviceRow {
  readonly client: number
  readonly scopes: string
  readonly expires: number
  readonly polled: number
  readonly state: 'waiting' | 'allowed' | 'refused'
  readonly user: number | null
}

/** Issues the tokens once. */
export function redeemDevice(tx: Transaction, caller: Caller, asked: RedeemDevice): RedeemedDevice {
  const { digest, client } = asked
  const sql = 'SELECT client, scopes, expires, polled, state, user FROM device_requests WHERE digest = ?'
  const row = tx.get<DeviceRow>(sql, digest)
  if (row === undefined || row.client !== client) return { refused: 'invalid_grant' }
  const isOver = row.expires <= tx.now
  if (row.state === 'waiting' && !isOver) {
    tx.run('UPDATE device_requests SET polled = ? WHERE digest = ?', tx.now, digest)
    // tolerates small differences between clocks
    const isEarly = tx.now - row.polled < DEVICE_PAUSE - 1000
    return { refused: isEarly ? 'slow_down' : 'authorization_pending' }
  }
  tx.run('DELETE FROM device_requests WHERE digest = ?', digest)
  if (isOver) return { refused: 'expired_token' }
  if (row.state === 'refused' || row.user === null) return { refused: 'access_denied' }
  const { scopes: scope, user } = row
  addSignedIn(tx, caller, { ...asked, user, scopes: readScopes(scope), scope, isLasting: true })
  return { scope }
}
