/**
 * Resolves user-written paths to files of the store: `/folder/name`, an id, or an id followed by names.  [network]
 */
import { HlaError } from '../../errors.ts'
import type { DriveConnection } from './connection.ts'
import { type FoundFile, findFiles, getFile, isTitleTaken, makeFolder, quoted } from './files.ts'
import type { NamedPath } from '../contract/failure.ts'
import type { DriveFile } from './resource.ts'

export interface DrivePath extends NamedPath {
  /** Path as given. */
  readonly text: string
  /** True for a path that ends with a slash, which means a folder. */
  readonly isFolder: boolean
}

/** @throws {HlaError} usage — not a path or an id */
export function parseDrivePath(text: string): DrivePath {
  const slash = text.indexOf('/')
  const base = slash < 0 ? text : text.slice(0, slash)
  if (text === '' || (base !== '' && !/^(?:root|[\w-]{10,})$/.test(base)))
    throw new HlaError('usage', `${JSON.stringify(text)} is neither a path in the store nor an id`, {
      offending: text,
      hint: `paths begin with a slash: /${text}`,
    })
  const names =
    slash < 0
      ? []
      : text
          .slice(slash + 1)
          .split('/')
          .filter((name) => name !== '')
  return { text, base: base === '' ? 'root' : base, names, isFolder: text.endsWith('/') }
}

/**
 * Returns undefined for a missing file.
 * @throws {HlaError} not-found — a missing folder on the way; usage — several files have the name
 */
export async function findPath(connection: DriveConnection, path: DrivePath): Promise<DriveFile | undefined> {
  return (await findInFolder(connection, path))?.file
}

async function findInFolder(connection: DriveConnection, path: DrivePath): Promise<FoundFile | undefined> {
  const above = path.names.slice(0, -1)
  const [name] = path.names.slice(-1)
  if (name === undefined) return { file: await getFile(connection, path.base), folder: undefined, path }
  const parent = await folderAt(connection, { ...path, names: above })
  const found = await titled(connection, parent.id, name)
  const file = one(path.isFolder ? found.filter(({ isFolder }) => isFolder) : found, path.text)
  return file === undefined ? undefined : { file, folder: parent.id, path }
}

/** @throws {HlaError} not-found, usage */
export async function fileInFolder(connection: DriveConnection, path: DrivePath): Promise<FoundFile> {
  const found = await findInFolder(connection, path)
  if (found === undefined) throw pathNotFound(path.text)
  return found
}

/** @throws {HlaError} not-found, usage */
export async function filePath(connection: DriveConnection, path: DrivePath): Promise<DriveFile> {
  return (await fileInFolder(connection, path)).file
}

/** Folder at the end of the path. `isMaking` creates missing folders. */
export async function folderAt(
  connection: DriveConnection,
  { base, names, text }: Pick<DrivePath, 'base' | 'names' | 'text'>,
  isMaking = false,
): Promise<DriveFile> {
  let folder = await getFile(connection, base)
  if (!folder.isFolder) throw noFolder(base)
  for (const [at, name] of names.entries()) {
    const where = `/${names.slice(0, at + 1).join('/')}`
    const next = await findChild(connection, folder.id, { name, where })
    if (next === undefined && !isMaking) throw pathNotFound(where, text)
    folder = next ?? (await makeOrFind(connection, folder.id, { name, where }))
  }
  return folder
}

interface ChildName {
  readonly name: string
  /** Path, for messages. */
  readonly where: string
}

/** @throws {HlaError} not-found — it is a file; usage — several folders have the name */
async function findChild(
  connection: DriveConnection,
  folder: string,
  { name, where }: ChildName,
): Promise<DriveFile | undefined> {
  const found = await titled(connection, folder, name)
  const folders = found.filter(({ isFolder }) => isFolder)
  if (folders.length === 0 && found.length > 0) throw noFolder(where)
  return one(folders, where)
}

/** Makes a folder, or finds the one that another program has made meanwhile. */
export async function makeOrFind(
  connection: DriveConnection,
  folder: string,
  child: ChildName,
): Promise<DriveFile> {
  try {
    return await makeFolder(connection, child.name, folder)
  } catch (error) {
    const found = isTitleTaken(error) ? await findChild(connection, folder, child) : undefined
    if (found === undefined) throw error
    return found
  }
}

export function pathNotFound(path: string, whole = path): HlaError {
  return new HlaError('not-found', `there is no ${path} in the store`, { offending: whole })
}

function noFolder(path: string): HlaError {
  return new HlaError('not-found', `${path} is a file, not a folder`, { offending: path })
}

/** Children of a folder, except those in the trash. */
export function listChildren(connection: DriveConnection, folder: string): AsyncGenerator<DriveFile> {
  const q = `${quoted(folder)} in parents and trashed = false`
  return findFiles(connection, { q, orderBy: 'folder,title_natural' })
}

/** Children with exactly this name: the search ignores case, paths do not. */
async function titled(connection: DriveConnection, folder: string, name: string): Promise<DriveFile[]> {
  const q = `${quoted(folder)} in parents and title = ${quoted(name)} and trashed = false`
  const found: DriveFile[] = []
  for await (const file of findFiles(connection, { q })) if (file.title === name) found.push(file)
  return found
}

/** @throws {HlaError} usage — the name is ambiguous */
function one(files: readonly DriveFile[], path: string): DriveFile | undefined {
  if (files.length <= 1) return files[0]
  const ids = files.map(({ id, modified, isFolder }) => `${id}  ${modified}${isFolder ? '  folder' : ''}`)
  throw new HlaError('usage', `${files.length} files are called ${path}: give the id of one`, {
    offending: path,
    hint: ids.join('\n'),
  })
}
