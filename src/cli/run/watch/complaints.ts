/** What a watch says about a table, on the table: once for each revision and command.  [network] */
import { isRefusal } from '../../../client/drive/failure.ts'
import { comment, commentsOn } from '../../../client/drive/comments.ts'
import type { DriveFile } from '../../../client/drive/resource.ts'
import type { HlaError } from '../../../errors.ts'
import { shownTitle } from '../files/shown-title.ts'
import { tell } from '../../../io/stdout.ts'
import type { FolderWatch } from './watching.ts'

/** `failed`: there is no output; `cells`: there is one, with gaps. */
type Kind = 'failed' | 'cells'

/** It was tried, in vain: the same would come of it again. */
export function hasFailed(watching: FolderWatch, source: DriveFile): Promise<boolean> {
  return isSaid(watching, source, 'failed')
}

export function complainAboutTable(watching: FolderWatch, source: DriveFile, error: HlaError): Promise<void> {
  const { message, code, hint } = error
  const lines = [
    `hla could not convert this table: ${message} [${code}]`,
    ...(hint === undefined ? [] : [hint]),
  ]
  return complain(watching, source, 'failed', lines)
}

export function complainAboutCells(
  watching: FolderWatch,
  source: DriveFile,
  lines: readonly string[],
): Promise<void> {
  return complain(watching, source, 'cells', lines)
}

async function complain(
  watching: FolderWatch,
  source: DriveFile,
  kind: Kind,
  lines: readonly string[],
): Promise<void> {
  if (await isSaid(watching, source, kind)) return
  const text = [...lines, complaintKey(watching, source, kind)].join('\n')
  try {
    await comment(watching.drive.connection, source.id, text)
  } catch (error) {
    if (!isRefusal(error, 403)) throw error
    // who may only read is heard here alone
    tell(`hla: note: ${shownTitle(source.title)} takes no comments of ours [comment]\n`)
  }
}

async function isSaid(watching: FolderWatch, source: DriveFile, kind: Kind): Promise<boolean> {
  const sign = complaintKey(watching, source, kind)
  for await (const text of commentsOn(watching.drive.connection, source.id))
    if (text.endsWith(sign)) return true
  return false
}

/** The last line. */
function complaintKey({ command }: FolderWatch, { revision = '' }: DriveFile, kind: Kind): string {
  return `(hla drive watch ${command}: ${kind}, revision ${revision})`
}
