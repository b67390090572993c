/** Sign-in of a program that has no browser: it shows a short code, and somebody types that into one (RFC 8628). */
import { randomInt } from 'node:crypto'
import { type Caller, type Scope, StorageFailure } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { readScopes } from '../accounts/tokens.ts'
import { type NewTokens, addSignedIn } from './codes.ts'

/** ms in which somebody signs in. */
export const DEVICE_LIFE = 15 * 60_000

/** ms between two questions of a program. */
export const DEVICE_PAUSE = 5000

/** Requests that wait: of one address, and of all; then no others begin. */
const MOST_FROM_ONE = 50
const MOST = 20_000

/** Without vowels, so that it is no word, and without what looks alike. */
const LETTERS = 'BCDFGHJKLMNPQRSTVWXZ'
const CODE_LENGTH = 8

/** `BCDF-GHJK` */
export function newUserCode(): string {
  const letters = Array.from({ length: CODE_LENGTH }, () => LETTERS[randomInt(LETTERS.length)]).join('')
  return `${letters.slice(0, 4)}-${letters.slice(4)}`
}

/** As somebody typed it. */
export function readUserCode(text: string): string {
  const letters = text.toUpperCase().replaceAll(/[^A-Z]/g, '')
  return `${letters.slice(0, 4)}-${letters.slice(4, CODE_LENGTH)}`
}

export interface OpenDevice {
  readonly digest: string
  readonly userCode: string
  readonly client: number
  /** In the words of the program. */
  readonly scope: string
  /** Digest of where it came from. */
  readonly address: string
}

/** @returns false — too many are waiting */
export function openDevice(tx: Transaction, _caller: Caller, asked: OpenDevice): boolean {
  const { digest, userCode, client, scope, address } = asked
  tx.run('DELETE FROM device_requests WHERE expires <= ?', tx.now)
  const count = (sql: string, ...values: string[]) => tx.get<{ n: number }>(sql, ...values)?.n ?? 0
  const own = count('SELECT count(*) AS n FROM device_requests WHERE address = ?', address)
  if (own >= MOST_FROM_ONE || count('SELECT count(*) AS n FROM device_requests') >= MOST) return false
  const sql = `INSERT OR IGNORE INTO device_requests(digest, user_code, client, scopes, address, expires, state)
    VALUES (?, ?, ?, ?, ?, ?, 'waiting')`
  return tx.run(sql, digest, userCode, client, scope, address, tx.now + DEVICE_LIFE).changes === 1
}

export interface WaitingDevice {
  readonly client: string
  readonly name: string
  readonly scopes: readonly Scope[]
}

/** One that nobody has answered. */
export function findWaitingDevice(db: Database, userCode: string): WaitingDevice | undefined {
  const sql = `SELECT c.id AS client, c.name, d.scopes FROM device_requests d JOIN clients c ON c.pk = d.client
    WHERE d.user_code = ? AND d.state = 'waiting' AND d.expires > ? AND c.is_disabled = 0`
  const row = db.get<{ client: string; name: string; scopes: string }>(sql, userCode, Date.now())
  return row === undefined ? undefined : { ...row, scopes: readScopes(row.scopes) }
}

export interface DecideDevice {
  readonly userCode: string
  /** 0: nobody who is known refuses. */
  readonly user: number
  readonly isAllowed: boolean
}

/** @returns false — it does not wait any more. @throws 403 — the user is disabled */
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

/** As RFC 8628 names why there is nothing, or nothing yet. */
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

/** The tokens, once. */
export function redeemDevice(tx: Transaction, caller: Caller, asked: RedeemDevice): RedeemedDevice {
  const { digest, client } = asked
  const sql = 'SELECT client, scopes, expires, polled, state, user FROM device_requests WHERE digest = ?'
  const row = tx.get<DeviceRow>(sql, digest)
  if (row === undefined || row.client !== client) return { refused: 'invalid_grant' }
  const isOver = row.expires <= tx.now
  if (row.state === 'waiting' && !isOver) {
    tx.run('UPDATE device_requests SET polled = ? WHERE digest = ?', tx.now, digest)
    // programs and clocks differ by a little
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
