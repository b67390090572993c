/** What a store says of a file, and of its revisions, as far as we look at it. */
import { HlaError } from '../../errors.ts'
import { isRecord } from '../../operations/http-face.ts'

export interface DriveFile {
  readonly id: string
  readonly title: string
  readonly mimeType: string
  readonly isFolder: boolean
  /** Bytes; undefined: it has no content. */
  readonly size: number | undefined
  /** Hexadecimal. */
  readonly md5: string | undefined
  /** RFC 3339. */
  readonly modified: string
  readonly created: string
  readonly etag: string
  /** Of its content. */
  readonly revision: string | undefined
  readonly isTrashed: boolean
  readonly parents: readonly string[]
  /** E-mail addresses. */
  readonly owners: readonly string[]
  readonly modifiedBy: string
  /** Those that every program sees. */
  readonly properties: Readonly<Record<string, string>>
}

/** For the parameter `fields`. */
export const FILE_FIELDS =
  'id,title,mimeType,fileSize,md5Checksum,modifiedDate,createdDate,etag,headRevisionId,labels/trashed,' +
  'parents/id,owners/emailAddress,lastModifyingUser(emailAddress,displayName),properties(key,value,visibility)'

export const FOLDER_TYPE = 'application/vnd.google-apps.folder'

/** @throws {HlaError} remote — it is none */
export function readFile(value: unknown): DriveFile {
  const file = recordOf(value)
  const id = textOf(file['id'])
  if (id === '') throw new HlaError('remote', 'the answer of the store is not a file')
  const mimeType = textOf(file['mimeType'])
  return {
    id,
    title: textOf(file['title']),
    mimeType,
    isFolder: mimeType === FOLDER_TYPE,
    size: file['fileSize'] === undefined ? undefined : Number(file['fileSize']),
    md5: optional(file['md5Checksum']),
    modified: textOf(file['modifiedDate']),
    created: textOf(file['createdDate']),
    etag: textOf(file['etag']),
    revision: optional(file['headRevisionId']),
    isTrashed: recordOf(file['labels'])['trashed'] === true,
    parents: listOf(file['parents']).map((parent) => textOf(parent['id'])),
    owners: listOf(file['owners']).map((owner) => textOf(owner['emailAddress'])),
    modifiedBy: userOf(file['lastModifyingUser']),
    properties: Object.fromEntries(
      listOf(file['properties'])
        .filter(({ visibility }) => visibility === 'PUBLIC')
        .map(({ key, value: text }) => [textOf(key), textOf(text)]),
    ),
  }
}

export interface DriveRevision {
  readonly id: string
  readonly modified: string
  readonly modifiedBy: string
  readonly size: number
  readonly md5: string
  readonly isPinned: boolean
}

export function readRevision(value: unknown): DriveRevision {
  const revision = recordOf(value)
  return {
    id: textOf(revision['id']),
    modified: textOf(revision['modifiedDate']),
    modifiedBy: userOf(revision['lastModifyingUser']),
    size: Number(revision['fileSize'] ?? 0),
    md5: textOf(revision['md5Checksum']),
    isPinned: revision['pinned'] === true,
  }
}

/** An e-mail address where it is told, else a name. */
function userOf(value: unknown): string {
  const user = recordOf(value)
  return textOf(user['emailAddress']) || textOf(user['displayName'])
}

export function textOf(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function recordOf(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

export function listOf(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(recordOf) : []
}

function optional(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
