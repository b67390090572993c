/** `hla drive mkdir`: creates folders in a store.  [network] */
import { makeFolder } from '../../client/files.ts'
import { folderAt, parseDrivePath } from '../../client/paths.ts'
import { HlaError } from '../../../errors.ts'
import type { MakeFolderOptions } from '../options/file-options.ts'
import { withDrive } from './connect.ts'
import { claiming } from './destination.ts'

/** @throws {HlaError} not-found, usage — the folder exists; io, remote */
export function mkdirCommand(paths: readonly string[], options: MakeFolderOptions): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    for (const text of paths) {
      const path = parseDrivePath(text)
      const title = path.names.at(-1)
      if (title === undefined) throw new HlaError('usage', `${text} exists already`, { offending: text })
      if (options.parents === true) {
        await folderAt(connection, path, true)
        continue
      }
      const parent = await folderAt(connection, { ...path, names: path.names.slice(0, -1) })
      await claiming(title, () => makeFolder(connection, title, parent.id))
    }
  })
}
