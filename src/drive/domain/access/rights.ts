/** The rights of an item as they follow from its folders, its grants and its owner (spec 11.4). */
import type { Role } from '../../contract/role.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import type { SeenFile } from './access.ts'
import { type Acl, type AclEntry, readEntries, internAcl, mergedEntries } from './acl.ts'
import { type DriveFacts, driveFacts } from '../drives/drive-facts.ts'

export interface Sources {
  readonly owner: number | null
  readonly drive: number | null
  /** Sets of rights of the folders that pass theirs on. */
  readonly above: readonly number[]
  readonly grants: readonly Grant[]
}

/** A row of `grants`. */
export interface Grant {
  readonly principal: number
  readonly role: Role
  readonly with_link: number
}

/** My Drive roots pass nothing on: an item of another owner that is linked there stays theirs. */
export const PASSES_ON = '(p.is_root = 0 OR p.drive IS NOT NULL)'

/** The access list of a new item: mostly that of its folder, without a query. */
export function rightsForNew(tx: Transaction, folders: readonly SeenFile[], owner: number): number {
  const [first] = folders
  const isOfFolder = folders.every(
    ({ acl, ...folder }) => acl === first?.acl && (folder.drive !== null || folder.owner === owner),
  )
  if (first !== undefined && isOfFolder) return first.acl
  const passing = folders.filter(({ is_root, drive }) => is_root === 0 || drive !== null)
  const above = passing.map(({ acl }) => acl)
  return internAcl(tx, rightsFrom(tx, { owner, drive: null, above, grants: [] }))
}

/** Those of an item that its owner alone has a right to: {owner}. */
export function rightsFrom(db: Database, { owner, drive, above, grants }: Sources): Acl {
  const entries = above.flatMap((acl) => readEntries(db, acl).map(inherited))
  const own = grants.map(({ principal, role, with_link }): AclEntry => ({
    principal,
    role,
    isListed: with_link === 0,
  }))
  // what comes from above has been limited there
  if (drive !== null)
    return { drive, entries: mergedEntries([...entries, ...limited(db, driveFacts(db, drive), own)]) }
  if (owner !== null) own.push({ principal: owner, role: 'owner', isListed: true })
  return { drive, entries: mergedEntries([...entries, ...own]) }
}

/** The owner of a folder is a writer of what others put there. */
function inherited(entry: AclEntry): AclEntry {
  return entry.role === 'owner' ? { ...entry, role: 'writer' } : entry
}

/** Without the principals that the restrictions of the drive exclude. */
function limited(db: Database, { id, domain, restrictions }: DriveFacts, entries: AclEntry[]): AclEntry[] {
  const { domainUsersOnly, driveMembersOnly } = restrictions
  const left = driveMembersOnly === true ? entries.filter((one) => isMember(db, id, one.principal)) : entries
  if (domainUsersOnly !== true) return left
  return left.flatMap((entry) => insiders(db, domain, entry))
}

/** A group of the domain that has members of others stands for those of the domain alone. */
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

/** Whether a group has members of another domain than its own. */
export function hasOutsiders(db: Database, group: number): boolean {
  return db.get(OUTSIDER, group) !== undefined
}

const BOUND = `SELECT g.item FROM grants g JOIN files f ON f.pk = g.item JOIN drives d ON d.root = f.drive
  WHERE g.principal = ? AND json_extract(d.restrictions, '$.domainUsersOnly')`

/** Items whose rights depend on who is in the group: they are in shared drives for one domain. */
export function boundToMembers(db: Database, group: number): number[] {
  return db.all<{ item: number }>(BOUND, group).map(({ item }) => item)
}

const DOMAIN = 'SELECT lower(domain) AS domain FROM principals WHERE pk = ?'

/** Of a user, a group or a domain; of anyone none. */
export function findDomain(db: Database, principal: number): string | null {
  return db.get<{ domain: string | null }>(DOMAIN, principal)?.domain ?? null
}

const MEMBER = 'SELECT 1 FROM grants WHERE item = (SELECT pk FROM files WHERE id = ?) AND principal = ?'

/** By a direct grant on the drive; membership by a group does not count. */
export function isMember(db: Database, drive: string, principal: number): boolean {
  return db.get(MEMBER, drive, principal) !== undefined
}
