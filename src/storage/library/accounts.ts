/** Service accounts: users that are programs, and prove themselves with a key (spec 3). */
import type { Caller } from '../model/caller.ts'
import type { Database, Transaction } from '../store/database.ts'
import { addClient, findClient } from './clients.ts'
import { addUser } from './users.ts'

export interface NewAccount {
  /** In the form of an address. */
  readonly email: string
  /** What a token request names the key by. */
  readonly kid: string
  /** PEM. */
  readonly publicKey: string
  /** May ask for tokens of other users. */
  readonly mayImpersonate: boolean
}

export interface AccountKey {
  readonly email: string
  readonly user: number
  readonly client: number
  readonly publicKey: string
  readonly mayImpersonate: boolean
}

/** A user, a program of the same name, and the key. @throws 400, 409 */
export function addAccount(tx: Transaction, caller: Caller, account: NewAccount): void {
  const { email, kid, publicKey, mayImpersonate } = account
  const { pk } = addUser(tx, caller, { email })
  const client = findClient(tx, email) ?? addClient(tx, caller, { id: email })
  const sql =
    'INSERT INTO account_keys(kid, client, user, public_key, may_impersonate) VALUES (?, ?, ?, ?, ?)'
  tx.run(sql, kid, client.pk, pk, publicKey, mayImpersonate ? 1 : 0)
}

export function findAccountKey(db: Database, kid: string): AccountKey | undefined {
  const sql = `SELECT p.email, k.user, k.client, k.public_key, k.may_impersonate FROM account_keys k
    JOIN principals p ON p.pk = k.user WHERE k.kid = ?`
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
