/** The schemas of the API as shapes: the members of each resource, their types, and whether they are writable and shown. */

/**
 * `type name name …; type name …`. A type is a scalar, the name of a schema, or `{}` for the entry `Schema.name` below;
 * with `[]` an array of it, with `{}` a map to it. Suffixes of a name: `=text` constant value; `+` writable; `?`
 * cleared by null; `-` shown only on request; `~` never shown; `!` published as read-only (spec 4, 11–20).
 */
const SCHEMA_TABLE = {
  About: `
    string domainSharingPolicy etag kind=drive#about languageCode name permissionId quotaType rootFolderId
    selfLink; boolean canCreateDrives canCreateTeamDrives isCurrentAppInstalled; int64 largestChangeId
    quotaBytesTotal quotaBytesUsed quotaBytesUsedAggregate quotaBytesUsedInTrash remainingChangeIds; User
    user; string[] folderColorPalette; {}[] additionalRoleInfo driveThemes exportFormats features
    importFormats maxUploadSizes quotaBytesByService teamDriveThemes`,
  'About.additionalRoleInfo': 'string type; {}[] roleSets',
  'About.additionalRoleInfo.roleSets': 'string primaryRole; string[] additionalRoles',
  'About.driveThemes': 'string backgroundImageLink colorRgb id',
  'About.exportFormats': 'string source; string[] targets',
  'About.features': 'string featureName; double featureRate',
  'About.importFormats': 'string source; string[] targets',
  'About.maxUploadSizes': 'string type; int64 size',
  'About.quotaBytesByService': 'string serviceName; int64 bytesUsed',
  'About.teamDriveThemes': 'string backgroundImageLink colorRgb id',
  App: `
    string createInFolderTemplate createUrl id kind=drive#app longDescription name objectType
    openUrlTemplate productId productUrl shortDescription; boolean authorized hasDriveWideScope installed
    supportsCreate supportsImport supportsMultiOpen supportsOfflineCreate useByDefault; string[]
    primaryFileExtensions primaryMimeTypes secondaryFileExtensions secondaryMimeTypes; {}[] icons`,
  'App.icons': 'string category iconUrl; int32 size',
  AppList: 'string etag kind=drive#appList selfLink; App[] items; string[] defaultAppIds',
  Change: `
    string changeType driveId fileId kind=drive#change selfLink teamDriveId type; boolean deleted; int64
    id; date-time modificationDate; Drive drive; File file; TeamDrive teamDrive`,
  ChangeList: `
    string etag kind=drive#changeList newStartPageToken nextLink nextPageToken selfLink; int64
    largestChangeId; Change[] items`,
  Channel: `
    string address+ id+ kind=api#channel resourceId+ resourceUri token+ type+; boolean payload+; int64
    expiration+; string{} params+`,
  ChildList: 'string etag kind=drive#childList nextLink nextPageToken selfLink; ChildReference[] items',
  ChildReference: 'string childLink id+ kind=drive#childReference selfLink',
  ClientEncryptionDetails: 'string encryptionState; DecryptionMetadata decryptionMetadata',
  Comment: `
    string anchor+ commentId content+ fileId fileTitle htmlContent kind=drive#comment selfLink status;
    boolean deleted; date-time createdDate modifiedDate; CommentReply[] replies; User author; {} context+`,
  'Comment.context': 'string type+ value+',
  CommentList: 'string kind=drive#commentList nextLink nextPageToken selfLink; Comment[] items',
  CommentReply: `
    string content+ htmlContent kind=drive#commentReply replyId verb+; boolean deleted; date-time
    createdDate modifiedDate; User author`,
  CommentReplyList: `
    string kind=drive#commentReplyList nextLink nextPageToken selfLink; CommentReply[] items`,
  ContentRestriction: `
    string reason+ type; boolean ownerRestricted+ readOnly+ systemRestricted; date-time restrictionDate;
    User restrictingUser`,
  DecryptionMetadata: `
    string aes256GcmChunkSize encryptionResourceKeyHash jwt kaclsName keyFormat wrappedKey; int64 kaclsId`,
  Drive: `
    string backgroundImageLink colorRgb+ id kind=drive#drive name+ orgUnitId themeId+; boolean hidden;
    date-time createdDate; {} backgroundImageFile+~ capabilities restrictions+`,
  'Drive.backgroundImageFile': 'string id+; float width+ xCoordinate+ yCoordinate+',
  'Drive.capabilities': `
    boolean canAddChildren canChangeCopyRequiresWriterPermissionRestriction
    canChangeDomainUsersOnlyRestriction canChangeDriveBackground canChangeDriveMembersOnlyRestriction
    canChangeSharingFoldersRequiresOrganizerPermissionRestriction canComment canCopy canDeleteChildren
    canDeleteDrive canDownload canEdit canListChildren canManageMembers canReadRevisions canRename
    canRenameDrive canResetDriveRestrictions canShare canTrashChildren`,
  'Drive.restrictions': `
    boolean adminManagedRestrictions+ copyRequiresWriterPermission+ domainUsersOnly+ driveMembersOnly+
    sharingFoldersRequiresOrganizerPermission+`,
  DriveList: 'string kind=drive#driveList nextPageToken; Drive[] items',
  File: `
    string alternateLink defaultOpenWithLink- description+? downloadUrl driveId embedLink- etag
    fileExtension folderColorRgb+? fullFileExtension headRevisionId iconLink id+ kind=drive#file
    lastModifyingUserName md5Checksum mimeType+ originalFilename resourceKey selfLink sha1Checksum-
    sha256Checksum- teamDriveId thumbnailLink- title+ webContentLink webViewLink-; boolean appDataContents
    canComment canReadRevisions copyRequiresWriterPermission+ copyable editable explicitlyTrashed
    hasAugmentedPermissions- hasThumbnail- inheritedPermissionsDisabled+- isAppAuthorized- ownedByMe
    shareable shared writersCanShare+; int64 fileSize quotaBytesUsed thumbnailVersion- version; date-time
    createdDate+ lastViewedByMeDate+? markedViewedByMeDate modifiedByMeDate modifiedDate+ sharedWithMeDate
    trashedDate; ClientEncryptionDetails clientEncryptionDetails; ContentRestriction[]
    contentRestrictions+?; ParentReference[] parents+; Permission userPermission; Permission[]
    permissions-; Property[] properties+; User lastModifyingUser sharingUser trashingUser; User[] owners;
    string[] ownerNames permissionIds- spaces; string{} exportLinks! openWithLinks-; {} capabilities
    imageMediaMetadata indexableText+~ labelInfo labels+ linkShareMetadata- shortcutDetails+ thumbnail+~
    videoMediaMetadata`,
  'File.capabilities': `
    boolean canAcceptOwnership canAddChildren canAddFolderFromAnotherDrive canAddMyDriveParent
    canChangeCopyRequiresWriterPermission canChangeRestrictedDownload canChangeSecurityUpdateEnabled
    canComment canCopy canDelete canDeleteChildren canDisableInheritedPermissions! canDownload canEdit
    canEnableInheritedPermissions! canListChildren canModifyContent canModifyContentRestriction
    canModifyEditorContentRestriction canModifyLabels canModifyOwnerContentRestriction
    canMoveChildrenOutOfDrive canMoveChildrenOutOfTeamDrive canMoveChildrenWithinDrive
    canMoveChildrenWithinTeamDrive canMoveItemIntoTeamDrive canMoveItemOutOfDrive
    canMoveItemOutOfTeamDrive canMoveItemWithinDrive canMoveItemWithinTeamDrive canMoveTeamDriveItem
    canReadDrive canReadLabels canReadRevisions canReadTeamDrive canRemoveChildren
    canRemoveContentRestriction canRemoveMyDriveParent canRename canShare canTrash canTrashChildren
    canUntrash`,
  'File.imageMediaMetadata': `
    string cameraMake cameraModel colorSpace date exposureMode lens meteringMode sensor whiteBalance;
    boolean flashUsed; int32 height isoSpeed rotation subjectDistance width; float aperture exposureBias
    exposureTime focalLength maxApertureValue; {} location`,
  'File.imageMediaMetadata.location': 'double altitude latitude longitude',
  'File.indexableText': 'string text+',
  'File.labelInfo': 'Label[] labels',
  'File.labels': 'boolean hidden modified restricted+ starred+ trashed+ viewed+',
  'File.linkShareMetadata': 'boolean securityUpdateEligible securityUpdateEnabled',
  'File.shortcutDetails': 'string targetId+ targetMimeType targetResourceKey',
  'File.thumbnail': 'string mimeType+; bytes image+',
  'File.videoMediaMetadata': 'int32 height width; int64 durationMillis',
  FileList: `
    string etag kind=drive#fileList nextLink nextPageToken selfLink; boolean incompleteSearch; File[]
    items`,
  GeneratedIds: 'string kind=drive#generatedIds space; string[] ids',
  Label: 'string id kind=drive#label revisionId; LabelField{} fields',
  LabelField: `
    string id kind=drive#labelField valueType; User[] user; date[] dateString; int64[] integer; string[]
    selection text`,
  LabelFieldModification: `
    string fieldId+ kind=drive#labelFieldModification; boolean unsetValues+; date[] setDateValues+;
    int64[] setIntegerValues+; string[] setSelectionValues+ setTextValues+ setUserValues+`,
  LabelList: 'string kind=drive#labelList nextPageToken; Label[] items',
  LabelModification: `
    string kind=drive#labelModification labelId+; boolean removeLabel+; LabelFieldModification[]
    fieldModifications+`,
  ModifyLabelsRequest: 'string kind=drive#modifyLabelsRequest; LabelModification[] labelModifications+',
  ModifyLabelsResponse: 'string kind=drive#modifyLabelsResponse; Label[] modifiedLabels',
  ParentList: 'string etag kind=drive#parentList selfLink; ParentReference[] items',
  ParentReference: 'string id+ kind=drive#parentReference parentLink selfLink; boolean isRoot',
  Permission: `
    string authKey~ domain emailAddress etag id+ kind=drive#permission name photoLink role+ selfLink type+
    value+~ view+; boolean deleted inheritedPermissionsDisabled+ pendingOwner withLink+; date-time
    expirationDate+?; string[] additionalRoles+; {}[] permissionDetails! teamDrivePermissionDetails!`,
  'Permission.permissionDetails': `
    string inheritedFrom permissionType role; boolean inherited; string[] additionalRoles`,
  'Permission.teamDrivePermissionDetails': `
    string inheritedFrom role teamDrivePermissionType; boolean inherited; string[] additionalRoles`,
  PermissionId: 'string id kind=drive#permissionId',
  PermissionList: 'string etag kind=drive#permissionList nextPageToken selfLink; Permission[] items',
  Property: 'string etag key+ kind=drive#property selfLink value+? visibility+',
  PropertyList: 'string etag kind=drive#propertyList selfLink; Property[] items',
  Revision: `
    string downloadUrl etag id kind=drive#revision lastModifyingUserName md5Checksum mimeType
    originalFilename publishedLink selfLink; boolean pinned+ publishAuto+ published+
    publishedOutsideDomain+; int64 fileSize; date-time modifiedDate; User lastModifyingUser; string{}
    exportLinks`,
  RevisionList: 'string etag kind=drive#revisionList nextPageToken selfLink; Revision[] items',
  StartPageToken: 'string kind=drive#startPageToken startPageToken',
  TeamDrive: `
    string backgroundImageLink colorRgb id kind=drive#teamDrive name orgUnitId themeId; date-time
    createdDate; {} backgroundImageFile capabilities restrictions`,
  'TeamDrive.backgroundImageFile': 'string id; float width xCoordinate yCoordinate',
  'TeamDrive.capabilities': `
    boolean canAddChildren canChangeCopyRequiresWriterPermissionRestriction
    canChangeDomainUsersOnlyRestriction canChangeSharingFoldersRequiresOrganizerPermissionRestriction
    canChangeTeamDriveBackground canChangeTeamMembersOnlyRestriction canComment canCopy canDeleteChildren
    canDeleteTeamDrive canDownload canEdit canListChildren canManageMembers canReadRevisions
    canRemoveChildren canRename canRenameTeamDrive canResetTeamDriveRestrictions canShare canTrashChildren`,
  'TeamDrive.restrictions': `
    boolean adminManagedRestrictions copyRequiresWriterPermission domainUsersOnly
    sharingFoldersRequiresOrganizerPermission teamMembersOnly`,
  User: `
    string displayName! emailAddress! kind=drive#user! permissionId!; boolean isAuthenticatedUser!; {}
    picture!`,
  'User.picture': 'string url!',
} as const

type Entry = keyof typeof SCHEMA_TABLE
type Dotted = `${string}.${string}`

export type SchemaName = Exclude<Entry, Dotted>

/** Scalar types. In JSON int64, bytes (base64url) and dates are strings. */
export const SCALARS = [
  'string',
  'boolean',
  'int32',
  'int64',
  'float',
  'double',
  'bytes',
  'date',
  'date-time',
] as const

export type Scalar = (typeof SCALARS)[number]

export type MemberShape =
  | { readonly kind: 'scalar'; readonly scalar: Scalar }
  | { readonly kind: 'object'; readonly members: ReadonlyMap<string, Member> }
  | { readonly kind: 'array' | 'map'; readonly of: MemberShape }
  | { readonly kind: 'schema'; readonly name: SchemaName }

export interface Member {
  readonly shape: MemberShape
  /** Constant value, e.g. `drive#file`. */
  readonly constant: string | undefined
  readonly isWritable: boolean
  /** `null` in an update removes the member. */
  readonly isClearable: boolean
  readonly isShownByDefault: boolean
  readonly isNeverShown: boolean
  readonly isPublishedReadOnly: boolean
}

export type Members = ReadonlyMap<string, Member>

const SCALAR_NAMES: ReadonlySet<string> = new Set(SCALARS)
const entries = new Map<Entry, Members>()

// keys of the table
export const SCHEMA_NAMES: readonly SchemaName[] = (Object.keys(SCHEMA_TABLE) as Entry[]).filter(isSchemaName)

/** Parsed from the table on first use. */
export function findMembers(name: SchemaName): Members {
  return entry(name)
}

/** Members of an object or schema, or of those in an array. Undefined for scalars and maps. */
export function innerMembers(shape: MemberShape): Members | undefined {
  switch (shape.kind) {
    case 'scalar':
    case 'map':
      return undefined
    case 'array':
      return innerMembers(shape.of)
    case 'object':
      return shape.members
    case 'schema':
      return findMembers(shape.name)
  }
}

function isSchemaName(name: Entry): name is SchemaName {
  return !name.includes('.')
}

function entry(name: Entry): Members {
  const known = entries.get(name)
  if (known !== undefined) return known
  const members = readEntry(name)
  entries.set(name, members)
  return members
}

function readEntry(name: Entry): Members {
  const members = new Map<string, Member>()
  for (const group of SCHEMA_TABLE[name].split(';')) {
    const [type, ...words] = group.trim().split(/\s+/) as [string, ...string[]]
    for (const word of words) {
      const [key, after] = word.split(/[=+?~!-]/) as [string, ...string[]]
      const constant = word.includes('=') ? after : undefined
      members.set(key, readMember(readShape(type, `${name}.${key}`), constant, word))
    }
  }
  return members
}

function readMember(shape: MemberShape, constant: string | undefined, word: string): Member {
  return {
    shape,
    constant,
    isWritable: word.includes('+'),
    isClearable: word.includes('?'),
    isShownByDefault: !/[-~]/.test(word),
    isNeverShown: word.includes('~'),
    isPublishedReadOnly: word.includes('!'),
  }
}

function readShape(type: string, path: string): MemberShape {
  // such a type has an entry of its own below
  if (type === '{}') return { kind: 'object', members: entry(path as Entry) }
  if (type.endsWith('[]')) return { kind: 'array', of: readShape(type.slice(0, -2), path) }
  if (type.endsWith('{}')) return { kind: 'map', of: readShape(type.slice(0, -2), path) }
  return isScalar(type) ? { kind: 'scalar', scalar: type } : { kind: 'schema', name: type as SchemaName }
}

function isScalar(type: string): type is Scalar {
  return SCALAR_NAMES.has(type)
}
