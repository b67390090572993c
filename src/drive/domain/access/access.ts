/** Access checks: the only module that looks up which rights a caller has on an item. */
import { assured } from '../../../errors.ts'
import { type Caller, type Scope, StorageFailure, lacksScope, notFound } from '../../contract/failure.ts'
import { type Role, stronger, strongest } from '../../contract/kinds.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { ANYONE } from '../../persistence/database/tables/schema.ts'
import { FILE_COLUMNS, type FileRow, type RowCells, realId, rowFrom } from '../items/file-row.ts'
import { createHash } from 'node:crypto'

/** Principals whose grants show an item in the caller's lists: user, groups and domain. Statements that use these bind the user as ?1. */
export const MY_GROUPS = '(SELECT ?1 UNION ALL SELECT grp FROM members WHERE member = ?1)'

/** `MY_GROUPS` and `anyone`. */
export const MY_PRINCIPALS = `(SELECT ?1 UNION ALL SELECT ${ANYONE} UNION ALL SELECT grp FROM members WHERE member = ?1)`

/** Roles of the caller on the item `f`, as text. */
export const MY_ROLES = `(SELECT group_concat(role) FROM acl_entries WHERE acl = f.acl AND principal IN ${MY_PRINCIPALS})`

/** Access lists that make an item show up in the caller's lists. */
export const MY_ACLS = `(SELECT acl FROM acl_entries WHERE is_listed = 1 AND principal IN ${MY_GROUPS})`

/** An item that is visible to the caller, with the caller's role on it. */
export interface VisibleFile extends FileRow {
  readonly role: Role
}

/** The columns come as one JSON array: reading one column per value takes twice as long. */
const SEEN = `SELECT json_array(json_array(${FILE_COLUMNS}), ${MY_ROLES}) AS cells FROM files f WHERE`
const BY_ID = `${SEEN} f.id = ?2`
const ROOT = `${SEEN} f.pk = (SELECT root FROM principals WHERE pk = ?1)`

/** @throws 404 that names the parameter — the item does not exist, or the caller may not see it */
export function requireVisibleFile(
  db: Database,
  caller: Caller,
  id: string,
  location = 'fileId',
): VisibleFile {
  const file = findVisibleFile(db, caller, id)
  if (file === undefined) throw notFound('File', id, location)
  return file
}

export function findVisibleFile(db: Database, caller: Caller, id: string): VisibleFile | undefined {
  const answer =
    id === 'root'
      ? db.get<SeenCells>(ROOT, caller.user)
      : db.get<SeenCells>(BY_ID, caller.user, realId(db, caller, id))
  if (answer === undefined) return undefined
  // the shape comes from the statement `SEEN`
  const [cells, roles] = JSON.parse(answer.cells) as [RowCells, string | null]
  const file = rowFrom(cells)
  const role = parseRoles(roles)
  return role === undefined || !isInScope(caller, file) ? undefined : Object.assign(file, { role })
}

/** Rereads an item after a change; the caller keeps the role read before. */
export function rereadFile(db: Database, { pk, role }: VisibleFile): VisibleFile {
  const sql = `SELECT json_array(${FILE_COLUMNS}) AS cells FROM files f WHERE f.pk = ?`
  const answer = assured(db.get<SeenCells>(sql, pk), `there is no item ${pk}`)
  // the shape comes from the statement above
  return Object.assign(rowFrom(JSON.parse(answer.cells) as RowCells), { role })
}

interface SeenCells {
  readonly cells: string
}

/** Strongest role in the text that `MY_ROLES` selected. */
export function parseRoles(roles: string | null): Role | undefined {
  if (roles === null) return undefined
  // the column holds only roles
  return roles.includes(',') ? strongest(roles.split(',') as Role[]) : (roles as Role)
}

/**
 * Tells whether the caller's scopes make an item visible at all. Items of other clients stay visible to `drive.file`;
 * `requireAppAccess` refuses them.
 */
export function isInScope(caller: Caller, { space, client: maker, drive }: ScopedItem): boolean {
  const { scopes, client } = caller
  if (drive !== null && caller.hidesDrives === true) return false
  if (space === 'appDataFolder')
    return maker === client && (scopes.includes('drive.appdata') || scopes.includes('drive'))
  return scopes.some((scope) => scope !== 'drive.appdata')
}

export type ScopedItem = Pick<FileRow, 'space' | 'client' | 'drive'>

/** Scopes that open every item the user may change, not only those the client made. */
const WRITING: ReadonlySet<Scope> = new Set([
  'drive',
  'drive.metadata',
  'drive.scripts',
  'drive.apps.readonly',
])
const READING: ReadonlySet<Scope> = new Set([
  'drive',
  'drive.readonly',
  'drive.metadata',
  'drive.metadata.readonly',
  'drive.photos.readonly',
  'drive.meet.readonly',
  'drive.apps.readonly',
])

/** True if the scopes open only items that the client made. */
export function isLimitedToApp({ scopes }: Caller, to: 'read' | 'write'): boolean {
  const open = to === 'read' ? READING : WRITING
  return !scopes.some((scope) => open.has(scope))
}

/** True if the token's scopes let the client read an item on which the user has a role. */
export function isOpenTo(caller: Caller, item: ScopedItem): boolean {
  return isInScope(caller, item) && hasAppAccess(caller, item, 'read')
}

/** True if the client made the item, or is not confined to items it made. */
export function hasAppAccess(caller: Caller, { space, client }: ScopedItem, to: 'read' | 'write'): boolean {
  return space === 'appDataFolder' || client === caller.client || !isLimitedToApp(caller, to)
}

/** @throws 403 — the client is confined to its own items, and did not make this one */
export function requireAppAccess(
  caller: Caller,
  file: ScopedItem & { readonly id: string },
  to: 'read' | 'write',
): void {
  if (hasAppAccess(caller, file, to)) return
  const message = `The user has not granted the app ${to} access to the file ${file.id}.`
  throw new StorageFailure(403, 'appNotAuthorizedToFile', message)
}

/** The caller with the scopes that open contents. @throws 403 — the token has no such scope */
export function openingContents(caller: Caller): Caller {
  if (isMetadataOnly(caller)) throw lacksScope()
  if (!caller.scopes.some(isOfMetadata)) return caller
  return { ...caller, scopes: caller.scopes.filter((scope) => !isOfMetadata(scope)) }
}

/** True if the scopes open the contents of an item that the caller sees. */
export function opensContents(caller: Caller, item: ScopedItem): boolean {
  return !isMetadataOnly(caller) && isOpenTo(openingContents(caller), item)
}

/** True if no scope of the token opens contents. */
export function isMetadataOnly({ scopes }: Caller): boolean {
  return scopes.every(isOfMetadata)
}

function isOfMetadata(scope: Scope): boolean {
  return scope.startsWith('drive.metadata')
}

/** @throws 404; 403 — the role is too weak, or the client is confined to items it made */
export function fileToRead(db: Database, caller: Caller, id: string, location = 'fileId'): VisibleFile {
  const file = requireVisibleFile(db, caller, id, location)
  requireAppAccess(caller, file, 'read')
  return file
}

export interface AclEntry {
  /** Key of a principal. */
  readonly principal: number
  readonly role: Role
  /** True if the item shows up in the principal's lists; false if only its id opens it. */
  readonly isListed: boolean
}

/** Access list of items in one shared drive, or (`drive` null) in My Drives. */
export interface Acl {
  readonly drive: number | null
  readonly entries: readonly AclEntry[]
}

/** The access list of an item that is not shared. */
export function findOwnerAcl(tx: Transaction, owner: number): number {
  return internAcl(tx, { drive: null, entries: [{ principal: owner, role: 'owner', isListed: true }] })
}

/** Key of the access list; it is inserted if no item has had it before. */
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

/** Short access lists serve as their own digest. */
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

/** One entry per principal: its strongest role, listed if any of its entries is. */
export function mergeEntries(entries: Iterable<AclEntry>): AclEntry[] {
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
