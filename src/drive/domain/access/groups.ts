/** Groups of users, created and changed by the operator. */
import { type Caller, notFound } from '../../contract/failure.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { inheritLog, recordRights } from '../changes/change-log.ts'
import { ensureAddress, requireAddress } from './principals.ts'
import { rename } from '../items/user-state.ts'
import { findMemberLimitedItems, recomputeRights, removeGrants } from './rights.ts'
import { userNamed, requireNewAddress } from '../accounts/users.ts'

export interface NewGroup {
  readonly email: string
  /** Defaults to the address. */
  readonly name?: string | undefined
}

export interface GroupFacts {
  readonly pk: number
  readonly id: string
  readonly email: string
  readonly name: string
  readonly members: number
  readonly is_disabled: number
}

/** Selects rows of `principals` as `GroupFacts`; callers append the WHERE clause. */
export const GROUP_FACTS = `SELECT pk, id, email, name, is_disabled, (SELECT count(*) FROM members WHERE grp = pk)
  + (SELECT count(*) FROM suspended_members WHERE grp = pk) AS members FROM principals`

const FACTS = `${GROUP_FACTS} WHERE kind = 'group' AND is_known = 1`

export function findGroup(db: Database, email: string): GroupFacts | undefined {
  return db.get<GroupFacts>(`${FACTS} AND email = ?`, email)
}

/** Creates a group. It keeps the grants that already name its address. @throws 400 — not an address; 409 — the address is taken */
export function addGroup(tx: Transaction, _caller: Caller, { email, name = email }: NewGroup): GroupFacts {
  requireAddress(email)
  requireNewAddress(tx, email)
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

/** Adds members; each gets a change entry for every item the group sees. @throws 404 */
export function addMembers(tx: Transaction, _caller: Caller, { group, members }: Membership): GroupFacts {
  const { pk, is_disabled } = groupNamed(tx, group)
  const users = members.map((email) => userNamed(tx, email).pk)
  if (is_disabled === 1)
    for (const user of users)
      tx.run('INSERT OR IGNORE INTO suspended_members(grp, member) VALUES (?, ?)', pk, user)
  else join(tx, pk, users)
  return groupNamed(tx, group)
}

/** @throws 404 */
export function removeMembers(tx: Transaction, _caller: Caller, { group, members }: Membership): GroupFacts {
  const { pk } = groupNamed(tx, group)
  const users = members.map((email) => userNamed(tx, email).pk)
  for (const user of users) tx.run('DELETE FROM suspended_members WHERE grp = ? AND member = ?', pk, user)
  leave(tx, pk, users)
  return groupNamed(tx, group)
}

export interface GroupChanges {
  /** Address. */
  readonly group: string
  readonly name?: string | undefined
  /** Suspends the group: its members have no rights through it. */
  readonly isDisabled?: boolean | undefined
}

/** Undefined fields keep their value. @throws 404 */
export function changeGroup(tx: Transaction, _caller: Caller, input: GroupChanges): GroupFacts {
  const { group, name, isDisabled } = input
  const { pk } = groupNamed(tx, group)
  if (name !== undefined) rename(tx, pk, name)
  if (isDisabled !== undefined) suspend(tx, pk, isDisabled)
  return groupNamed(tx, group)
}

/** Removes the group and every right its members had through it; the address becomes free. @throws 404 */
export function removeGroup(tx: Transaction, _caller: Caller, { group }: { readonly group: string }): void {
  const { pk } = groupNamed(tx, group)
  leave(tx, pk, usersIn(tx, 'members', pk))
  removeGrants(tx, pk)
  tx.run('DELETE FROM suspended_members WHERE grp = ?', pk)
  tx.run('DELETE FROM change_index WHERE principal = ?', pk)
  tx.run('UPDATE principals SET is_known = 0, is_disabled = 0 WHERE pk = ?', pk)
}

function suspend(tx: Transaction, pk: number, isDisabled: boolean): void {
  const users = usersIn(tx, isDisabled ? 'members' : 'suspended_members', pk)
  tx.run('UPDATE principals SET is_disabled = ? WHERE pk = ?', Number(isDisabled), pk)
  if (isDisabled) {
    leave(tx, pk, users)
    for (const user of users) tx.run('INSERT INTO suspended_members(grp, member) VALUES (?, ?)', pk, user)
  } else {
    tx.run('DELETE FROM suspended_members WHERE grp = ?', pk)
    join(tx, pk, users)
  }
}

function usersIn(db: Database, table: 'members' | 'suspended_members', group: number): number[] {
  return db
    .all<{ member: number }>(`SELECT member FROM ${table} WHERE grp = ?`, group)
    .map(({ member }) => member)
}

function join(tx: Transaction, group: number, users: readonly number[]): void {
  for (const user of users) {
    const sql = 'INSERT OR IGNORE INTO members(grp, member) VALUES (?, ?)'
    if (tx.run(sql, group, user).changes > 0)
      recordGroupRights(tx, group, { principal: user, isRemoved: false })
  }
  recomputeRights(tx, findMemberLimitedItems(tx, group))
}

function leave(tx: Transaction, group: number, users: readonly number[]): void {
  for (const user of users) {
    const { changes } = tx.run('DELETE FROM members WHERE grp = ? AND member = ?', group, user)
    if (changes === 0) continue
    // entries of the group that the member may not have read yet
    inheritLog(tx, group, user)
    recordGroupRights(tx, group, { principal: user, isRemoved: true })
  }
  recomputeRights(tx, findMemberLimitedItems(tx, group))
}

const SEEN = `SELECT f.pk FROM acl_entries e JOIN files f ON f.acl = e.acl WHERE e.principal = ? AND e.is_listed = 1`

/** Records only items that the group lists; access by other grants is looked up when the member's log is read. */
function recordGroupRights(
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
