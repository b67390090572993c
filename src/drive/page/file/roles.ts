/** What people may do with an item, in words. */
import type { PageItem, Permission } from '../answers.ts'

/** Word of the interface -> what it lets do. */
export type Roles = Readonly<Record<string, string>>

const ROLES: Roles = { reader: 'can view', commenter: 'can comment', writer: 'can edit' }
const MEMBERS: Roles = { ...ROLES, fileOrganizer: 'can move and delete', organizer: 'organizer' }
const WORDS: ReadonlyMap<string, string> = new Map([...Object.entries(MEMBERS), ['owner', 'owner']])

/** Those that can be given: of a shared drive also what its members alone have. */
export function rolesFor({ id, driveId }: PageItem): Roles {
  return id === driveId ? MEMBERS : ROLES
}

export function describeRole(role: string): string {
  return WORDS.get(role) ?? role
}

/** To the interface a commenter is a reader who may do something more. */
export function permissionBody(role: string) {
  return role === 'commenter'
    ? { role: 'reader', additionalRoles: ['commenter'] }
    : { role, additionalRoles: [] }
}

export function readRole({ role, additionalRoles = [] }: Permission): string {
  return additionalRoles.includes('commenter') ? 'commenter' : role
}
