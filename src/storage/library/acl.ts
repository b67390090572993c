/** Sets of rights, shared by all items that have the same one. */
import { createHash } from 'node:crypto'
import type { Role } from '../model/role.ts'
import type { Transaction } from '../store/database.ts'

export interface AclEntry {
  /** Key of a principal. */
  readonly principal: number
  readonly role: Role
  /** Whether the item shows up in the principal's lists, or can only be opened by its id. */
  readonly isListed: boolean
}

/** The rights of an item in My Drive: for now those of its owner alone. */
export function aclOfOwner(tx: Transaction, owner: number): number {
  return internAcl(tx, [{ principal: owner, role: 'owner', isListed: true }])
}

/** The key of the set; it is made if no item has had it before. */
export function internAcl(tx: Transaction, entries: readonly AclEntry[]): number {
  const digest = digestOf(entries)
  const known = tx.get<{ pk: number }>('SELECT pk FROM acls WHERE digest = ?', digest)
  if (known !== undefined) return known.pk
  const { lastKey } = tx.run('INSERT INTO acls(digest) VALUES (?)', digest)
  for (const { principal, role, isListed } of entries) {
    const sql = 'INSERT INTO acl_entries(acl, principal, role, is_listed) VALUES (?, ?, ?, ?)'
    tx.run(sql, lastKey, principal, role, isListed ? 1 : 0)
  }
  return lastKey
}

/** Small sets are their own digest. */
export function digestOf(entries: readonly AclEntry[]): string {
  const text = entries
    .map(({ principal, role, isListed }) => `${principal}:${role}${isListed ? '' : '?'}`)
    .sort()
    .join(' ')
  return text.length <= 64 ? text : createHash('sha256').update(text).digest('base64url')
}
