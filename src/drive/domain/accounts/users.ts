/** User accounts, created and changed by the operator. */
import { addRoot } from '../items/file-rows.ts'
import { assured } from '../../../errors.ts'
import { type Caller, StorageFailure, invalid, notFound } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { findOwnerAcl } from '../access/access.ts'
import { endTokens } from './end-tokens.ts'
import { parseDomain, ensureAddress, ensureDomain, requireAddress } from '../access/principals.ts'
import { rename } from '../items/user-state.ts'
import { COUNTED } from './quota.ts'

export interface NewUser {
  readonly email: string
  /** Defaults to the part of the address before the `@`: guests see names, and no addresses. */
  readonly name?: string | undefined
  readonly isAdmin?: boolean | undefined
  /** Bytes; undefined: no limit. */
  readonly quota?: number | undefined
}

export interface UserFacts {
  readonly pk: number
  readonly id: string
  readonly email: string
  readonly name: string
  readonly is_admin: number
  readonly is_disabled: number
  readonly has_password: number
  readonly quota: number | null
  readonly used: number
}

/** Selects rows of `principals` as `UserFacts`; callers append the WHERE clause. */
export const USER_FACTS = `SELECT pk, id, email, name, is_admin, is_disabled, password IS NOT NULL AS has_password, quota, ${COUNTED} AS used FROM principals`

export function findUser(db: Database, email: string): UserFacts | undefined {
  return db.get<UserFacts>(`${USER_FACTS} WHERE kind = 'user' AND is_known = 1 AND email = ?`, email)
}

/** False in a new store: no user can sign in with a password. */
export function hasPasswords(db: Database): boolean {
  const sql = "SELECT 1 FROM principals WHERE kind = 'user' AND password IS NOT NULL LIMIT 1"
  return db.get(sql) !== undefined
}

/** @throws 404 */
export function userNamed(db: Database, email: string): UserFacts {
  const user = findUser(db, email)
  if (user === undefined) throw notFound('User', email)
  return user
}

/** Creates the user and its My Drive root. @throws 400 — not an address; 409 — the address is taken */
export function addUser(tx: Transaction, _caller: Caller, user: NewUser): UserFacts {
  const { email, isAdmin = false, quota = null } = user
  requireAddress(email)
  const name = user.name ?? email.slice(0, email.lastIndexOf('@'))
  requireQuotaValue(quota)
  requireNewAddress(tx, email)
  const pk = ensureAddress(tx, email, 'user')
  const sql = `UPDATE principals SET kind = 'user', name = ?, is_admin = ?, quota = ?, is_known = 1 WHERE pk = ?`
  tx.run(sql, name, isAdmin ? 1 : 0, quota, pk)
  const domain = ensureDomain(tx, parseDomain(email))
  tx.run('INSERT OR IGNORE INTO members(grp, member) VALUES (?, ?)', domain, pk)
  tx.run('UPDATE principals SET root = ? WHERE pk = ?', addOwnRoot(tx, pk, 'My Drive'), pk)
  return assured(findUser(tx, email), `user ${email} was not made`)
}

/** @throws 400 */
function requireQuotaValue(quota: number | null): void {
  if (quota === null || (Number.isSafeInteger(quota) && quota >= 0)) return
  throw invalid(`A quota is at most ${Number.MAX_SAFE_INTEGER} bytes.`, 'quota')
}

/** An address that only grants name may become an account, and keeps those grants. @throws 409 */
export function requireNewAddress(db: Database, email: string): void {
  const sql = 'SELECT kind FROM principals WHERE email = ? AND is_known = 1'
  const known = db.get<{ kind: string }>(sql, email)
  if (known !== undefined)
    throw new StorageFailure(409, 'duplicate', `There is a ${known.kind} ${email} already.`)
}

export interface UserChanges {
  readonly pk: number
  readonly name?: string | undefined
  readonly isAdmin?: boolean | undefined
  /** Disables the user: its tokens, and what was begun with them, end at once. Files and rights stay. */
  readonly isDisabled?: boolean | undefined
  /** Bytes; null: no limit. */
  readonly quota?: number | null | undefined
}

/** Undefined fields keep their value. @throws 404 — the user was removed meanwhile */
export function changeUser(tx: Transaction, _caller: Caller, changes: UserChanges): UserFacts {
  const { pk, name, isAdmin, isDisabled, quota } = changes
  const known = tx.get("SELECT 1 FROM principals WHERE pk = ? AND kind = 'user' AND is_known = 1", pk)
  if (known === undefined) throw notFound('User', String(pk))
  requireQuotaValue(quota ?? null)
  if (name !== undefined) rename(tx, pk, name)
  if (isDisabled !== undefined) {
    tx.run('UPDATE principals SET is_disabled = ? WHERE pk = ?', Number(isDisabled), pk)
    if (isDisabled) endTokens(tx, 'user', pk)
  }
  if (isAdmin !== undefined) tx.run('UPDATE principals SET is_admin = ? WHERE pk = ?', Number(isAdmin), pk)
  if (quota !== undefined) tx.run('UPDATE principals SET quota = ? WHERE pk = ?', quota, pk)
  return assured(tx.get<UserFacts>(`${USER_FACTS} WHERE pk = ?`, pk), `there is no user ${pk}`)
}

/** Root of the client's application data for this user, created with the first token. */
export function ensureAppRoot(tx: Transaction, user: number, client: number): number {
  const sql = 'SELECT root FROM app_roots WHERE user = ? AND client = ?'
  const known = tx.get<{ root: number }>(sql, user, client)
  if (known !== undefined) return known.root
  const root = addOwnRoot(tx, user, 'appDataFolder', client)
  tx.run('INSERT INTO app_roots(user, client, root) VALUES (?, ?, ?)', user, client, root)
  return root
}

/** @returns the key. `client`: that of the application data. */
function addOwnRoot(tx: Transaction, owner: number, title: string, client?: number): number {
  const space = client === undefined ? 'drive' : 'appDataFolder'
  const acl = findOwnerAcl(tx, owner)
  return addRoot(tx, { title, space, owner, maker: owner, client: client ?? 0, acl }).pk
}

interface Address {
  /** Address that the operator set; it replaces the stored one. */
  readonly told?: string | undefined
  /** Address the service listens at, stored only if none is yet. Undefined when the service listens at all addresses. */
  readonly own?: string | undefined
}

export function keepAddress(tx: Transaction, _caller: Caller, { told, own }: Address): void {
  if (told !== undefined) tx.run(`INSERT OR REPLACE INTO settings(name, value) VALUES ('address', ?)`, told)
  else if (own !== undefined) tx.run(`INSERT OR IGNORE INTO settings(name, value) VALUES ('address', ?)`, own)
}

/**
 * Addresses of the store that an assertion may name as its audience. Empty if the address is unknown, or the store is
 * a copy without an address.
 */
export function addresses(db: Database): string[] {
  const address = db.get<{ value: string }>(`SELECT value FROM settings WHERE name = 'address'`)?.value ?? ''
  if (address === '') return []
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)(\[::1\]|[^:/]+)(.*)/.exec(address) ?? []
  if (!LOOPBACK.includes(host)) return [address]
  return LOOPBACK.map((name) => `${scheme}${name}${rest}`)
}

/** Names of the local machine; all are equivalent. */
const LOOPBACK = ['127.0.0.1', 'localhost', '[::1]']
