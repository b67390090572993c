/**
 * `hla drive rm`: moves files to the trash, or deletes them permanently. A path names a file in one folder: in other
 * folders it stays.  [network]
 */
import { deleteFile, removeFromFolder } from '../../client/files.ts'
import { parseDrivePath, fileInFolder } from '../../client/paths.ts'
import { HlaError } from '../../../errors.ts'
import type { RemoveOptions } from '../options/file-options.ts'
import { withDrive } from './connect.ts'

/** Resolves every path before the first removal. @throws {HlaError} not-found, usage, io, remote */
export function rmCommand(paths: readonly string[], options: RemoveOptions): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    const files = []
    for (const path of paths) {
      const found = await fileInFolder(connection, parseDrivePath(path))
      const { file, folder } = found
      if (options.forever === true && folder !== undefined && file.parents.length > 1)
        throw new HlaError('usage', `${path} is in ${file.parents.length} folders`, {
          offending: path,
          hint: `without --forever it is taken out of this one; hla drive rm --forever ${file.id} deletes it from all`,
        })
      if (file.isFolder && options.recursive !== true)
        throw new HlaError('usage', `${path} is a folder`, {
          offending: path,
          hint: '-R removes it and everything in it',
        })
      files.push(found)
    }
    for (const found of files)
      await (options.forever === true ? deleteFile(connection, found) : removeFromFolder(connection, found))
  })
}
