/** What a watch says about a table, on the table: once for each revision and command.  [network] */
import { isRefusal } from '../../../client/drive/failure.ts'
import { comment, commentsOn } from '../../../client/drive/comments.ts'
import type { DriveFile } from '../../../client/drive/resource.ts'
import type { HlaError } from '../../../errors.ts'
import { shownTitle } from '../files/shown-title.ts'
import { tell } from '../../../io/stdout.ts'
import { presentFile } from './made-files.ts'
import { isMade } from './marks.ts'
import type { FolderWatch } from './watching.ts'

/** `failed`: there is no output; `cells`: there is one, with gaps; `empty`: there is nothing to convert. */
type Kind = 'failed' | 'cells' | 'empty'

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

function complainAboutEmpty(watching: FolderWatch, source: DriveFile): Promise<void> {
  const lines = ['this table has no content (0 bytes): hla converts it when it has']
  return complain(watching, source, 'empty', lines)
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

/** ms in which content may still come: many programs make a file first, and give it content afterwards. */
const PATIENCE = 60_000

/** More are not remembered at once. */
const MOST = 1000

/** A table without a byte. */
export function isEmptyTable(watching: FolderWatch, file: DriveFile): boolean {
  const isEmpty = !file.isFolder && file.size === 0 && !file.isTrashed && !isMade(file)
  return isEmpty && watching.fits(file.title) && watching.isSure(file.title)
}

export function rememberEmpty({ state }: FolderWatch, { id, revision = '' }: DriveFile): void {
  const { empty = {} } = state.now()
  if (Object.keys(empty).length < MOST) state.change({ empty: { ...empty, [id]: revision } })
}

/** Of those that are still empty, once for each revision. */
export async function tellOfEmpty(watching: FolderWatch): Promise<void> {
  const { empty = {} } = watching.state.now()
  const left = new Map(Object.entries(empty))
  for (const [id, revision] of Object.entries(empty)) {
    const file = await presentFile(watching, id)
    const isSame = file?.size === 0 && (file.revision ?? '') === revision
    if (isSame && Date.now() - Date.parse(file.modified) < PATIENCE) continue
    if (isSame) await complainAboutEmpty(watching, file)
    left.delete(id)
  }
  const rest = left.size === 0 ? undefined : Object.fromEntries(left)
  if (left.size !== Object.keys(empty).length) watching.state.change({ empty: rest })
}
