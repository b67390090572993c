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
      ? JSON.stringify([ownerPermission(view, view.owner, links)])
      : undefined,
  permissionIds: (view) =>
    view.owner !== undefined && maySeePermissions(view) ? `["${view.owner.id}"]` : undefined,
  hasAugmentedPermissions: () => 'false',
  shared: ({ isShared }) => String(isShared),
  capabilities: (view) => powersOf(view).text,
  copyable: (view) => powersOf(view).canCopy,
  editable: (view) => powersOf(view).canEdit,
  shareable: (view) => powersOf(view).canShare,
  canComment: (view) => powersOf(view).canComment,
  canReadRevisions: (view) => powersOf(view).canReadRevisions,
  writersCanShare: ({ row, extra }) =>
    row.drive === null ? String(extra.writersCanShare !== false) : undefined,
  copyRequiresWriterPermission: ({ extra }) => String(extra.copyNeedsWriter === true),
  contentRestrictions: ({ extra: { restriction } }) => {
    if (restriction === undefined) return undefined
    const { reason, at, ownerOnly } = restriction
    const type = 'globalContentRestriction'
    const date = formatDate(at)
    return JSON.stringify([
      { readOnly: true, reason, type, restrictionDate: date, ownerRestricted: ownerOnly === true },
    ])
  },
  inheritedPermissionsDisabled: ({ row }) => (row.kind === 'folder' ? 'false' : undefined),
}

function maySeePermissions({ role }: FileView): boolean {
  return isAtLeast(role, 'writer')
}

const ROLES = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer', 'owner'] as const

/** As JSON: all of them, and those that have names of their own in the resource. */
interface Powers {
  readonly text: string
  readonly canCopy: string
  readonly canEdit: string
  readonly canShare: string
  readonly canComment: string
  readonly canReadRevisions: string
}

const known: Powers[] = []

/** The same for all items in the same circumstances: made once for each. */
function powersOf({ row, role, extra }: FileView): Powers {
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
  return (known[key] ??= powersFrom(capabilitiesOf(role, about)))
}

function powersFrom(capabilities: Readonly<Record<string, boolean>>): Powers {
  const flag = (name: string) => String(capabilities[name] === true)
  return {
    text: JSON.stringify(capabilities),
    canCopy: flag('canCopy'),
    canEdit: flag('canEdit'),
    canShare: flag('canShare'),
    canComment: flag('canComment'),
    canReadRevisions: flag('canReadRevisions'),
  }
}
