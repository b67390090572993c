/** `drive#file`, the resource of an item as its caller sees it, with only the selected fields (spec 4); and `drive#user`. */
import { type UserView, withoutAddress } from '../../domain/access/principals.ts'
import type { FileView } from '../../domain/items/file-view.ts'
import { type Selection, selectFields, isSelected, selectWithin } from '../../protocol/answers/fields.ts'
import { type JsonText, type Links, dateText, jsonText, quoted, quotedEtag } from '../answers/json.ts'
import { parentText } from '../operations/children.ts'
import { propertyResource } from '../operations/properties.ts'
import { opensContents } from '../../domain/access/access.ts'
import { EXPORTS, isNativeDocument } from '../../contract/kinds.ts'
import { listCapabilities } from '../../contract/capabilities.ts'
import { findCircumstances } from '../../domain/access/rights.ts'
import { formatDate } from '../../protocol/dates.ts'
import { ownPermission, permissionResource } from '../operations/permissions.ts'
import type { PermissionView } from '../../domain/permissions/permissions.ts'
import { type Caller, isGuest } from '../../contract/failure.ts'

const CONTENT_FIELDS: Readonly<Record<string, Field>> = {
  downloadUrl: (view, seeing) =>
    mayDownload(view, seeing) ? `"${seeing.links.content(view.row.id)}"` : undefined,
  webContentLink: ({ row }, { links }) =>
    isBlob(row) ? `"${links.to(`files/${row.id}?alt=media&source=webContentLink`)}"` : undefined,
  fileSize: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${row.size}"`),
  quotaBytesUsed: ({ row }) => `"${row.used}"`,
  md5Checksum: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${head.md5}"`),
  sha1Checksum: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${head.sha1}"`),
  sha256Checksum: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${head.sha256}"`),
  headRevisionId: ({ row, head }) => (head === undefined || !isBlob(row) ? undefined : `"${head.id}"`),
  originalFilename: ({ row }) => (isBlob(row) ? quoted(row.original_name ?? row.title) : undefined),
  fileExtension: ({ row }) => extension(row, row.extension),
  fullFileExtension: ({ row }) => extension(row, row.full_extension),
  exportLinks: (view, seeing) => (mayOpen(view, seeing) ? exportLinks(view, seeing) : undefined),
  hasThumbnail: () => 'false',
  thumbnailVersion: () => '"0"',
}

/** Every file has an extension, possibly empty: letters, digits and dots. */
function extension(row: FileView['row'], text: string | null): string | undefined {
  return isBlob(row) ? `"${text ?? ''}"` : undefined
}

/** False for documents, which are exported instead. */
function isBlob({ kind, mime }: FileView['row']): boolean {
  return kind === 'file' && !isNativeDocument(mime)
}

function mayDownload(view: FileView, seeing: FileContext): boolean {
  return isBlob(view.row) && mayOpen(view, seeing)
}

function mayOpen(view: FileView, { caller }: FileContext): boolean {
  return view.head !== undefined && opensContents(caller, view.row) && canDownload(view)
}

/** Export URL by type; undefined if the item is not a document. */
function exportLinks({ row }: FileView, { links }: FileContext): string | undefined {
  const types = EXPORTS.get(row.mime)
  return types === undefined ? undefined : JSON.stringify(linksTo(types, `files/${row.id}/export`, links))
}

/** `id` is a revision of a document; undefined for the present content. */
export function linksTo(
  types: readonly string[],
  path: string,
  links: Links,
  id?: string,
): Record<string, string> {
  const revision = id === undefined ? '' : `&revisionId=${id}`
  return Object.fromEntries(
    types.map((type) => [type, links.to(`${path}?mimeType=${encodeURIComponent(type)}${revision}`)]),
  )
}

/** Fields of a file's resource: names, dates, folders. Ids need no escaping. */
const PLAIN_FIELDS: Readonly<Record<string, Field>> = {
  kind: () => '"drive#file"',
  id: ({ row }) => `"${row.id}"`,
  etag: ({ etag }) => quotedEtag(etag),
  selfLink: ({ row }, { links }) => `"${links.file(row.id)}"`,
  alternateLink: ({ row }, { links }) => `"${links.page(row.kind === 'folder' ? 'folder' : 'file', row.id)}"`,
  iconLink: ({ row }, { links }) => `"${links.base}/icons/${row.kind}.svg"`,
  title: ({ row }) => quoted(row.title),
  mimeType: ({ row }) => quoted(row.mime),
  description: ({ extra }) => formatText(extra.description),
  labels: ({ row, extra, mine }) =>
    `{"starred":${mine.isStarred},"hidden":false,"trashed":${row.trashed === 1},` +
    `"restricted":${extra.copyNeedsWriter === true},"viewed":${mine.viewedAt !== null},"modified":${mine.modifiedAt !== null}}`,
  createdDate: ({ row }) => dateText(row.created),
  modifiedDate: ({ row }) => dateText(row.modified),
  modifiedByMeDate: ({ mine }) => dateIfAny(mine.modifiedAt),
  lastViewedByMeDate: ({ mine }) => dateIfAny(mine.viewedAt),
  markedViewedByMeDate: () => '"1970-01-01T00:00:00.000Z"',
  version: ({ row }) => `"${row.version}"`,
  parents: ({ row, parents }, { links }) =>
    `[${parents.map((parent) => parentText(parent, row.id, links)).join(',')}]`,
  properties: ({ row, properties }, { links }) =>
    properties.length === 0
      ? undefined
      : JSON.stringify(properties.map((property) => propertyResource(property, row.id, links))),
  folderColorRgb: ({ extra }) => formatText(extra.folderColor),
  shortcutDetails: ({ row, extra }) =>
    row.target === null
      ? undefined
      : JSON.stringify({ targetId: row.target, targetMimeType: extra.targetMime }),
  explicitlyTrashed: ({ row }) => String(row.explicit_trash === 1),
  trashedDate: ({ row }) => (inDrive(row) ? dateIfAny(row.trashed_at) : undefined),
  spaces: ({ row }) => `["${row.space}"]`,
  appDataContents: ({ row }) => String(row.space === 'appDataFolder'),
  labelInfo: ({ row }, { labelsOf }) =>
    labelsOf === undefined ? undefined : JSON.stringify({ labels: labelsOf(row.pk) }),
  driveId: ({ drive }) => (drive === undefined ? undefined : `"${drive.id}"`),
  teamDriveId: ({ drive }) => (drive === undefined ? undefined : `"${drive.id}"`),
  isAppAuthorized: ({ row }, { caller }) => String(row.client === caller.client),
}

function formatText(text: string | undefined): string | undefined {
  return text === undefined ? undefined : quoted(text)
}

function dateIfAny(at: number | null): string | undefined {
  return at === null ? undefined : dateText(at)
}

function inDrive({ drive }: FileView['row']): boolean {
  return drive !== null
}

const PEOPLE_FIELDS: Readonly<Record<string, Field>> = {
  owners: ({ owner }, seeing) => (owner === undefined ? undefined : `[${personText(owner, seeing)}]`),
  ownerNames: ({ owner }, seeing) =>
    owner === undefined ? undefined : `[${quoted(shownName(owner, seeing))}]`,
  ownedByMe: ({ row }, { caller }) => (row.drive === null ? String(row.owner === caller.user) : undefined),
  lastModifyingUser: ({ modifier }, seeing) => person(modifier, seeing),
  lastModifyingUserName: ({ modifier }, seeing) =>
    modifier === undefined ? undefined : quoted(shownName(modifier, seeing)),
  sharedWithMeDate: ({ mine }) => dateIfAny(mine.sharedAt),
  sharingUser: ({ sharer }, seeing) => person(sharer, seeing),
  trashingUser: ({ row, trasher }, seeing) => (row.drive === null ? undefined : person(trasher, seeing)),
}

function person(user: UserView | undefined, seeing: FileContext): string | undefined {
  return user === undefined ? undefined : personText(user, seeing)
}

interface CachedUser {
  readonly user: UserView
  readonly caller: number
  readonly text: string
}

const known = new Map<number, CachedUser>()
const MAX_KNOWN = 10_000

/** Cached, because few people own many items. */
function personText(user: UserView, { caller }: FileContext): string {
  const found = known.get(user.pk)
  if (found !== undefined && found.caller === caller.user && isSame(found.user, user)) return found.text
  const text = JSON.stringify(userResource(user, caller))
  if (known.size >= MAX_KNOWN) known.clear()
  known.set(user.pk, { user, caller: caller.user, text })
  return text
}

function isSame(one: UserView, other: UserView): boolean {
  return (
    one.id === other.id &&
    one.name === other.name &&
    one.email === other.email &&
    one.picture === other.picture
  )
}

/** Fields about rights. */
const ACCESS_FIELDS: Readonly<Record<string, Field>> = {
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
function canDownload(view: FileView): boolean {
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

const powers: Powers[] = []

/** Cached per role and circumstances, which determine the capabilities. */
function findPowers({ row, role, extra, drive }: FileView): Powers {
  const about = findCircumstances(row, extra, drive)
  let key = ROLES.indexOf(role)
  for (const holds of Object.values(about)) key = 2 * key + Number(holds)
  return (powers[key] ??= powersFrom(listCapabilities(role, about)))
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
type Field = (view: FileView, seeing: FileContext) => string | undefined

const FIELDS: ReadonlyMap<string, Field> = new Map(
  Object.entries({ ...PLAIN_FIELDS, ...CONTENT_FIELDS, ...PEOPLE_FIELDS, ...ACCESS_FIELDS }),
)

/** Writes text directly: building an object of eighty fields first takes three times as long. */
export function fileResource(view: FileView, seeing: FileContext, selection: Selection): JsonText {
  let text = ''
  for (const { name, field, inner } of planSelection(selection)) {
    const value = field(view, seeing)
    if (value === undefined) continue
    // the comma comes first: cutting off a last one would copy the text
    text += `${text === '' ? '{' : ','}${name}${inner === undefined ? value : selectPart(value, inner)}`
  }
  return jsonText(text === '' ? '{}' : `${text}}`)
}

/** Applies a selection inside a field. */
function selectPart(value: string, inner: Selection): string {
  return JSON.stringify(selectFields(JSON.parse(value) as unknown, inner))
}

interface Step {
  /** Name with its separator, such as `"title":`. */
  readonly name: string
  readonly field: Field
  /** Undefined for the whole field. */
  readonly inner: Selection | undefined
}

const plans = new WeakMap<Selection, readonly Step[]>()

/** Selected fields in the order of the tables, which begin with the id. */
function planSelection(selection: Selection): readonly Step[] {
  let plan = plans.get(selection)
  if (plan === undefined) {
    plan = [...FIELDS].flatMap(([name, field]) => {
      if (!isSelected(selection, name)) return []
      const inner = selectWithin(selection, name)
      return [{ name: `"${name}":`, field, inner: inner.isWhole ? undefined : inner }]
    })
    plans.set(selection, plan)
  }
  return plan
}

/** Guests see no e-mail addresses, also of accounts that have one as their name. */
function shownName({ name }: Pick<UserView, 'name'>, { caller }: Pick<FileContext, 'caller'>): string {
  return isGuest(caller) ? withoutAddress(name) : name
}

export function userResource(user: UserView, caller: Caller) {
  const { pk, id, email, picture } = user
  return {
    kind: 'drive#user',
    displayName: shownName(user, { caller }),
    ...(picture === null ? {} : { picture: { url: picture } }),
    isAuthenticatedUser: pk === caller.user,
    permissionId: id,
    ...(email === null || isGuest(caller) ? {} : { emailAddress: email }),
  }
}
