/** Follows the feed of changes of a store, and converts each new or changed table of a rule's folders once.  [network] */
import { changesFrom, feedEnd } from '../../changes.ts'
import type { DriveFile } from '../../resource.ts'
import { type HlaError, isHlaError } from '../../../../errors.ts'
import { shownTitle } from '../files/shown-title.ts'
import { tell } from '../../../../io/stdout.ts'
import { convertOne } from './convert-one.ts'
import { isMade } from './marks.ts'
import { isEmptyTable, rememberEmpty, tellOfEmpty } from './complaints.ts'
import type { FolderRule } from './folder-rule.ts'
import { isRefusal } from '../../failure.ts'
import { getFile } from '../../files.ts'
import { listChildren } from '../../paths.ts'

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

interface RuleFolders {
  /** The rule, with the folder that the file is in; undefined: the file is in none of them. */
  readonly ruleOver: (file: DriveFile) => Promise<FolderRule | undefined>
  /** Everything that is there. */
  readonly all: () => AsyncGenerator<DriveFile>
  /** With what is in folders among them: they may have come with what was in them before. */
  readonly withNew: (files: readonly DriveFile[]) => AsyncGenerator<DriveFile>
}

/** For one look: what is found of folders is asked anew by the next. */
export function ruleFolders(rule: FolderRule): RuleFolders {
  const { drive, folder, isRecursive } = rule
  const { connection } = drive
  /** Undefined: it is not below. */
  const known = new Map<string, FolderRule | undefined>([[folder.id, rule]])
  const within = async (id: string): Promise<FolderRule | undefined> => {
    if (known.has(id) || !isRecursive) return known.get(id)
    // a folder may be below itself only by a fault of the store: then it is not below
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
  /** What is in several folders, or came with several that came, is gone through once. */
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

/** Outputs go beside their tables. */
function below(rule: FolderRule, folder: DriveFile): FolderRule {
  const path = `${rule.path}${folder.title}/`
  return { ...rule, folder, path, to: folder, toPath: path }
}
