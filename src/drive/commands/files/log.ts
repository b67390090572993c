/** `hla drive log`: revisions of a file, or accesses to it, newest first.  [network] */
import { type FileAccesses, listAccesses } from '../../client/accesses.ts'
import type { DriveConnection } from '../../client/connection.ts'
import { listRevisions } from '../../client/files.ts'
import { filePath, parseDrivePath } from '../../client/paths.ts'
import type { LogOptions } from '../options/file-options.ts'
import { type Cell, printRows } from '../print.ts'
import { tell } from '../../../io/stdout.ts'
import { formatNote } from '../../../cli/messages.ts'
import { withDrive } from './connect.ts'
import { shownTitle } from './shown-title.ts'

/** @throws {HlaError} not-found, usage, io — a folder, which has no revisions; remote */
export function logCommand(path: string, options: LogOptions): Promise<void> {
  return withDrive(options, async ({ connection }) => {
    const { id } = await filePath(connection, parseDrivePath(path))
    printRows(await (options.reads === true ? accessRows : revisionRows)(connection, id), options)
  })
}

type Row = Readonly<Record<string, Cell>>

async function revisionRows(connection: DriveConnection, id: string): Promise<Row[]> {
  const revisions = await listRevisions(connection, id)
  return revisions.toReversed().map(({ id: revision, modified, modifiedBy, size, md5, isPinned }) => ({
    revision,
    date: modified,
    by: shownTitle(modifiedBy),
    size,
    md5,
    pinned: isPinned,
  }))
}

async function accessRows(connection: DriveConnection, id: string): Promise<Row[]> {
  const found = await listAccesses(connection, id)
  for (const { code, message } of gaps(found)) tell(formatNote({ level: 'warning', code, message }))
  return found.accesses.map(({ date, action, method, user, client, token, link, times }) => ({
    date,
    action,
    by: shownTitle(user === '' ? 'anyone' : user),
    program: client || undefined,
    token: token || undefined,
    link: link || undefined,
    method,
    times,
  }))
}

/** Warnings about accesses that the answer lacks. */
function gaps({ damaged, lost }: FileAccesses) {
  return [
    ...(damaged > 0
      ? [{ code: 'damaged-record', message: `unreadable lines in the access log: ${damaged}` }]
      : []),
    ...(lost > 0 ? [{ code: 'lost-accesses', message: `accesses missing from the log: ${lost}` }] : []),
  ]
}
