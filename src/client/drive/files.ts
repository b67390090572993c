/** Operations of a store on its files, one request each. [network] */
import type { DriveConnection } from './connection.ts'
import {
  type DriveFile,
  type DriveRevision,
  FILE_FIELDS,
  FOLDER_TYPE,
  asList,
  readFile,
  readRevision,
  asRecord,
  asText,
} from './resource.ts'

/** Items of shared drives are files like others. */
export const ALL_DRIVES = { supportsAllDrives: true } as const

export function filePath(id: string, ...below: string[]): string {
  return ['/drive/v2/files', id, ...below]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/')
}

/** `root` is the caller's own folder. @throws {HlaError} not-found, remote */
export async function getFile({ send }: DriveConnection, id: string): Promise<DriveFile> {
  const query = { fields: FILE_FIELDS, ...ALL_DRIVES }
  const { body } = await send({ method: 'GET', path: filePath(id), query })
  return readFile(body)
}

export interface FileSearch {
  readonly q: string
  readonly orderBy?: string
}

/** All that match, page by page. */
export async function* findFiles({ send }: DriveConnection, search: FileSearch): AsyncGenerator<DriveFile> {
  const query = {
    ...search,
    maxResults: 1000,
    fields: `nextPageToken,items(${FILE_FIELDS})`,
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    ...ALL_DRIVES,
  }
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const page = pageToken === '' ? {} : { pageToken }
    const { body } = await send({ method: 'GET', path: '/drive/v2/files', query: { ...query, ...page } })
    const { items, nextPageToken } = asRecord(body)
    yield* asList(items).map(readFile)
    pageToken = typeof nextPageToken === 'string' ? nextPageToken : undefined
  }
}

/** In quotes, for a search. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}'`
}

/** For a file that will be made: whoever asks again with it makes no second one. */
export async function newFileId({ send }: DriveConnection): Promise<string> {
  const query = { maxResults: 1 }
  const { body } = await send({ method: 'GET', path: '/drive/v2/files/generateIds', query })
  const { ids } = asRecord(body)
  return asText(Array.isArray(ids) ? ids[0] : undefined)
}

export async function makeFolder(
  connection: DriveConnection,
  title: string,
  parent: string,
): Promise<DriveFile> {
  const id = await newFileId(connection)
  const json = { id, title, mimeType: FOLDER_TYPE, parents: [{ id: parent }] }
  const query = { fields: FILE_FIELDS, ...ALL_DRIVES }
  // asked again, it may be there already
  const made = { method: 'POST', path: '/drive/v2/files', query, json, answers: [409] } as const
  const { status, body } = await connection.send(made)
  return status === 409 ? getFile(connection, id) : readFile(body)
}

export interface FileChange {
  readonly title?: string
  /** Public ones; others stay as they are. */
  readonly properties?: Readonly<Record<string, string>>
}

/** Only if the file still is as it was found; when it was modified last does not change. @throws {HlaError} io — it is not */
export async function patchFile(
  { send }: DriveConnection,
  { id, etag }: DriveFile,
  { title, properties = {} }: FileChange,
): Promise<DriveFile> {
  const query = { fields: FILE_FIELDS, modifiedDateBehavior: 'noChange', ...ALL_DRIVES }
  const json = { ...(title === undefined ? {} : { title }), properties: publicProperties(properties) }
  const { body } = await send({
    method: 'PATCH',
    path: filePath(id),
    query,
    json,
    headers: { 'if-match': etag },
  })
  return readFile(body)
}

/** As they are sent. */
export function publicProperties(
  properties: Readonly<Record<string, string>>,
): readonly Readonly<Record<string, string>>[] {
  return Object.entries(properties).map(([key, value]) => ({ key, value, visibility: 'PUBLIC' }))
}

/** A public one; that it is not there is as good. */
export async function removeProperty({ send }: DriveConnection, id: string, key: string): Promise<void> {
  const query = { visibility: 'PUBLIC' }
  await send({ method: 'DELETE', path: filePath(id, 'properties', key), query, answers: [404] })
}

export async function trashFile({ send }: DriveConnection, id: string): Promise<void> {
  await send({ method: 'POST', path: filePath(id, 'trash'), query: { fields: 'id', ...ALL_DRIVES } })
}

/** Folders above it that are in the trash stay there. */
export async function untrashFile({ send }: DriveConnection, id: string): Promise<void> {
  await send({ method: 'POST', path: filePath(id, 'untrash'), query: { fields: 'id', ...ALL_DRIVES } })
}

/** Of the caller's own, for ever. */
export async function emptyTrash({ send }: DriveConnection): Promise<void> {
  await send({ method: 'DELETE', path: filePath('trash') })
}

export interface FilePlace {
  /** Undefined: the one that it has. */
  readonly title: string | undefined
  /** Id of a folder. */
  readonly parent: string
}

/** Only if the file still is as it was found. @throws {HlaError} io — it is not, or may not go there */
export async function moveFile(
  { send }: DriveConnection,
  { id, etag, parents }: DriveFile,
  { title, parent }: FilePlace,
): Promise<void> {
  const left = parents.filter((one) => one !== parent)
  const moves = parents.includes(parent) ? {} : { addParents: parent, removeParents: left.join(',') }
  const query = { fields: 'id', modifiedDateBehavior: 'noChange', ...moves, ...ALL_DRIVES }
  const json = title === undefined ? {} : { title }
  await send({ method: 'PATCH', path: filePath(id), query, json, headers: { 'if-match': etag } })
}

export interface CopyPlace {
  readonly title: string
  /** Id of a folder. */
  readonly parent: string
  /** The store keeps the copy as the document that it is. */
  readonly isConverted?: boolean
}

/** To read all of a table takes the store its time: ms. */
const CONVERSION_PATIENCE = 120_000

export async function copyFile(
  connection: DriveConnection,
  file: string,
  { title, parent, isConverted }: CopyPlace,
): Promise<void> {
  const id = await newFileId(connection)
  const json = { id, title, parents: [{ id: parent }] }
  // asked again, it may be there already
  const asked = { method: 'POST', path: filePath(file, 'copy'), json, answers: [409] } as const
  const query = { fields: 'id', ...ALL_DRIVES }
  if (isConverted !== true) return void (await connection.send({ ...asked, query }))
  const converted = { ...query, convert: true }
  await connection.send({ ...asked, query: converted, patience: CONVERSION_PATIENCE })
}

/** For ever. */
export async function deleteFile({ send }: DriveConnection, id: string): Promise<void> {
  await send({ method: 'DELETE', path: filePath(id), query: ALL_DRIVES })
}

/** The oldest first. */
export async function listRevisions({ send }: DriveConnection, id: string): Promise<DriveRevision[]> {
  const revisions: DriveRevision[] = []
  const fields =
    'nextPageToken,items(id,modifiedDate,lastModifyingUser(emailAddress,displayName),fileSize,md5Checksum,pinned)'
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const query = { fields, maxResults: 1000, ...(pageToken === '' ? {} : { pageToken }) }
    const { body } = await send({ method: 'GET', path: filePath(id, 'revisions'), query })
    const { items, nextPageToken } = asRecord(body)
    revisions.push(...asList(items).map(readRevision))
    pageToken = typeof nextPageToken === 'string' ? nextPageToken : undefined
  }
  return revisions
}

/** @throws {HlaError} not-found, io — only who may write the file may look at them */
export async function getRevision(
  { send }: DriveConnection,
  id: string,
  revision: string,
): Promise<DriveRevision> {
  const { body } = await send({ method: 'GET', path: filePath(id, 'revisions', revision) })
  return readRevision(body)
}
