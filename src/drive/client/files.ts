/** File operations of a store, one request each.  [network] */
import { HlaError } from '../../errors.ts'
import type { DriveConnection } from './connection.ts'
import type { NamedPath, OwnConditions } from '../contract/failure.ts'
import { isRefusal } from './failure.ts'
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

/** Query parameter that includes items of shared drives. */
export const ALL_DRIVES = { supportsAllDrives: true } as const

export function filePath(id: string, ...below: string[]): string {
  return ['/drive/v2/files', id, ...below]
    .map((part, at) => (at === 0 ? part : encodeURIComponent(part)))
    .join('/')
}

/** `root` is the folder of the caller. @throws {HlaError} not-found, remote */
export async function getFile({ send }: DriveConnection, id: string): Promise<DriveFile> {
  const query = { fields: FILE_FIELDS, ...ALL_DRIVES }
  const { body } = await send({ method: 'GET', path: filePath(id), query })
  return readFile(body)
}

export interface FileSearch {
  readonly q: string
  readonly orderBy?: string
}

/** Pages of a list, from the first. */
export async function* listPages(
  { send }: DriveConnection,
  path: string,
  query: Readonly<Record<string, string | number | boolean>>,
): AsyncGenerator<Readonly<Record<string, unknown>>> {
  for (let pageToken: string | undefined = ''; pageToken !== undefined;) {
    const from = pageToken === '' ? {} : { pageToken }
    const { body } = await send({ method: 'GET', path, query: { ...query, ...from } })
    const page = asRecord(body)
    yield page
    const next = page['nextPageToken']
    pageToken = typeof next === 'string' ? next : undefined
  }
}

/** All matching files, across pages. */
export async function* findFiles(connection: DriveConnection, search: FileSearch): AsyncGenerator<DriveFile> {
  const query = {
    ...search,
    maxResults: 1000,
    fields: `nextPageToken,items(${FILE_FIELDS})`,
    corpora: 'allDrives',
    includeItemsFromAllDrives: true,
    ...ALL_DRIVES,
  }
  for await (const { items } of listPages(connection, '/drive/v2/files', query))
    yield* asList(items).map(readFile)
}

/** Text as a quoted string of a search. */
export function quoted(text: string): string {
  return `'${text.replaceAll(/[\\']/g, (sign) => `\\${sign}`)}'`
}

/**
 * An id for a new file, so that a retried request creates no second one. Unused ids stay with the connection: its first
 * request asks for one, later ones for more each time.
 */
export async function newFileId({ send, spareIds }: DriveConnection): Promise<string> {
  const spare = spareIds.list.pop()
  if (spare !== undefined) return spare
  const query = { maxResults: spareIds.next }
  spareIds.next = Math.min(spareIds.next * 4, MAX_SPARE_IDS)
  const { body } = await send({ method: 'GET', path: '/drive/v2/files/generateIds', query })
  const { ids } = asRecord(body)
  const [id, ...others] = Array.isArray(ids) ? ids.map(asText) : []
  spareIds.list.push(...others)
  if (id === undefined) throw new HlaError('remote', 'the store gave no id for a new file')
  return id
}

const MAX_SPARE_IDS = 256

/** Header with which the store refuses a title that another item of the folder has: `isTitleTaken`. */
export const TITLE_FREE = { 'x-hla-if': 'title-free' } as const

export function isTitleTaken(error: unknown): boolean {
  return isOwnCondition(error)
}

function isOwnCondition(error: unknown): boolean {
  return isRefusal(error, 412) && error.facts?.['location'] === 'X-Hla-If'
}

/** Header with which the store refuses a file that has left the path; none for an id alone. */
function ifAtPath({ base, names }: NamedPath, ...others: (keyof OwnConditions)[]): Record<string, string> {
  const path = [base, ...names].map(encodeURIComponent).join('/')
  const conditions = names.length === 0 ? others : [...others, `path=${path}`]
  return conditions.length === 0 ? {} : { 'x-hla-if': conditions.join(', ') }
}

/** @throws {HlaError} io — `isTitleTaken`, or another refusal */
export async function makeFolder(
  connection: DriveConnection,
  title: string,
  parent: string,
): Promise<DriveFile> {
  const id = await newFileId(connection)
  const json = { id, title, mimeType: FOLDER_TYPE, parents: [{ id: parent }] }
  const query = { fields: FILE_FIELDS, ...ALL_DRIVES }
  // 409 after a retry: an earlier attempt already created it
  const made = {
    method: 'POST',
    path: '/drive/v2/files',
    query,
    json,
    headers: TITLE_FREE,
    answers: [409],
  } as const
  const { status, body } = await connection.send(made)
  return status === 409 ? getFile(connection, id) : readFile(body)
}

export interface FileChange {
  readonly title?: string
  /** Public properties to change; others are unchanged. */
  readonly properties?: Readonly<Record<string, string>>
}

/**
 * Changes a file unless it was changed meanwhile; its modification time is kept.
 * @throws {HlaError} io — it was changed
 */
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

/** Properties in the form of a request. */
export function publicProperties(
  properties: Readonly<Record<string, string>>,
): readonly Readonly<Record<string, string>>[] {
  return Object.entries(properties).map(([key, value]) => ({ key, value, visibility: 'PUBLIC' }))
}

/** Removes a public property; a missing one is ignored. */
export async function removeProperty({ send }: DriveConnection, id: string, key: string): Promise<void> {
  const query = { visibility: 'PUBLIC' }
  await send({ method: 'DELETE', path: filePath(id, 'properties', key), query, answers: [404] })
}

export async function trashFile(
  { send }: DriveConnection,
  id: string,
  headers: Readonly<Record<string, string>> = {},
): Promise<void> {
  const query = { fields: 'id', ...ALL_DRIVES }
  await send({ method: 'POST', path: filePath(id, 'trash'), query, headers })
}

/** A file, and where it was found. */
export interface FoundFile {
  readonly file: DriveFile
  /** Undefined for a path that is an id. */
  readonly folder: string | undefined
  readonly path: NamedPath
}

/**
 * Takes a file out of a folder, or moves it to the trash if that is its only one.
 * @throws {HlaError} io — it was changed, or has left the path
 */
export async function removeFromFolder(
  connection: DriveConnection,
  { file: { id, etag, parents }, folder, path }: FoundFile,
): Promise<void> {
  const headers = { 'if-match': etag, ...ifAtPath(path) }
  if (folder === undefined || !parents.includes(folder) || parents.length === 1)
    return trashFile(connection, id, headers)
  const query = { fields: 'id', modifiedDateBehavior: 'noChange', removeParents: folder, ...ALL_DRIVES }
  await connection.send({ method: 'PATCH', path: filePath(id), query, json: {}, headers })
}

/** Moves an empty folder to the trash. @returns false if something is in it, or it has left the path */
export async function trashEmptyFolder(
  connection: DriveConnection,
  id: string,
  path: NamedPath,
): Promise<boolean> {
  try {
    await trashFile(connection, id, ifAtPath(path, 'empty'))
    return true
  } catch (error) {
    if (isOwnCondition(error)) return false
    throw error
  }
}

/** Restores a file from the trash; parent folders in the trash stay there. */
export async function untrashFile({ send }: DriveConnection, id: string): Promise<void> {
  await send({ method: 'POST', path: filePath(id, 'untrash'), query: { fields: 'id', ...ALL_DRIVES } })
}

/** Deletes everything in the caller's own trash permanently. */
export async function emptyTrash({ send }: DriveConnection): Promise<void> {
  await send({ method: 'DELETE', path: filePath('trash') })
}

export interface Move {
  /** New title; undefined keeps the current one. */
  readonly title: string | undefined
  /** Id of the folder. */
  readonly parent: string
  /** Id of the folder that the file leaves; it stays in others. */
  readonly from: string
}

/**
 * Moves a file unless it was changed meanwhile.
 * @throws {HlaError} io — it was changed, its title is taken there (`isTitleTaken`), or the move is not allowed
 */
export async function moveFile(
  { send }: DriveConnection,
  { id, etag }: DriveFile,
  { title, parent, from }: Move,
): Promise<DriveFile> {
  const moves = from === parent ? {} : { addParents: parent, removeParents: from }
  const query = { fields: FILE_FIELDS, modifiedDateBehavior: 'noChange', ...moves, ...ALL_DRIVES }
  const json = title === undefined ? {} : { title }
  const headers = { 'if-match': etag, ...TITLE_FREE }
  const { body } = await send({ method: 'PATCH', path: filePath(id), query, json, headers })
  return readFile(body)
}

export interface Copy {
  readonly title: string
  /** Id of the folder. */
  readonly parent: string
  /** Converts the copy to a document. */
  readonly isConverted?: boolean
}

/** Time limit in ms: the store reads the whole table to convert it. */
const CONVERSION_TIMEOUT_MS = 120_000

export async function copyFile(
  connection: DriveConnection,
  file: string,
  { title, parent, isConverted }: Copy,
): Promise<void> {
  const id = await newFileId(connection)
  const json = { id, title, parents: [{ id: parent }] }
  // 409 after a retry: an earlier attempt already made the copy
  const path = filePath(file, 'copy')
  const asked = { method: 'POST', path, json, headers: TITLE_FREE, answers: [409] } as const
  const query = { fields: 'id', ...ALL_DRIVES }
  if (isConverted !== true) return void (await connection.send({ ...asked, query }))
  const converted = { ...query, convert: true }
  await connection.send({ ...asked, query: converted, patience: CONVERSION_TIMEOUT_MS })
}

/** Deletes a file permanently. @throws {HlaError} io — it has left the path */
export async function deleteFile(
  { send }: DriveConnection,
  { file: { id }, path }: Pick<FoundFile, 'file' | 'path'>,
): Promise<void> {
  await send({ method: 'DELETE', path: filePath(id), query: ALL_DRIVES, headers: ifAtPath(path) })
}

/** Revisions of a file, oldest first. */
export async function listRevisions(connection: DriveConnection, id: string): Promise<DriveRevision[]> {
  const revisions: DriveRevision[] = []
  const fields =
    'nextPageToken,items(id,modifiedDate,lastModifyingUser(emailAddress,displayName),fileSize,md5Checksum,pinned)'
  const query = { fields, maxResults: 1000 }
  for await (const { items } of listPages(connection, filePath(id, 'revisions'), query))
    revisions.push(...asList(items).map(readRevision))
  return revisions
}

/** @throws {HlaError} not-found, io — revisions require write access to the file */
export async function getRevision(
  { send }: DriveConnection,
  id: string,
  revision: string,
): Promise<DriveRevision> {
  const { body } = await send({ method: 'GET', path: filePath(id, 'revisions', revision) })
  return readRevision(body)
}
