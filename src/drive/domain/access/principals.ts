/** Grantees of permissions: users, groups, domains, links of their own, and `anyone` (spec 11.1). */
import { createHash } from 'node:crypto'
import { invalid } from '../../contract/failure.ts'
import type { Database, Transaction, CachedValue } from '../../persistence/database/database.ts'

export interface Principal {
  readonly pk: number
  readonly kind: 'user' | 'group' | 'domain' | 'link' | 'anyone'
  readonly id: string
  readonly email: string | null
  readonly name: string
  readonly domain: string | null
  readonly picture: string | null
  /** 0 means that only grants name the principal; it has no account yet. */
  readonly is_known: number
}

const ROW = 'SELECT pk, kind, id, email, name, lower(domain) AS domain, picture, is_known FROM principals'

export function findPrincipalByKey(db: Database, pk: number): Principal | undefined {
  return db.get<Principal>(`${ROW} WHERE pk = ?`, pk)
}

export function findPrincipalById(db: Database, id: string): Principal | undefined {
  return db.get<Principal>(`${ROW} WHERE id = ?`, id)
}

/** @throws 400 — not an address */
export function requireAddress(email: string, location?: string): void {
  if (email.length > 320 || !/^[^\s@]+@[^\s@]+$/.test(email))
    throw invalid(`Not an e-mail address: ${email.slice(0, 320)}`, location)
}

/**
 * Permission id of a user or a group, the same on every file: 20 decimal digits. It depends on the address alone, so
 * it does not reveal whether an account exists.
 */
export function permissionId(email: string): string {
  const digest = createHash('sha256').update(email.toLowerCase()).digest()
  return String(digest.readBigUInt64BE()).padStart(20, '0')
}

/** Inserts an address that has no account yet, so that it can be given rights. @returns the key */
export function ensureAddress(tx: Transaction, email: string, kind: 'user' | 'group'): number {
  const id = permissionId(email)
  const known = tx.get<{ pk: number }>('SELECT pk FROM principals WHERE email = ? OR id = ?', email, id)
  if (known === undefined) {
    const sql = 'INSERT INTO principals(kind, id, email, name, domain, is_known) VALUES (?, ?, ?, ?, ?, 0)'
    return tx.run(sql, kind, id, email, email, parseDomain(email)).lastKey
  }
  // an earlier grant may have named the principal by its id alone
  const sql = 'UPDATE principals SET email = ?1, name = ?1, domain = ?2 WHERE pk = ?3 AND email IS NULL'
  tx.run(sql, email, parseDomain(email), known.pk)
  return known.pk
}

/** Inserts a principal of which only the id is known. @returns the key */
export function ensureId(tx: Transaction, id: string, kind: 'user' | 'group'): number {
  const known = findPrincipalById(tx, id)
  if (known !== undefined) return known.pk
  const sql = "INSERT INTO principals(kind, id, name, is_known) VALUES (?, ?, '', 0)"
  return tx.run(sql, kind, id).lastKey
}

/** Inserts a domain with all its users as members. @returns the key */
export function ensureDomain(tx: Transaction, name: string): number {
  const domain = name.toLowerCase()
  const known = tx.get<{ pk: number }>(
    "SELECT pk FROM principals WHERE domain = ? AND kind = 'domain'",
    domain,
  )
  if (known !== undefined) return known.pk
  const sql = "INSERT INTO principals(kind, id, name, domain) VALUES ('domain', ?, ?, ?)"
  const { lastKey } = tx.run(sql, `${permissionId(domain)}k`, domain, domain)
  tx.run(
    `INSERT INTO members(grp, member) SELECT ?, pk FROM principals WHERE domain = ? AND kind = 'user' AND is_known = 1`,
    lastKey,
    domain,
  )
  return lastKey
}

export function parseDomain(email: string): string {
  return email.slice(email.lastIndexOf('@') + 1).toLowerCase()
}

export interface UserView {
  readonly pk: number
  /** Permission id: decimal digits. */
  readonly id: string
  readonly name: string
  readonly email: string | null
  readonly picture: string | null
}

/** A name as people without an account see it: an address in it ends before the `@`. */
export function withoutAddress(name: string): string {
  return name.replaceAll(/([^\s@]*)@[^\s@<>(),;]*/g, '$1')
}

interface CachedView {
  readonly user: UserView
  /** End of the cache entry: ms of this process (`performance.now`). */
  readonly until: number
}

const USERS: CachedValue<Map<number, CachedView>> = { make: () => new Map() }
const MAX_KNOWN = 10_000

/** Cache time, ms: few people own many items, so their names are read once in a few seconds. */
const CACHE_MS = 5000

export function userView(db: Database, pk: number | null): UserView | undefined {
  if (pk === null) return undefined
  const users = db.memory.recall(USERS)
  const now = performance.now()
  const found = users.get(pk)
  if (found !== undefined && found.until > now) return found.user
  const user = db.get<UserView>('SELECT pk, id, name, email, picture FROM principals WHERE pk = ?', pk)
  if (users.size >= MAX_KNOWN) users.clear()
  if (user !== undefined) users.set(pk, { user, until: now + CACHE_MS })
  return user
}

/** Empties the cache after a user has been renamed. */
export function forgetUsers(db: Database): void {
  db.memory.forget(USERS)
}
