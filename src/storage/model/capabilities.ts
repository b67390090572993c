/** What a role lets its holder do with an item, under the names of the interface (spec 11.5). */
import { isAtLeast, type Role } from './role.ts'

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
}

export function capabilitiesOf(role: Role, about: Circumstances): Record<string, boolean> {
  const { isFolder, isRoot, isTrashed, inDrive, isLocked } = about
  const writes = isAtLeast(role, 'writer')
  const organizes = isAtLeast(role, inDrive ? 'fileOrganizer' : 'owner')
  const owns = isAtLeast(role, 'owner')
  const takes = writes || !about.copyNeedsWriter
  const moves = writes && !isRoot
  return {
    canAcceptOwnership: false,
    canAddChildren: isFolder && writes,
    canAddFolderFromAnotherDrive: false,
    canAddMyDriveParent: moves && !inDrive,
    canChangeCopyRequiresWriterPermission: owns && !isFolder,
    canChangeRestrictedDownload: owns && !isFolder,
    canChangeSecurityUpdateEnabled: false,
    canComment: isAtLeast(role, 'commenter') && !isFolder && !isLocked,
    canCopy: !isFolder && takes,
    canDelete: owns && !isRoot,
    canDeleteChildren: isFolder && owns && inDrive,
    canDisableInheritedPermissions: false,
    canDownload: !isFolder && takes,
    canEdit: writes,
    canEnableInheritedPermissions: false,
    canListChildren: isFolder,
    canModifyContent: writes && !isFolder && !isLocked,
    canModifyContentRestriction: writes && !isFolder,
    canModifyEditorContentRestriction: writes && !isFolder,
    canModifyLabels: writes,
    canModifyOwnerContentRestriction: owns && !isFolder,
    ...movesOf(about, { moves, writes, organizes }),
    canReadDrive: inDrive,
    canReadLabels: true,
    canReadRevisions: !isFolder && writes,
    canReadTeamDrive: inDrive,
    canRemoveChildren: isFolder && writes,
    canRemoveContentRestriction: writes && isLocked,
    canRemoveMyDriveParent: moves && !inDrive,
    canRename: moves && !isLocked,
    canShare: !isRoot && sharesOf(role, about),
    canTrash: organizes && !isRoot,
    canTrashChildren: isFolder && organizes,
    canUntrash: organizes && !isRoot && isTrashed,
  }
}

function sharesOf(role: Role, { inDrive, writersCanShare }: Circumstances): boolean {
  return isAtLeast(role, inDrive ? 'fileOrganizer' : writersCanShare ? 'writer' : 'owner')
}

interface Powers {
  readonly moves: boolean
  readonly writes: boolean
  readonly organizes: boolean
}

/** Each under its older name too. */
function movesOf(
  { isFolder, inDrive }: Circumstances,
  { moves, writes, organizes }: Powers,
): Record<string, boolean> {
  const childrenOut = isFolder && organizes && inDrive
  const childrenWithin = isFolder && writes
  const out = moves && organizes && inDrive
  return {
    canMoveChildrenOutOfDrive: childrenOut,
    canMoveChildrenOutOfTeamDrive: childrenOut,
    canMoveChildrenWithinDrive: childrenWithin,
    canMoveChildrenWithinTeamDrive: childrenWithin && inDrive,
    canMoveItemIntoTeamDrive: moves && !isFolder && !inDrive,
    canMoveItemOutOfDrive: out,
    canMoveItemOutOfTeamDrive: out,
    canMoveItemWithinDrive: moves,
    canMoveItemWithinTeamDrive: moves && inDrive,
    canMoveTeamDriveItem: moves && inDrive,
  }
}
