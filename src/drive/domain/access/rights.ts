/** Computes the rights of an item from its folders, its grants and its owner (spec 11.4). */
import type { Role } from '../../contract/kinds.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import {
  type Acl,
  type AclEntry,
  type VisibleFile,
  internAcl,
  mergeEntries,
  requireAppAccess,
  readEntries,
  requireVisibleFile,
} from './access.ts'
import { type DriveFacts, driveFacts } from '../drives/drive-view.ts'
import { type Caller, noPermission } from '../../contract/failure.ts'
import { type Capability, type Circumstances, isCapable } from '../../contract/capabilities.ts'
import { type Extra, readExtra } from '../files/file-facts.ts'
import type { FileRow } from '../items/file-row.ts'
import { recordChange } from '../changes/change-log.ts'

export interface Sources {
  readonly owner: number | null
  readonly drive: number | null
  /** Access lists of the folders that pass their rights on. */
  readonly above: readonly number[]
  readonly grants: readonly Grant[]
}

/** A row of `grants`. */
export interface Grant {
  readonly principal: number
  readonly role: Role
  readonly with_link: number
}

/** My Drive roots pass no rights on: an item of another owner that is linked there keeps its own. */
export const PASSES_ON = '(p.is_root = 0 OR p.drive IS NOT NULL)'

/** Access list of a new item: usually that of its folder, found without a query. */
export function rightsForNew(tx: Transaction, folders: readonly VisibleFile[], owner: number): number {
  const [first] = folders
  const isOfFolder = folders.every(
    ({ acl, ...folder }) => acl === first?.acl && (folder.drive !== null || folder.owner === owner),
  )
  if (first !== undefined && isOfFolder) return first.acl
  const passing = folders.filter(({ is_root, drive }) => is_root === 0 || drive !== null)
  const above = passing.map(({ acl }) => acl)
  return internAcl(tx, deriveRights(tx, { owner, drive: null, above, grants: [] }))
}

/** Access list that follows from the sources; an unshared item has its owner as the only entry. */
export function deriveRights(db: Database, { owner, drive, above, grants }: Sources): Acl {
  const entries = above.flatMap((acl) => readEntries(db, acl).map(inherited))
  const own = grants.map(({ principal, role, with_link }): AclEntry => ({
    principal,
    role,
    isListed: with_link === 0,
  }))
  // the folder's access list already applies the restrictions of the drive
  if (drive !== null)
    return { drive, entries: mergeEntries([...entries, ...limited(db, driveFacts(db, drive), own)]) }
  if (owner !== null) own.push({ principal: owner, role: 'owner', isListed: true })
  return { drive, entries: mergeEntries([...entries, ...own]) }
}

/** The owner of a folder is a writer of what others put there. */
function inherited(entry: AclEntry): AclEntry {
  return entry.role === 'owner' ? { ...entry, role: 'writer' } : entry
}

/** Removes the principals that the restrictions of the drive exclude. */
function limited(db: Database, { id, domain, restrictions }: DriveFacts, entries: AclEntry[]): AclEntry[] {
  const { domainUsersOnly, driveMembersOnly } = restrictions
  const left = driveMembersOnly === true ? entries.filter((one) => isMember(db, id, one.principal)) : entries
  if (domainUsersOnly !== true) return left
  return left.flatMap((entry) => insiders(db, domain, entry))
}

/** Replaces a group that has outside members by its members from the domain. */
function insiders(db: Database, domain: string | null, entry: AclEntry): AclEntry[] {
  if (findDomain(db, entry.principal) !== domain) return []
  if (!hasOutsiders(db, entry.principal)) return [entry]
  return db
    .all<{ pk: number }>(INSIDERS, entry.principal, domain)
    .map(({ pk }) => ({ ...entry, principal: pk }))
}

const OUTSIDER = `SELECT 1 FROM members m JOIN principals u ON u.pk = m.member JOIN principals g ON g.pk = m.grp
  WHERE m.grp = ? AND lower(u.domain) IS NOT lower(g.domain) LIMIT 1`
const INSIDERS =
  'SELECT u.pk FROM members m JOIN principals u ON u.pk = m.member WHERE m.grp = ? AND lower(u.domain) IS ?'

/** True if a group has members from other domains than its own. */
export function hasOutsiders(db: Database, group: number): boolean {
  return db.get(OUTSIDER, group) !== undefined
}

const BOUND = `SELECT g.item FROM grants g JOIN files f ON f.pk = g.item JOIN drives d ON d.root = f.drive
  WHERE g.principal = ? AND json_extract(d.restrictions, '$.domainUsersOnly')`

/** Items whose rights depend on the members of the group: granted items in shared drives that are limited to one domain. */
export function findMemberLimitedItems(db: Database, group: number): number[] {
  return db.all<{ item: number }>(BOUND, group).map(({ item }) => item)
}

const DOMAIN = 'SELECT lower(domain) AS domain FROM principals WHERE pk = ?'

/** Domain of a user, a group or a domain; null for `anyone`. */
export function findDomain(db: Database, principal: number): string | null {
  return db.get<{ domain: string | null }>(DOMAIN, principal)?.domain ?? null
}

const MEMBER = 'SELECT 1 FROM grants WHERE item = (SELECT pk FROM files WHERE id = ?) AND principal = ?'

/** Counts only direct grants on the drive, not membership through a group. */
export function isMember(db: Database, drive: string, principal: number): boolean {
  return db.get(MEMBER, drive, principal) !== undefined
}

export function findCircumstances(
  { kind, is_root, trashed }: FileRow,
  extra: Extra,
  drive: DriveFacts | undefined,
): Circumstances {
  const { copyRequiresWriterPermission, sharingFoldersRequiresOrganizerPermission } =
    drive?.restrictions ?? {}
  return {
    isFolder: kind === 'folder',
    isRoot: is_root === 1,
    isTrashed: trashed === 1,
    inDrive: drive !== undefined,
    writersCanShare: extra.writersCanShare !== false,
    copyNeedsWriter: extra.copyNeedsWriter === true || copyRequiresWriterPermission === true,
    isLocked: extra.restriction !== undefined,
    foldersNeedOrganizer: sharingFoldersRequiresOrganizerPermission === true,
  }
}

export function isAllowed(db: Database, file: VisibleFile, capability: Capability): boolean {
  const drive = file.drive === null ? undefined : driveFacts(db, file.drive)
  return isCapable(file.role, capability, findCircumstances(file, readExtra(file.extra), drive))
}

/** @throws 403 */
export function requireCapability(db: Database, file: VisibleFile, capability: Capability): void {
  if (!isAllowed(db, file, capability)) throw noPermission(file.id)
}

/** An item on which the caller has the capability. @throws 404; 403 — the role or the scopes do not allow it */
export function requireFile(db: Database, caller: Caller, id: string, capability: Capability): VisibleFile {
  const file = requireVisibleFile(db, caller, id)
  requireCapability(db, file, capability)
  requireAppAccess(caller, file, 'write')
  return file
}

interface TrashState {
  readonly pk: number
  readonly id: string
  readonly trashed: number
  /** Value that `trashed` should have. */
  readonly next: number
}

const NEXT = `(f.explicit_trash = 1 OR (EXISTS (SELECT 1 FROM parents l WHERE l.child = f.pk)
    AND NOT EXISTS (SELECT 1 FROM parents l JOIN files p ON p.pk = l.parent WHERE l.child = f.pk AND p.trashed = 0)))`
const STATE = `SELECT f.pk, f.id, f.trashed, ${NEXT} AS next FROM files f WHERE f.pk = ?`

/** Selects items whose `trashed` does not follow from their own flag and their folders, with the columns `key` and `what` of a check. */
export const WRONG_TRASH = `SELECT f.pk AS key, 'file ' || f.id || ' is ' || iif(f.trashed, '', 'not ') || 'marked as in the trash' AS what
  FROM files f WHERE f.trashed <> ${NEXT}`

/**
 * Corrects `trashed` of the item and of everything below, after its own flag or its folders changed. The change log
 * gets an entry for each corrected item below; the caller records the item itself.
 */
export function recomputeTrash(tx: Transaction, item: number): void {
  const waiting = [item]
  for (let pk = waiting.pop(); pk !== undefined; pk = waiting.pop()) {
    const state = tx.get<TrashState>(STATE, pk)
    if (state === undefined || state.next === state.trashed) continue
    tx.run('UPDATE files SET trashed = ? WHERE pk = ?', state.next, pk)
    if (pk !== item) recordChange(tx, state)
    for (const { child } of tx.all<{ child: number }>('SELECT child FROM parents WHERE parent = ?', pk))
      waiting.push(child)
  }
}
