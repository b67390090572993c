/** Permissions of a file.  [network] */
import type { DriveConnection } from './connection.ts'
import { ALL_DRIVES, filePath, listPages } from './files.ts'
import { asList, asText } from './resource.ts'

export const ROLES = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer', 'owner'] as const
export type GrantedRole = (typeof ROLES)[number]

/** User or group by e-mail address, a domain, or anyone. */
export interface Grantee {
  readonly type: 'user' | 'group' | 'domain' | 'anyone'
  /** E-mail address or domain; empty for anyone. */
  readonly value: string
}

export interface DrivePermission extends Grantee {
  readonly id: string
  readonly role: GrantedRole
  readonly isInherited: boolean
  /** True when only people with the link have access. */
  readonly isByLink: boolean
  /** RFC 3339 time; undefined for no expiry. */
  readonly expires: string | undefined
}

export async function listPermissions(connection: DriveConnection, file: string): Promise<DrivePermission[]> {
  const found: DrivePermission[] = []
  const query = { maxResults: 100, ...ALL_DRIVES }
  for await (const { items } of listPages(connection, filePath(file, 'permissions'), query))
    found.push(...asList(items).map(readPermission))
  return found
}

/** Adds a permission, or changes the grantee's existing one; safe to repeat. `expires` is an RFC 3339 time. */
export async function grant(
  { send }: DriveConnection,
  file: string,
  { type, value }: Grantee,
  {
    role,
    expires: expirationDate,
  }: Pick<DrivePermission, 'role'> & Partial<Pick<DrivePermission, 'expires'>>,
): Promise<void> {
  const json = {
    type,
    ...(value === '' ? {} : { value }),
    ...(role === 'commenter' ? { role: 'reader', additionalRoles: ['commenter'] } : { role }),
    ...(type === 'anyone' || type === 'domain' ? { withLink: true } : {}),
    ...(expirationDate === undefined ? {} : { expirationDate }),
  }
  const query = { sendNotificationEmails: false, ...ALL_DRIVES }
  await send({ method: 'POST', path: filePath(file, 'permissions'), query, json })
}

export async function revoke({ send }: DriveConnection, file: string, permission: string): Promise<void> {
  await send({ method: 'DELETE', path: filePath(file, 'permissions', permission), query: ALL_DRIVES })
}

function readPermission(permission: Readonly<Record<string, unknown>>): DrivePermission {
  const { additionalRoles, permissionDetails, withLink, expirationDate } = permission
  const isCommenter = Array.isArray(additionalRoles) && additionalRoles.includes('commenter')
  const role = asText(permission['role'])
  const details = asList(permissionDetails)
  return {
    id: asText(permission['id']),
    type: parseType(asText(permission['type'])),
    value: asText(permission['emailAddress']) || asText(permission['domain']),
    role: isCommenter && role === 'reader' ? 'commenter' : parseRole(role),
    isInherited: details.length > 0 && details.every(({ inherited }) => inherited === true),
    isByLink: withLink === true,
    expires: typeof expirationDate === 'string' ? expirationDate : undefined,
  }
}

function parseType(text: string): Grantee['type'] {
  return (['user', 'group', 'domain'] as const).find((type) => type === text) ?? 'anyone'
}

function parseRole(text: string): GrantedRole {
  return ROLES.find((role) => role === text) ?? 'reader'
}
