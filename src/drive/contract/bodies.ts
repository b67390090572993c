/** Writable members of request bodies: those of the schemas, as plain data. */

/** Dates are milliseconds since 1970. `null` occurs only where an update clears a member with it. */
export interface FileBody {
  readonly id?: string
  readonly title?: string
  readonly mimeType?: string
  readonly description?: string | null
  readonly labels?: LabelsBody
  readonly createdDate?: number
  readonly modifiedDate?: number
  readonly lastViewedByMeDate?: number | null
  readonly parents?: readonly ReferenceBody[]
  readonly writersCanShare?: boolean
  readonly copyRequiresWriterPermission?: boolean
  readonly contentRestrictions?: readonly ContentRestrictionBody[] | null
  readonly inheritedPermissionsDisabled?: boolean
  readonly folderColorRgb?: string | null
  readonly properties?: readonly PropertyBody[]
  readonly indexableText?: { readonly text?: string }
  /** `image` is base64url. */
  readonly thumbnail?: { readonly image?: string; readonly mimeType?: string }
  readonly shortcutDetails?: { readonly targetId?: string }
}

export interface LabelsBody {
  readonly starred?: boolean
  readonly trashed?: boolean
  readonly viewed?: boolean
  readonly restricted?: boolean
}

/** Reference to a child or parent. */
export interface ReferenceBody {
  readonly id?: string
}

export interface ContentRestrictionBody {
  readonly readOnly?: boolean
  readonly reason?: string
  readonly ownerRestricted?: boolean
}

export interface PropertyBody {
  readonly key?: string
  readonly value?: string | null
  readonly visibility?: string
}

export interface PermissionBody {
  readonly id?: string
  readonly type?: string
  readonly role?: string
  readonly additionalRoles?: readonly string[]
  readonly value?: string
  readonly withLink?: boolean
  readonly expirationDate?: number | null
  readonly view?: string
  readonly inheritedPermissionsDisabled?: boolean
}

export interface CommentBody {
  readonly content?: string
  readonly anchor?: string
  readonly context?: { readonly type?: string; readonly value?: string }
}

export interface CommentReplyBody {
  readonly content?: string
  readonly verb?: string
}

export interface RevisionBody {
  readonly pinned?: boolean
  readonly published?: boolean
  readonly publishAuto?: boolean
  readonly publishedOutsideDomain?: boolean
}

export interface ChannelBody {
  readonly id?: string
  readonly type?: string
  readonly address?: string
  readonly token?: string
  /** Milliseconds since 1970. */
  readonly expiration?: number
  readonly payload?: boolean
  readonly params?: Readonly<Record<string, string>>
  readonly resourceId?: string
}

export interface DriveBody {
  readonly name?: string
  readonly themeId?: string
  readonly colorRgb?: string
  readonly backgroundImageFile?: {
    readonly id?: string
    readonly width?: number
    readonly xCoordinate?: number
    readonly yCoordinate?: number
  }
  readonly restrictions?: {
    readonly adminManagedRestrictions?: boolean
    readonly copyRequiresWriterPermission?: boolean
    readonly domainUsersOnly?: boolean
    readonly driveMembersOnly?: boolean
    readonly sharingFoldersRequiresOrganizerPermission?: boolean
  }
}

export interface ModifyLabelsBody {
  readonly labelModifications?: readonly LabelModificationBody[]
}

export interface LabelModificationBody {
  readonly labelId?: string
  readonly removeLabel?: boolean
  readonly fieldModifications?: readonly LabelFieldModificationBody[]
}

export interface LabelFieldModificationBody {
  readonly fieldId?: string
  readonly setDateValues?: readonly string[]
  readonly setIntegerValues?: readonly number[]
  readonly setSelectionValues?: readonly string[]
  readonly setTextValues?: readonly string[]
  readonly setUserValues?: readonly string[]
  readonly unsetValues?: boolean
}

/** Bodies by the schema that the method table names for the request. */
export interface Bodies {
  readonly File: FileBody
  readonly ChildReference: ReferenceBody
  readonly ParentReference: ReferenceBody
  readonly Property: PropertyBody
  readonly Permission: PermissionBody
  readonly Comment: CommentBody
  readonly CommentReply: CommentReplyBody
  readonly Revision: RevisionBody
  readonly Channel: ChannelBody
  readonly Drive: DriveBody
  readonly ModifyLabelsRequest: ModifyLabelsBody
}
