/** permissions.insert, update and delete, with all their effects in the same transaction (spec 11.2). */
import { assured } from '../../../errors.ts'
import { type Database, type Transaction, countRows } from '../../persistence/database/database.ts'
import type { PermissionBody } from '../../contract/bodies.ts'
import { type Caller, StorageFailure, invalid, noPermission } from '../../contract/failure.ts'
import { type Role, isAtLeast, stronger } from '../../contract/kinds.ts'
import { type EntityTags, requireTag } from '../../protocol/etags.ts'
import { type VisibleFile, rereadFile } from '../access/access.ts'
import { recordChange, touch } from '../changes/change-log.ts'
import { driveFacts, transferCost } from '../drives/drive-view.ts'
import { readLimits } from '../settings.ts'
import {
  type PermissionName,
  type PermissionView,
  type SharedItem,
  findSharedItem,
  isOwnPermission,
  viewPermission,
} from './permissions.ts'
import {
  findDomain,
  hasOutsiders,
  isMember,
  isAllowed,
  recomputeTrash,
  recomputeRights,
} from '../access/rights.ts'
import {
  type Principal,
  ensureAddress,
  ensureDomain,
  ensureId,
  findPrincipalById,
  findPrincipalByKey,
  requireAddress,
} from '../access/principals.ts'
import { recordSharer } from '../items/user-state.ts'
import { findHome, unlinkAll } from '../folders/find-folders.ts'
import { link } from '../folders/parents.ts'
import { charge, withinQuota } from '../accounts/quota.ts'
import { ANYONE } from '../../persistence/database/tables/schema.ts'

export interface InsertPermission extends SharedItem {
  readonly body: PermissionBody
  /** Moves the item to the new owner's root, out of every other folder. */
  readonly movesToRoot?: boolean | undefined
}

/** Replaces an existing direct grant of the grantee. @throws 404, 403, 400 */
export function insertPermission(tx: Transaction, caller: Caller, input: InsertPermission): PermissionView {
  const { body, movesToRoot = false } = input
  const role = parseRole(body)
  const file = findSharedItem(tx, caller, input, 'write')
  requireGrantable(tx, file, role)
  const to = parseGrantee(tx, body)
  checkGrantee(tx, file, to, role)
  if (to.pk !== file.owner) {
    if (role === 'owner') transferOwnership(tx, caller, file, { to, movesToRoot })
    else putGrant(tx, caller, file, { to, role, ...parseTerms(tx, body, { to, role }) })
  }
  return viewPermission(tx, caller, rereadFile(tx, file), to.id)
}

/** `expires`: ms since 1970; null for no end, undefined for the default. @throws 404, 403, 400 */
export function grantToLink(
  tx: Transaction,
  caller: Caller,
  id: string,
  { to, expires }: { readonly to: Principal; readonly expires: number | null | undefined },
): void {
  const right = { to, role: 'reader' as const }
  const file = findSharedItem(tx, caller, { id }, 'write')
  requireGrantable(tx, file, right.role)
  checkGrantee(tx, file, to, right.role)
  const body = { withLink: true, ...(expires === undefined ? {} : { expirationDate: expires }) }
  putGrant(tx, caller, file, { ...right, ...parseTerms(tx, body, right) })
}

export interface ChangePermission extends PermissionName {
  readonly body: PermissionBody
  readonly ifMatch?: EntityTags | undefined
  readonly transfersOwnership?: boolean | undefined
  readonly removesExpiration?: boolean | undefined
}

/** Absent fields keep their value. @throws 404, 403, 412, 400 */
export function changePermission(tx: Transaction, caller: Caller, input: ChangePermission): PermissionView {
  const { body, permission } = input
  const file = findSharedItem(tx, caller, input, 'write')
  requireGrantable(tx, file, 'reader')
  const before = viewPermission(tx, caller, file, permission)
  const to = before.principal
  if (to.pk === file.owner) {
    requireGrantable(tx, file, 'owner')
    return owner(before, body, input.ifMatch)
  }
  const given = requireGrant(tx, file, to)
  const role = parseRole(body, given.role)
  refuseWiderLink(to, role, body)
  requireGrantable(tx, file, stronger(given.role, role))
  requireTag(input.ifMatch, () => before.etag)
  checkGrantee(tx, file, to, role)
  if (role === 'owner') {
    if (input.transfersOwnership !== true) throw notTransferred()
    transferOwnership(tx, caller, file, { to, movesToRoot: false })
  } else {
    const said = input.removesExpiration === true ? { ...body, expirationDate: null } : body
    putGrant(tx, caller, file, { to, role, ...parseTerms(tx, said, { to, role }, given) })
  }
  return viewPermission(tx, caller, rereadFile(tx, file), to.id)
}

/** A link of its own gives the role of reader, to those who have its address. @throws 400 */
function refuseWiderLink({ kind }: Principal, role: Role, { withLink }: PermissionBody): void {
  if (kind !== 'link') return
  if (role !== 'reader') throw invalid('A link of its own gives the role of reader only.', 'role')
  if (withLink === false)
    throw invalid('A link of its own opens to those who have its address only.', 'withLink')
}

/** The owner's permission changes only by a transfer of ownership. @throws 403, 412 */
function owner(
  before: PermissionView,
  body: PermissionBody,
  ifMatch: EntityTags | undefined,
): PermissionView {
  if (parseRole(body, 'owner') !== 'owner') throw noPermission(before.file)
  requireTag(ifMatch, () => before.etag)
  return before
}

export interface RemovePermission extends PermissionName {
  readonly ifMatch?: EntityTags | undefined
}

/** Users may always remove their own direct grant. @throws 404, 403, 412 */
export function removePermission(tx: Transaction, caller: Caller, input: RemovePermission): void {
  const file = findSharedItem(tx, caller, input, 'write')
  const own = isOwnPermission(tx, caller, input)
  if (!own) requireGrantable(tx, file, 'reader')
  const before = viewPermission(tx, caller, file, input.permission)
  const to = before.principal
  if (to.pk === file.owner) throw noPermission(file.id)
  const { role } = requireGrant(tx, file, to)
  if (!own) requireGrantable(tx, file, role)
  requireTag(input.ifMatch, () => before.etag)
  refuseLastOrganizer(tx, file, to)
  tx.run('DELETE FROM grants WHERE item = ? AND principal = ?', file.pk, to.pk)
  if (to.kind === 'user') recordSharer(tx, to.pk, file.pk, undefined)
  if (file.drive === file.pk) transferCost(tx, to.pk, file.pk, caller.user)
  changed(tx, file)
}

/** @throws 403 — the caller may not share the item, or holds a weaker role */
function requireGrantable(db: Database, file: VisibleFile, role: Role): void {
  const isOpen = file.space === 'drive' && isAllowed(db, file, 'canShare')
  if (!isOpen || !isAtLeast(file.role, role)) throw noPermission(file.id)
}

interface Given {
  readonly role: Role
  readonly with_link: number
  readonly expires: number | null
}

/** Direct grant on the item. @throws 403 — the permission comes from a folder */
function requireGrant(db: Database, file: VisibleFile, to: Principal): Given {
  const sql = 'SELECT role, with_link, expires FROM grants WHERE item = ? AND principal = ?'
  const given = db.get<Given>(sql, file.pk, to.pk)
  if (given !== undefined) return given
  throw new StorageFailure(
    403,
    'cannotModifyInheritedTeamDrivePermission',
    'A permission that comes from a folder is changed at that folder.',
  )
}

/** A shared drive keeps at least one organizer. @throws 403 */
function refuseLastOrganizer(db: Database, file: VisibleFile, to: Principal): void {
  if (file.drive !== file.pk) return
  const sql = "SELECT count(*) AS others FROM grants WHERE item = ? AND role = 'organizer' AND principal <> ?"
  if ((db.get<{ others: number }>(sql, file.pk, to.pk)?.others ?? 0) === 0) throw noPermission(file.id)
}

interface Right {
  readonly to: Principal
  readonly role: Role
}

interface Terms {
  readonly withLink: boolean
  /** ms since 1970 */
  readonly expires: number | null
}

function parseTerms(tx: Transaction, body: PermissionBody, { to, role }: Right, before?: Given): Terms {
  const { now } = tx
  const isPerson = to.kind === 'user' || to.kind === 'group'
  const {
    withLink = before?.with_link === 1,
    expirationDate: expires = before === undefined ? defaultEnd(tx, to) : before.expires,
  } = body
  // an expiration that is kept must suit the new role too: organizers do not expire
  if (expires !== null) checkExpiry(expires, now, to, role)
  return { withLink: !isPerson && withLink, expires }
}

/** End of a link for anyone that was made without one: ms since 1970; null for none. */
function defaultEnd(tx: Transaction, { kind }: Principal): number | null {
  const days = kind === 'anyone' || kind === 'link' ? readLimits(tx)['link-days'] : 0
  return days === 0 ? null : tx.now + days * DAY_MS
}

function putGrant(
  tx: Transaction,
  caller: Caller,
  file: VisibleFile,
  { to, role, withLink, expires }: Terms & Right,
): void {
  if (role !== 'organizer') refuseLastOrganizer(tx, file, to)
  tx.run(PUT, file.pk, to.pk, role, Number(withLink), expires, tx.now, caller.user)
  const sql = 'SELECT count(*) AS count FROM grants WHERE item = ?'
  const most = readLimits(tx)['item-permissions']
  if (countRows(tx, sql, file.pk) > most) throw unfit(`An item is shared with at most ${most} others.`)
  if (role !== 'organizer' && file.drive === file.pk) transferCost(tx, to.pk, file.pk, caller.user)
  if (to.kind === 'user' && file.drive === null) recordSharer(tx, to.pk, file.pk, caller.user)
  changed(tx, file)
}

const PUT = `INSERT INTO grants(item, principal, role, with_link, expires, created, granter)
  VALUES (?1, ?2, ?3, ?4, ?5, ?6, ?7) ON CONFLICT DO UPDATE
  SET role = excluded.role, with_link = excluded.with_link, expires = excluded.expires, granter = excluded.granter`

function changed(tx: Transaction, file: VisibleFile): void {
  recomputeRights(tx, [file.pk])
  touch(tx, file)
}

function notTransferred(): StorageFailure {
  const message = 'The transferOwnership parameter must be enabled when the permission role is owner.'
  return new StorageFailure(403, 'forbidden', message, { location: 'transferOwnership' })
}

interface OwnershipTransfer {
  readonly to: Principal
  /** Replaces all parents with the new owner's root. */
  readonly movesToRoot: boolean
}

/** The old owner becomes a writer. @throws 403 — not the owner, or the new owner's quota; 400 — the grantee cannot own files */
function transferOwnership(
  tx: Transaction,
  caller: Caller,
  file: VisibleFile,
  { to, movesToRoot }: OwnershipTransfer,
): void {
  if (file.owner !== caller.user) throw noPermission(file.id)
  if (to.kind !== 'user' || to.is_known === 0)
    throw unfit('The owner of a file must be a user with an account.')
  tx.run('DELETE FROM grants WHERE item = ? AND principal = ?', file.pk, to.pk)
  tx.run(GRANT, file.pk, file.owner, tx.now)
  withinQuota(tx, to.pk, () => {
    tx.run('UPDATE files SET owner = ?, version = version + 1 WHERE pk = ?', to.pk, file.pk)
    charge(tx, file.owner, -file.used)
    charge(tx, to.pk, file.used)
  })
  recordSharer(tx, to.pk, file.pk, undefined)
  if (movesToRoot) {
    unlinkAll(tx, file.pk)
    link(tx, findHome(tx, { pk: file.pk, owner: to.pk, drive: null }), file.pk)
    recomputeTrash(tx, file.pk)
  }
  recomputeRights(tx, [file.pk])
  recordChange(tx, file)
}

const GRANT = `INSERT OR REPLACE INTO grants(item, principal, role, created, granter) VALUES (?1, ?2, 'writer', ?3, ?2)`

const ROLES: ReadonlySet<string> = new Set(['owner', 'organizer', 'fileOrganizer', 'writer', 'reader'])

/** `reader` with the additional role `commenter` is a commenter. `before` is the present role, used for absent fields. @throws 400 */
function parseRole({ role, additionalRoles, expirationDate }: PermissionBody, before?: Role): Role {
  const base = role ?? (before === 'commenter' ? 'reader' : before)
  if (base === undefined || !ROLES.has(base)) throw invalid(`There is no role ${base ?? ''}.`, 'role')
  for (const one of additionalRoles ?? [])
    if (one !== 'commenter') throw invalid(`There is no additional role ${one}.`, 'additionalRoles')
  // a transfer of ownership would leave the date out
  if (base === 'owner' && expirationDate != null) throw endless(base)
  const comments = additionalRoles === undefined ? before === 'commenter' : additionalRoles.length > 0
  // `base` is in `ROLES`
  return base === 'reader' && comments ? 'commenter' : (base as Role)
}

/** The grantee; an unknown address gets a row of its own. @throws 400 */
function parseGrantee(tx: Transaction, body: PermissionBody): Principal {
  const pk = findGranteeKey(tx, body)
  return assured(findPrincipalByKey(tx, pk), `there is no principal ${pk}`)
}

function findGranteeKey(tx: Transaction, { type, id, value }: PermissionBody): number {
  const hasId = id !== undefined && id !== ''
  const hasValue = value !== undefined && value !== ''
  if (type === 'anyone') return ANYONE
  if (type !== 'user' && type !== 'group' && type !== 'domain')
    throw invalid(`There is no type ${type ?? ''}.`, 'type')
  if (hasValue === hasId) throw invalid('One of id and value is needed.', 'value')
  if (type === 'domain') return domainKey(tx, id, value)
  if (hasId) return idKey(tx, id, type)
  requireAddress(value ?? '', 'value')
  return ensureAddress(tx, value ?? '', type)
}

/** Accepts an id as permissions.getIdForEmail returns it, for unknown addresses too. */
function idKey(tx: Transaction, id: string, type: 'user' | 'group'): number {
  if (!/^\d{20}$/.test(id)) throw invalid(`Not a permission id: ${id.slice(0, 100)}`, 'id')
  return ensureId(tx, id, type)
}

function domainKey(tx: Transaction, id: string | undefined, value = ''): number {
  if (id !== undefined && id !== '') {
    const known = findPrincipalById(tx, id)
    if (known?.kind !== 'domain') throw invalid(`There is no domain ${id.slice(0, 100)}.`, 'id')
    return known.pk
  }
  if (value.length > 255 || /[\s@]/.test(value)) throw invalid(`Not a domain: ${value}`, 'value')
  return ensureDomain(tx, value)
}

/** @throws 400, 403 — the item cannot have such a grant */
function checkGrantee(db: Database, file: VisibleFile, to: Principal, role: Role): void {
  const isPerson = to.kind === 'user' || to.kind === 'group'
  const isDrive = file.drive === file.pk
  if (role === 'owner' && (to.kind !== 'user' || file.drive !== null))
    throw unfit('Only a user can own a file, and files of shared drives have no owner.')
  if ((role === 'organizer' || role === 'fileOrganizer') && !isDrive)
    throw unfit(`The role ${role} is only for members of a shared drive.`)
  if (isDrive && !isPerson) throw unfit('Members of a shared drive are users and groups.')
  if (file.drive !== null) checkDrive(db, file, file.drive, to)
}

function checkDrive(db: Database, file: VisibleFile, drive: number, to: Principal): void {
  const { id, domain, restrictions } = driveFacts(db, drive)
  if (restrictions.domainUsersOnly === true && findDomain(db, to.pk) !== domain)
    throw unfit('Items of this shared drive can be shared only with users of its domain.')
  if (restrictions.domainUsersOnly === true && hasOutsiders(db, to.pk))
    throw unfit(
      'Items of this shared drive can be shared only with users of its domain; the group has other members.',
    )
  if (restrictions.driveMembersOnly === true && file.pk !== drive && !isMember(db, id, to.pk))
    throw new StorageFailure(
      403,
      'teamDriveMembershipRequired',
      'Items of this shared drive can be shared only with its members.',
    )
}

function unfit(message: string): StorageFailure {
  return new StorageFailure(400, 'invalidSharingRequest', message)
}

/** ms */
const DAY_MS = 86_400_000

function endless(role: Role): StorageFailure {
  return invalid(`The role ${role} does not expire.`, 'expirationDate')
}

/** `at`, `now`: ms since 1970. @throws 400 — such a grant cannot expire, or the time is out of range */
function checkExpiry(at: number, now: number, { kind }: Principal, role: Role): void {
  if (kind === 'domain') throw invalid('Domain permissions cannot expire.', 'expirationDate')
  if (role === 'owner' || role === 'organizer') throw endless(role)
  if (at <= now || at > now + 366 * DAY_MS)
    throw invalid('The expiration date has to be in the future, within a year.', 'expirationDate')
}
