/** Members of a file's resource that are about rights. */
import type { FileView } from '../../../domain/items/file-view.ts'
import { capabilitiesOf } from '../../../contract/capabilities.ts'
import { circumstancesOf } from '../../../domain/access/powers.ts'
import { formatDate } from '../../../protocol/dates.ts'
import type { Field } from './field.ts'
import { ownPermission, permissionResource } from '../permission.ts'
import { userResource } from '../user.ts'

export const ACCESS_FIELDS: Readonly<Record<string, Field>> = {
  userPermission: (view, { links }) => ownPermission(view, links),
  permissions: (view, { links, permissions }) =>
    maySeePermissions(view)
      ? JSON.stringify(permissions(view).map((one) => permissionResource(one, links)))
      : undefined,
  permissionIds: (view, { permissions }) =>
    maySeePermissions(view) ? JSON.stringify(permissions(view).map(({ id }) => id)) : undefined,
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
  contentRestrictions: ({ extra: { restriction }, restrictor }, { caller }) => {
    if (restriction === undefined) return undefined
    const { reason, at, ownerOnly } = restriction
    const member = {
      readOnly: true,
      reason,
      type: 'globalContentRestriction',
      restrictionDate: formatDate(at),
      ...(restrictor === undefined ? {} : { restrictingUser: userResource(restrictor, caller) }),
      ownerRestricted: ownerOnly === true,
      systemRestricted: false,
    }
    return JSON.stringify([member])
  },
  inheritedPermissionsDisabled: ({ row }) => (row.kind === 'folder' ? 'false' : undefined),
}

/** The table of rights says so; scopes may still say otherwise. */
export function canDownload(view: FileView): boolean {
  return powersOf(view).canDownload === 'true'
}

function maySeePermissions(view: FileView): boolean {
  return powersOf(view).canEdit === 'true'
}

const ROLES = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer', 'owner'] as const

/** As JSON: all of them, and those that have names of their own in the resource. */
interface Powers {
  readonly text: string
  readonly canCopy: string
  readonly canEdit: string
  readonly canShare: string
  readonly canComment: string
  readonly canDownload: string
  readonly canReadRevisions: string
}

const known: Powers[] = []

/** The same for all items in the same circumstances: made once for each. */
function powersOf({ row, role, extra, drive }: FileView): Powers {
  const about = circumstancesOf(row, extra, drive)
  let key = ROLES.indexOf(role)
  for (const holds of Object.values(about)) key = 2 * key + Number(holds)
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
    canDownload: flag('canDownload'),
    canReadRevisions: flag('canReadRevisions'),
  }
}
