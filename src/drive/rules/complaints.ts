/** Comments of a rule on a table, one per revision and command.  [network] */
import { adviceText } from '../../advice.ts'
import { isRefusal } from '../client/failure.ts'
import { comment, commentsOn } from '../client/comments.ts'
import type { DriveFile } from '../client/resource.ts'
import type { HlaError } from '../../errors.ts'
import { shownTitle } from '../commands/files/shown-title.ts'
import { tell } from '../../io/stdout.ts'
import { presentFile } from './made-files.ts'
import { isRuleOutput } from './marks.ts'
import type { FolderRule } from './folder-rule.ts'

/** `failed`: no output; `cells`: an output with gaps; `empty`: nothing to convert. */
type Kind = 'failed' | 'cells' | 'empty'

/** True when this revision failed before: a retry would fail the same way. */
export function hasFailed(folderRule: FolderRule, source: DriveFile): Promise<boolean> {
  return isSaid(folderRule, source, 'failed')
}

export function complainAboutTable(
  folderRule: FolderRule,
  source: DriveFile,
  error: HlaError,
): Promise<void> {
  const { message, code } = error
  const hint = adviceText(error.hint, 'command-line')
  const lines = [
    `hla could not convert this table: ${message} [${code}]`,
    ...(hint === undefined ? [] : [hint]),
  ]
  return complain(folderRule, source, 'failed', lines)
}

export function complainAboutCells(
  folderRule: FolderRule,
  source: DriveFile,
  lines: readonly string[],
): Promise<void> {
  return complain(folderRule, source, 'cells', lines)
}

function complainAboutEmpty(folderRule: FolderRule, source: DriveFile): Promise<void> {
  const lines = ['this table is empty (0 bytes): hla converts it as soon as it has content']
  return complain(folderRule, source, 'empty', lines)
}

async function complain(
  folderRule: FolderRule,
  source: DriveFile,
  kind: Kind,
  lines: readonly string[],
): Promise<void> {
  if (await isSaid(folderRule, source, kind)) return
  const text = [...lines, complaintKey(folderRule, source, kind)].join('\n')
  try {
    await comment(folderRule.drive.connection, source.id, text)
  } catch (error) {
    if (!isRefusal(error, 403)) throw error
    // the maker may only read the table: report it here instead
    tell(`hla: note: ${shownTitle(source.title)} does not accept comments from the rule's owner [comment]\n`)
  }
}

async function isSaid(folderRule: FolderRule, source: DriveFile, kind: Kind): Promise<boolean> {
  const sign = complaintKey(folderRule, source, kind)
  for await (const text of commentsOn(folderRule.drive.connection, source.id))
    if (text.endsWith(sign)) return true
  return false
}

/** Last line of a comment, which identifies it. */
function complaintKey({ command }: FolderRule, { revision = '' }: DriveFile, kind: Kind): string {
  return `(hla rule ${command}: ${kind}, revision ${revision})`
}

/** Time in ms to wait for content: many programs create a file first and fill it later. */
const PATIENCE = 60_000

/** Maximum number of empty tables to remember. */
const MOST = 1000

/** True for a table of zero bytes. */
export function isEmptyTable(folderRule: FolderRule, file: DriveFile): boolean {
  const isEmpty = !file.isFolder && file.size === 0 && !file.isTrashed && !isRuleOutput(file)
  return isEmpty && folderRule.fits(file.title) && folderRule.isSure(file.title)
}

export function rememberEmpty({ state }: FolderRule, { id, revision = '' }: DriveFile): void {
  const { empty = {} } = state.now()
  if (Object.keys(empty).length < MOST) state.change({ empty: { ...empty, [id]: revision } })
}

/** Comments on tables that are still empty, once per revision. */
export async function commentOnEmpty(folderRule: FolderRule): Promise<void> {
  const { empty = {} } = folderRule.state.now()
  const left = new Map(Object.entries(empty))
  for (const [id, revision] of Object.entries(empty)) {
    const file = await presentFile(folderRule, id)
    const isSame = file?.size === 0 && (file.revision ?? '') === revision
    if (isSame && Date.now() - Date.parse(file.modified) < PATIENCE) continue
    if (isSame) await complainAboutEmpty(folderRule, file)
    left.delete(id)
  }
  const rest = left.size === 0 ? undefined : Object.fromEntries(left)
  if (left.size !== Object.keys(empty).length) folderRule.state.change({ empty: rest })
}
