/** `hla drive rm`: moves files to the trash, or deletes them permanently.  [network] */
import { deleteFile, trashFile } from '../../files.ts'
import { filePath, parseDrivePath } from '../../paths.ts'
import { HlaError } from '../../../../errors.ts'
import type { RemoveOptions } from '../options/file-options.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { withDrive } from './connect.ts'

/** Resolves every path before the first removal. @throws {HlaError} not-found, usage, io, remote */
export function rmCommand(paths: readonly string[], options: RemoveOptions): Promise<number> {
  return withDrive(options, async ({ connection }) => {
    const files = []
    for (const path of paths) {
      const file = await filePath(connection, parseDrivePath(path))
      if (file.isFolder && options.recursive !== true)
        throw new HlaError('usage', `${path} is a folder`, {
          offending: path,
          hint: '-R removes it and everything in it',
        })
      files.push(file)
    }
    for (const { id } of files)
      await (options.forever === true ? deleteFile(connection, id) : trashFile(connection, id))
    return EXIT.ok
  })
}
