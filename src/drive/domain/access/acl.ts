/** Access lists (ACLs), interned: items with equal effective rights share one. */
import { createHash } from 'node:crypto'
import { type Role, stronger } from '../../contract/role.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'

export interface AclEntry {
  /** Key of a principal. */
  readonly principal: number
  readonly role: Role
  /** Whether the item shows up in the principal's lists, or can only be opened by its id. */
  readonly isListed: boolean
}

/** Of items in one shared drive, or in none. */
export interface Acl {
  readonly drive: number | null
  readonly entries: readonly AclEntry[]
}

/** The access list of an item that is not shared. */
export function findOwnerAcl(tx: Transaction, owner: number): number {
  return internAcl(tx, { drive: null, entries: [{ principal: owner, role: 'owner', isListed: true }] })
}

/** The key of the set; it is made if no item has had it before. */
export function internAcl(tx: Transaction, acl: Acl): number {
  const digest = digestAcl(acl)
  const known = tx.get<{ pk: number }>('SELECT pk FROM acls WHERE digest = ?', digest)
  if (known !== undefined) return known.pk
  const { lastKey } = tx.run('INSERT INTO acls(digest, drive) VALUES (?, ?)', digest, acl.drive)
  for (const { principal, role, isListed } of acl.entries) {
    const sql = 'INSERT INTO acl_entries(acl, principal, role, is_listed) VALUES (?, ?, ?, ?)'
    tx.run(sql, lastKey, principal, role, isListed ? 1 : 0)
  }
  return lastKey
}

/** Small sets are their own digest. */
export function digestAcl({ drive, entries }: Acl): string {
  const words = entries.map(({ principal, role, isListed }) => `${principal}:${role}${isListed ? '' : '?'}`)
  const text = [...(drive === null ? [] : [`drive ${drive}`]), ...words.sort()].join(' ')
  return text.length <= 64 ? text : createHash('sha256').update(text).digest('base64url')
}

interface AclRow {
  readonly principal: number
  readonly role: Role
  readonly is_listed: 0 | 1
}

export function readEntries(db: Database, acl: number): AclEntry[] {
  const rows = db.all<AclRow>('SELECT principal, role, is_listed FROM acl_entries WHERE acl = ?', acl)
  return rows.map(({ principal, role, is_listed: isListed }) => ({
    principal,
    role,
    isListed: isListed === 1,
  }))
}

/** Of each principal the strongest role; listed where one of its entries is. */
export function mergedEntries(entries: Iterable<AclEntry>): AclEntry[] {
  const merged = new Map<number, AclEntry>()
  for (const entry of entries) {
    const before = merged.get(entry.principal)
    merged.set(entry.principal, before === undefined ? entry : both(before, entry))
  }
  return [...merged.values()]
}

function both(one: AclEntry, other: AclEntry): AclEntry {
  const role = stronger(one.role, other.role)
  return { principal: one.principal, role, isListed: one.isListed || other.isListed }
}
