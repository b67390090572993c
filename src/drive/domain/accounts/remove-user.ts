/** Removes a user and everything private to that user; items of others and grants to others stay. */
import { assured } from '../../../errors.ts'
import { type Caller, StorageFailure } from '../../contract/failure.ts'
import type { Transaction } from '../../persistence/database/database.ts'
import { endTokens } from './end-tokens.ts'
import { type ChangedItem, recordChange } from '../changes/change-log.ts'
import { link } from '../folders/parents.ts'
import { charge, withinQuota } from './quota.ts'
import { transferCost } from '../drives/drive-view.ts'
import { removeItems } from '../files/remove-items.ts'
import { findMemberLimitedItems, recomputeTrash, recomputeRights, removeGrants } from '../access/rights.ts'
import { type UserFacts, userNamed } from './users.ts'

export interface RemoveUser {
  readonly email: string
  /** Address of the user who gets the files, and the shared drives that have no other organizer. */
  readonly heir?: string | undefined
  /** Deletes the user's files. */
  readonly withFiles?: boolean | undefined
}

/**
 * Comments and revisions elsewhere keep the user's name. The address becomes free; a new account of it gets none of
 * the old rights.
 * @throws 404; 409 — the user has files or drives, and the input names no heir; 403 — the heir's quota is too small
 */
export function removeUser(tx: Transaction, _caller: Caller, input: RemoveUser): void {
  const user = userNamed(tx, input.email)
  const heir = input.heir === undefined ? undefined : userNamed(tx, input.heir)
  if (heir?.pk === user.pk) throw conflict('The user being removed cannot get the files.')
  const files = tx.all<Owned>(OWNED, user.pk)
  if (files.length > 0 && heir === undefined && input.withFiles !== true)
    throw conflict(
      `${user.email} owns files or folders (${files.length}): name the user who gets them, or have them deleted.`,
    )
  passDrives(tx, user, heir)
  passCosts(tx, user, heir)
  if (heir !== undefined) passFiles(tx, user, heir, files)
  const roots = tx.all<{ pk: number }>('SELECT pk FROM files WHERE owner = ? AND is_root = 1', user.pk)
  const left = heir === undefined ? [...files, ...roots] : roots
  removeItems(
    tx,
    left.map(({ pk }) => pk),
    user.pk,
  )
  endTokens(tx, 'user', user.pk)
  takeRights(tx, user.pk)
  for (const sql of LEFTOVERS) tx.run(sql, user.pk)
}

interface Owned extends ChangedItem {
  readonly used: number
}

const OWNED = `SELECT pk, id, used FROM files WHERE owner = ? AND is_root = 0 AND space = 'drive'`

function passFiles(tx: Transaction, from: UserFacts, to: UserFacts, files: readonly Owned[]): void {
  const used = files.reduce((sum, file) => sum + file.used, 0)
  const keys = JSON.stringify(files.map(({ pk }) => pk))
  const inKeys = 'IN (SELECT value FROM json_each(?1))'
  withinQuota(tx, to.pk, () => {
    charge(tx, to.pk, used)
    charge(tx, from.pk, -used)
    tx.run(`UPDATE files SET owner = ?2, version = version + 1 WHERE pk ${inKeys}`, keys, to.pk)
  })
  tx.run(`DELETE FROM grants WHERE item ${inKeys} AND principal = ?2`, keys, to.pk)
  const sql =
    'SELECT f.root AS old, t.root AS home FROM principals f, principals t WHERE f.pk = ? AND t.pk = ?'
  const found = tx.get<{ old: number; home: number }>(sql, from.pk, to.pk)
  const roots = assured(found, `user ${to.pk} is gone`)
  const inOldRoot = `SELECT child AS pk FROM parents WHERE parent = ?2 AND child ${inKeys}`
  for (const { pk } of tx.all<{ pk: number }>(inOldRoot, keys, roots.old)) {
    tx.run('DELETE FROM parents WHERE parent = ? AND child = ?', roots.old, pk)
    link(tx, roots.home, pk)
  }
  for (const { pk } of files) recomputeTrash(tx, pk)
  recomputeRights(
    tx,
    files.map(({ pk }) => pk),
  )
  for (const file of files) recordChange(tx, file)
}

const ALONE = `SELECT g.item FROM grants g JOIN drives d ON d.root = g.item WHERE g.principal = ?1 AND g.role = 'organizer'
  AND NOT EXISTS (SELECT 1 FROM grants o WHERE o.item = g.item AND o.role = 'organizer' AND o.principal <> ?1)`

/** @throws 409 — a shared drive has no other organizer, and the input names no heir */
function passDrives(tx: Transaction, { pk, email }: UserFacts, heir: UserFacts | undefined): void {
  const drives = tx.all<{ item: number }>(ALONE, pk)
  if (drives.length > 0 && heir === undefined)
    throw conflict(
      `${email} is the only organizer of ${drives.length} shared drives: name their new organizer.`,
    )
  for (const { item } of drives) {
    const sql = `INSERT OR REPLACE INTO grants(item, principal, role, created, granter) VALUES (?1, ?2, 'organizer', ?3, ?2)`
    tx.run(sql, item, heir?.pk ?? 0, tx.now)
  }
}

/**
 * Finds a payer for each shared drive the user paid for: the heir, or the organizer of longest standing.
 * @throws 409 — no payer left; 403 — the payer's quota is too small
 */
function passCosts(tx: Transaction, { pk, email }: UserFacts, heir: UserFacts | undefined): void {
  for (const { root, organizer } of tx.all<PaidDrive>(PAID_BY, pk)) {
    const to = heir?.pk ?? organizer
    if (to === null)
      throw conflict(`${email} is charged for the storage of shared drives: name the user to charge instead.`)
    transferCost(tx, pk, root, to)
  }
}

interface PaidDrive {
  readonly root: number
  readonly organizer: number | null
}

const PAID_BY = `SELECT d.root, (SELECT g.principal FROM grants g JOIN principals p ON p.pk = g.principal WHERE g.item = d.root AND g.role = 'organizer'
    AND g.principal <> ?1 AND p.kind = 'user' AND p.is_known = 1 ORDER BY g.created, g.principal LIMIT 1) AS organizer
  FROM drives d WHERE d.payer = ?1`

/** Removes the user's grants and group memberships. */
function takeRights(tx: Transaction, user: number): void {
  const groups = tx.all<{ grp: number }>('SELECT grp FROM members WHERE member = ?', user)
  tx.run('DELETE FROM members WHERE member = ?', user)
  removeGrants(
    tx,
    user,
    groups.flatMap(({ grp }) => findMemberLimitedItems(tx, grp)),
  )
}

const LEFTOVERS = [
  'DELETE FROM account_keys WHERE user = ?',
  'DELETE FROM suspended_members WHERE member = ?',
  'DELETE FROM user_state WHERE user = ?',
  'DELETE FROM app_roots WHERE user = ?',
  'DELETE FROM drive_requests WHERE user = ?',
  'DELETE FROM change_index WHERE principal = ?',
  `UPDATE principals SET is_known = 0, is_admin = 0, is_disabled = 0, quota = NULL, root = NULL, password = NULL WHERE pk = ?`,
]

function conflict(message: string): StorageFailure {
  return new StorageFailure(409, 'conflict', message)
}
