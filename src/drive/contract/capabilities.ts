/** THE TABLE of rights: what a role may do with an item, under the capability names of the API (spec 11.5). */
import { type Role, isAtLeast } from './kinds.ts'

/** Conditions besides the role on which a capability depends. */
export interface Circumstances {
  readonly isFolder: boolean
  readonly isRoot: boolean
  readonly isTrashed: boolean
  readonly inDrive: boolean
  readonly writersCanShare: boolean
  /** Readers and commenters may not copy or download. */
  readonly copyNeedsWriter: boolean
  readonly isLocked: boolean
  /** Restriction of the shared drive: only organizers share its folders. */
  readonly foldersNeedOrganizer: boolean
}

/** Conditions of a rule, by name. */
const WHERE = {
  folder: (about: Circumstances) => about.isFolder,
  file: (about: Circumstances) => !about.isFolder,
  /** Roots cannot be moved, renamed or removed. */
  movable: (about: Circumstances) => !about.isRoot,
  trashed: (about: Circumstances) => about.isTrashed,
  locked: (about: Circumstances) => about.isLocked,
  open: (about: Circumstances) => !about.isLocked,
} as const

/** Weakest role with the capability in My Drive and in a shared drive, then conditions. */
type Rule = readonly [mine: Role | 'never', drive: Role | 'never', ...where: (keyof typeof WHERE)[]]

const RULES = {
  canAcceptOwnership: ['never', 'never'],
  canAddChildren: ['writer', 'writer', 'folder'],
  canAddFolderFromAnotherDrive: ['never', 'never'],
  canAddMyDriveParent: ['writer', 'never', 'movable'],
  canChangeCopyRequiresWriterPermission: ['owner', 'organizer', 'file'],
  canChangeRestrictedDownload: ['owner', 'organizer', 'file'],
  canChangeSecurityUpdateEnabled: ['never', 'never'],
  canComment: ['commenter', 'commenter', 'file', 'open'],
  // see `raised`
  canCopy: ['reader', 'reader', 'file'],
  canDelete: ['owner', 'organizer', 'movable'],
  canDeleteChildren: ['never', 'organizer', 'folder'],
  canDisableInheritedPermissions: ['never', 'never'],
  // see `raised`
  canDownload: ['reader', 'reader', 'file'],
  canEdit: ['writer', 'writer'],
  canEnableInheritedPermissions: ['never', 'never'],
  canListChildren: ['reader', 'reader', 'folder'],
  canModifyContent: ['writer', 'writer', 'file', 'open'],
  canModifyContentRestriction: ['writer', 'writer', 'file'],
  canModifyEditorContentRestriction: ['writer', 'writer', 'file'],
  canModifyLabels: ['writer', 'writer'],
  canModifyOwnerContentRestriction: ['owner', 'organizer', 'file'],
  canMoveChildrenOutOfDrive: ['never', 'organizer', 'folder'],
  canMoveChildrenOutOfTeamDrive: ['never', 'organizer', 'folder'],
  canMoveChildrenWithinDrive: ['writer', 'writer', 'folder'],
  canMoveChildrenWithinTeamDrive: ['never', 'writer', 'folder'],
  canMoveItemIntoTeamDrive: ['owner', 'never', 'file', 'movable'],
  canMoveItemOutOfDrive: ['never', 'organizer', 'movable'],
  canMoveItemOutOfTeamDrive: ['never', 'organizer', 'movable'],
  canMoveItemWithinDrive: ['writer', 'writer', 'movable'],
  canMoveItemWithinTeamDrive: ['never', 'writer', 'movable'],
  canMoveTeamDriveItem: ['never', 'writer', 'movable'],
  canReadDrive: ['never', 'reader'],
  canReadLabels: ['reader', 'reader'],
  canReadRevisions: ['writer', 'writer', 'file'],
  canReadTeamDrive: ['never', 'reader'],
  canRemoveChildren: ['writer', 'writer', 'folder'],
  canRemoveContentRestriction: ['writer', 'writer', 'locked'],
  canRemoveMyDriveParent: ['writer', 'never', 'movable'],
  canRename: ['writer', 'writer', 'movable', 'open'],
  // see `findSharer`
  canShare: ['writer', 'fileOrganizer'],
  canTrash: ['owner', 'fileOrganizer', 'movable'],
  canTrashChildren: ['owner', 'fileOrganizer', 'folder'],
  canUntrash: ['owner', 'fileOrganizer', 'movable', 'trashed'],
} as const satisfies Readonly<Record<string, Rule>>

export type Capability = keyof typeof RULES

// keys of the literal above
export const CAPABILITIES = Object.keys(RULES) as readonly Capability[]

export function isCapable(role: Role, capability: Capability, about: Circumstances): boolean {
  const [mine, drive, ...where]: Rule = RULES[capability]
  const needed = raised(capability, about) ?? (about.inDrive ? drive : mine)
  return needed !== 'never' && isAtLeast(role, needed) && where.every((word) => WHERE[word](about))
}

export function listCapabilities(role: Role, about: Circumstances): Record<string, boolean> {
  return Object.fromEntries(CAPABILITIES.map((name) => [name, isCapable(role, name, about)]))
}

/** Stronger role required by a restriction of the item or its drive. */
function raised(capability: Capability, about: Circumstances): Role | 'never' | undefined {
  if (capability === 'canShare') return findSharer(about)
  if (capability === 'canCopy' || capability === 'canDownload')
    return about.copyNeedsWriter ? 'writer' : undefined
  return undefined
}

/** Only organizers manage the members of a shared drive; My Drive roots cannot be shared. */
function findSharer({ inDrive, isRoot, isFolder, ...about }: Circumstances): Role | 'never' | undefined {
  if (isRoot) return inDrive ? 'organizer' : 'never'
  if (inDrive) return isFolder && about.foldersNeedOrganizer ? 'organizer' : undefined
  return about.writersCanShare ? undefined : 'owner'
}

/** Weakest role with the capability. */
const DRIVE_RULES = {
  canAddChildren: 'writer',
  canChangeCopyRequiresWriterPermissionRestriction: 'organizer',
  canChangeDomainUsersOnlyRestriction: 'organizer',
  canChangeDriveBackground: 'organizer',
  canChangeDriveMembersOnlyRestriction: 'organizer',
  canChangeSharingFoldersRequiresOrganizerPermissionRestriction: 'organizer',
  canComment: 'commenter',
  // restricted by `copyNeedsWriter`
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

export type DriveCapability = keyof typeof DRIVE_RULES

export function isCapableInDrive(role: Role, capability: DriveCapability): boolean {
  return isAtLeast(role, DRIVE_RULES[capability])
}

/** `copyNeedsWriter` is a restriction of the drive. */
export function listDriveCapabilities(role: Role, copyNeedsWriter: boolean): Record<string, boolean> {
  const takes = !copyNeedsWriter || isAtLeast(role, 'writer')
  const all = Object.entries(DRIVE_RULES).map(([name, needed]) => [name, isAtLeast(role, needed)] as const)
  return { ...Object.fromEntries(all), canCopy: takes, canDownload: takes }
}
