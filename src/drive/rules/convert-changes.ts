/** Follows the change feed of a store, and converts each new or changed table in a rule's folders once.  [network] */
import { fetchChanges, fetchFeedEnd } from '../client/changes.ts'
import type { DriveFile } from '../client/resource.ts'
import { type HlaError, isHlaError } from '../../errors.ts'
import { shownTitle } from '../commands/files/shown-title.ts'
import { tell } from '../../io/stdout.ts'
import { convertOne } from './convert-one.ts'
import { isRuleOutput } from './marks.ts'
import { isEmptyTable, rememberEmpty, commentOnEmpty } from './complaints.ts'
import type { FolderRule } from './folder-rule.ts'
import { isRefusal } from '../client/failure.ts'
import { getFile } from '../client/files.ts'
import { listChildren } from '../client/paths.ts'

interface Seen {
  /** Last refusal of the store. The next call retries that table; the others do not wait for it. */
  heldUp: HlaError | undefined
}

/**
 * Converts each table that is new or changed since the last call; the first call checks every existing table.
 * @throws {HlaError} remote, io
 */
export async function convertChanges(folderRule: FolderRule): Promise<Seen> {
  const { drive, state } = folderRule
  const folders = ruleFolders(folderRule)
  const seen: Seen = { heldUp: undefined }
  // after a refusal the old position is kept, so that the table comes up again
  const keep = (pageToken: string) => seen.heldUp === undefined && state.change({ pageToken })
  let from = state.now().pageToken
  if (from === undefined) {
    // the token is fetched first, so that changes made meanwhile come after it
    from = await fetchFeedEnd(drive.connection)
    await convertAll(folders, folders.all(), seen)
    keep(from)
  }
  for (let isLast = false; !isLast;) {
    const page = await fetchChanges(drive.connection, from)
    await convertAll(folders, folders.withNew(page.files), seen)
    keep(page.next)
    ;({ isLast, next: from } = page)
  }
  await commentOnEmpty(folderRule)
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
      tell(`hla: ${shownTitle(file.title)} will be converted later\n`)
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
  // many programs create a file first and fill it later
  const hasContent = file.isDocument || (file.revision !== undefined && file.size !== 0)
  return hasContent && !file.isTrashed && !isRuleOutput(file)
}

/** True for a refusal by a store that is reachable. */
function isRefused(error: unknown): error is HlaError {
  return isHlaError(error) && error.code !== 'remote' && error.facts?.['status'] !== undefined
}

interface RuleFolders {
  /** Rule for the folder of the file; undefined for a file in none of the folders. */
  readonly ruleOver: (file: DriveFile) => Promise<FolderRule | undefined>
  /** All existing files. */
  readonly all: () => AsyncGenerator<DriveFile>
  /** The files, and the contents of folders among them: a folder may arrive with its contents. */
  readonly withNew: (files: readonly DriveFile[]) => AsyncGenerator<DriveFile>
}

/** Folder lookup for one pass; the next pass asks the store again. */
export function ruleFolders(rule: FolderRule): RuleFolders {
  const { drive, folder, isRecursive } = rule
  const { connection } = drive
  /** Folder id -> its rule; undefined for a folder outside. */
  const known = new Map<string, FolderRule | undefined>([[folder.id, rule]])
  const within = async (id: string): Promise<FolderRule | undefined> => {
    if (known.has(id) || !isRecursive) return known.get(id)
    // guards against a cycle, which only a faulty store can have
    known.set(id, undefined)
    const found = await visible(id)
    const above = found === undefined || found.isTrashed ? undefined : await anyWithin(found.parents)
    const own = found === undefined || above === undefined ? undefined : below(above, found)
    known.set(id, own)
    return own
  }
  const anyWithin = async (parents: readonly string[]): Promise<FolderRule | undefined> => {
    for (const id of parents) {
      const found = await within(id)
      if (found !== undefined) return found
    }
    return undefined
  }
  const visible = async (id: string): Promise<DriveFile | undefined> => {
    try {
      return await getFile(connection, id)
    } catch (error) {
      if (isRefusal(error, 404)) return undefined
      throw error
    }
  }
  /** Folders already walked; a folder may have several parents, or arrive with one of them. */
  const walked = new Set<string>()
  async function* walk(rule: FolderRule): AsyncGenerator<DriveFile> {
    if (walked.has(rule.folder.id)) return
    walked.add(rule.folder.id)
    for await (const file of listChildren(connection, rule.folder.id)) {
      if (isRecursive && file.isFolder) {
        const own = below(rule, file)
        known.set(file.id, own)
        yield* walk(own)
      } else yield file
    }
  }
  async function* withNew(files: readonly DriveFile[]): AsyncGenerator<DriveFile> {
    for (const file of files) {
      const own = isRecursive && file.isFolder && file.id !== folder.id ? await within(file.id) : undefined
      if (own === undefined) yield file
      else yield* walk(own)
    }
  }
  return { ruleOver: (file) => anyWithin(file.parents), all: () => walk(rule), withNew }
}

/** Rule for a subfolder: outputs go beside their tables. */
function below(rule: FolderRule, folder: DriveFile): FolderRule {
  const path = `${rule.path}${folder.title}/`
  return { ...rule, folder, path, to: folder, toPath: path }
}
