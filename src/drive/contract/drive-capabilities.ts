/** What members of a shared drive may do with the drive itself, under the names of the interface (spec 19). */
import { isAtLeast, type Role } from './role.ts'

/** The weakest role that may. */
const RULES = {
  canAddChildren: 'writer',
  canChangeCopyRequiresWriterPermissionRestriction: 'organizer',
  canChangeDomainUsersOnlyRestriction: 'organizer',
  canChangeDriveBackground: 'organizer',
  canChangeDriveMembersOnlyRestriction: 'organizer',
  canChangeSharingFoldersRequiresOrganizerPermissionRestriction: 'organizer',
  canComment: 'commenter',
  // raised where readers and commenters may not
  canCopy: 'reader',
  canDeleteChildren: 'organizer',
  canDeleteDrive: 'organizer',
  canDownload: 'reader',
  canEdit: 'writer',
  canListChildren: 'reader',
  canManageMembers: 'organizer',
  canReadRevisions: 'writer',
  canRename: 'writer',
  canRenameDrive: 'organizer',
  canResetDriveRestrictions: 'organizer',
  canShare: 'fileOrganizer',
  canTrashChildren: 'fileOrganizer',
} as const satisfies Readonly<Record<string, Role>>

export type DriveCapability = keyof typeof RULES

export function isCapableInDrive(role: Role, capability: DriveCapability): boolean {
  return isAtLeast(role, RULES[capability])
}

/** `copyNeedsWriter`: a restriction of the drive. */
export function listDriveCapabilities(role: Role, copyNeedsWriter: boolean): Record<string, boolean> {
  const takes = !copyNeedsWriter || isAtLeast(role, 'writer')
  const all = Object.entries(RULES).map(([name, needed]) => [name, isAtLeast(role, needed)] as const)
  return { ...Object.fromEntries(all), canCopy: takes, canDownload: takes }
}
