/** Computes the rights of an item from its folders, its grants and its owner, and recomputes those of everything below after a change (spec 11.4). */
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
  digestAcl,
} from './access.ts'
import { type DriveFacts, driveFacts } from '../drives/drive-view.ts'
import { type Caller, noPermission } from '../../contract/failure.ts'
import { type Capability, type Circumstances, isCapable } from '../../contract/capabilities.ts'
import { type Extra, readExtra } from '../files/file-facts.ts'
import type { FileRow } from '../items/file-row.ts'
import { recordChange, recordRights, type ChangedItem, touch } from '../changes/change-log.ts'
import { assured } from '../../../errors.ts'
import { ALL_BELOW } from '../folders/tree.ts'

interface Sources {
  readonly owner: number | null
  readonly drive: number | null
  /** Access lists of the folders that pass their rights on. */
  readonly above: readonly number[]
  readonly grants: readonly Grant[]
}

/** A row of `grants`. */
interface Grant {
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
function deriveRights(db: Database, { owner, drive, above, grants }: Sources): Acl {
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

/** Removes all grants to a principal. `also` are further items whose rights depend on it. */
export function removeGrants(tx: Transaction, principal: number, also: readonly number[] = []): void {
  const sql = 'SELECT f.pk, f.id FROM grants g JOIN files f ON f.pk = g.item WHERE g.principal = ?'
  const given = tx.all<ChangedItem>(sql, principal)
  tx.run('DELETE FROM grants WHERE principal = ?', principal)
  recomputeRights(tx, [...new Set([...given.map(({ pk }) => pk), ...also])])
  for (const item of given) touch(tx, item)
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

interface Node {
  readonly pk: number
  readonly owner: number | null
  readonly drive: number | null
  readonly acl: number
  /** JSON array of keys: the folders that pass their rights on. */
  readonly above: string
}

/** Items that move from one access list to another. */
interface Moved {
  readonly from: number
  readonly to: number
  readonly items: number[]
}

/**
 * The walk goes below an item only if the item's own access list changes. The change log gets an entry of each item
 * for every principal whose right to it changes; the caller records all other changes.
 */
export function recomputeRights(tx: Transaction, items: readonly number[]): void {
  if (!items.some((pk) => hasStaleRights(tx, pk))) return
  const nodes = nodesBelow(tx, items)
  const acls = new Map([...nodes.values()].map(({ pk, acl }) => [pk, acl]))
  const grants = grantsBelow(tx, items)
  const known = new Map<string, number>()
  const moved = new Map<string, Moved>()
  const tops = new Set(items)
  for (const node of inOrder(nodes)) {
    // the shape comes from the statement `NODE`
    const above = JSON.parse(node.above) as number[]
    if (!tops.has(node.pk) && !above.some((pk) => acls.get(pk) !== nodes.get(pk)?.acl)) continue
    const to = computeRights(tx, node, {
      above: above.map((pk) => acls.get(pk) ?? findAcl(tx, pk)),
      grants,
      known,
    })
    acls.set(node.pk, to)
    if (to !== node.acl) noteMove(moved, node, to)
  }
  for (const one of moved.values()) apply(tx, one)
}

const ABOVE = `(SELECT json_group_array(l.parent) FROM parents l JOIN files p ON p.pk = l.parent
  WHERE l.child = f.pk AND ${PASSES_ON})`
const NODE = `SELECT f.pk, f.owner, f.drive, f.acl, ${ABOVE} AS above FROM files f`
const STATED = `SELECT f.pk, f.owner, f.drive, f.acl, ${ABOVE} AS above, coalesce(a.digest, '') AS digest
  FROM files f LEFT JOIN acls a ON a.pk = f.acl WHERE f.pk = ?`

/** True if the item's access list, compared by digest or by entries, no longer follows from its sources. */
export function hasStaleRights(db: Database, pk: number, by: 'digest' | 'entries' = 'digest'): boolean {
  const node = db.get<Node & { readonly digest: string }>(STATED, pk)
  if (node === undefined) return false
  const grants = db.all<Grant>('SELECT principal, role, with_link FROM grants WHERE item = ?', pk)
  const above = (JSON.parse(node.above) as number[]).map((folder) => findAcl(db, folder))
  const { acl, drive } = node
  const is = by === 'digest' ? node.digest : digestAcl({ drive, entries: readEntries(db, acl) })
  return digestAcl(deriveRights(db, { ...node, above, grants })) !== is
}

function nodesBelow(tx: Transaction, items: readonly number[]): ReadonlyMap<number, Node> {
  const sql = `${ALL_BELOW} ${NODE} JOIN below ON below.pk = f.pk`
  return new Map(tx.all<Node>(sql, JSON.stringify(items)).map((node) => [node.pk, node]))
}

type Grants = ReadonlyMap<number, readonly Grant[]>

function grantsBelow(tx: Transaction, items: readonly number[]): Grants {
  const sql = `${ALL_BELOW} SELECT g.item, g.principal, g.role, g.with_link FROM below CROSS JOIN grants g ON g.item = below.pk`
  const found = new Map<number, Grant[]>()
  for (const grant of tx.all<Grant & { readonly item: number }>(sql, JSON.stringify(items)))
    push(found, grant.item, grant)
  return found
}

/** Orders folders before their contents. Items in a cycle are left out; the store has none. */
function inOrder(nodes: ReadonlyMap<number, Node>): Node[] {
  const ordered: Node[] = []
  const children = new Map<number, Node[]>()
  const waits = new Map<number, number>()
  for (const node of nodes.values()) {
    const inside = (JSON.parse(node.above) as number[]).filter((pk) => nodes.has(pk))
    waits.set(node.pk, inside.length)
    for (const pk of inside) push(children, pk, node)
  }
  const ready = [...nodes.values()].filter(({ pk }) => waits.get(pk) === 0)
  for (let node = ready.pop(); node !== undefined; node = ready.pop()) {
    ordered.push(node)
    for (const child of children.get(node.pk) ?? []) {
      const left = (waits.get(child.pk) ?? 0) - 1
      waits.set(child.pk, left)
      if (left === 0) ready.push(child)
    }
  }
  return ordered
}

function push<Value>(lists: Map<number, Value[]>, key: number, value: Value): void {
  const list = lists.get(key)
  if (list === undefined) lists.set(key, [value])
  else list.push(value)
}

interface Around {
  /** Current access lists of the folders. */
  readonly above: readonly number[]
  readonly grants: Grants
  /** Access lists already computed, by owner, drive and lists above. */
  readonly known: Map<string, number>
}

function computeRights(
  tx: Transaction,
  { pk, owner, drive }: Node,
  { above, grants, known }: Around,
): number {
  const own = grants.get(pk)
  if (own !== undefined) return internAcl(tx, deriveRights(tx, { owner, drive, above, grants: own }))
  const key = JSON.stringify([owner, drive, ...above])
  const found = known.get(key) ?? internAcl(tx, deriveRights(tx, { owner, drive, above, grants: [] }))
  known.set(key, found)
  return found
}

function findAcl(db: Database, pk: number): number {
  const row = db.get<{ acl: number }>('SELECT acl FROM files WHERE pk = ?', pk)
  return assured(row, `there is no item ${pk}`).acl
}

function noteMove(moved: Map<string, Moved>, { pk, acl: from }: Node, to: number): void {
  const key = `${from} ${to}`
  const one = moved.get(key) ?? { from, to, items: [] }
  one.items.push(pk)
  moved.set(key, one)
}

function apply(tx: Transaction, { from, to, items }: Moved): void {
  const keys = JSON.stringify(items)
  tx.run('UPDATE files SET acl = ?1 WHERE pk IN (SELECT value FROM json_each(?2))', to, keys)
  const after = new Map(readEntries(tx, to).map((entry) => [entry.principal, entry]))
  const before = new Map(readEntries(tx, from).map((entry) => [entry.principal, entry]))
  const principals = [...new Set([...after.keys(), ...before.keys()])].flatMap((principal) => {
    const [was, is] = [before.get(principal), after.get(principal)]
    if (isSame(was, is) || !(was?.isListed === true || is?.isListed === true)) return []
    return [{ principal, isRemoved: is?.isListed !== true }]
  })
  recordRights(tx, items, principals)
}

function isSame(one: AclEntry | undefined, other: AclEntry | undefined): boolean {
  return one?.role === other?.role && one?.isListed === other?.isListed
}
