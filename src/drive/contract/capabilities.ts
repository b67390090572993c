/** THE TABLE of rights: what a role lets its holder do with an item, under the names of the interface (spec 11.5). */
import { type Role, isAtLeast } from './kinds.ts'

/** What the answer depends on besides the role. */
export interface Circumstances {
  readonly isFolder: boolean
  readonly isRoot: boolean
  readonly isTrashed: boolean
  readonly inDrive: boolean
  readonly writersCanShare: boolean
  /** Readers and commenters may not copy or download. */
  readonly copyNeedsWriter: boolean
  /** A content restriction is set. */
  readonly isLocked: boolean
  /** Of the shared drive: who is not an organizer does not share its folders. */
  readonly foldersNeedOrganizer: boolean
}

/** Where an operation makes sense: a word for each circumstance that has to hold. */
const WHERE = {
  folder: (about: Circumstances) => about.isFolder,
  file: (about: Circumstances) => !about.isFolder,
  /** Roots stay what and where they are. */
  placed: (about: Circumstances) => !about.isRoot,
  trashed: (about: Circumstances) => about.isTrashed,
  locked: (about: Circumstances) => about.isLocked,
  open: (about: Circumstances) => !about.isLocked,
} as const

/** The weakest role that may: in My Drive, in a shared drive. */
type Rule = readonly [mine: Role | 'never', drive: Role | 'never', ...where: (keyof typeof WHERE)[]]

const RULES = {
  canAcceptOwnership: ['never', 'never'],
  canAddChildren: ['writer', 'writer', 'folder'],
  canAddFolderFromAnotherDrive: ['never', 'never'],
  canAddMyDriveParent: ['writer', 'never', 'placed'],
  canChangeCopyRequiresWriterPermission: ['owner', 'organizer', 'file'],
  canChangeRestrictedDownload: ['owner', 'organizer', 'file'],
  canChangeSecurityUpdateEnabled: ['never', 'never'],
  canComment: ['commenter', 'commenter', 'file', 'open'],
  // raised by `raised`
  canCopy: ['reader', 'reader', 'file'],
  canDelete: ['owner', 'organizer', 'placed'],
  canDeleteChildren: ['never', 'organizer', 'folder'],
  canDisableInheritedPermissions: ['never', 'never'],
  // raised by `raised`
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
  canMoveItemIntoTeamDrive: ['owner', 'never', 'file', 'placed'],
  canMoveItemOutOfDrive: ['never', 'organizer', 'placed'],
  canMoveItemOutOfTeamDrive: ['never', 'organizer', 'placed'],
  canMoveItemWithinDrive: ['writer', 'writer', 'placed'],
  canMoveItemWithinTeamDrive: ['never', 'writer', 'placed'],
  canMoveTeamDriveItem: ['never', 'writer', 'placed'],
  canReadDrive: ['never', 'reader'],
  canReadLabels: ['reader', 'reader'],
  canReadRevisions: ['writer', 'writer', 'file'],
  canReadTeamDrive: ['never', 'reader'],
  canRemoveChildren: ['writer', 'writer', 'folder'],
  canRemoveContentRestriction: ['writer', 'writer', 'locked'],
  canRemoveMyDriveParent: ['writer', 'never', 'placed'],
  canRename: ['writer', 'writer', 'placed', 'open'],
  // raised by `findSharer`
  canShare: ['writer', 'fileOrganizer'],
  canTrash: ['owner', 'fileOrganizer', 'placed'],
  canTrashChildren: ['owner', 'fileOrganizer', 'folder'],
  canUntrash: ['owner', 'fileOrganizer', 'placed', 'trashed'],
} as const satisfies Readonly<Record<string, Rule>>

export type Capability = keyof typeof RULES

// the keys of a literal of ours
export const CAPABILITIES = Object.keys(RULES) as readonly Capability[]

export function isCapable(role: Role, capability: Capability, about: Circumstances): boolean {
  const [mine, drive, ...where]: Rule = RULES[capability]
  const needed = raised(capability, about) ?? (about.inDrive ? drive : mine)
  return needed !== 'never' && isAtLeast(role, needed) && where.every((word) => WHERE[word](about))
}

export function listCapabilities(role: Role, about: Circumstances): Record<string, boolean> {
  return Object.fromEntries(CAPABILITIES.map((name) => [name, isCapable(role, name, about)]))
}

/** Where what was said of the item or of its drive asks for more than the table. */
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

/** The weakest role that may. */
const DRIVE_RULES = {
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

export type DriveCapability = keyof typeof DRIVE_RULES

export function isCapableInDrive(role: Role, capability: DriveCapability): boolean {
  return isAtLeast(role, DRIVE_RULES[capability])
}

/** `copyNeedsWriter`: a restriction of the drive. */
export function listDriveCapabilities(role: Role, copyNeedsWriter: boolean): Record<string, boolean> {
  const takes = !copyNeedsWriter || isAtLeast(role, 'writer')
  const all = Object.entries(DRIVE_RULES).map(([name, needed]) => [name, isAtLeast(role, needed)] as const)
  return { ...Object.fromEntries(all), canCopy: takes, canDownload: takes }
}
