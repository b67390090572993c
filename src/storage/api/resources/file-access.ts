/** Members of a file's resource that are about rights. */
import type { FileView } from '../../library/file-view.ts'
import { capabilitiesOf } from '../../model/capabilities.ts'
import { isAtLeast } from '../../model/role.ts'
import { formatDate } from '../../query/dates.ts'
import type { Field } from './field.ts'
import { ownerPermission, ownPermission } from './permission.ts'

export const ACCESS_FIELDS: Readonly<Record<string, Field>> = {
  userPermission: (view, { links }) => ownPermission(view, links),
  permissions: (view, { links }) =>
    view.owner !== undefined && maySeePermissions(view)
      ? [ownerPermission(view, view.owner, links)]
      : undefined,
  permissionIds: (view) =>
    view.owner !== undefined && maySeePermissions(view) ? [view.owner.id] : undefined,
  hasAugmentedPermissions: () => false,
  shared: ({ isShared }) => isShared,
  capabilities: (view) => capabilities(view),
  copyable: (view) => capabilities(view)['canCopy'],
  editable: (view) => capabilities(view)['canEdit'],
  shareable: (view) => capabilities(view)['canShare'],
  canComment: (view) => capabilities(view)['canComment'],
  canReadRevisions: (view) => capabilities(view)['canReadRevisions'],
  writersCanShare: ({ row, extra }) => (row.drive === null ? extra.writersCanShare !== false : undefined),
  copyRequiresWriterPermission: ({ extra }) => extra.copyNeedsWriter === true,
  contentRestrictions: ({ extra: { restriction } }) => {
    if (restriction === undefined) return undefined
    const { reason, at, ownerOnly } = restriction
    const type = 'globalContentRestriction'
    const common = {
      readOnly: true,
      restrictionDate: formatDate(at),
      type,
      ownerRestricted: ownerOnly === true,
    }
    return [{ ...common, ...(reason === undefined ? {} : { reason }) }]
  },
  inheritedPermissionsDisabled: ({ row }) => (row.kind === 'folder' ? false : undefined),
}

function maySeePermissions({ role }: FileView): boolean {
  return isAtLeast(role, 'writer')
}

const ROLES = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer', 'owner'] as const
const known: Readonly<Record<string, boolean>>[] = []

/** The same for all items in the same circumstances: made once for each. */
function capabilities({ row, role, extra }: FileView): Readonly<Record<string, boolean>> {
  const isFolder = row.kind === 'folder'
  const isRoot = row.is_root === 1
  const isTrashed = row.trashed === 1
  const inDrive = row.drive !== null
  const writersCanShare = extra.writersCanShare !== false
  const copyNeedsWriter = extra.copyNeedsWriter === true
  const isLocked = extra.restriction !== undefined
  const bits = Number(isFolder) + 2 * Number(isRoot) + 4 * Number(isTrashed) + 8 * Number(inDrive)
  const more = 16 * Number(writersCanShare) + 32 * Number(copyNeedsWriter) + 64 * Number(isLocked)
  const key = bits + more + 128 * ROLES.indexOf(role)
  const about = { isFolder, isRoot, isTrashed, inDrive, writersCanShare, copyNeedsWriter, isLocked }
  return (known[key] ??= capabilitiesOf(role, about))
}
