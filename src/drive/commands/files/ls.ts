/** `hla drive ls`: lists folders of the store.  [network] */
import type { DriveConnection } from '../../client/connection.ts'
import { listChildren, filePath, folderAt, pathNotFound, parseDrivePath } from '../../client/paths.ts'
import type { DriveFile } from '../../client/resource.ts'
import { globTest, isGlob } from '../../../glob.ts'
import type { ListOptions } from '../options/file-options.ts'
import { printRows } from '../print.ts'
import { writeOut } from '../../../io/stdout.ts'
import { withDrive } from './connect.ts'
import { shownTitle } from './shown-title.ts'

/** @throws {HlaError} not-found, usage, remote */
export function lsCommand(paths: readonly string[], options: ListOptions): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    for (const path of paths.length === 0 ? ['/'] : paths)
      printFiles(await itemsAt(connection, path), options)
  })
}

async function itemsAt(connection: DriveConnection, text: string): Promise<DriveFile[]> {
  const path = parseDrivePath(text)
  const [last = ''] = path.names.slice(-1)
  if (!isGlob(last, TITLE_GLOBS)) {
    const file = await filePath(connection, path)
    return file.isFolder ? all(listChildren(connection, file.id)) : [file]
  }
  const parent = await folderAt(connection, { ...path, names: path.names.slice(0, -1) })
  const fits = globTest(last, TITLE_GLOBS)
  const found = (await all(listChildren(connection, parent.id))).filter(({ title }) => fits(title))
  if (found.length === 0) throw pathNotFound(text)
  return found
}

const TITLE_GLOBS = { choices: true }

async function all(files: AsyncGenerator<DriveFile>): Promise<DriveFile[]> {
  const found: DriveFile[] = []
  for await (const file of files) found.push(file)
  return found
}

export function printFiles(files: readonly DriveFile[], { long, json }: ListOptions): void {
  if (json === true) return printRows(files.map(fileRecord), { json })
  if (long !== true) return writeOut(files.map((file) => `${shownName(file)}\n`).join(''))
  printRows(
    files.map((file) => ({
      id: file.id,
      size: file.size,
      modified: file.modified,
      by: shownTitle(file.modifiedBy),
      title: shownName(file),
    })),
    {},
  )
}

function shownName({ title, isFolder }: DriveFile): string {
  return `${shownTitle(title)}${isFolder ? '/' : ''}`
}

function fileRecord({ id, title, mimeType, size, md5, modified, created, revision, modifiedBy }: DriveFile) {
  return { id, title, mimeType, size, md5, modified, created, revision, modifiedBy }
}
