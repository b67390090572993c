/** Reads role and grantee of a permission from a request, and checks that the item may have such a grant (spec 11.1, 19). */
import type { PermissionBody } from '../../contract/bodies.ts'
import { invalid, StorageFailure } from '../../contract/failure.ts'
import type { Role } from '../../contract/role.ts'
import type { Database, Transaction } from '../../persistence/database/database.ts'
import { ANYONE } from '../../persistence/database/tables/schema-sharing.ts'
import type { SeenFile } from '../access/access.ts'
import { driveFacts } from '../drives/drive-facts.ts'
import {
  ensureAddress,
  ensureDomain,
  ensureId,
  mustBeAddress,
  type Principal,
  findPrincipalById,
  findPrincipalByKey,
} from '../access/principals.ts'
import { findDomain, hasOutsiders, isMember } from '../access/rights.ts'

const ROLES: ReadonlySet<string> = new Set(['owner', 'organizer', 'fileOrganizer', 'writer', 'reader'])

/** `reader` with the additional role `commenter` is a commenter. `before`: the present role, for absent members. @throws 400 */
export function roleIn({ role, additionalRoles }: PermissionBody, before?: Role): Role {
  const base = role ?? (before === 'commenter' ? 'reader' : before)
  if (base === undefined || !ROLES.has(base)) throw invalid(`There is no role ${base ?? ''}.`, 'role')
  for (const one of additionalRoles ?? [])
    if (one !== 'commenter') throw invalid(`There is no additional role ${one}.`, 'additionalRoles')
  const comments = additionalRoles === undefined ? before === 'commenter' : additionalRoles.length > 0
  // one of the set
  return base === 'reader' && comments ? 'commenter' : (base as Role)
}

/** The grantee; an unknown address gets a row of its own. @throws 400 */
export function granteeIn(tx: Transaction, body: PermissionBody): Principal {
  const pk = keyIn(tx, body)
  const principal = findPrincipalByKey(tx, pk)
  if (principal === undefined) throw new Error(`there is no principal ${pk}`)
  return principal
}

function keyIn(tx: Transaction, { type, id, value }: PermissionBody): number {
  const hasId = id !== undefined && id !== ''
  const hasValue = value !== undefined && value !== ''
  if (type === 'anyone') return ANYONE
  if (type !== 'user' && type !== 'group' && type !== 'domain')
    throw invalid(`There is no type ${type ?? ''}.`, 'type')
  if (hasValue === hasId) throw invalid('One of id and value is needed.', 'value')
  if (type === 'domain') return domainKey(tx, id, value)
  if (hasId) return idKey(tx, id, type)
  mustBeAddress(value ?? '', 'value')
  return ensureAddress(tx, value ?? '', type)
}

/** An id as permissions.getIdForEmail answers it, also for addresses that are not known here. */
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
  if (value.length > 255 || !/^[^\s@]+$/.test(value)) throw invalid(`Not a domain: ${value}`, 'value')
  return ensureDomain(tx, value)
}

/** @throws 400, 403 — such an item cannot have such a grant */
export function checkPlace(db: Database, file: SeenFile, to: Principal, role: Role): void {
  const isPerson = to.kind === 'user' || to.kind === 'group'
  const isDrive = file.drive === file.pk
  if (role === 'owner' && (to.kind !== 'user' || file.drive !== null))
    throw unfit('Only users own files, and nobody owns what is in a shared drive.')
  if ((role === 'organizer' || role === 'fileOrganizer') && !isDrive)
    throw unfit(`The role ${role} is one of members of a shared drive.`)
  if (isDrive && !isPerson) throw unfit('Members of a shared drive are users and groups.')
  if (file.drive !== null) checkDrive(db, file, file.drive, to)
}

function checkDrive(db: Database, file: SeenFile, drive: number, to: Principal): void {
  const { id, domain, restrictions } = driveFacts(db, drive)
  if (restrictions.domainUsersOnly === true && findDomain(db, to.pk) !== domain)
    throw unfit('The shared drive is for users of its domain.')
  if (restrictions.domainUsersOnly === true && hasOutsiders(db, to.pk))
    throw unfit('The shared drive is for users of its domain; the group has others.')
  if (restrictions.driveMembersOnly === true && file.pk !== drive && !isMember(db, id, to.pk))
    throw new StorageFailure(403, 'teamDriveMembershipRequired', 'The shared drive is for its members.')
}

export function unfit(message: string): StorageFailure {
  return new StorageFailure(400, 'invalidSharingRequest', message)
}

/** ms */
const DAY = 86_400_000

/** `at`, `now`: ms since 1970. @throws 400 — such a grant does not expire, or not at that time */
export function checkExpiry(at: number, now: number, { kind }: Principal, role: Role): void {
  if (kind === 'domain') throw invalid('Not of domains.', 'expirationDate')
  if (role === 'owner' || role === 'organizer')
    throw invalid(`The role ${role} does not expire.`, 'expirationDate')
  if (at <= now || at > now + 366 * DAY)
    throw invalid('The expiration date has to be in the future, within a year.', 'expirationDate')
}
