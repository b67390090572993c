/** Files and revisions of a store, with the properties that hla uses. */
import { HlaError } from '../../errors.ts'
import { isRecord } from '../../operations/http-face.ts'

export interface DriveFile {
  readonly id: string
  readonly title: string
  readonly mimeType: string
  readonly isFolder: boolean
  /** Document without bytes of its own, available only as an export. */
  readonly isDocument: boolean
  /** Size in bytes; undefined for a file without content. */
  readonly size: number | undefined
  /** MD5 checksum, hexadecimal. */
  readonly md5: string | undefined
  /** RFC 3339 time. */
  readonly modified: string
  readonly created: string
  readonly etag: string
  /** Revision of the content. */
  readonly revision: string | undefined
  readonly isTrashed: boolean
  /** True when the file itself was moved to the trash, not a folder above it. */
  readonly isExplicitlyTrashed: boolean
  readonly parents: readonly string[]
  /** E-mail addresses of the owners. */
  readonly owners: readonly string[]
  readonly modifiedBy: string
  /** Public properties, visible to every program. */
  readonly properties: Readonly<Record<string, string>>
}

/** Value of the parameter `fields`. */
export const FILE_FIELDS =
  'id,title,mimeType,fileSize,md5Checksum,modifiedDate,createdDate,etag,headRevisionId,labels/trashed,explicitlyTrashed,' +
  'parents/id,owners/emailAddress,lastModifyingUser(emailAddress,displayName),properties(key,value,visibility)'

export const FOLDER_TYPE = 'application/vnd.google-apps.folder'

const NATIVE = 'application/vnd.google-apps.'

/** Type of text documents; all others are tables. */
export const TEXT_TYPE = `${NATIVE}document`

export function isDocumentType(mimeType: string): boolean {
  return mimeType.startsWith(NATIVE) && mimeType !== FOLDER_TYPE && mimeType !== `${NATIVE}shortcut`
}

/** @throws {HlaError} remote — not a file resource */
export function readFile(value: unknown): DriveFile {
  const file = asRecord(value)
  const id = asText(file['id'])
  if (id === '') throw new HlaError('remote', 'the answer of the store is not a file')
  const mimeType = asText(file['mimeType'])
  return {
    id,
    title: asText(file['title']),
    mimeType,
    isFolder: mimeType === FOLDER_TYPE,
    isDocument: isDocumentType(mimeType),
    size: file['fileSize'] === undefined ? undefined : Number(file['fileSize']),
    md5: optional(file['md5Checksum']),
    modified: asText(file['modifiedDate']),
    created: asText(file['createdDate']),
    etag: asText(file['etag']),
    revision: optional(file['headRevisionId']),
    isTrashed: asRecord(file['labels'])['trashed'] === true,
    isExplicitlyTrashed: file['explicitlyTrashed'] === true,
    parents: asList(file['parents']).map((parent) => asText(parent['id'])),
    owners: asList(file['owners']).map((owner) => asText(owner['emailAddress'])),
    modifiedBy: readUser(file['lastModifyingUser']),
    properties: Object.fromEntries(
      asList(file['properties'])
        .filter(({ visibility }) => visibility === 'PUBLIC')
        .map(({ key, value: text }) => [asText(key), asText(text)]),
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
  const revision = asRecord(value)
  return {
    id: asText(revision['id']),
    modified: asText(revision['modifiedDate']),
    modifiedBy: readUser(revision['lastModifyingUser']),
    size: Number(revision['fileSize'] ?? 0),
    md5: asText(revision['md5Checksum']),
    isPinned: revision['pinned'] === true,
  }
}

/** E-mail address if present, else the name. */
function readUser(value: unknown): string {
  const user = asRecord(value)
  return asText(user['emailAddress']) || asText(user['displayName'])
}

export function asText(value: unknown): string {
  return typeof value === 'string' ? value : ''
}

export function asRecord(value: unknown): Readonly<Record<string, unknown>> {
  return isRecord(value) ? value : {}
}

export function asList(value: unknown): Readonly<Record<string, unknown>>[] {
  return Array.isArray(value) ? value.map(asRecord) : []
}

function optional(value: unknown): string | undefined {
  return typeof value === 'string' ? value : undefined
}
