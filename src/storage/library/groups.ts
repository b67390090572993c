/** Groups of users, created and changed by the operator. */
import type { Caller } from '../model/caller.ts'
import { notFound } from '../model/failure.ts'
import type { Database, Transaction } from '../store/database.ts'
import { inheritLog, recordRights } from './change-log.ts'
import { ensureAddress, mustBeAddress } from './principals.ts'
import { boundToMembers } from './rights.ts'
import { settleRights } from './settle-rights.ts'
import { findUser, mustBeNew } from './users.ts'

export interface NewGroup {
  readonly email: string
  /** The address, if none. */
  readonly name?: string | undefined
}

export interface GroupFacts {
  readonly pk: number
  readonly id: string
  readonly email: string
  readonly name: string
  readonly members: number
}

const FACTS = `SELECT pk, id, email, name, (SELECT count(*) FROM members WHERE grp = pk) AS members FROM principals
  WHERE kind = 'group' AND is_known = 1`

export function listGroups(db: Database): GroupFacts[] {
  return db.all<GroupFacts>(`${FACTS} ORDER BY pk`)
}

export function findGroup(db: Database, email: string): GroupFacts | undefined {
  return db.get<GroupFacts>(`${FACTS} AND email = ?`, email)
}

/** Addresses of the members. */
export function membersOf(db: Database, { pk }: GroupFacts): string[] {
  const sql =
    'SELECT p.email FROM members m JOIN principals p ON p.pk = m.member WHERE m.grp = ? ORDER BY p.email'
  return db.all<{ email: string }>(sql, pk).map(({ email }) => email)
}

/** Takes over what was shared with the address before. @throws 400 — not an address; 409 — the address is taken */
export function addGroup(tx: Transaction, _caller: Caller, { email, name = email }: NewGroup): GroupFacts {
  mustBeAddress(email)
  mustBeNew(tx, email)
  const pk = ensureAddress(tx, email, 'group')
  tx.run("UPDATE principals SET kind = 'group', name = ?, is_known = 1 WHERE pk = ?", name, pk)
  return groupNamed(tx, email)
}

export interface Membership {
  /** Address. */
  readonly group: string
  /** Addresses of users. */
  readonly members: readonly string[]
}

/** New members get a change entry for everything the group may see. @throws 404 */
export function addMembers(tx: Transaction, _caller: Caller, { group, members }: Membership): GroupFacts {
  const { pk } = groupNamed(tx, group)
  for (const email of members) {
    const user = userNamed(tx, email)
    const sql = 'INSERT OR IGNORE INTO members(grp, member) VALUES (?, ?)'
    if (tx.run(sql, pk, user).changes > 0) tell(tx, pk, { principal: user, isRemoved: false })
  }
  settleRights(tx, boundToMembers(tx, pk))
  return groupNamed(tx, group)
}

/** @throws 404 */
export function removeMembers(tx: Transaction, _caller: Caller, { group, members }: Membership): GroupFacts {
  const { pk } = groupNamed(tx, group)
  for (const email of members) {
    const user = userNamed(tx, email)
    const { changes } = tx.run('DELETE FROM members WHERE grp = ? AND member = ?', pk, user)
    if (changes === 0) continue
    // entries of the group that the member may not have read yet
    inheritLog(tx, pk, user)
    tell(tx, pk, { principal: user, isRemoved: true })
  }
  settleRights(tx, boundToMembers(tx, pk))
  return groupNamed(tx, group)
}

const SEEN = `SELECT f.pk FROM acl_entries e JOIN files f ON f.acl = e.acl WHERE e.principal = ? AND e.is_listed = 1`

/** Access by other grants is looked up when the member's log is read. */
function tell(
  tx: Transaction,
  group: number,
  concerned: { readonly principal: number; readonly isRemoved: boolean },
): void {
  const items = tx.all<{ pk: number }>(SEEN, group).map(({ pk }) => pk)
  recordRights(tx, items, [concerned])
}

function groupNamed(db: Database, email: string): GroupFacts {
  const group = findGroup(db, email)
  if (group === undefined) throw notFound('Group', email)
  return group
}

function userNamed(db: Database, email: string): number {
  const user = findUser(db, email)
  if (user === undefined) throw notFound('User', email)
  return user.pk
}
