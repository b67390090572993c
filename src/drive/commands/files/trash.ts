/** `hla drive trash`, `untrash` and `empty-trash`.  [network] */
import type { DriveConnection } from '../../client/connection.ts'
import { emptyTrash, findFiles, getFile, quoted, removeFromFolder, untrashFile } from '../../client/files.ts'
import { folderAt, parseDrivePath, fileInFolder } from '../../client/paths.ts'
import type { DriveFile } from '../../client/resource.ts'
import { HlaError } from '../../../errors.ts'
import type { DriveFlags } from '../options/connection-options.ts'
import type { ListOptions } from '../options/file-options.ts'
import { withDrive } from './connect.ts'
import { printFiles } from './ls.ts'
import { shownTitle } from './shown-title.ts'

/** Without a path, lists the trash. @throws {HlaError} not-found, usage, io, remote */
export function trashCommand(paths: readonly string[], options: ListOptions): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    if (paths.length === 0) printFiles(await inTrash(connection, 'trashed = true'), options)
    const files = []
    for (const path of paths) files.push(await fileInFolder(connection, parseDrivePath(path)))
    for (const found of files) await removeFromFolder(connection, found)
  })
}

/** Finds files by their former path, or by id. @throws {HlaError} not-found, usage, io, remote */
export function untrashCommand(paths: readonly string[], options: DriveFlags): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    const files = []
    for (const path of paths) files.push(await trashedAt(connection, path))
    for (const { id } of files) await untrashFile(connection, id)
  })
}

/** Deletes the trash permanently. @throws {HlaError} io, remote */
export function emptyTrashCommand(options: DriveFlags): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    await emptyTrash(connection)
  })
}

/** Lists the trash without the contents of trashed folders. */
async function inTrash(connection: DriveConnection, q: string): Promise<DriveFile[]> {
  const found: DriveFile[] = []
  for await (const file of findFiles(connection, { q })) if (file.isExplicitlyTrashed) found.push(file)
  return found
}

async function trashedAt(connection: DriveConnection, text: string): Promise<DriveFile> {
  const path = parseDrivePath(text)
  const title = path.names.at(-1)
  if (title === undefined) return getFile(connection, path.base)
  const parent = await folderAt(connection, { ...path, names: path.names.slice(0, -1) })
  const q = `${quoted(parent.id)} in parents and title = ${quoted(title)} and trashed = true`
  const found = (await inTrash(connection, q)).filter((file) => file.title === title)
  const [file, ...others] = found
  if (file === undefined)
    throw new HlaError('not-found', `there is no ${shownTitle(text)} in the trash`, { offending: text })
  if (others.length === 0) return file
  throw new HlaError(
    'usage',
    `${found.length} files in the trash were ${shownTitle(text)}: give the id of one`,
    {
      offending: text,
      hint: found.map(({ id, modified }) => `${id}  ${modified}`).join('\n'),
    },
  )
}
