/** Permissions of an item, one per grantee: direct and inherited grants merged (spec 11.1, 11.4). */
import { assured } from '../../../errors.ts'
import { etagOf } from '../../protocol/etags.ts'
import { type Caller, notFound } from '../../contract/failure.ts'
import { type Role, isAtLeast, stronger } from '../../contract/kinds.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { ANYONE } from '../../persistence/database/tables/schema.ts'
import {
  MY_PRINCIPALS,
  type VisibleFile,
  findVisibleFile,
  requireAppAccess,
  requireVisibleFile,
} from '../access/access.ts'
import { type Principal, findPrincipalByKey } from '../access/principals.ts'
import { PASSES_ON, requireCapability, recomputeRights } from '../access/rights.ts'
import { driveForAdmin } from '../drives/drive-view.ts'
import { recordChange } from '../changes/change-log.ts'
import { recordSharer } from '../items/user-state.ts'

/** Plain data: it comes back from the writer thread. */
export interface PermissionView {
  /** Id of the item. */
  readonly file: string
  /** Id in the API; `anyone` has two ids. */
  readonly id: string
  readonly etag: string
  readonly principal: Principal
  /** Strongest role of all sources. */
  readonly role: Role
  /** Undefined for users and groups, which are always listed. */
  readonly withLink: boolean | undefined
  /** Expiry of the direct grant: ms since 1970. */
  readonly expires: number | undefined
  /** Empty for the owner. */
  readonly details: readonly PermissionDetail[]
  readonly inDrive: boolean
  /** Time of the last grant: ms since 1970; 0 for the owner. Lists are sorted by it. */
  readonly since: number
}

export interface PermissionDetail {
  readonly role: Role
  /** True if the role comes from membership of the shared drive. */
  readonly isMember: boolean
  readonly isInherited: boolean
  /** Id of the folder that grants the role; undefined for a direct grant, or if the caller may not see the folder. */
  readonly from: string | undefined
}

/** Newest first, the owner last. */
export function viewPermissions(db: Database, caller: Caller, file: VisibleFile): PermissionView[] {
  const found = new Map<number, Source[]>()
  for (const source of findSources(db, file)) {
    const list = found.get(source.principal)
    if (list === undefined) found.set(source.principal, [source])
    else list.push(source)
  }
  const given = [...found.values()]
    .filter(([first]) => first?.principal !== file.owner)
    .map((sources) => viewFrom(db, caller, file, sources))
    .toSorted((one, other) => other.since - one.since || other.principal.pk - one.principal.pk)
  return file.owner === null ? given : [...given, ownerView(db, file, file.owner)]
}

/** `me` is the caller. @throws 404 */
export function viewPermission(db: Database, caller: Caller, file: VisibleFile, id: string): PermissionView {
  const wanted = id === 'me' ? findPrincipalByKey(db, caller.user)?.id : id
  const permission = viewPermissions(db, caller, file).find(
    ({ principal, ...one }) => one.id === wanted || principal.id === wanted,
  )
  if (permission === undefined) throw notFound('Permission', id, 'permissionId')
  return permission
}

/** Strongest permission that applies to the caller; of equal ones a direct grant comes before a group's. @throws 404 */
function effectivePermission(db: Database, caller: Caller, file: VisibleFile): PermissionView {
  const rows = db.all<{ pk: number }>(`SELECT pk FROM principals WHERE pk IN ${MY_PRINCIPALS}`, caller.user)
  const mine = new Set(rows.map(({ pk }) => pk))
  const [best] = viewPermissions(db, caller, file)
    .filter(({ principal }) => mine.has(principal.pk))
    .toSorted(
      (one, other) =>
        Number(isAtLeast(other.role, one.role)) - Number(isAtLeast(one.role, other.role)) ||
        Number(other.principal.pk === caller.user) - Number(one.principal.pk === caller.user),
    )
  if (best === undefined) throw notFound('Permission', 'me', 'permissionId')
  return best
}

interface Source {
  readonly principal: number
  readonly role: Role
  readonly with_link: number
  readonly expires: number | null
  readonly created: number
  /** Key of the item that has the grant. */
  readonly item: number
  readonly item_id: string
  readonly is_drive: number
}

const ABOVE = `WITH RECURSIVE above(pk) AS (SELECT ?1 UNION SELECT p.pk FROM above JOIN parents l ON l.child = above.pk
  JOIN files p ON p.pk = l.parent WHERE ${PASSES_ON})`

/** Owners of ancestor folders are writers of other users' items in them. */
const SOURCES = `${ABOVE}
  SELECT g.principal, g.role, g.with_link, g.expires, g.created, f.pk AS item, f.id AS item_id, f.is_root AS is_drive
  FROM above JOIN files f ON f.pk = above.pk JOIN grants g ON g.item = f.pk
  UNION ALL
  SELECT f.owner, 'writer', 0, NULL, f.created, f.pk, f.id, 0
  FROM above JOIN files f ON f.pk = above.pk WHERE f.owner IS NOT NULL AND f.pk <> ?1`

function findSources(db: Database, { pk }: VisibleFile): Source[] {
  return db.all<Source>(SOURCES, pk)
}

function viewFrom(
  db: Database,
  caller: Caller,
  file: VisibleFile,
  sources: readonly Source[],
): PermissionView {
  const [first] = sources
  if (first === undefined) throw new Error('a permission comes from somewhere')
  const principal = named(db, first.principal)
  const isUser = principal.kind === 'user' || principal.kind === 'group'
  const own = sources.find(({ item }) => item === file.pk)
  const details = sources.map(({ item, item_id: id, role, is_drive }) => ({
    role,
    isMember: is_drive === 1,
    isInherited: item !== file.pk,
    from: item === file.pk ? undefined : findVisibleFile(db, caller, id)?.id,
  }))
  return tagged({
    file: file.id,
    principal,
    role: sources.reduce((best, { role }) => stronger(best, role), first.role),
    withLink: isUser ? undefined : sources.every(({ with_link }) => with_link === 1),
    expires: own === undefined ? endOf(sources) : (own.expires ?? undefined),
    details,
    inDrive: file.drive !== null,
    since: Math.max(...sources.map(({ created }) => created)),
  })
}

/** When the last of inherited rights ends: ms since 1970; undefined when one does not end. */
function endOf(sources: readonly Source[]): number | undefined {
  const ends = sources.map(({ expires }) => expires ?? Infinity)
  const last = Math.max(...ends)
  return last === Infinity ? undefined : last
}

function ownerView(db: Database, file: VisibleFile, owner: number): PermissionView {
  return tagged({
    file: file.id,
    principal: named(db, owner),
    role: 'owner',
    withLink: undefined,
    expires: undefined,
    details: [],
    inDrive: false,
    since: 0,
  })
}

function tagged(view: Omit<PermissionView, 'id' | 'etag'>): PermissionView {
  const { principal, withLink } = view
  const id = principal.pk === ANYONE && withLink === true ? 'anyoneWithLink' : principal.id
  const text = JSON.stringify([view.file, id, principal, view.role, withLink, view.expires, view.details])
  return { ...view, id, etag: etagOf(text) }
}

function named(db: Database, pk: number): Principal {
  return assured(findPrincipalByKey(db, pk), `there is no principal ${pk}`)
}

export interface SharedItem {
  readonly id: string
  /** `useDomainAdminAccess`: administrators manage any shared drive. */
  readonly asAdmin?: boolean | undefined
}

/** Only callers who may edit the item may list; readers do not see the other grantees. @throws 404, 403 */
export function listPermissions(db: Database, caller: Caller, item: SharedItem): PermissionView[] {
  const file = findSharedItem(db, caller, item, 'read')
  requireCapability(db, file, 'canEdit')
  return viewPermissions(db, caller, file)
}

export interface PermissionName extends SharedItem {
  /** `me` is the caller. */
  readonly permission: string
}

/**
 * Callers always see their own permission. `me` is the strongest that applies to them, through a group or a domain
 * too. @throws 404, 403
 */
export function getPermission(db: Database, caller: Caller, name: PermissionName): PermissionView {
  const file = findSharedItem(db, caller, name, 'read')
  if (name.permission === 'me') return effectivePermission(db, caller, file)
  if (!isOwnPermission(db, caller, name)) requireCapability(db, file, 'canEdit')
  return viewPermission(db, caller, file, name.permission)
}

/** Compares only ids, so that the answer does not reveal other permissions. */
export function isOwnPermission(db: Database, { user }: Caller, { permission }: PermissionName): boolean {
  return permission === 'me' || permission === findPrincipalByKey(db, user)?.id
}

/** @throws 404; 403 — the client is confined to items it made */
export function findSharedItem(
  db: Database,
  caller: Caller,
  { id, asAdmin }: SharedItem,
  to: 'read' | 'write',
): VisibleFile {
  const drive = asAdmin === true ? driveForAdmin(db, caller, id) : undefined
  const file = drive ?? requireVisibleFile(db, caller, id)
  requireAppAccess(caller, file, to)
  return file
}

export interface OpeningLink {
  /** The link's own id, or the id of the item that is open to anyone: the item itself, or a folder above. */
  readonly link: string
  /** Name of the user who made it. */
  readonly sharer: string | null
  /** Downloads that it still allows; null for no limit. */
  readonly remaining: number | null
}

const OPENING = `${ABOVE} SELECT iif(p.pk = ${ANYONE}, f.id, p.id) AS link, u.name AS sharer, max(0, k.max_downloads - k.downloads) AS remaining
  FROM above JOIN grants g ON g.item = above.pk AND g.principal = ?2 JOIN principals p ON p.pk = g.principal
  LEFT JOIN links k ON k.principal = p.pk JOIN files f ON f.pk = above.pk LEFT JOIN principals u ON u.pk = g.granter
  ORDER BY above.pk <> ?1, g.created DESC LIMIT 1`

/** Link by which a caller without an account opened an item. */
export function findOpeningLink(db: Database, id: string, principal: number): OpeningLink | undefined {
  const file = db.get<{ pk: number }>('SELECT pk FROM files WHERE id = ?', id)
  return file === undefined ? undefined : db.get<OpeningLink>(OPENING, file.pk, principal)
}

/** Time when the next grant expires: ms since 1970; undefined if none does. */
export function nextExpiry(db: Database): number | undefined {
  const sql = 'SELECT min(expires) AS next FROM grants WHERE expires IS NOT NULL'
  return db.get<{ next: number | null }>(sql)?.next ?? undefined
}

interface Expired {
  readonly item: number
  readonly principal: number
  readonly id: string
}

const EXPIRED = `SELECT g.item, g.principal, f.id FROM grants g JOIN files f ON f.pk = g.item WHERE g.expires <= ?`

/** Removes expired grants. @returns the number removed */
export function expireGrants(tx: Transaction, _caller: Caller): number {
  const expired = tx.all<Expired>(EXPIRED, tx.now)
  for (const { item, principal } of expired) {
    tx.run('DELETE FROM grants WHERE item = ? AND principal = ?', item, principal)
    recordSharer(tx, principal, item, undefined)
    tx.run('UPDATE files SET version = version + 1 WHERE pk = ?', item)
  }
  const items = new Map(expired.map(({ item, id }) => [item, id]))
  recomputeRights(tx, [...items.keys()])
  for (const [pk, id] of items) recordChange(tx, { pk, id })
  return expired.length
}
