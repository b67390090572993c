/** What the service answers, as far as the page shows it. */

export const FOLDER = 'application/vnd.google-apps.folder'
export const SHORTCUT = 'application/vnd.google-apps.shortcut'

export interface PageItem {
  readonly id: string
  readonly title: string
  readonly mimeType: string
  readonly modifiedDate: string
  /** Bytes; folders have none. */
  readonly fileSize?: string
  readonly lastModifyingUserName?: string
  readonly headRevisionId?: string
  readonly labels: { readonly trashed: boolean }
  readonly explicitlyTrashed: boolean
  readonly parents: readonly { readonly id: string }[]
  /** Of a shared drive. */
  readonly driveId?: string
  readonly shortcutDetails?: { readonly targetId: string; readonly targetMimeType: string }
  readonly capabilities: Readonly<Record<string, boolean>>
}

/** The `fields` of an item. */
export const ITEM =
  'id,title,mimeType,modifiedDate,fileSize,lastModifyingUserName,headRevisionId,labels(trashed),' +
  'explicitlyTrashed,parents(id),driveId,shortcutDetails,capabilities'

export interface List<T> {
  readonly items: readonly T[]
  readonly nextPageToken?: string
}

export interface User {
  readonly displayName: string
  readonly emailAddress?: string
  readonly isAuthenticatedUser?: boolean
}

export interface Revision {
  readonly id: string
  readonly modifiedDate: string
  readonly mimeType: string
  readonly fileSize?: string
  readonly lastModifyingUserName?: string
}

export interface Permission {
  readonly id: string
  readonly type: 'user' | 'group' | 'domain' | 'anyone'
  readonly role: string
  readonly additionalRoles?: readonly string[]
  readonly name?: string
  readonly emailAddress?: string
  readonly domain?: string
  readonly expirationDate?: string
  readonly permissionDetails?: readonly { readonly inherited: boolean }[]
}

export interface Reply {
  readonly replyId: string
  readonly author?: User
  readonly content?: string
  readonly createdDate: string
  readonly verb?: 'resolve' | 'reopen'
}

export interface Comment {
  readonly commentId: string
  readonly author?: User
  readonly content?: string
  readonly createdDate: string
  readonly status: 'open' | 'resolved'
  readonly replies: readonly Reply[]
}

export interface SharedDrive {
  readonly id: string
  readonly name: string
}

export function isFolder({ mimeType }: PageItem): boolean {
  return mimeType === FOLDER
}
