/** Fields of a file's resource about rights. */
import type { FileView } from '../../domain/items/file-view.ts'
import { listCapabilities } from '../../contract/capabilities.ts'
import { findCircumstances } from '../../domain/access/rights.ts'
import { formatDate } from '../../protocol/dates.ts'
import { ownPermission, permissionResource } from '../operations/permissions.ts'
import { userResource } from './user.ts'
import type { PermissionView } from '../../domain/permissions/permissions.ts'
import type { Caller } from '../../contract/failure.ts'
import type { Links } from '../answers/json.ts'

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
  capabilities: (view) => findPowers(view).text,
  copyable: (view) => findPowers(view).canCopy,
  editable: (view) => findPowers(view).canEdit,
  shareable: (view) => findPowers(view).canShare,
  canComment: (view) => findPowers(view).canComment,
  canReadRevisions: (view) => findPowers(view).canReadRevisions,
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

/** True if the table of rights allows it; scopes may still forbid it. */
export function canDownload(view: FileView): boolean {
  return findPowers(view).canDownload === 'true'
}

function maySeePermissions(view: FileView): boolean {
  return findPowers(view).canEdit === 'true'
}

const ROLES = ['reader', 'commenter', 'writer', 'fileOrganizer', 'organizer', 'owner'] as const

/** Capabilities as JSON text: all of them, and those with a field of their own. */
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

/** Cached per role and circumstances, which determine the capabilities. */
function findPowers({ row, role, extra, drive }: FileView): Powers {
  const about = findCircumstances(row, extra, drive)
  let key = ROLES.indexOf(role)
  for (const holds of Object.values(about)) key = 2 * key + Number(holds)
  return (known[key] ??= powersFrom(listCapabilities(role, about)))
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

/** Context of every resource. */
export interface ResourceContext {
  readonly caller: Caller
  readonly links: Links
}

/** Context of a file's resource. */
export interface FileContext extends ResourceContext {
  /** Resources of an item's labels; set if the request asks for them. */
  readonly labelsOf?: (file: number) => readonly object[]
  /** All permissions of an item; called only if the response includes them. */
  readonly permissions: (view: FileView) => readonly PermissionView[]
}

/** Writes a field as JSON text; undefined if the item lacks it. */
export type Field = (view: FileView, seeing: FileContext) => string | undefined
