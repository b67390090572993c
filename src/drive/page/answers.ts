/** Types of the service's responses, limited to the fields the page uses. */

export const FOLDER = 'application/vnd.google-apps.folder'
export const SHORTCUT = 'application/vnd.google-apps.shortcut'

export interface PageItem {
  readonly id: string
  readonly title: string
  readonly mimeType: string
  readonly modifiedDate: string
  /** Bytes; folders have none. */
  readonly fileSize?: string
  /** Download URL by type, for a converted table or text. */
  readonly exportLinks?: Readonly<Record<string, string>>
  readonly lastModifyingUserName?: string
  readonly headRevisionId?: string
  readonly labels: { readonly trashed: boolean; readonly starred: boolean }
  readonly explicitlyTrashed: boolean
  readonly parents: readonly { readonly id: string }[]
  /** Id of the shared drive that holds the item. */
  readonly driveId?: string
  readonly shortcutDetails?: { readonly targetId: string; readonly targetMimeType: string }
  readonly capabilities: Readonly<Record<string, boolean>>
}

/** Value of `fields` that selects a `PageItem`. */
export const ITEM =
  'id,title,mimeType,modifiedDate,fileSize,exportLinks,lastModifyingUserName,headRevisionId,labels(trashed,starred),' +
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
  readonly capabilities: Readonly<Record<string, boolean>>
}

export interface About {
  readonly user: User
  /** Bytes; the total is absent without a limit. */
  readonly quotaBytesUsed: string
  readonly quotaBytesTotal?: string
  readonly quotaBytesUsedInTrash?: string
  readonly quotaType?: string
}

export interface Rule {
  readonly id: string
  readonly folder: { readonly id: string | null; readonly title: string | null }
  /** Includes the folders below. */
  readonly withSubfolders: boolean
  readonly method: string
  /** Absent for the server's active release. */
  readonly release?: string
  readonly match?: string
  readonly target?: { readonly id: string | null }
  readonly maker: User
  readonly endedDate?: string
  readonly reason?: string
  readonly converted: number
  readonly failed: number
  readonly lastDate?: string
  readonly trouble?: string
}

export interface RuleList {
  readonly items: readonly Rule[]
  readonly offers: { readonly methods: readonly string[]; readonly releases: readonly string[] }
}

/** API path of an item, below `drive/v2/`. */
export function filePath(id: string): string {
  return `files/${encodeURIComponent(id)}`
}

/** String of a search query. */
export function quoted(text: string): string {
  return `'${text.replace(/[\\']/g, '\\$&')}'`
}

export function isFolder({ mimeType }: PageItem): boolean {
  return mimeType === FOLDER
}

/** `1 user`, `2 users`, `3 entries`, `4 keys` */
export function describeCount(count: number, what: string): string {
  return count === 1 ? `1 ${what}` : `${count.toLocaleString('en')} ${what.replace(/(?<=[^aeiou])y$/, 'ie')}s`
}
