/** The people who have accounts: made and changed by who runs the service. */
import { createHash } from 'node:crypto'
import type { Caller } from '../model/caller.ts'
import { invalid, StorageFailure } from '../model/failure.ts'
import { FOLDER_MIME } from '../model/kinds.ts'
import { newId } from '../query/ids.ts'
import type { Database, Transaction } from '../store/database.ts'
import { aclOfOwner } from './acl.ts'
import { addRow } from './file-rows.ts'

export interface NewUser {
  readonly email: string
  /** The address, if none. */
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
  readonly quota: number | null
  readonly used: number
}

const FACTS = 'SELECT pk, id, email, name, is_admin, quota, used FROM principals'

export function listUsers(db: Database): UserFacts[] {
  return db.all<UserFacts>(`${FACTS} WHERE kind = 'user' AND is_known = 1 ORDER BY pk`)
}

export function findUser(db: Database, email: string): UserFacts | undefined {
  return db.get<UserFacts>(`${FACTS} WHERE kind = 'user' AND is_known = 1 AND email = ?`, email)
}

/** With the root of his drive. @throws 400 — no address; 409 — there is one */
export function addUser(tx: Transaction, _caller: Caller, user: NewUser): UserFacts {
  const { email, name = email, isAdmin = false, quota = null } = user
  if (!/^[^\s@]+@[^\s@]+$/.test(email)) throw invalid(`Not an e-mail address: ${email}`)
  if (findUser(tx, email) !== undefined)
    throw new StorageFailure(409, 'duplicate', `There is a user ${email} already.`)
  const pk = principalOf(tx, email)
  const domain = email.slice(email.indexOf('@') + 1)
  const sql = 'UPDATE principals SET name = ?, domain = ?, is_admin = ?, quota = ?, is_known = 1 WHERE pk = ?'
  tx.run(sql, name, domain, isAdmin ? 1 : 0, quota, pk)
  tx.run('UPDATE principals SET root = ? WHERE pk = ?', addRoot(tx, pk, 'My Drive'), pk)
  const made = findUser(tx, email)
  if (made === undefined) throw new Error(`user ${email} was not made`)
  return made
}

/** Names stay: they are in the tags of everything the user has made. */
export interface UserChanges {
  readonly pk: number
  readonly isAdmin?: boolean | undefined
  /** null: no limit. */
  readonly quota?: number | null | undefined
}

/** What is undefined stays. */
export function changeUser(tx: Transaction, _caller: Caller, { pk, isAdmin, quota }: UserChanges): UserFacts {
  if (isAdmin !== undefined) tx.run('UPDATE principals SET is_admin = ? WHERE pk = ?', Number(isAdmin), pk)
  if (quota !== undefined) tx.run('UPDATE principals SET quota = ? WHERE pk = ?', quota, pk)
  const changed = tx.get<UserFacts>(`${FACTS} WHERE pk = ?`, pk)
  if (changed === undefined) throw new Error(`there is no user ${pk}`)
  return changed
}

/** An address that something was shared with may come before its user. */
function principalOf(tx: Transaction, email: string): number {
  const known = tx.get<{ pk: number }>('SELECT pk FROM principals WHERE email = ?', email)
  if (known !== undefined) return known.pk
  const sql = "INSERT INTO principals(kind, id, email, name, is_known) VALUES ('user', ?, ?, ?, 0)"
  return tx.run(sql, permissionId(email), email, email).lastKey
}

/** The id of a user on every file, the same for an address whether it is known or not: 20 decimal digits. */
export function permissionId(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest()
  return String(digest.readBigUInt64BE()).padStart(20, '0')
}

/** Made when a program first gets a token of this user. */
export function ensureAppRoot(tx: Transaction, user: number, client: number): number {
  const sql = 'SELECT root FROM app_roots WHERE user = ? AND client = ?'
  const known = tx.get<{ root: number }>(sql, user, client)
  if (known !== undefined) return known.root
  const root = addRoot(tx, user, 'appDataFolder', client)
  tx.run('INSERT INTO app_roots(user, client, root) VALUES (?, ?, ?)', user, client, root)
  return root
}

function addRoot(tx: Transaction, owner: number, title: string, client?: number): number {
  return addRow(tx, {
    id: newId(),
    kind: 'folder',
    title,
    mime: FOLDER_MIME,
    space: client === undefined ? 'drive' : 'appDataFolder',
    owner,
    client: client ?? 0,
    acl: aclOfOwner(tx, owner),
    isRoot: true,
    created: tx.now,
    modified: tx.now,
    extra: '{}',
  })
}
