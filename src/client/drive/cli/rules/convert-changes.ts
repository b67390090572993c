/** Follows the feed of changes of a store, and converts each new or changed table of a rule's folders once.  [network] */
import { changesFrom, feedEnd } from '../../changes.ts'
import type { DriveFile } from '../../resource.ts'
import { type HlaError, isHlaError } from '../../../../errors.ts'
import { shownTitle } from '../files/shown-title.ts'
import { tell } from '../../../../io/stdout.ts'
import { convertOne } from './convert-one.ts'
import { isMade } from './marks.ts'
import { isEmptyTable, rememberEmpty, tellOfEmpty } from './complaints.ts'
import { type RuleFolders, ruleFolders } from './rule-folders.ts'
import type { FolderRule } from './folder-rule.ts'

interface Seen {
  /** The last refusal of the store: its table is tried again by the next call, and the others do not wait for it. */
  heldUp: HlaError | undefined
}

/** Converts each new or changed table since the last call; the first call looks at every table that is there. @throws {HlaError} remote, io */
export async function convertChanges(folderRule: FolderRule): Promise<Seen> {
  const { drive, state } = folderRule
  const folders = ruleFolders(folderRule)
  const seen: Seen = { heldUp: undefined }
  // what was refused is behind the place that is kept
  const keep = (pageToken: string) => seen.heldUp === undefined && state.change({ pageToken })
  let from = state.now().pageToken
  if (from === undefined) {
    // what happens meanwhile is behind it
    from = await feedEnd(drive.connection)
    await convertAll(folders, folders.all(), seen)
    keep(from)
  }
  for (let isLast = false; !isLast;) {
    const page = await changesFrom(drive.connection, from)
    await convertAll(folders, folders.withNew(page.files), seen)
    keep(page.next)
    ;({ isLast, next: from } = page)
  }
  await tellOfEmpty(folderRule)
  return seen
}

async function convertAll(
  folders: RuleFolders,
  files: Iterable<DriveFile> | AsyncIterable<DriveFile>,
  seen: Seen,
): Promise<void> {
  for await (const file of files) {
    if (!isWanted(file)) {
      await noteIfEmpty(folders, file)
      continue
    }
    const folderRule = await folders.ruleOver(file)
    if (folderRule?.fits(file.title) !== true) continue
    try {
      folderRule.told?.({ begun: file })
      const outcome = await convertOne(folderRule, file)
      folderRule.told?.({ outcome })
    } catch (error) {
      if (!isRefused(error)) throw error
      tell(`hla: ${shownTitle(file.title)} has to wait\n`)
      seen.heldUp = error
    }
  }
}

async function noteIfEmpty(folders: RuleFolders, file: DriveFile): Promise<void> {
  if (file.size !== 0 || file.isTrashed) return
  const folderRule = await folders.ruleOver(file)
  if (folderRule !== undefined && isEmptyTable(folderRule, file)) rememberEmpty(folderRule, file)
}

function isWanted(file: DriveFile): boolean {
  // many programs make a file first, and give it content afterwards
  const hasContent = file.isDocument || (file.revision !== undefined && file.size !== 0)
  return hasContent && !file.isTrashed && !isMade(file)
}

/** The store answers, and does not want this. */
function isRefused(error: unknown): error is HlaError {
  return isHlaError(error) && error.code !== 'remote' && error.facts?.['status'] !== undefined
}
