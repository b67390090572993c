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

const known = new Map<string, Readonly<Record<string, boolean>>>()

/** The same for all items in the same circumstances. */
function capabilities({ row, role, extra }: FileView): Readonly<Record<string, boolean>> {
  const about = {
    isFolder: row.kind === 'folder',
    isRoot: row.is_root === 1,
    isTrashed: row.trashed === 1,
    inDrive: row.drive !== null,
    writersCanShare: extra.writersCanShare !== false,
    copyNeedsWriter: extra.copyNeedsWriter === true,
    isLocked: extra.restriction !== undefined,
  }
  const key = Object.values(about).reduce<string>((text, is) => text + Number(is), role)
  let found = known.get(key)
  if (found === undefined) known.set(key, (found = capabilitiesOf(role, about)))
  return found
}
