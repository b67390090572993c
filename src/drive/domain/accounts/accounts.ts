/** Service accounts: programs that act as users and authenticate with keys (spec 3). */
import { type Caller, notFound } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { addClient, findClient, removeClient } from './clients.ts'
import { endTokensFor } from './end-tokens.ts'
import { type RemoveUser, removeUser } from './remove-user.ts'
import { addUser } from './users.ts'

export interface NewKey {
  /** Email address of the account. */
  readonly email: string
  /** Key id that a token request names. */
  readonly kid: string
  /** PEM. */
  readonly publicKey: string
  /** True if the account may request tokens of other users. */
  readonly mayImpersonate: boolean
}

/** Creates a user, a client of the same name, and a key. @throws 400, 409 */
export function addAccount(tx: Transaction, caller: Caller, account: NewKey): void {
  const { email } = account
  addUser(tx, caller, { email })
  if (findClient(tx, email) === undefined) addClient(tx, caller, { id: email })
  addKey(tx, caller, account)
}

export interface AccountFacts {
  readonly email: string
  readonly name: string
  readonly keys: number
  readonly is_disabled: number
}

/** Service accounts: users for which a client of the same name exists. */
const ACCOUNTS = `SELECT p.email, p.name, (SELECT count(*) FROM account_keys WHERE user = p.pk) AS keys, p.is_disabled
  FROM principals p JOIN clients c ON c.id = p.email WHERE p.kind = 'user' AND p.is_known = 1`

export function listAccounts(db: Database): AccountFacts[] {
  return db.all<AccountFacts>(`${ACCOUNTS} ORDER BY p.pk`)
}

/** Removes the user and its client. @throws 404, 409 */
export function removeAccount(tx: Transaction, caller: Caller, input: RemoveUser): void {
  const { client } = accountNamed(tx, input.email)
  removeUser(tx, caller, input)
  removeClient(tx, caller, { id: client })
}

/** Adds a key; the account keeps its other keys. @throws 404 */
export function addKey(
  tx: Transaction,
  _caller: Caller,
  { email, kid, publicKey, mayImpersonate }: NewKey,
): void {
  const sql = `INSERT INTO account_keys(kid, client, user, public_key, may_impersonate, created)
    SELECT ?1, c.pk, p.pk, ?3, ?4, ?5 FROM principals p JOIN clients c ON c.id = ?6 WHERE p.email = ?2`
  const { client } = accountNamed(tx, email)
  tx.run(sql, kid, email, publicKey, mayImpersonate ? 1 : 0, tx.now, client)
}

export interface KeyFacts {
  readonly kid: string
  readonly email: string
  readonly name: string | null
  readonly may_impersonate: number
  readonly is_disabled: number
  readonly created: number | null
}

/** Selects `KeyFacts`, with the account as `p`; callers append the WHERE clause. */
export const KEYS = `SELECT k.kid, p.email, k.name, k.may_impersonate, k.is_disabled, k.created FROM account_keys k
  JOIN principals p ON p.pk = k.user`

export interface KeyChanges {
  readonly kid: string
  readonly name?: string | undefined
  /** Disables the key: it gets no new tokens, and its tokens end at once. */
  readonly isDisabled?: boolean | undefined
}

/** Undefined fields keep their value. @throws 404 */
export function changeKey(tx: Transaction, _caller: Caller, { kid, name, isDisabled }: KeyChanges): KeyFacts {
  if (name !== undefined) tx.run('UPDATE account_keys SET name = ? WHERE kid = ?', name, kid)
  if (isDisabled !== undefined) {
    tx.run('UPDATE account_keys SET is_disabled = ? WHERE kid = ?', Number(isDisabled), kid)
    if (isDisabled) endTokensFor(tx, kid)
  }
  return keyNamed(tx, kid)
}

export interface RotateKey {
  readonly kid: string
  readonly next: Pick<NewKey, 'kid' | 'publicKey'>
}

/** Replaces a key; the old key and its tokens end at once. @throws 404 */
export function rotateKey(tx: Transaction, caller: Caller, { kid, next }: RotateKey): KeyFacts {
  const { email, name, may_impersonate } = keyNamed(tx, kid)
  addKey(tx, caller, { ...next, email, mayImpersonate: may_impersonate === 1 })
  if (name !== null) changeKey(tx, caller, { kid: next.kid, name })
  removeKey(tx, caller, { kid })
  return keyNamed(tx, next.kid)
}

/** Removes a key, its tokens, and the channels and uploads begun with them. @throws 404 */
export function removeKey(tx: Transaction, _caller: Caller, { kid }: { readonly kid: string }): void {
  keyNamed(tx, kid)
  endTokensFor(tx, kid)
  tx.run('DELETE FROM account_keys WHERE kid = ?', kid)
}

export interface AccountKey {
  readonly email: string
  readonly user: number
  readonly client: number
  readonly publicKey: string
  readonly mayImpersonate: boolean
}

/** Finds a usable key: the key, its account and its client are enabled. */
export function findAccountKey(db: Database, kid: string): AccountKey | undefined {
  const sql = `SELECT p.email, k.user, k.client, k.public_key, k.may_impersonate FROM account_keys k
    JOIN principals p ON p.pk = k.user JOIN clients c ON c.pk = k.client
    WHERE k.kid = ? AND k.is_disabled + p.is_disabled + c.is_disabled = 0`
  const row = db.get<{
    email: string
    user: number
    client: number
    public_key: string
    may_impersonate: number
  }>(sql, kid)
  if (row === undefined) return undefined
  const { public_key: publicKey, may_impersonate: may, ...rest } = row
  return { ...rest, publicKey, mayImpersonate: may === 1 }
}

function accountNamed(db: Database, email: string): { readonly client: string } {
  const account = db.get<{ client: string }>(
    `SELECT c.id AS client FROM (${ACCOUNTS}) a JOIN clients c ON c.id = a.email WHERE a.email = ? COLLATE NOCASE`,
    email,
  )
  if (account === undefined) throw notFound('Service account', email)
  return account
}

function keyNamed(db: Database, kid: string): KeyFacts {
  const key = db.get<KeyFacts>(`${KEYS} WHERE k.kid = ?`, kid)
  if (key === undefined) throw notFound('Key', kid)
  return key
}
