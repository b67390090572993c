/** Resolves a destination in the store: an existing folder, or an unused name.  [network] */
import type { DriveConnection } from '../../client/connection.ts'
import { isTitleTaken } from '../../client/files.ts'
import { findPath, folderAt, parseDrivePath } from '../../client/paths.ts'
import type { DriveFile } from '../../client/resource.ts'
import { HlaError } from '../../../errors.ts'
import { shownTitle } from './shown-title.ts'

export interface Destination {
  /** Id of the folder. */
  readonly parent: string
  /** New title; undefined keeps the current one. */
  readonly title: string | undefined
}

/** @throws {HlaError} not-found — a missing folder; usage — several files for one name */
export async function findDestination(
  connection: DriveConnection,
  text: string,
  isMany: boolean,
): Promise<Destination> {
  const path = parseDrivePath(text)
  const found = path.isFolder ? await folderAt(connection, path) : await findPath(connection, path)
  if (found?.isFolder === true) return { parent: found.id, title: undefined }
  if (isMany) throw new HlaError('usage', `${text} is not a folder`, { offending: text })
  const title = path.names.at(-1)
  if (found !== undefined || title === undefined) throw taken(text)
  const parent = await folderAt(connection, { ...path, names: path.names.slice(0, -1) })
  return { parent: parent.id, title }
}

/**
 * Refuses a name in use before anything is changed: the store allows duplicates, but paths to them are ambiguous.
 * @throws {HlaError} usage
 */
export async function requireFreeName(
  connection: DriveConnection,
  { parent, title }: { readonly parent: string; readonly title: string },
  itself?: DriveFile,
): Promise<void> {
  const path = { text: title, base: parent, names: [title], isFolder: false }
  const found = await findPath(connection, path)
  if (found !== undefined && found.id !== itself?.id) throw taken(shownTitle(title))
}

/** Runs a change of the store that claims the title. @throws {HlaError} usage — another program has taken it meanwhile */
export async function claiming<Result>(title: string, change: () => Promise<Result>): Promise<Result> {
  try {
    return await change()
  } catch (error) {
    throw isTitleTaken(error) ? taken(shownTitle(title)) : error
  }
}

function taken(name: string): HlaError {
  return new HlaError('usage', `there is a ${name} already; existing files are not overwritten`, {
    offending: name,
  })
}
