/** `hla drive log`: revisions of a file, newest first.  [network] */
import { listRevisions } from '../../files.ts'
import { filePath, parseDrivePath } from '../../paths.ts'
import type { ListOptions } from '../options/file-options.ts'
import { printRows } from '../print.ts'
import { EXIT } from '../../../../io/exit-status.ts'
import { withDrive } from './connect.ts'
import { shownTitle } from './shown-title.ts'

/** @throws {HlaError} not-found, usage, io — a folder, which has no revisions; remote */
export function logCommand(path: string, options: ListOptions): Promise<number> {
  return withDrive(options, async ({ connection }) => {
    const { id } = await filePath(connection, parseDrivePath(path))
    const revisions = await listRevisions(connection, id)
    const rows = revisions
      .toReversed()
      .map(({ id: revision, modified, modifiedBy, size, md5, isPinned }) => ({
        revision,
        date: modified,
        by: shownTitle(modifiedBy),
        size,
        md5,
        pinned: isPinned,
      }))
    printRows(rows, options)
    return EXIT.ok
  })
}
